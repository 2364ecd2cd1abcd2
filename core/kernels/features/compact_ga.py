"""Search over masks of features that cost no more than a budget: the compact genetic algorithm."""

import time
from dataclasses import dataclass, field

import numpy as np

from core.progress import report, stop_requested

#: A probability this close to 0 or 1 is settled.
SETTLED = 0.1
#: Weights of draws are at least this, so that each draw is possible.
_FLOOR = 1e-12
#: Flags of a search that ended early, by the reason.
STOP_FLAGS = {"max_seconds": "out_of_time", "cancelled": "cancelled"}


@dataclass
class MaskSearch:
    """What a search found.

    Attributes
    ----------
    probabilities : ndarray of shape (n_features,)
        How likely a mask is to hold each feature: the larger, the better the feature.
    objective : list of float
        Value of the better mask of each step.
    converged_share : float in [0, 1]
        By cost, how much of the budget is taken by features settled near 1, or how much of what
        has to be left out by features settled near 0: the smaller of the two, so that what all
        probabilities are near from the start does not count. 1 when converged.
    stop_reason : str
        "converged", "max_iter", "max_seconds" or "cancelled" (see ``core.progress.stopping``).
    clip_rate : float in [0, 0.5)
        How far probabilities stay from 0 and 1.
    """

    probabilities: np.ndarray
    objective: list = field(default_factory=list)
    converged_share: float = 1.0
    stop_reason: str = "max_iter"
    clip_rate: float = 0.0

    @property
    def is_settled(self):
        """Which probabilities are within 0.1 of 0 or 1, or at their bounds, (n_features,)."""
        distance = np.minimum(self.probabilities, 1 - self.probabilities)
        return distance <= max(SETTLED, self.clip_rate) + _FLOOR


def search_masks(
    evaluate_pair,
    costs,
    budget,
    *,
    learning_rate,
    clip_rate,
    max_iter,
    max_seconds=None,
    random,
):
    """Search for a mask of large value whose features cost no more than the budget.

    Each step draws two masks from independent probabilities, repairs them, and moves the
    probabilities by ``learning_rate`` where the masks differ, towards the better one; equal
    values move nothing. The search ends after ``max_iter`` steps, or when all probabilities are
    within 0.1 of 0 or 1 and those near 1 leave no room in the budget.

    Parameters
    ----------
    evaluate_pair : callable
        From two boolean masks of shape (n_features,) to their two values: the higher, the
        better. Only the order of the two matters.
    costs : ndarray of shape (n_features,)
        Cost of each feature, in (0, inf).
    budget : float
        Most that a mask may cost; at least the least cost.
    learning_rate : float in (0, 0.5)
        Step of a probability.
    clip_rate : float in (0, 0.5)
        How far probabilities stay from 0 and 1.
    max_iter : int
        Most steps.
    max_seconds : float, default=None
        Stop after the first step that ends later than this; None means never.
    random : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    MaskSearch
        Probabilities, objective by step and why it stopped.

    References
    ----------
    G. R. Harik, F. G. Lobo and D. E. Goldberg, "The compact genetic algorithm", IEEE Transactions
    on Evolutionary Computation 3(4), 1999; with the repair of K. Uchikoshi and Y. Akimoto,
    "Feature selection based on cluster assumption in PU learning", GECCO 2025, algorithms 2 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.features.compact_ga import search_masks
    >>> search = search_masks(
    ...     lambda first, second: (first[:2].sum(), second[:2].sum()),
    ...     np.ones(4),
    ...     2,
    ...     learning_rate=0.05,
    ...     clip_rate=0.25,
    ...     max_iter=300,
    ...     random=np.random.default_rng(0),
    ... )
    >>> search.probabilities.round(6).tolist(), search.stop_reason
    ([0.75, 0.75, 0.25, 0.25], 'converged')
    """
    start = np.clip(budget / costs.sum(), clip_rate, 1 - clip_rate)
    search = MaskSearch(np.full(len(costs), start), clip_rate=clip_rate)
    deadline = np.inf if max_seconds is None else time.monotonic() + max_seconds
    for step in range(max_iter):
        masks = [draw_mask(search.probabilities, costs, budget, random) for _ in range(2)]
        values = evaluate_pair(*masks)
        search.objective.append(float(max(values)))
        if values[0] != values[1]:
            direction = np.sign(values[0] - values[1]) * (masks[0].astype(int) - masks[1])
            moved = search.probabilities + learning_rate * direction
            search.probabilities = np.clip(moved, clip_rate, 1 - clip_rate)
        report("search", (step + 1) / max_iter, objective=search.objective[-1])
        # Where few of many features are wanted, all probabilities are near 0 from the start, and
        # near 1 where nearly all are.
        if search.is_settled.all() and _is_full(search.probabilities > 0.5, costs, budget):
            search.stop_reason = "converged"
            break
        if time.monotonic() >= deadline:
            search.stop_reason = "max_seconds"
            break
        if stop_requested():
            search.stop_reason = "cancelled"
            break
    if search.stop_reason != "converged":
        search.converged_share = _converged_share(search, costs, budget)
    return search


def draw_mask(probabilities, costs, budget, random):
    """Draw a mask and repair it: clear features until it fits the budget, then fill the room.

    Parameters
    ----------
    probabilities : ndarray of shape (n_features,)
        Of each feature, in (0, 1). Unlikely features are cleared, likely ones set first.
    costs : ndarray of shape (n_features,)
        Cost of each feature, in (0, inf).
    budget : float
        Most that the mask may cost; at least the least cost.
    random : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    ndarray of bool of shape (n_features,)
        A mask within the budget that no feature could be added to.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.features.compact_ga import draw_mask
    >>> random = np.random.default_rng(0)
    >>> int(draw_mask(np.full(10, 0.5), np.ones(10), 3, random).sum())
    3
    """
    mask = random.random(len(costs)) < probabilities
    if (costs == 1).all():
        surplus = int(mask.sum() - budget // 1)
        weights = 1 - probabilities if surplus > 0 else probabilities
        mask[_draw(np.flatnonzero(mask == (surplus > 0)), weights, abs(surplus), random)] ^= True
        return mask
    while mask @ costs > budget:
        mask[_draw(np.flatnonzero(mask), 1 - probabilities, 1, random)] = False
    while (fitting := np.flatnonzero(~mask & (costs <= budget - mask @ costs))).size:
        mask[_draw(fitting, probabilities, 1, random)] = True
    return mask


def _is_full(mask, costs, budget):
    room = budget - mask @ costs
    return room >= 0 and (mask.all() or costs[~mask].min() > room)


def _converged_share(search, costs, budget):
    is_likely, settled = search.probabilities > 0.5, costs * search.is_settled
    to_leave_out = costs.sum() - budget
    left_out = settled[~is_likely].sum() / to_leave_out if to_leave_out > 0 else 1.0
    return float(min(1.0, settled[is_likely].sum() / budget, left_out))


def _draw(candidates, weights, n_drawn, random):
    """Draw several candidates one after the other, each by its weight among those left."""
    # The order of exponential times with these rates is the order of such draws.
    times = random.standard_exponential(len(candidates)) / np.maximum(weights[candidates], _FLOOR)
    return candidates[np.argsort(times)[:n_drawn]]
