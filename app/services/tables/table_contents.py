"""A table as it is kept: features, which rows are positive, and what became of the rest."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from app.services.intake.parquet_types import is_unbounded
from app.services.tables.table_columns import Column, Features, Numbers, add_features, fill
from app.services.tables.table_faults import fault, parameter_fault, refuse, shown
from app.services.tables.table_files import Limits, TableOptions
from app.services.tables.table_warnings import column_warnings
from core.names import did_you_mean

#: Rows that the digest takes at a time.
_BLOCK_ROWS = 4096


@dataclass(frozen=True)
class Contents:
    """Features X of shape (n_rows, n_features), which rows are positive, and facts about both."""

    X: Numbers
    is_positive: NDArray[np.bool_]
    columns: list[dict[str, Any]]
    dropped_columns: list[str]
    n_dropped_rows: int
    warnings: list[str]

    @property
    def names(self) -> list[str]:
        return [str(column["name"]) for column in self.columns]

    def digest(self) -> str:
        """Return the SHA-256 over names, values and labels."""
        head = {"names": self.names, "shape": self.X.shape, "dtype": str(self.X.dtype)}
        sha256 = hashlib.sha256(json.dumps(head).encode())
        for start in range(0, len(self.X), _BLOCK_ROWS):
            sha256.update(self.X[start : start + _BLOCK_ROWS].tobytes())
        sha256.update(np.packbits(self.is_positive).tobytes())
        return sha256.hexdigest()


def to_contents(table: pa.Table, options: TableOptions, limits: Limits) -> Contents:
    """Return the features and labels of the columns of a table.

    Raises
    ------
    InvalidTable, BodyTooLarge
    """
    _check_columns(table, options)
    is_positive, is_kept = _labels(table.column(options.label_column), options)
    rows = np.flatnonzero(is_kept)
    features = _features(table, rows, options, limits)
    is_whole = np.ones(len(rows), dtype=bool)
    if options.missing == "drop_rows":
        for values in features.values:
            is_whole &= ~np.isnan(values)
    is_positive = is_positive[rows][is_whole]
    _check_labels(is_positive)
    limits.check(len(is_positive), len(features.values))
    X = _stacked(features, is_whole, options.missing or "mean")
    columns = [{**column, **_range(X[:, j])} for j, column in enumerate(features.columns)]
    # The label is no feature, whether it is excluded or not.
    excluded = dict.fromkeys(options.exclude or [])
    excluded.pop(options.label_column, None)
    return Contents(
        X=X,
        is_positive=is_positive,
        columns=columns,
        dropped_columns=[*excluded, *features.dropped],
        n_dropped_rows=table.num_rows - len(is_positive),
        warnings=[*features.warnings, *column_warnings(X, columns)],
    )


def _check_columns(table: pa.Table, options: TableOptions) -> None:
    asked = [("label_column", options.label_column)]
    asked += [("exclude", name) for name in options.exclude or []]
    unknown = [
        parameter_fault(
            "unknown_column",
            parameter,
            f"The table has no column {name!r}.{did_you_mean(name, table.column_names)} Its "
            f"columns are: {shown(table.column_names)}.",
        )
        for parameter, name in asked
        if name not in table.column_names
    ]
    if unknown:
        refuse(unknown)


def _labels(
    column: pa.ChunkedArray, options: TableOptions
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rows are positive, and which are that or unlabeled."""
    labels = _as_text(column)
    if labels is None:
        detail = (
            f"The label column holds values of type {column.type} that cannot be read as text: it "
            "must have numbers, or text in UTF-8."
        )
        refuse([parameter_fault("unsupported_column", "label_column", detail)])
    values = pc.unique(labels).to_pylist()
    _check_values(values, "positive", options.positive)
    _check_values(values, "unlabeled", options.unlabeled or [])
    both = sorted(set(options.positive) & set(options.unlabeled or []))
    if both:
        detail = f"These labels are both positive and unlabeled: {shown(both)}."
        refuse([parameter_fault("unknown_label", "unlabeled", detail)])
    is_positive = _is_one_of(labels, options.positive)
    if options.unlabeled is None:
        return is_positive, np.ones(len(is_positive), dtype=bool)
    return is_positive, is_positive | _is_one_of(labels, options.unlabeled)


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Return labels as text; None where they are neither text nor numbers."""
    # Extensions such as UUIDs hold bytes.
    if is_unbounded(getattr(column.type, "storage_type", column.type)):
        return None
    try:
        labels = pc.cast(column, pa.large_string())
        labels.validate(full=True)
    except pa.ArrowException:  # bytes that are no text, or times of an unknown zone
        return None
    return pc.utf8_trim_whitespace(pc.fill_null(labels, ""))


def _is_one_of(labels: pa.ChunkedArray, values: list[str]) -> NDArray[np.bool_]:
    return np.array(pc.is_in(labels, value_set=pa.array(values, pa.large_string())).to_numpy())


def _check_values(values: list[str], parameter: str, asked: list[str]) -> None:
    unknown = [value for value in asked if value not in set(values)]
    if unknown:
        detail = (
            f"The label column never has the value {unknown[0]!r}."
            f"{did_you_mean(unknown[0], values)} It has: {shown(sorted(values))}."
        )
        refuse([parameter_fault("unknown_label", parameter, detail)])


def _features(
    table: pa.Table, rows: NDArray[np.int64], options: TableOptions, limits: Limits
) -> Features:
    left_out = {options.label_column, *(options.exclude or [])}
    features = Features()
    for name in table.column_names:
        if name not in left_out:
            data = table.column(name)
            # Of what is no feature the type alone is told, and not all types can be taken from.
            if len(rows) < len(data) and not is_unbounded(data.type):
                data = data.take(rows)
            add_features(features, Column(name, data, rows + 1), options, limits)
    if not features.columns and not features.faults:
        detail = "No column is left beside the label."
        features.faults.append(fault("no_features", detail))
    names = [column["name"] for column in features.columns]
    features.faults += [
        fault("duplicate_column", f"Two features would have the name {name!r}.", column=name)
        for name in _repeated(names)
    ]
    if features.faults:
        refuse(features.faults)
    return features


def _repeated(names: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)


def _check_labels(is_positive: NDArray[np.bool_]) -> None:
    if not len(is_positive):
        refuse([fault("no_rows", "No row is left: each has a missing value.")])
    if not is_positive.any():
        refuse([fault("no_positives", "No positive row is left: each has a missing value.")])
    if is_positive.all():
        detail = f"All {len(is_positive)} rows are positive: unlabeled ones are needed too."
        refuse([fault("no_unlabeled", detail)])


def _stacked(features: Features, is_whole: NDArray[np.bool_], missing: str) -> Numbers:
    """Return the values as one array, in single precision where all of them came in it."""
    dtype = np.result_type(*features.values)
    X = np.empty((int(is_whole.sum()), len(features.values)), dtype=dtype)
    for j, values in enumerate(features.values):
        X[:, j] = fill(values[is_whole], missing)
    return X


def _range(values: Numbers) -> dict[str, Any]:
    return {
        "min": float(values.min()),
        "max": float(values.max()),
        "distinct": len(np.unique(values)),
    }
