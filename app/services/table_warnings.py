"""What to know of the features of a table that can be used all the same."""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.services.table_faults import shown


def column_warnings(X: NDArray[Any], columns: list[dict[str, Any]]) -> list[str]:
    """Return sentences about features that are constant, or equal to an earlier one."""
    varies = [j for j, column in enumerate(columns) if column["distinct"] > 1]
    constant = [j for j, column in enumerate(columns) if column["distinct"] == 1]
    found = []
    if constant:
        names = shown([columns[j]["name"] for j in constant])
        found.append(
            f"Features of one value only: {len(constant)} ({names}). They tell nothing and rank "
            f"last.{_advice(columns, constant)}"
        )
    copies = _copies(X, varies)
    if copies:
        pairs = [f"{columns[j]['name']} = {columns[i]['name']}" for j, i in copies.items()]
        found.append(
            f"Features equal to an earlier one: {len(pairs)} ({shown(pairs)}). They tell nothing "
            f"new.{_advice(columns, copies)}"
        )
    return found


def _advice(columns: list[dict[str, Any]], indices: Iterable[int]) -> str:
    """Return how to leave out the columns of the file that give these features and no others."""
    needless = set(indices)
    kept = {column["source"] for j, column in enumerate(columns) if j not in needless}
    sources = dict.fromkeys(columns[j]["source"] for j in sorted(needless))
    whole = [source for source in sources if source not in kept]
    return f" Leave out with exclude=NAME: {shown(whole)}." if whole else ""


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
