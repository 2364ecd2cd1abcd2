"""Files that spreadsheets open."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from app.commands.client import ServiceFailed
from app.services.spreadsheet_cells import CELL_LENGTH, CUT

#: Without it spreadsheets take UTF-8 for something else.
BYTE_ORDER_MARK = "\ufeff"


def in_cell(text: str) -> str:
    """Return a text as a cell of a spreadsheet can hold it."""
    if len(text) <= CELL_LENGTH // 2:
        return text
    units = text.encode("utf-16-le")
    if len(units) <= 2 * CELL_LENGTH:
        return text
    return units[: 2 * (CELL_LENGTH - 1)].decode("utf-16-le", "ignore") + CUT


def cut_note(n_cut: int) -> str:
    """Return what is told of texts that ``in_cell`` has cut."""
    return (
        f"Texts cut to the {CELL_LENGTH:,} characters that a cell of a spreadsheet holds, with "
        f"{CUT} at the end: {n_cut:,}."
    )


@contextmanager
def replaced(path: Path) -> Iterator[IO[str]]:
    """Open a file that takes the place of ``path`` when all is written, and not before."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise ServiceFailed(
            f"Cannot write {path}: {error.strerror}. Choose another file with --output."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()
