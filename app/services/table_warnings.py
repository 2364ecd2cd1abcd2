"""What to know of the features of a table that can be used all the same."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.services.table_faults import shown


def column_warnings(X: NDArray[Any], columns: list[dict[str, Any]]) -> list[str]:
    """Return sentences about features that are constant, or equal to an earlier one."""
    varies = [j for j, column in enumerate(columns) if column["distinct"] > 1]
    constant = [column["name"] for column in columns if column["distinct"] == 1]
    found = []
    if constant:
        found.append(
            f"Features of one value only: {len(constant)} ({shown(constant)}). They tell nothing "
            "and rank last: leave them out with exclude=NAME."
        )
    copies = _copies(X, varies)
    if copies:
        pairs = [f"{columns[j]['name']} = {columns[i]['name']}" for j, i in copies.items()]
        found.append(
            f"Features equal to an earlier one: {len(pairs)} ({shown(pairs)}). They tell nothing "
            "new: leave them out with exclude=NAME."
        )
    return found


def _copies(X: NDArray[Any], indices: list[int]) -> dict[int, int]:
    """Return the first equal feature for each of those that have one before them."""
    first: dict[bytes, int] = {}
    copies = {}
    for j in indices:
        # Adding 0 makes one zero of both.
        digest = hashlib.sha256((np.ascontiguousarray(X[:, j]) + 0.0).tobytes()).digest()
        if digest in first:
            copies[j] = first[digest]
        else:
            first[digest] = j
    return copies
