"""Vectors of documents become words, many at a time."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, cast

import numpy as np

from app.services.intake.rows import Row, RowError
from core.text.vector_coding import vector_codes

T = TypeVar("T")


def of_one_length(
    rows: Iterable[T | RowError], row_of: Callable[[T], Row] = lambda row: cast(Row, row)
) -> Iterator[T | RowError]:
    """Yield rows; refused are those whose vector has another length than the first one.

    ``row_of`` gives the row of what has more than that.
    """
    length = None
    for one in rows:
        vector = None if isinstance(one, RowError) else row_of(one).vector
        if isinstance(one, RowError) or vector is None:
            yield one
            continue
        length = length or len(vector)
        if len(vector) == length:
            yield one
        else:
            reason = f"The vector has {len(vector):,} numbers, and those before it {length:,}."
            row = row_of(one)
            yield RowError(row.position, "invalid_vector", reason, row.own_id)


def encode(rows: Iterable[Row]) -> None:
    """Give each row that has a vector its code in place of that; all have one length."""
    having = [row for row in rows if row.vector is not None]
    if not having:
        return
    vectors = np.array([row.vector for row in having], dtype=np.float64)
    for row, code in zip(having, vector_codes(vectors), strict=True):
        row.vector, row.vector_code = None, code
