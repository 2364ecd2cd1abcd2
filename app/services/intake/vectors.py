"""Vectors of documents become words, many at a time."""

from collections.abc import Iterable, Iterator

import numpy as np

from app.services.intake.rows import Row, RowError
from core.text.vector_coding import vector_codes


def of_one_length(rows: Iterable[Row | RowError]) -> Iterator[Row | RowError]:
    """Yield rows; refused are those whose vector has another length than the first one."""
    length = None
    for row in rows:
        if isinstance(row, RowError) or row.vector is None:
            yield row
            continue
        length = length or len(row.vector)
        if len(row.vector) == length:
            yield row
        else:
            reason = f"The vector has {len(row.vector):,} numbers, and those before it {length:,}."
            yield RowError(row.position, "invalid_vector", reason)


def encode(rows: Iterable[Row]) -> None:
    """Give each row that has a vector its code in place of that; all have one length."""
    having = [row for row in rows if row.vector is not None]
    if not having:
        return
    vectors = np.array([row.vector for row in having], dtype=np.float64)
    for row, code in zip(having, vector_codes(vectors), strict=True):
        row.vector, row.vector_code = None, code
