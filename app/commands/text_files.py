"""Files of text: folders in which each is a document, and files that look like one document."""

import json
from collections.abc import Iterable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

from app.commands.byte_order import with_byte_order
from app.commands.client import ServiceFailed
from app.commands.document_file import BLOCK_BYTES, UTF8
from app.services.intake.csv_columns import WINDOWS
from app.services.intake.reference_formats import told_format
from app.services.intake.rows import composed

SUFFIX = ".txt"
#: From this share of blank lines on, lines look like paragraphs.
BLANK_LINES = 0.1
#: How many files that are left out of a folder are told by their names.
SHOWN_FILES = 3


def texts_in(folder: Path) -> list[Path]:
    """Return the texts of a folder, by name.

    Raises
    ------
    ServiceFailed
        If there are none.
    """
    found = sorted(file for file in folder.iterdir() if file.suffix.lower() == SUFFIX)
    if not found:
        raise ServiceFailed(
            f"There is no {SUFFIX} in {folder}. Of a folder each {SUFFIX} is a document; give "
            "files of many documents one by one."
        )
    return found


def left_out_warning(folder: Path) -> str | None:
    """Return a warning where a folder has more than texts; hidden files do not count."""
    others = sorted(
        file.name
        for file in folder.iterdir()
        if file.suffix.lower() != SUFFIX and not file.name.startswith(".")
    )
    if not others:
        return None
    n_more = len(others) - SHOWN_FILES
    more = f" and {n_more:,} more" if n_more > 0 else ""
    return (
        f"Warning: what is no {SUFFIX} is left out of {folder}: "
        f"{', '.join(others[:SHOWN_FILES])}{more}."
    )


def rows_of(files: Iterable[Path], charset: str) -> Iterator[bytes]:
    """Yield blocks of NDJSON in which each file is a document, with its name for an id.

    Raises
    ------
    ServiceFailed
    """
    block = bytearray()
    for file in files:
        # macOS writes letters of names apart from their marks: elsewhere the file has another id.
        row = {"id": composed(file.stem), "text": _text_of(file, charset)}
        block += json.dumps(row).encode() + b"\n"
        if len(block) >= BLOCK_BYTES:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _text_of(file: Path, charset: str) -> str:
    try:
        content = file.read_bytes()
        used = "utf-8-sig" if charset == UTF8 else with_byte_order(charset, content)
        with TextIOWrapper(BytesIO(content), used) as text:  # line ends are those of here
            return text.read()
    except OSError as error:
        raise ServiceFailed(f"Cannot read {file}: {error.strerror}.") from error
    except UnicodeError as error:
        raise ServiceFailed(
            f"{file} is not in {charset.upper()}. Name the encoding of the texts: --encoding "
            f"{WINDOWS} or utf-16."
        ) from error


def one_text_warning(file: Path, charset: str) -> str | None:
    """Return a warning where the lines of a file look like the paragraphs of one document."""
    if not file.is_file():  # a pipe with a name, of which nothing can be read twice
        return None
    with file.open("rb") as stream:
        head = stream.read(BLOCK_BYTES)
    try:
        text = head.decode(with_byte_order(charset, head), errors="replace")
    except UnicodeError:  # which the upload tells
        return None
    lines = [line.strip() for line in text.strip().splitlines()]
    if lines.count("") < BLANK_LINES * len(lines) or not lines:
        return None
    if told_format(lines[0].encode()) is not None:  # references, which an upload refuses as text
        return None
    return (
        f"Warning: {file.name} has blank lines as a text of paragraphs has, and each line becomes "
        f"a document. If the file is one document, put it into a folder and give that: each "
        f"{SUFFIX} of a folder is a document."
    )
