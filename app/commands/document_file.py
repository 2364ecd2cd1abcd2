"""Files of documents: what their names tell, and what is in them."""

import codecs
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Any, BinaryIO, Literal

from app.commands.byte_order import with_byte_order
from app.commands.client import ServiceFailed
from app.document_sizes import NO_LIMIT
from app.media_types import CSV, JSON, NBIB, NDJSON, PARQUET, PLAIN, RIS, XLSX
from app.services.intake.csv_columns import WINDOWS
from app.services.intake.decoding import decoded
from app.services.intake.options import Options

MEDIA_TYPES = {
    ".ndjson": NDJSON,
    ".jsonl": NDJSON,
    ".csv": CSV,
    ".tsv": CSV,
    ".xlsx": XLSX,
    ".parquet": PARQUET,
    ".txt": PLAIN,
    ".json": JSON,
    ".ris": RIS,
    ".nbib": NBIB,
}
#: What may come from a pipe.
Piped = Literal["txt", "csv", "tsv", "xlsx", "parquet", "ndjson", "json", "ris", "nbib"]
#: The charset of what is sent.
UTF8 = "utf-8"
ENCODINGS = {".gz": "gzip", ".zst": "zstd"}
BLOCK_BYTES = 2**18
#: The exit code where part of a file is lost.
INCOMPLETE = 3


def told_by_name(file: Path) -> tuple[str | None, str | None]:
    """Return the media type and the encoding that the name of a file tells."""
    suffixes = [suffix.lower() for suffix in file.suffixes]
    encoding = ENCODINGS.get(suffixes[-1]) if suffixes else None
    if encoding is not None:
        suffixes.pop()
    return (MEDIA_TYPES.get(suffixes[-1]) if suffixes else None), encoding


def headers_of(file: Path) -> dict[str, str]:
    """Return what the name of a file says about its content.

    Raises
    ------
    ServiceFailed
    """
    media_type, encoding = told_by_name(file)
    if media_type is None:
        raise ServiceFailed(
            f"The name {file.name} does not tell a format that can be read. Save a spreadsheet as "
            ".xlsx or CSV, what a reference manager has as RIS, a data frame by "
            '.to_parquet("pile.parquet"), texts with a document a line, such as a log, as .txt. '
            f"Names end in {', '.join(MEDIA_TYPES)}, and then .gz or .zst if the file is "
            "compressed."
        )
    return {"content-type": media_type} | ({"content-encoding": encoding} if encoding else {})


def piped(form: str) -> Path:
    """Return a name for what comes from a pipe, which tells its format."""
    return Path(f"standard input.{form}")


def kept_input(file: BinaryIO) -> BinaryIO:
    """Keep all of standard input in a file: rows may come more slowly than the service waits for.

    Raises
    ------
    ServiceFailed
        If nothing is connected to it.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise ServiceFailed("Nothing comes from standard input: connect a pipe or a file to it.")
    copyfileobj(sys.stdin.buffer, file)
    file.seek(0)
    return file


def row_params(file: Path, headers: dict[str, str], columns: dict[str, Any]) -> dict[str, Any]:
    """Return how the service is to read the rows of a file.

    Raises
    ------
    ServiceFailed
        If the format has no such columns.
    """
    given = {name: value for name, value in columns.items() if value is not None}
    if given and headers["content-type"] == MEDIA_TYPES[".txt"]:
        raise ServiceFailed(
            "--text-column, --id-column and --delimiter are not for .txt. References that PubMed "
            "saves as .txt are read once the file name ends in .nbib."
        )
    if "delimiter" in given and headers["content-type"] != MEDIA_TYPES[".csv"]:
        raise ServiceFailed("--delimiter is for .csv and .tsv.")
    is_tsv = file.name.lower().endswith((".tsv", *(f".tsv{packed}" for packed in ENCODINGS)))
    return {"extra_fields": "metadata"} | ({"delimiter": "tab"} if is_tsv else {}) | given


def check_charset(charset: str, headers: dict[str, str]) -> None:
    """Refuse the charset of a file that is packed or no text, unless it is that of what is sent.

    Raises
    ------
    ServiceFailed
    """
    if charset != UTF8 and headers["content-type"] in {XLSX, PARQUET}:
        raise ServiceFailed("--encoding is for files of text: leave it out.")
    if charset != UTF8 and "content-encoding" in headers:
        raise ServiceFailed("--encoding is for files that are not compressed: unpack it first.")


def recoded(blocks: Iterator[bytes], charset: str) -> Iterator[bytes]:
    """Return blocks as UTF-8; the service checks those that should be.

    Raises
    ------
    ServiceFailed
        At once, if the file tells by its first bytes that it is in UTF-8 already.
    """
    if charset == UTF8:
        return blocks
    first = next(blocks, b"")
    # The charset that has the mark takes it away.
    if first.startswith(codecs.BOM_UTF8) and codecs.lookup(charset).name != "utf-8-sig":
        raise ServiceFailed(
            f"The file begins with the mark of UTF-8, so it is not in {charset}: leave out "
            "--encoding."
        )
    return _decoded(first, blocks, charset)


def _decoded(first: bytes, blocks: Iterator[bytes], charset: str) -> Iterator[bytes]:
    try:
        decoder = codecs.getincrementaldecoder(with_byte_order(charset, first))()
        for block in chain([first], blocks):
            yield decoder.decode(block).encode()
        if rest := decoder.decode(b"", final=True):
            yield rest.encode()
    except UnicodeError as error:
        raise ServiceFailed(
            f"The texts are not in {charset}. Name their encoding: --encoding {WINDOWS}, "
            "utf-16 or, without that option, UTF-8."
        ) from error


def blocks_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what is in a file."""
    while block := stream.read(BLOCK_BYTES):
        yield block


def unpacked(stream: IO[bytes], headers: dict[str, str], charset: str) -> Iterator[bytes]:
    """Yield what is in a file as the service unpacks it; raises as ``recoded`` and ``decoded``."""
    return decoded(
        recoded(blocks_of(stream), charset),
        media_type=headers["content-type"],
        encoding=headers.get("content-encoding", "identity"),
        max_bytes=NO_LIMIT,
    )


def read_options(params: dict[str, Any], **others: Any) -> Options:
    """Return how rows are read here where the service would be asked with ``params``."""
    return Options(
        NO_LIMIT,  # the service tells of a text that is too long
        text_columns=params.get("text_column", ()),
        id_column=params.get("id_column"),
        delimiter=params.get("delimiter", "comma"),
        **others,
    )
