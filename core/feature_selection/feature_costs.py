"""Features that cost something, within a budget."""

import numpy as np

from core.errors import BadParameter

#: Share of a budget that costs may exceed it by: three of 0.1 add up to more than 0.3.
ROUNDING = 1e-9


def checked_costs(costs, budget, n_features_to_select, n_features):
    """Return the cost of each feature and the budget, as numbers.

    Parameters
    ----------
    costs : array-like of shape (n_features,) or None
        Cost of each feature, in (0, inf); None means 1 each.
    budget : float or None
        Most that features may cost together; None means ``n_features_to_select``.
    n_features_to_select : int
        Number of features wanted.
    n_features : int
        Number of features.

    Returns
    -------
    costs : ndarray of shape (n_features,)
        Float64.
    budget : float
        At least the least cost; of given costs a billionth above what was asked for, so that
        costs which add up to it but for rounding fit.

    Raises
    ------
    ValueError
        If costs are not usable, no feature is affordable, or there is a budget without costs.

    Examples
    --------
    >>> from core.feature_selection.feature_costs import checked_costs
    >>> costs, budget = checked_costs(None, None, 2, 3)
    >>> costs.tolist(), budget
    ([1.0, 1.0, 1.0], 2)
    """
    if costs is None:
        if budget is not None:
            raise BadParameter(
                "budget needs costs: without them, set n_features_to_select.", "budget", "costs"
            )
        return np.ones(n_features), n_features_to_select
    fault = BadParameter(f"costs must be {n_features} finite numbers above 0.", "costs")
    try:
        costs = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise fault from error
    if costs.shape != (n_features,) or not (np.isfinite(costs) & (costs > 0)).all():
        raise fault
    budget = n_features_to_select if budget is None else budget
    if costs.min() > budget:
        raise BadParameter(
            f"no feature is affordable: the cheapest costs {costs.min()}, the budget is {budget}.",
            "costs",
            "budget",
        )
    return costs, budget * (1 + ROUNDING)


def affordable(ranking, costs, budget):
    """Return the mask of the features that fit the budget, taken in the order of a ranking.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.feature_costs import affordable
    >>> affordable(np.array([1, 2, 0]), np.array([1.0, 2, 4]), 3).tolist()
    [True, True, False]
    """
    mask = np.zeros(len(costs), dtype=bool)
    for feature in ranking:
        if costs[feature] <= budget:
            mask[feature] = True
            budget = budget - costs[feature]
    return mask
