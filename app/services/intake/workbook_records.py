"""Rows of an Excel workbook as records of text, in flat memory but for texts that cells share."""

from collections.abc import Iterator
from typing import IO, Any
from zipfile import ZipFile

import openpyxl
from openpyxl.utils.escape import unescape
from openpyxl.worksheet._reader import WorkSheetParser

from app.errors import BodyTooLarge, InvalidRequest, UnreadableBody
from app.services.intake.csv_columns import TableName, no_name
from app.services.intake.csv_records import Record
from app.services.intake.decoding import too_large
from app.services.intake.options import Options
from app.services.intake.rows import RowError, too_long
from app.services.intake.spool import damage_told
from app.services.intake.spreadsheet_cells import cell_text

#: How old and encrypted workbooks begin.
_OLE = b"\xd0\xcf\x11\xe0"
#: What is in no sheet, mostly texts that cells share, is held in memory: so many bytes at most.
MAX_SHARED_BYTES = 2**28
#: The most that Excel has.
MAX_COLUMNS = 2**14
_SHEETS = "xl/worksheets/"
_NO_WORKBOOK = (
    "The body is no Excel workbook (.xlsx), or is damaged. Open it in a spreadsheet program and "
    "save it as .xlsx, or as CSV in UTF-8."
)
_OLD = (
    "The body is an old Excel workbook (.xls), or one with a password. Save it as .xlsx without "
    "password, or as CSV in UTF-8."
)
_UNORDERED = (
    "The sheet has row {} behind row {}: the rows of the file have to be in order. Open it in a "
    "spreadsheet program and save it anew, or save it as CSV in UTF-8."
)
_OTHERS = (
    "The workbook has {} sheets; rows of the first alone, {!r}, were read. Move another to the "
    "front, or save it alone, to read that."
)


class WorkbookRecords:
    """The header of the first sheet that is not hidden, then its rows.

    Cells are read as a CSV of them would have them: what a formula gave last, and dates in ISO
    8601.
    """

    name: TableName = "sheet"

    def __init__(self, file: IO[bytes], options: Options) -> None:
        self._max_row_bytes = options.max_row_bytes
        self._sheet = _first_sheet(file, options)
        self._begin = 1

    def header(self) -> list[str]:
        """Return the first row that is not empty.

        Raises
        ------
        InvalidRequest, UnreadableBody
        """
        for position, cells in self._rows(None):
            names = [_text(cell) for cell in cells]
            while names and not names[-1].strip():
                names.pop()
            if len(names) > MAX_COLUMNS:
                raise InvalidRequest(f"The sheet has more than {MAX_COLUMNS:,} columns.")
            if names:
                self._begin = position + 1
                return names
        return []

    def rows(self, n_columns: int) -> Iterator[Record | RowError]:
        """Yield the rows that follow the header and are not empty.

        Raises
        ------
        UnreadableBody
        """
        # One column more than there are names: what stands there has none.
        for position, cells in self._rows(n_columns + 1):
            fields = [_text(cell) for cell in cells]
            if not any(fields):
                continue
            size = sum(map(len, fields))
            if size > self._max_row_bytes:
                yield too_long(position, self._max_row_bytes)
            elif fields.pop():
                yield RowError(position, "invalid_row", no_name(n_columns))
            else:
                yield Record(position, fields, size)

    def _rows(self, n_columns: int | None) -> Iterator[tuple[int, list[Any]]]:
        with damage_told(_NO_WORKBOOK):
            for position, cells in _in_order(self._sheet):
                if position >= self._begin:
                    yield position, _values(cells, n_columns)


def _first_sheet(file: IO[bytes], options: Options) -> Any:
    if file.read(len(_OLE)) == _OLE:
        raise UnreadableBody(_OLD)
    with damage_told(_NO_WORKBOOK):
        _check_sizes(ZipFile(file), options.max_bytes)
        workbook = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        sheets = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    if not sheets:
        raise InvalidRequest("The workbook has no sheet with cells.")
    if len(sheets) > 1:
        options.warn(_OTHERS.format(len(sheets), sheets[0].title))
    return sheets[0]


def _in_order(sheet: Any) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the number and the cells of each row that is in the file.

    The rows of openpyxl would be those without what is out of order.
    """
    workbook, last = sheet.parent, 0
    with sheet._get_source() as source:
        parser = WorkSheetParser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=workbook.epoch,
            date_formats=workbook._date_formats,
            timedelta_formats=workbook._timedelta_formats,
        )
        for position, cells in parser.parse():
            if position <= last:
                raise UnreadableBody(_UNORDERED.format(position, last))
            last = position
            yield position, cells


def _values(cells: list[dict[str, Any]], n_columns: int | None) -> list[Any]:
    """Return what stands in the first columns; None: in all up to the last that is there."""
    width = max((cell["column"] for cell in cells), default=0) if n_columns is None else n_columns
    values = [None] * width
    for cell in cells:
        if cell["column"] <= width:
            values[cell["column"] - 1] = cell["value"]
    return values


def _check_sizes(archive: ZipFile, max_bytes: int | None) -> None:
    """Refuse what unpacks to too much: no more is unpacked of a file than it says."""
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    if max_bytes is not None and sum(sizes.values()) > max_bytes:
        raise too_large(max_bytes)
    n_shared = sum(size for name, size in sizes.items() if not name.startswith(_SHEETS))
    if n_shared > MAX_SHARED_BYTES:
        raise BodyTooLarge(
            f"The texts of the workbook unpack to more than {MAX_SHARED_BYTES >> 20} MiB: save it "
            "as CSV in UTF-8 and send that."
        )


def _text(cell: Any) -> str:
    # Characters that XML has not, such as a carriage return, stand as _x000D_.
    is_escaped = isinstance(cell, str) and "_x" in cell
    return cell_text(unescape(cell) if is_escaped else cell)
