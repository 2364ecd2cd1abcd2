"""The median of values that do not count alike."""

import numpy as np


def weighted_median(values, weights):
    """Return the value with half of the weight on either side; where two have, their mean.

    Parameters
    ----------
    values, weights : ndarray of shape (n_values,)
        Weights are not negative, and one is positive; with equal ones it is the median.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.scores.weighted_median import weighted_median
    >>> weighted_median(np.array([3.0, 1, 2, 9]), np.array([1.0, 1, 1, 0]))
    2.0
    >>> weighted_median(np.array([3.0, 1, 2, 9]), np.ones(4))
    2.5
    """
    is_counted = weights > 0
    order = np.argsort(values[is_counted], kind="stable")
    ranked, reached = values[is_counted][order], np.cumsum(weights[is_counted][order])
    # Half of a sum may fall short of a sum by a rounding error.
    half = reached[-1] / 2
    margin = 1e-9 * half
    lower, upper = np.searchsorted(reached, [half - margin, half + margin])
    return float((ranked[lower] + ranked[upper]) / 2)
