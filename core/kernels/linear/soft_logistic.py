"""Logistic regression on soft labels, which a library of hard labels would need rows twice for."""

import numpy as np
from scipy.special import expit, logit

from core.kernels.convergence import tell_not_converged
from core.kernels.linear.newton import LinearObjective, minimize
from core.kernels.linear.wide_rows import wide_rows

#: The mean target is taken to be this far from 0 and 1 where the search starts.
MARGIN = 1e-6


def fit_soft_logistic(
    X,
    targets,
    sample_weight=None,
    *,
    C=1.0,
    tol=1e-6,
    max_iter=100,
    start=None,
):
    """Fit a logistic regression to targets that need not be 0 or 1.

    Minimises ``|coef|² / 2 + C sum_i weight_i (target_i log(1 + exp(-f_i)) + (1 - target_i)
    log(1 + exp(f_i)))``, where ``f = X @ coef + intercept`` and the intercept is free. A row with
    a target between 0 and 1 counts as two, one of each class.

    Parameters
    ----------
    X : sparse array or WideRows of shape (n_samples, n_features)
        A sparse array in CSR format.
    targets : ndarray of shape (n_samples,)
        In [0, inf), their weighted mean in (0, 1). Above 1 the row counts as a negative with a
        weight below 0.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights in [0, inf), not all 0; None means 1 each.
    C : float in (0, inf), default=1.0
        How much the likelihood counts against the length of the weights.
    tol : float in (0, inf), default=1e-6
        Largest entry of the gradient, relative to the total weight, at which to stop.
    max_iter : int in [1, inf), default=100
        Most steps of Newton's method, each solved by conjugate gradients.
    start : tuple of (ndarray of shape (n_features,), float), default=None
        Where to start: coef and intercept; None means zeros and the log-odds of the mean target.

    Returns
    -------
    coef : ndarray of shape (n_features,)
        Weights; 0 for features that no row has.
    intercept : float
        Log-odds of an empty sample.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` steps were not enough.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.soft_logistic import fit_soft_logistic
    >>> coef, intercept = fit_soft_logistic(sp.csr_array([[1.0], [0]]), np.array([0.8, 0.4]), C=1e6)
    >>> [round(float(1 / (1 + np.exp(-f))), 3) for f in (coef[0] + intercept, intercept)]
    [0.8, 0.4]
    """
    weights = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight)
    columns, rows = wide_rows(X).without_unused()
    targets = np.asarray(targets, dtype=np.float64)
    if start is None:
        mean = np.clip(np.average(targets, weights=weights), MARGIN, 1 - MARGIN)
        start = np.zeros(X.shape[1]), logit(mean)
    coef, intercept = start
    objective = _Logistic(rows, targets, weights, C)
    first = np.append(coef[columns], intercept)
    parameters, is_converged = minimize(objective, first, tol=tol, max_iter=max_iter)
    if not is_converged:
        tell_not_converged(f"logistic regression did not converge in {max_iter} steps.")
    coef = np.zeros(X.shape[1])
    coef[columns] = parameters[:-1]
    return coef, float(parameters[-1])


class _Logistic(LinearObjective):
    def __init__(self, X, targets, sample_weight, C):
        super().__init__(X, sample_weight, np.append(np.full(X.shape[1], 1 / C), 0.0))
        self.targets = targets

    def _risks(self, scores):
        return np.logaddexp(0, scores) - self.targets * scores

    def _slopes(self, scores):
        return expit(scores) - self.targets

    def _bends(self, scores):
        return expit(scores) * expit(-scores)
