"""Columns of a table -> features: finite numbers, without gaps."""

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from app.services.intake.parquet_types import is_text
from app.services.tables.table_faults import Fault, fault
from app.services.tables.table_files import Limits, TableOptions

_NUMBER = r"(?i)^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)$"
_DECIMAL_COMMA = re.compile(r"^[+-]?\d+,\d+$")

Numbers = NDArray[np.float64] | NDArray[np.float32]


@dataclass
class Features:
    """Features of the rows of a table, and what is wrong with them.

    Attributes
    ----------
    columns : list of dict
        Name, kind and ``source`` (the column it was made of) of each feature, and how many of its
        values are ``missing``.
    values : list of ndarrays of shape (n_rows,)
        Values of each feature; NaN where missing.
    """

    columns: list[dict[str, Any]] = field(default_factory=list)
    values: list[Numbers] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, name: str, values: Numbers, source: str, kind: str, n_missing: int) -> None:
        column = {"name": name, "kind": kind, "source": source, "missing": n_missing}
        self.columns.append(column)
        self.values.append(values)


class Column(NamedTuple):
    """One column of the kept rows; ``rows`` are their numbers in the table, from 1."""

    name: str
    data: pa.ChunkedArray
    rows: NDArray[np.int64]

    def fault(self, code: str, index: int, detail: str) -> Fault:
        row = int(self.rows[index])
        return fault(code, f"Column {self.name!r}, row {row}: {detail}", row=row, column=self.name)


class TextsOfColumn(NamedTuple):
    """What a column holds beside numbers: different texts, how many values, and the first one."""

    others: list[str]
    n_others: int
    n_numbers: int
    first: int

    @property
    def mark(self) -> str | None:
        """The one text among numbers, which may well mark missing values."""
        return self.others[0] if len(self.others) == 1 and self.n_numbers else None


def add_features(features: Features, column: Column, options: TableOptions, limits: Limits) -> None:
    """Add what a column gives: itself, one feature for each of its texts, nothing, or faults."""
    if is_text(column.data.type) and not _is_unicode(column.data):
        detail = (
            f"Column {column.name!r} is not UTF-8: write it again from texts that are, or leave it "
            "out with exclude=NAME."
        )
        features.faults.append(fault("invalid_unicode", detail, column=column.name))
        return
    numbers = _numbers(column.data)
    if numbers is not None:
        _add_numbers(features, column, numbers, options)
    elif is_text(column.data.type):
        _add_text(features, column, options, limits)
    elif options.categorical == "drop":
        features.dropped.append(column.name)
    else:
        detail = (
            f"Column {column.name!r} holds values of type {column.data.type}: leave it out with "
            "exclude=NAME or categorical=drop."
        )
        features.faults.append(fault("unsupported_column", detail, column=column.name))


def fill(values: Numbers, how: str) -> Numbers:
    """Return the values with the mean or the median of the known ones in the gaps."""
    gaps = np.isnan(values)
    if not gaps.any():
        return values
    known = values[~gaps].astype(np.float64)
    # By a power of two, which rounds nothing: the sum of huge values would be infinite.
    _, exponent = np.frexp(np.abs(known).max())
    middle = np.mean if how == "mean" else np.median
    value = np.ldexp(middle(np.ldexp(known, -exponent)), exponent)
    return np.where(gaps, values.dtype.type(value), values)


def _is_unicode(texts: pa.ChunkedArray) -> bool:
    """Tell whether texts are UTF-8, as readers of Parquet take it."""
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _numbers(data: pa.ChunkedArray) -> Numbers | None:
    """Return the values as floats, None where they are no numbers."""
    kind = data.type
    if pa.types.is_float32(kind) or pa.types.is_float16(kind):
        return np.array(data.cast(pa.float32()).to_numpy(), dtype=np.float32)
    if is_text(kind):
        data = pc.utf8_trim_whitespace(_plain_text(data))
    elif not _is_numeric(kind):
        return None
    try:
        numbers = pc.cast(data, pa.float64(), safe=False)
    except pa.ArrowInvalid:
        return None
    return np.array(numbers.to_numpy(), dtype=np.float64)


def _is_numeric(kind: pa.DataType) -> bool:
    types = pa.types
    checks = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)
    return types.is_null(kind) or any(check(kind) for check in checks)


def _plain_text(data: pa.ChunkedArray) -> pa.ChunkedArray:
    return data.cast(pa.large_string())


def _add_numbers(
    features: Features, column: Column, numbers: Numbers, options: TableOptions
) -> None:
    is_infinite, is_missing = np.isinf(numbers), np.isnan(numbers)
    if is_infinite.any():
        index = int(is_infinite.argmax())
        detail = (
            f"the value is infinite ({is_infinite.sum()} in the column): leave the field empty and "
            "send missing=mean, median or drop_rows, or leave the column out with exclude=NAME."
        )
        features.faults.append(column.fault("not_finite", index, detail))
    elif is_missing.all():
        detail = f"Column {column.name!r} has no value: leave it out with exclude=NAME."
        features.faults.append(fault("empty_column", detail, column=column.name))
    elif is_missing.any() and options.missing is None:
        features.faults.append(_missing_fault(column, is_missing))
    else:
        features.add(column.name, numbers, column.name, "numeric", int(is_missing.sum()))


def _missing_fault(column: Column, is_missing: NDArray[np.bool_]) -> Fault:
    detail = (
        f"the value is missing or NaN ({is_missing.sum()} in the column): send missing=mean, "
        "median or drop_rows."
    )
    return column.fault("missing_value", int(is_missing.argmax()), detail)


def _add_text(features: Features, column: Column, options: TableOptions, limits: Limits) -> None:
    texts = _texts(column)
    if options.categorical is None:
        features.faults.append(_text_fault(column, texts))
        return
    if texts.n_numbers > texts.n_others:
        what = "left out" if options.categorical == "drop" else "taken for text"
        features.warnings.append(
            f"Column {column.name!r} was {what}, though {texts.n_numbers} of its values are "
            f"numbers: {texts.others[0][:50]!r} is none. If that marks missing values, send "
            "missing_marker."
        )
    if options.categorical == "drop":
        features.dropped.append(column.name)
    else:
        _add_one_hot(features, column, options, limits)


def _texts(column: Column) -> TextsOfColumn:
    texts = pc.utf8_trim_whitespace(_plain_text(column.data))
    is_number = pc.match_substring_regex(texts, _NUMBER)
    is_other = pc.fill_null(pc.invert(is_number), False)
    return TextsOfColumn(
        others=pc.unique(texts.filter(is_other)).to_pylist(),
        n_others=pc.sum(is_other).as_py(),
        n_numbers=pc.sum(is_number).as_py(),
        first=pc.index(is_other, True).as_py(),
    )


def _add_one_hot(features: Features, column: Column, options: TableOptions, limits: Limits) -> None:
    codes, texts = _encoded(column.data)
    is_missing = codes < 0
    if is_missing.any() and options.missing is None:
        features.faults.append(_missing_fault(column, is_missing))
        return
    # Parquet may list texts that no row has.
    present = sorted(np.unique(codes[~is_missing]), key=lambda code: texts[code])
    if not limits.allow(len(codes), len(features.columns) + len(present)):
        detail = (
            f"Column {column.name!r} holds {len(present)} different texts, too many for a feature "
            "each: leave it out with exclude=NAME."
        )
        features.faults.append(fault("too_many_categories", detail, column=column.name))
        return
    for code in present:
        values = (codes == code).astype(np.float32)
        # A mean of categories would be none of them: who has none stays so.
        if options.missing == "drop_rows":
            values[is_missing] = np.nan
        name = f"{column.name}={texts[code]}"
        features.add(name, values, column.name, "one_hot", int(is_missing.sum()))


def _encoded(data: pa.ChunkedArray) -> tuple[NDArray[np.int64], list[str]]:
    """Return the code of the text of each row, -1 where it is missing, and the texts."""
    texts = pc.unique(_plain_text(data).drop_null())
    codes = pc.index_in(_plain_text(data), value_set=texts).fill_null(-1)
    return np.array(codes.to_numpy(), dtype=np.int64), texts.to_pylist()


def _text_fault(column: Column, texts: TextsOfColumn) -> Fault:
    first = texts.others[0][:50]
    if texts.mark is not None:
        advice = (
            f"{first!r} stands among numbers {texts.n_others} times: if it marks missing values, "
            f"send missing_marker={first} and missing=mean, median or drop_rows; else mend it, or "
            "leave the column out with exclude=NAME."
        )
    elif _DECIMAL_COMMA.match(first):
        advice = f"{first!r} is not a number here: write decimals with a point."
    else:
        n_values = texts.n_others + texts.n_numbers
        advice = (
            f"{first!r} is text, as are {texts.n_others} of {n_values} values: send "
            "categorical=one_hot or drop, or leave the column out with exclude=NAME."
        )
    return column.fault("text_column", texts.first, advice)
