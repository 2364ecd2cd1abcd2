"""Features of equal score, told where the order among them is taken for more than it is."""

import numpy as np
from numpy.typing import NDArray

from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.score_order import same_score

#: So many features of the best score, or more, are worth a warning.
_MANY = 3


def tie_warnings(selector: BaseFeatureSelector, unit: str, order: str) -> list[str]:
    """Return warnings where equal scores decide what is chosen, or what comes first.

    ``unit`` is what features are called, ``order`` how they stand in the data.
    """
    ranking, n_selected = selector.feature_order_, int(selector.support_.sum())
    # Constant features come last, whatever their score; with costs, what fits is chosen.
    varying = ranking[: len(ranking) - selector.report_["n_constant"]]
    if n_selected >= len(varying) or getattr(selector, "costs", None) is not None:
        return []
    scores = selector.scores_[varying]
    start, stop = _same(scores, n_selected - 1)
    found = []
    if stop > n_selected and _is_by_column(varying[start:stop]):
        found.append(
            f"{stop - start:,} {unit} have the score of the last chosen one; "
            f"{n_selected - start:,} of them are chosen, by {order} alone: the others are as good."
        )
    n_first = _same(scores, 0)[1]
    if _MANY <= n_first <= start and _is_by_column(varying[:n_first]):
        found.append(
            f"The first {n_first:,} {unit} have the same score. They are ranked by {order} alone, "
            "which says nothing of them. Compare with another method, such as semi_mim."
        )
    return found


def _same(scores: NDArray[np.float64], place: int) -> tuple[int, int]:
    """Return from where to where the scores around a place are equal to the one there."""
    differs = np.flatnonzero(~same_score(scores, scores[place]))
    before = differs[differs < place]
    start = int(before[-1]) + 1 if len(before) else 0
    after = differs[differs > place]
    return start, int(after[0]) if len(after) else len(scores)


def _is_by_column(features: NDArray[np.intp]) -> bool:
    """Tell whether nothing but the order of columns orders them; some methods know better."""
    return bool((np.diff(features) > 0).all())
