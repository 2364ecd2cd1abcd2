"""Files to take away, in flat memory: rankings as JSON, CSV or RIS, models as they are."""

import csv
import io
from collections.abc import Generator, Iterator
from typing import BinaryIO

import msgspec

from app.repositories.page_sizes import n_characters
from app.services.intake.csv_columns import DELIMITERS, Delimiter
from app.services.intake.spreadsheet_cells import protected
from app.services.ranking import reference_file
from app.services.ranking.ranking import RankedDocument

ROWS_AT_A_TIME = 500
BLOCK_BYTES = 2**20
CSV_COLUMNS = (
    *("rank", "id", "score", "probability", "predicted"),
    *("label", "judgement", "text", "metadata"),
)


def ndjson_lines(rows: Iterator[RankedDocument]) -> Iterator[bytes]:
    for block in _blocks(rows):
        yield b"".join(msgspec.json.encode(row) + b"\n" for row in block)


def csv_lines(rows: Iterator[RankedDocument], delimiter: Delimiter = "comma") -> Iterator[bytes]:
    """Yield a CSV; between semicolons numbers have a comma, as spreadsheets expect them there."""
    sign, point = DELIMITERS[delimiter], "," if delimiter == "semicolon" else "."
    yield sign.join(CSV_COLUMNS).encode() + b"\r\n"
    for block in _blocks(rows):
        buffer = io.StringIO()
        cells = (_csv_cells(row, point) for row in block)
        csv.writer(buffer, delimiter=sign).writerows(cells)
        yield buffer.getvalue().encode()


def ris_lines(rows: Iterator[RankedDocument]) -> Iterator[bytes]:
    for block in _blocks(rows):
        yield reference_file.references(map(msgspec.to_builtins, block)).encode()


def _blocks(rows: Iterator[RankedDocument]) -> Iterator[list[RankedDocument]]:
    """Yield rows, some at a time, of long texts fewer."""
    block: list[RankedDocument] = []
    total = 0
    for row in rows:
        block.append(row)
        total += n_characters(row)
        if len(block) == ROWS_AT_A_TIME or total >= BLOCK_BYTES:
            yield block
            block, total = [], 0
    if block:
        yield block


def blocks(stream: BinaryIO) -> Generator[bytes, None, None]:
    """Yield what is in a file, and close it."""
    with stream:
        while block := stream.read(BLOCK_BYTES):
            yield block


def _csv_cells(row: RankedDocument, point: str) -> list[object]:
    predicted = "true" if row.predicted else "false"
    probability = "" if row.probability is None else str(row.probability)
    figures = [str(row.score).replace(".", point), probability.replace(".", point), predicted]
    # An object of JSON is no formula, as it begins with a brace.
    metadata = "" if row.metadata is None else msgspec.json.encode(row.metadata).decode()
    judged = [row.label, row.judgement]
    return [row.rank, protected(row.id), *figures, *judged, protected(row.text), metadata]
