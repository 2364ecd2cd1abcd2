"""Predictions for a stream of texts of any length, in flat memory."""

from collections.abc import Iterator

from app.database import Database
from app.repositories.models import ModelFile
from app.services.intake import Rows
from app.services.nearest import named
from app.services.prediction import Prediction, Predictor
from app.services.rows import Row, RowError
from app.tables import Model

BLOCK_ROWS = 1000
#: Large texts make smaller blocks.
BLOCK_BYTES = 8 * 2**20

#: A prediction for the row with this id, if it came with one, or why a row was refused.
Predicted = tuple[str | None, Prediction] | RowError


def predict_rows(
    database: Database,
    predictor: Predictor,
    model: Model | ModelFile,
    rows: Rows,
    *,
    explain: bool,
) -> Iterator[list[Predicted]]:
    """Yield what came of the rows, in their order and some at a time.

    Raises
    ------
    ArtifactUnavailable, and whatever ``rows`` raises
    """
    for block in _blocks(rows):
        texts = [row.text or "" for row in block if isinstance(row, Row)]
        found = predictor.predict(model, texts, explain=explain)
        with database.reading() as session:
            predictions = iter(named(session, found))
        yield [
            row
            if isinstance(row, RowError)
            else (row.id if row.has_own_id else None, next(predictions))
            for row in block
        ]


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
