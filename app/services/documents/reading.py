"""The judgements of a project in their order, and what was left of each arrival."""

import numpy as np
from numpy.typing import NDArray

from app.orm import Label
from core.review.reading import Reading, rankings_of_arrivals


def reading_of(
    judged: list[tuple[int, Label]],
    labeled: NDArray[np.int64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> Reading:
    """Return what was judged, each with the ranking that it was read in.

    Documents that came in after something was judged have numbers above one of ``starts``, which
    ascend. ``sizes`` says how many documents there are up to the first start, and how many above
    each. ``labeled`` has the numbers of documents with a label, whoever gave it.
    """
    joined = rankings_of_arrivals(sizes)

    def ranking_of(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = joined[np.searchsorted(starts, numbers)]
        return found

    n_documents = np.bincount(joined, sizes).astype(np.int64)
    n_labeled = np.bincount(ranking_of(labeled), minlength=len(n_documents))
    return Reading(
        is_positive=np.array([label is Label.POSITIVE for _, label in judged], dtype=bool),
        # More may have been labeled since the documents were counted.
        n_unread=np.maximum(n_documents - n_labeled, 0),
        arrival=ranking_of(np.array([number for number, _ in judged], dtype=np.int64)),
    )
