"""Vectors of documents become words, many at a time."""

from collections.abc import Callable, Iterable, Iterator, Set
from typing import TypeVar, cast

import numpy as np

from app.services.intake.rows import Row, RowError
from core.text.vector_coding import vector_codes

T = TypeVar("T")


def of_one_length(
    rows: Iterable[T | RowError],
    row_of: Callable[[T], Row] = lambda row: cast(Row, row),
    *,
    known: Set[int] = frozenset(),
) -> Iterator[T | RowError]:
    """Yield rows; refused are those whose vector has another length than a model knows.

    Where ``known`` is empty, that is another length than the first vector has. ``row_of`` gives the
    row of what has more than that.
    """
    sizes, whose = known, "those that the model learned from have"
    for one in rows:
        vector = None if isinstance(one, RowError) else row_of(one).vector
        if isinstance(one, RowError) or vector is None:
            yield one
            continue
        if not sizes:
            sizes, whose = {len(vector)}, "those before it"
        if len(vector) in sizes:
            yield one
        else:
            row, expected = row_of(one), " or ".join(f"{size:,}" for size in sorted(sizes))
            reason = f"The vector has {len(vector):,} numbers, and {whose} {expected}."
            yield RowError(row.position, "invalid_vector", reason, row.own_id)


def encode(rows: Iterable[Row]) -> None:
    """Give each row that has a vector its code in place of that."""
    of_size: dict[int, list[Row]] = {}
    for row in rows:
        if row.vector is not None:
            of_size.setdefault(len(row.vector), []).append(row)
    for alike in of_size.values():
        vectors = np.array([row.vector for row in alike], dtype=np.float64)
        for row, code in zip(alike, vector_codes(vectors), strict=True):
            row.vector, row.vector_code = None, code
