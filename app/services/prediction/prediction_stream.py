"""Predictions for a stream of texts of any length, in flat memory."""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain
from typing import IO

from app.database import Database
from app.database_errors import database_errors
from app.errors import AppError
from app.media_types import NDJSON
from app.orm import Model
from app.repositories.models import ModelFile
from app.services.intake import decoding
from app.services.intake.intake import Rows, read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError
from app.services.intake.vectors import encode, of_one_length
from app.services.prediction.nearest import ids_in
from app.services.prediction.prediction import Predictor
from app.services.prediction.prediction_json import Prediction, Refusal, encode_line
from core.text.vector_coding import with_words

BLOCK_ROWS = 1000
#: Large texts make smaller blocks.
BLOCK_BYTES = 8 * 2**20
READ_BYTES = 2**16

#: What came of a row: a prediction, or why it was refused.
Predicted = Prediction | RowError


def predict_file(
    database: Database,
    predictor: Predictor,
    model: Model | ModelFile,
    file: IO[bytes],
    *,
    encoding: str,
    max_bytes: int,
    options: Options,
    explain: bool,
) -> Generator[bytes, None, None]:
    """Return the lines of NDJSON that answer those of a file, which is closed behind the last.

    Raises
    ------
    UnreadableBody, BodyTooLarge, ArtifactUnavailable
        Before the first block; what fails later is told by the last line.
    """
    pieces = iter(lambda: file.read(READ_BYTES), b"")
    body = decoding.decoded(pieces, media_type=NDJSON, encoding=encoding, max_bytes=max_bytes)
    known = predictor.vector_sizes(model)
    rows = of_one_length(read_rows(body, media_type=NDJSON, options=options), known=known)
    blocks = predict_rows(database, predictor, model, rows, explain=explain)
    start = list(next(blocks, []))
    return _lines(chain([start], blocks), file)


def _lines(blocks: Iterator[list[Predicted]], file: IO[bytes]) -> Generator[bytes, None, None]:
    with file:
        try:
            with database_errors():
                for block in blocks:
                    yield b"".join(_line(predicted) for predicted in block)
        except AppError as error:  # the answer has begun
            yield encode_line(Refusal({"code": error.code(), "reason": error.detail}))


def _line(predicted: Predicted) -> bytes:
    if isinstance(predicted, RowError):
        return encode_line(Refusal(predicted.to_dict("line")))
    return encode_line(predicted)


def predict_rows(
    database: Database,
    predictor: Predictor,
    model: Model | ModelFile,
    rows: Rows,
    *,
    explain: bool,
) -> Iterator[list[Predicted]]:
    """Yield what came of the rows, whose vectors fit the model, in their order, some at a time.

    Raises
    ------
    ArtifactUnavailable, and whatever ``rows`` raises
    """
    ids_of = ids_in(database) if explain else None
    for block in _blocks(rows):
        taken = [row for row in block if isinstance(row, Row)]
        encode(taken)
        texts = [with_words(row.text or "", row.vector_code) for row in taken]
        ids = [row.own_id for row in taken]
        yield in_order(block, predictor.predict(model, texts, ids=ids, ids_of=ids_of))


def in_order(
    rows: Sequence[Row | str | RowError], predictions: Sequence[Prediction]
) -> list[Predicted]:
    """Return the rows, or texts, with the valid ones replaced by their predictions."""
    found = iter(predictions)
    return [row if isinstance(row, RowError) else next(found) for row in rows]


def _blocks(rows: Rows) -> Iterator[list[Row | RowError]]:
    block: list[Row | RowError] = []
    n_bytes = 0
    for row in rows:
        block.append(row)
        n_bytes += row.size if isinstance(row, Row) else 0
        if len(block) == BLOCK_ROWS or n_bytes >= BLOCK_BYTES:
            yield block
            block, n_bytes = [], 0
    if block:
        yield block
