"""Rows of a file, as an upload reads them, on their way to a prediction."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from app.commands.client import ServiceFailed
from app.commands.document_file import (
    BLOCK_BYTES,
    check_charset,
    headers_of,
    read_options,
    row_params,
    unpacked,
)
from app.errors import AppError
from app.media_types import JSON
from app.services.intake.intake import position_name, read_rows
from app.services.intake.rows import RowError

_OTHER_FORMATS = (
    " Columns go as csv, texts alone as txt: end the name of the file so, or say it with --stdin."
)

_NO_TEXT = "The row names a document by its id; a prediction needs its text."

#: What cannot be predicted: how many rows were sent before it, its number, and why.
Refused = deque[tuple[int, int, RowError]]


def row_unit(file: Path) -> str:
    """Return what is numbered in a file with this name; a list of JSON has no lines."""
    return "row" if headers_of(file)["content-type"] == JSON else "line"


class PredictionRows:
    """The rows of a file as NDJSON; a row without id has its number for that.

    Parameters
    ----------
    file : Path
        Its name tells the format; it need not be there.
    columns : dict
        Names of columns and what separates them, as an upload takes them, as far as not None.
    charset : str
        That of the file.

    Attributes
    ----------
    refused : deque
        What cannot be predicted, as far as the file was read.

    Raises
    ------
    ServiceFailed
        If the name tells no format, or the format has no such columns.
    """

    def __init__(self, file: Path, columns: dict[str, Any], charset: str) -> None:
        headers = headers_of(file)
        check_charset(charset, headers)
        self._file, self._headers, self._charset = file, headers, charset
        params = row_params(file, headers, columns)
        self._options = read_options(params, keeps_extra_fields=True, other_formats=_OTHER_FORMATS)
        self.refused: Refused = deque()

    def blocks(self, stream: IO[bytes]) -> Iterator[bytes]:
        """Yield blocks of NDJSON in which each row stands in the line that has its number.

        Raises
        ------
        ServiceFailed
            If what is in the file is not what its name says.
        """
        try:
            yield from self._blocks(unpacked(stream, self._headers, self._charset))
        except AppError as error:
            raise ServiceFailed(f"{self._file.name}: {error.detail}") from error

    def _blocks(self, body: Iterator[bytes]) -> Iterator[bytes]:
        media_type = self._headers["content-type"]
        first = 1 if position_name(media_type) == "index" else 0
        block, n_sent, last = bytearray(), 0, 0
        for row in read_rows(body, media_type=media_type, options=self._options):
            number = row.position + first
            if not isinstance(row, RowError) and row.text is None:
                row = RowError(row.position, "missing_text", _NO_TEXT)
            if isinstance(row, RowError):
                self.refused.append((n_sent, number, row))
                continue
            block += b"\n" * (number - last - 1)
            id_ = row.id if row.has_own_id else str(number)
            document: dict[str, Any] = {"id": id_, "text": row.text}
            if row.vector is not None:
                document["vector"] = row.vector
            block += msgspec.json.encode(document) + b"\n"
            n_sent, last = n_sent + 1, number
            if len(block) >= BLOCK_BYTES:
                yield bytes(block)
                block.clear()
        if block:
            yield bytes(block)
