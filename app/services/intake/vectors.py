"""Vectors of documents become words, many at a time."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from app.services.intake.rows import Row
from core.text.vector_words import vector_codes


def encode(rows: Iterable[Row]) -> None:
    """Give each row that has a vector its code in place of that."""
    by_size = defaultdict(list)
    for row in rows:
        if row.vector is not None:
            by_size[len(row.vector)].append(row)
    for alike in by_size.values():
        vectors = np.stack([row.vector for row in alike if row.vector is not None])
        for row, code in zip(alike, vector_codes(vectors), strict=True):
            row.vector, row.vector_code = None, code
