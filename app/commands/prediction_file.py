"""Predictions in a file, each with its text."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from app.commands.client import ServiceFailed
from app.commands.spreadsheet_file import replaced, write_rows, written_note
from app.services.intake.spreadsheet_cells import protected

SUFFIXES = (".csv", ".ndjson")
COLUMNS = ("id", "text", "score", "probability", "predicted")


def check(output: Path) -> None:
    """Refuse a file that cannot be written.

    Raises
    ------
    ServiceFailed
    """
    if output.suffix.lower() not in SUFFIXES:
        raise ServiceFailed(f"End the name of the file in {' or '.join(SUFFIXES)}.")
    if output.exists():
        raise ServiceFailed(f"{output} is there already: delete it or choose another name.")


def kept(blocks: Iterable[bytes], spool: IO[bytes]) -> Iterator[bytes]:
    """Yield what is sent, and keep it for ``texts_of``."""
    for block in blocks:
        spool.write(block)
        yield block


def texts_of(spool: IO[bytes]) -> Iterator[str]:
    """Yield the texts that were sent, in their order; all is sent before the first answer."""
    spool.seek(0)
    yield from (json.loads(line)["text"] for line in spool if line.strip())


def write(output: Path, predictions: Iterable[tuple[dict[str, Any], str]]) -> str:
    """Write predictions with their texts, and return what to tell of it.

    Raises
    ------
    ServiceFailed
    """
    rows = ([_cell(found, name, text) for name in COLUMNS] for found, text in predictions)
    with replaced(output) as file:
        if output.suffix.lower() == ".csv":
            cells = (([*map(_written, row)], None) for row in rows)
            n_rows, n_cut = write_rows(file, COLUMNS, cells)
        else:
            n_rows = n_cut = 0
            for row in rows:
                fields = dict(zip(COLUMNS, row, strict=True))
                file.write(json.dumps(fields, ensure_ascii=False) + "\n")
                n_rows += 1
    return written_note(output, n_rows, n_cut)


def _cell(found: dict[str, Any], name: str, text: str) -> Any:
    if name == "text":
        return text
    return found["label"] == "positive" if name == "predicted" else found[name]


def _written(cell: Any) -> str:
    if isinstance(cell, str):
        return protected(cell)
    return "" if cell is None else json.dumps(cell)
