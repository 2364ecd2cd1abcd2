"""Files to take away, in flat memory: rankings as JSON, CSV or RIS, models as they are."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

import msgspec

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
    while block := list(islice(rows, ROWS_AT_A_TIME)):
        yield b"".join(msgspec.json.encode(row) + b"\n" for row in block)


def csv_lines(rows: Iterator[RankedDocument]) -> Iterator[bytes]:
    yield ",".join(CSV_COLUMNS).encode() + b"\r\n"
    while block := list(islice(rows, ROWS_AT_A_TIME)):
        buffer = io.StringIO()
        csv.writer(buffer).writerows(map(_csv_cells, block))
        yield buffer.getvalue().encode()


def ris_lines(rows: Iterator[RankedDocument]) -> Iterator[bytes]:
    while block := list(islice(rows, ROWS_AT_A_TIME)):
        yield reference_file.references(map(msgspec.to_builtins, block)).encode()


def blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield what is in a file, and close it."""
    with stream:
        while block := stream.read(BLOCK_BYTES):
            yield block


def _csv_cells(row: RankedDocument) -> list[object]:
    predicted = "true" if row.predicted else "false"
    figures = [row.score, row.probability, predicted]
    # An object of JSON is no formula, as it begins with a brace.
    metadata = "" if row.metadata is None else msgspec.json.encode(row.metadata).decode()
    judged = [row.label, row.judgement]
    return [row.rank, protected(row.id), *figures, *judged, protected(row.text), metadata]
