"""Bodies of uploads as bytes: decompressed and counted, in flat memory whatever they unpack to."""

import codecs
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from app.errors import BodyTooLarge, UnreadableBody, UnsupportedMediaType
from app.media_types import NDJSON, PARQUET, XLSX

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE_BYTES = 2**18
#: The settings that say how large a body may be.
MAX_UPLOAD = "SEEDBED_MAX_UPLOAD_BYTES"
MAX_BODY = "SEEDBED_MAX_BODY_BYTES"
MAX_TABLE = "SEEDBED_MAX_TABLE_BYTES"
_ADVICE = {
    MAX_UPLOAD: "Send it in parts, or raise",
    MAX_BODY: f"Send more as {NDJSON}, or raise",
    MAX_TABLE: "Raise",
}
#: What a client may expect of every server (RFC 9659): 8 MiB.
ZSTD_WINDOW_LOG = 23
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG}
DECOMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": partial(zlib.decompressobj, wbits=31),
    "zstd": partial(zstd.ZstdDecompressor, options=_ZSTD_OPTIONS),
}


def find_encoding(content_encoding: str) -> str:
    """Return the encoding that a Content-Encoding header names.

    Raises
    ------
    UnsupportedMediaType
    """
    encoding = content_encoding.strip().lower() or "identity"
    if encoding not in {"identity", *DECOMPRESSORS}:
        raise UnsupportedMediaType(
            f"Content-Encoding must be one of: {', '.join(DECOMPRESSORS)}; or be left out."
        )
    return encoding


def decoded(
    chunks: Iterator[bytes],
    *,
    media_type: str,
    encoding: str,
    max_bytes: int,
    setting: str = MAX_UPLOAD,
) -> Iterator[bytes]:
    """Yield the body without its content encoding and byte order mark.

    ``setting`` is the one that says how many bytes there may be.

    Raises
    ------
    UnreadableBody, BodyTooLarge
    """
    if encoding != "identity":
        # The compressed bytes count too: members without content would never end.
        chunks = _decompressed(counted(chunks, max_bytes, setting), encoding)
    pieces = counted(chunks, max_bytes, setting)
    if media_type == XLSX:
        return pieces
    is_table = setting == MAX_TABLE
    may_be_parquet = is_table or media_type == PARQUET
    return _without_mark(pieces, is_table=is_table, may_be_parquet=may_be_parquet)


def counted(chunks: Iterator[bytes], max_bytes: int, setting: str = MAX_UPLOAD) -> Iterator[bytes]:
    """Pass the chunks on until there are too many bytes."""
    n_bytes = 0
    for chunk in chunks:
        n_bytes += len(chunk)
        if n_bytes > max_bytes:
            raise too_large(max_bytes, setting)
        yield chunk


def too_large(max_bytes: int, setting: str = MAX_UPLOAD) -> BodyTooLarge:
    return BodyTooLarge(
        f"The body may have at most {max_bytes} bytes, after decompression. {_ADVICE[setting]} "
        f"{setting}."
    )


def _decompressed(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Decompress any number of members one behind another, some bytes at a time."""
    decompressor = DECOMPRESSORS[encoding]()
    for chunk in chunks:
        is_full = False
        while chunk or is_full:
            if decompressor.eof:
                chunk = chunk.lstrip(b"\0")  # gzip files may be padded to whole blocks
                if not chunk:
                    break
                decompressor = DECOMPRESSORS[encoding]()
            try:
                piece = decompressor.decompress(chunk, PIECE_BYTES)
            except (zlib.error, zstd.ZstdError) as error:
                raise UnreadableBody(_fault(encoding, error)) from error
            is_full = len(piece) == PIECE_BYTES
            chunk = decompressor.unused_data or getattr(decompressor, "unconsumed_tail", b"")
            yield piece
    if not decompressor.eof:
        raise UnreadableBody(f"The {encoding} body ends too early.")


def _fault(encoding: str, error: Exception) -> str:
    if "too much memory" in str(error):
        return (
            f"To unpack the zstd body takes a window of more than {2 ** (ZSTD_WINDOW_LOG - 20)} "
            "MiB. Compress it again without --ultra and --long."
        )
    return (
        f"The body is not {encoding}, or damaged: {error}. Send what is not compressed without "
        f"Content-Encoding; for the command, without {_SUFFIX[encoding]} at the end of the file "
        "name."
    )


#: How files begin that are no text; the second may be a table.
ZIP, PAR1 = b"PK\x03\x04", b"PAR1\x15"
_ZIPPED = (
    f"The body is a spreadsheet, or another zip file. Send an Excel workbook as {XLSX}; for the "
    "command, end the file name in .xlsx. Save any other as CSV in UTF-8."
)
_TABLE_ZIP = "The body is a spreadsheet, or another zip file: save it as CSV in UTF-8 first."
#: How compressed bodies begin; no text and no table does.
_MAGIC = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f"}
_SUFFIX = {"gzip": ".gz", "zstd": ".zst"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKS = (*_MAGIC.values(), ZIP, PAR1, *_UTF16, codecs.BOM_UTF8)


def _without_mark(
    chunks: Iterator[bytes], *, is_table: bool, may_be_parquet: bool
) -> Iterator[bytes]:
    start = b""
    for chunk in chunks:
        start += chunk
        # What came is kept back only while more of it may make a mark.
        if not any(len(start) < len(mark) and mark.startswith(start) for mark in _MARKS):
            break
    for encoding, magic in _MAGIC.items():
        if start.startswith(magic):
            raise UnreadableBody(
                f"The body is {encoding}: send it with the header Content-Encoding: {encoding}; "
                f"for the command, end the file name in {_SUFFIX[encoding]}."
            )
    if start.startswith(ZIP):
        raise UnreadableBody(_TABLE_ZIP if is_table else _ZIPPED)
    if start.startswith(PAR1) and not may_be_parquet:
        raise UnreadableBody(
            f"The body is Parquet. Send it as {PARQUET}; for the command, end the file name in "
            ".parquet."
        )
    if start.startswith(_UTF16):
        raise UnreadableBody(
            "The body is UTF-16: save the file as UTF-8, or convert it: iconv -f utf-16 -t utf-8 "
            "FILE; for the command, --encoding utf-16."
        )
    yield start.removeprefix(codecs.BOM_UTF8)
    yield from chunks


def whole_lines(chunks: Iterator[bytes], *, max_bytes: int) -> Iterator[bytes | None]:
    """Yield runs of whole lines; None stands for one line of more than ``max_bytes``."""
    parts: list[bytes] = []
    n_bytes = 0
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end == 0:
            n_bytes += len(chunk)
            parts.append(chunk)
            if n_bytes > max_bytes:  # not kept, only waited through
                parts.clear()
            continue
        start = 0
        if n_bytes > max_bytes:
            yield None
            start = chunk.find(b"\n") + 1
        if start < end:
            yield b"".join([*parts, chunk[start:end]])
        parts = [chunk[end:]]
        n_bytes = len(chunk) - end
    if n_bytes > max_bytes:
        yield None
    elif n_bytes:
        yield b"".join(parts)


def numbered_blocks(
    chunks: Iterator[bytes], *, max_bytes: int
) -> Iterator[tuple[int, bytes | None]]:
    """Yield what ``whole_lines`` does, each with the number of its first line, from 1."""
    line = 1
    for block in whole_lines(chunks, max_bytes=max_bytes):
        yield line, block
        line += 1 if block is None else count_lines(block)


def numbered_lines(
    chunks: Iterator[bytes], *, max_bytes: int
) -> Iterator[tuple[int, bytes | None]]:
    """Yield each line with its number, from 1; None stands for one of more than ``max_bytes``."""
    for first, block in numbered_blocks(chunks, max_bytes=max_bytes):
        lines = [None] if block is None else block.removesuffix(b"\n").split(b"\n")
        yield from enumerate(lines, first)


def count_lines(block: bytes) -> int:
    return block.count(b"\n") + (not block.endswith(b"\n"))
