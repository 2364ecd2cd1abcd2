"""Records of a CSV, in flat memory; those that a stray quotation mark tears are told or mended."""

import csv
import io
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from app.errors import InvalidRequest, UnreadableBody
from app.services.intake.csv_columns import DELIMITERS, TableName
from app.services.intake.decoding import whole_lines
from app.services.intake.rows import RowError

#: What Python's csv tells of a quotation mark that is still open at the end of the body.
_OPEN = "unexpected end of data"
#: Quoted names with other signs between them than those that were told.
_OTHERWISE_SEPARATED = re.compile(f'"[^"]*"[{"".join(DELIMITERS.values())}]')
#: Characters that may be read once more: so many, and so many for each that came. A stray quotation
#: mark has the lines up to the next one read again, and there may be many such marks.
_AGAIN, _AGAIN_OF_EACH = 2**24, 4
#: A row that is no CSV has swallowed others if it has so many more lines, and this share of them
#: are rows by themselves, the last one, too. A text may have some lines with a comma.
_SWALLOWED, _SHARE_OF_ROWS = 5, 0.9
#: A row of so many lines is looked at: it may be many rows.
_MANY_LINES = 20
_MANY_ROWS = (
    "The row at line {} has {:,} lines, nearly all of which look like rows: a quotation mark may "
    "be open there. Write quotation marks inside a quoted text twice."
)
NO_HEADER = (
    "The header of the CSV is not CSV: a quotation mark opens in the first line and is not closed, "
    "or text stands behind the closing one."
)


class Record(NamedTuple):
    """The fields of a record, the line it begins at, and the characters it takes."""

    position: int
    fields: list[str]
    size: int
    #: A list of numbers, if it is one.
    vector: Any = None


class _TooLong(csv.Error):
    """A record has more bytes than may be held of one."""


class _Lines:
    """Lines of text; those of the record at hand are kept, to be read once more."""

    def __init__(self, body: Iterator[bytes], max_bytes: int) -> None:
        self._new = self._split(body, max_bytes)
        self._again: deque[str] = deque()
        self._max_bytes = max_bytes
        self._n_left_again = _AGAIN
        self.record: list[str] = []
        self.size = 0
        #: Where the record begins.
        self.position = 1

    def _split(self, body: Iterator[bytes], max_bytes: int) -> Iterator[str]:
        for block in whole_lines(body, max_bytes=max_bytes):
            if block is None:
                raise UnreadableBody(f"A line of the CSV has more than {max_bytes} bytes.")
            # Bytes that are not UTF-8 become surrogates: their row alone is refused.
            yield from io.StringIO(block.decode(errors="surrogateescape"), newline="")

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._again:
            line = self._again.popleft()
        else:
            line = next(self._new)
            self._n_left_again += _AGAIN_OF_EACH * len(line)
        self.record.append(line)
        self.size += len(line)
        if self.size > self._max_bytes:
            raise _TooLong(f"more than {self._max_bytes} bytes")
        return line

    def begin(self) -> None:
        """Begin a record behind the last one."""
        self.position += len(self.record)
        self.record, self.size = [], 0

    def take_first(self) -> str:
        """End the record with its first line, and return that; the others come again.

        Raises
        ------
        UnreadableBody
            If that was done with too many.
        """
        first, *others = self.record
        self._n_left_again -= self.size - len(first)
        if self._n_left_again < 0:
            raise UnreadableBody(
                f"In line {self.position} of the CSV, and in many before, a quotation mark opens "
                "and is not closed. Take these marks out, or enclose the texts in quotation marks "
                "and write those inside twice."
            )
        self._again.extendleft(reversed(others))
        self.record, self.size = [first], len(first)
        return first


class CsvRecords:
    """The header of a CSV, then its records.

    With tabs, which stand in no text, quotation marks are mostly meant as they are: where they do
    not enclose a field as they should, the line is read as it stands. ``warn`` is told of the first
    row that may be many.
    """

    name: TableName = "CSV"

    def __init__(
        self,
        body: Iterator[bytes],
        delimiter: str,
        max_bytes: int,
        warn: Callable[[str], object] | None = None,
    ) -> None:
        self._warn = warn
        # The standard library's own limit is one for the whole process; the lines have theirs.
        csv.field_size_limit(2**31 - 1)
        self._lines = _Lines(body, max_bytes)
        self._delimiter = delimiter
        self._reader = csv.reader(self._lines, delimiter=delimiter, strict=True)

    def header(self) -> list[str]:
        """Return the first row that is neither blank nor what spreadsheets write before a header.

        Raises
        ------
        InvalidRequest, UnreadableBody, and whatever the body raises
        """
        while True:
            self._lines.begin()
            try:
                row = next(self._reader, None)
            except csv.Error as error:
                row = self._literal()
                # The caller tells which signs these are.
                is_one = len(row) == 1 and _OTHERWISE_SEPARATED.match(row[0])
                if self._delimiter != "\t" and not is_one:
                    raise InvalidRequest(NO_HEADER) from error
            if row is None:
                return []
            if any(map(str.strip, row)) and row[0].lower()[:4] != "sep=":
                return row

    def rows(self, n_columns: int) -> Iterator[Record | RowError]:
        """Yield what follows the header, without blank lines.

        Raises
        ------
        UnreadableBody, and whatever the body raises
        """
        lines, has_tabs = self._lines, self._delimiter == "\t"
        while True:
            lines.begin()
            fault = fields = None
            try:
                fields = next(self._reader, None)
            except csv.Error as error:
                fault = error
            if has_tabs and (fault or self._is_torn(n_columns)):
                fields, fault = self._literal(), None
            elif fault and self._has_swallowed_rows(n_columns):
                lines.take_first()
                fault = csv.Error(_OPEN)
            if fault:
                yield self._fault(fault)
            elif fields:
                self._look_at(n_columns)
                yield Record(lines.position, fields, lines.size)
            elif fields is None:
                return

    def _is_torn(self, n_columns: int) -> bool:
        """Tell whether a quotation mark joined lines with tabs that are rows by themselves."""
        lines = self._lines.record
        return (
            len(lines) > 1
            and n_columns > 1
            and lines[0].count("\t") == lines[-1].count("\t") == n_columns - 1
        )

    def _look_at(self, n_columns: int) -> None:
        n_lines = len(self._lines.record)
        if n_lines >= _MANY_LINES and self._warn and self._has_swallowed_rows(n_columns):
            self._warn(_MANY_ROWS.format(self._lines.position, n_lines))
            self._warn = None

    def _has_swallowed_rows(self, n_columns: int) -> bool:
        """Tell whether the lines of the last row look like many rows, joined by an open mark."""
        inner = [line for line in self._lines.record[1:] if not line.isspace()]
        if n_columns == 1 or len(inner) < _SWALLOWED:
            return False
        # The last one may have another such mark.
        has_fields = inner[-1].count(self._delimiter) == n_columns - 1
        if not has_fields and not self._is_row(inner[-1], n_columns):
            return False
        n_rows = sum(self._is_row(line, n_columns) for line in inner)
        return n_rows >= _SHARE_OF_ROWS * (len(inner) - 1)

    def _is_row(self, line: str, n_columns: int) -> bool:
        try:
            (fields,) = csv.reader([line], delimiter=self._delimiter, strict=True)
        except csv.Error:
            return False
        return len(fields) == n_columns

    def _literal(self) -> list[str]:
        line = self._lines.take_first()
        return next(csv.reader([line], delimiter=self._delimiter, quoting=csv.QUOTE_NONE))

    def _fault(self, error: csv.Error) -> RowError:
        first, last = self._lines.position, self._lines.position + len(self._lines.record) - 1
        if isinstance(error, _TooLong):
            raise UnreadableBody(
                f"Lines {first} to {last} of the CSV, read as one row, take {error}: a quotation "
                "mark opens there and is not closed."
            ) from error
        place = "The row is" if first == last else f"Lines {first} to {last}, read as one row, are"
        is_open = first != last or str(error) == _OPEN
        fault = (
            "a quotation mark opens there and is not closed"
            if is_open
            else "text stands behind a closing quotation mark"
        )
        return RowError(
            first,
            "invalid_csv",
            f"{place} not CSV: {fault}. Write quotation marks inside a quoted text twice.",
        )
