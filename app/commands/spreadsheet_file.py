"""Files that spreadsheets open."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple
from uuid import uuid4

from app.commands.client import ServiceFailed
from app.services.intake.csv_columns import (
    DELIMITERS,
    METADATA,
    METADATA_FIELD,
    Delimiter,
)
from app.services.intake.spreadsheet_cells import CELL_LENGTH, CUT, protected

#: Columns of numbers that are not whole.
FIGURES = ("score", "probability")
#: Without it spreadsheets take UTF-8 for something else.
BYTE_ORDER_MARK = "\ufeff"


class Written(NamedTuple):
    """Rows in a file, and how many of them lost the end of a cell."""

    n_rows: int
    n_cut: int


def write_rows(
    file: IO[str],
    columns: Sequence[str],
    rows: Iterable[tuple[list[Any], dict[str, Any] | None]],
    delimiter: Delimiter = "comma",
) -> Written:
    """Write rows given as cells and metadata: a column for each field, then all as JSON.

    People read the former, an upload the latter: cells do not tell numbers from text. Between
    semicolons numbers have a comma, or spreadsheets of countries with that would take a score of
    6.453 for thousands, and 1.5 for a day in May.
    """
    point = "," if delimiter == "semicolon" else "."
    fields: dict[str, None] = {}
    n_cut = n_rows = 0
    # Which fields there are is known once all rows were seen, more than memory may hold, or a
    # folder for temporary files: the file itself needs as much room.
    with TemporaryFile("w+", encoding="utf-8", dir=Path(file.name).parent) as spool:
        for cells, metadata in rows:
            spool.write(json.dumps([cells, metadata]) + "\n")
            fields |= dict.fromkeys(metadata or ())
        spool.seek(0)
        file.write(BYTE_ORDER_MARK)
        writer = csv.writer(file, delimiter=DELIMITERS[delimiter])
        names = [*(f"{METADATA_FIELD}{name}" for name in fields), METADATA] if fields else []
        writer.writerow([*columns, *names])
        for cells, metadata in map(json.loads, spool):
            whole = [
                str(cell).replace(".", point) if name in FIGURES else str(cell)
                for name, cell in zip(columns, cells, strict=True)
            ]
            whole += [_cell((metadata or {}).get(name), point) for name in fields]
            if fields:
                whole.append("" if metadata is None else _json(metadata))
            fitting = [in_cell(cell) for cell in whole]
            writer.writerow(fitting)
            n_rows += 1
            n_cut += fitting != whole
    return Written(n_rows, n_cut)


def _cell(value: Any, point: str) -> str:
    """Return what a field of metadata holds; what is no text stands as JSON."""
    if isinstance(value, str):
        return protected(value)
    if isinstance(value, float):
        return _json(value).replace(".", point)
    return "" if value is None else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def in_cell(text: str) -> str:
    """Return a text as a cell of a spreadsheet can hold it."""
    if len(text) <= CELL_LENGTH // 2:
        return text
    units = text.encode("utf-16-le")
    if len(units) <= 2 * CELL_LENGTH:
        return text
    return units[: 2 * (CELL_LENGTH - 1)].decode("utf-16-le", "ignore") + CUT


def written_note(output: Path, n_rows: int, n_cut: int) -> str:
    """Return what is told of a file that could be NDJSON instead."""
    told = f"{n_rows:,} documents in {output}"
    return f"{told}\n{cut_note(n_cut)} An .ndjson has them whole." if n_cut else told


def cut_note(n_cut: int) -> str:
    """Return what is told of rows whose cells ``in_cell`` has cut."""
    return (
        f"Rows cut to the {CELL_LENGTH:,} characters that a cell of a spreadsheet holds, with "
        f"{CUT} at the end: {n_cut:,}."
    )


@contextmanager
def replaced(path: Path) -> Iterator[IO[str]]:
    """Open a file that takes the place of ``path`` when all is written, and not before."""
    # A name of its own: that of another file, or of a command beside this one, stays theirs.
    part = path.with_name(f"{uuid4().hex}.part")
    try:
        with part.open("x", encoding="utf-8", newline="") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise ServiceFailed(
            f"Cannot write {path}: {error.strerror}. Choose another file with --output."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()
