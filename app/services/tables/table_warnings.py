"""What to know of the features of a table that can be used all the same."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.services.tables.table_faults import shown

#: In fewer rows any measure may differ in each.
LEAST_ROWS = 20
#: Different texts of a column, as a share of the rows, that are too many to tell of other rows.
MANY_TEXTS = 0.5


def column_warnings(X: NDArray[Any], columns: list[dict[str, Any]]) -> list[str]:
    """Return sentences about features that tell nothing, or nothing new, of other rows."""
    return [*_useless(X, columns), *_of_each_row(X, columns)]


def _of_each_row(X: NDArray[Any], columns: list[dict[str, Any]]) -> list[str]:
    """Return sentences about columns that name a row rather than tell of it."""
    if len(X) < LEAST_ROWS:
        return []
    n_texts = Counter(column["source"] for column in columns if column["kind"] == "one_hot")
    texts = [name for name, n in n_texts.items() if n >= MANY_TEXTS * len(X)]
    numbers = [
        column["name"]
        for j, column in enumerate(columns)
        if column["distinct"] == len(X) and (X[:, j] == np.floor(X[:, j])).all()
    ]
    found = []
    if texts:
        found.append(
            f"Columns with nearly as many texts as rows: {len(texts)} ({shown(texts)}). As "
            "features of one row each, free text, dates and ids tell little of other rows: leave "
            "them out with exclude=NAME, or make numbers of them."
        )
    if numbers:
        found.append(
            "Columns of whole numbers that differ in each row: "
            f"{len(numbers)} ({shown(numbers)}). If they are ids, leave them out with exclude=NAME."
        )
    return found


def _useless(X: NDArray[Any], columns: list[dict[str, Any]]) -> list[str]:
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
