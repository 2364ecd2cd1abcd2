"""Logistic regression on soft labels, which a library of hard labels would need rows twice for."""

import warnings
from functools import cache

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, logit
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import ThreadpoolController

from core.kernels.row_blocks import row_products, transposed_product
from core.kernels.training_space import used_columns

#: The mean target is taken to be this far from 0 and 1 where the search starts.
MARGIN = 1e-6
#: Most products with the second derivatives for one step.
MAX_CG = 200
#: Most that a step may change a score: far out the curvature is nearly 0 and says nothing of how
#: far to go.
MAX_CHANGE = 20.0
#: Shortest part of a step that is tried.
MIN_STEP = 1e-10
#: Relative error of a loss.
ROUNDING = 1e-14


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
    X : sparse array of shape (n_samples, n_features)
        CSR array.
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

    References
    ----------
    C.-J. Lin, R. C. Weng and S. S. Keerthi, "Trust region Newton method for large-scale logistic
    regression", Journal of Machine Learning Research 9, 2008 (here with a line search).

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.soft_logistic import fit_soft_logistic
    >>> coef, intercept = fit_soft_logistic(sp.csr_array([[1.0], [0]]), np.array([0.8, 0.4]), C=1e6)
    >>> [round(float(1 / (1 + np.exp(-f))), 3) for f in (coef[0] + intercept, intercept)]
    [0.8, 0.4]
    """
    weights = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight)
    columns, indices = used_columns(X)
    Z = sp.csr_array((X.data, indices, X.indptr), shape=(X.shape[0], len(columns)))
    targets = np.asarray(targets, dtype=np.float64)
    if start is None:
        mean = np.clip(np.average(targets, weights=weights), MARGIN, 1 - MARGIN)
        start = np.zeros(X.shape[1]), logit(mean)
    coef, intercept = start
    objective = _Objective(Z, targets, weights, C)
    with _blas().limit(limits=1, user_api="blas"):
        parameters, is_converged = _minimize(
            objective, np.append(coef[columns], intercept), tol, max_iter
        )
    if not is_converged:
        message = f"logistic regression did not converge in {max_iter} steps."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    coef = np.zeros(X.shape[1])
    coef[columns] = parameters[:-1]
    return coef, float(parameters[-1])


@cache
def _blas():
    # Vectors are too short for several threads: waking them takes longer than the sums.
    return ThreadpoolController()


class _Objective:
    """The loss, its gradient and its curvature, all divided by the total weight and C."""

    def __init__(self, X, targets, weights, C):
        self.X = X
        self.weights = weights / weights.sum()
        self.positive_weights = self.weights * targets
        self.penalty = np.append(np.full(X.shape[1], 1 / (C * weights.sum())), 0.0)

    def loss(self, parameters, scores):
        loss = self.weights @ np.logaddexp(0, scores) - self.positive_weights @ scores
        return loss + (self.penalty * parameters) @ parameters / 2

    def scores(self, parameters):
        return row_products(self.X, parameters[:-1]) + parameters[-1]

    def gradient(self, parameters, scores):
        slopes = self.weights * expit(scores) - self.positive_weights
        return self._back(slopes) + self.penalty * parameters

    def curvature(self, scores):
        """Return the function that multiplies a vector by the second derivatives."""
        bends = self.weights * expit(scores) * expit(-scores)
        return lambda vector: self._back(bends * self.scores(vector)) + self.penalty * vector

    def _back(self, slopes):
        return np.append(transposed_product(self.X, slopes), slopes.sum())


def _minimize(objective, parameters, tol, max_iter):
    """Return the minimum by Newton's method, and whether it was reached."""
    scores = objective.scores(parameters)
    loss = objective.loss(parameters, scores)
    for _ in range(max_iter):
        gradient = objective.gradient(parameters, scores)
        if np.abs(gradient).max() <= tol:
            return parameters, True
        step = _newton_step(objective.curvature(scores), gradient)
        step_scores, slope = objective.scores(step), gradient @ step
        size = MAX_CHANGE / max(MAX_CHANGE, np.abs(step_scores).max())
        while True:
            new_scores = scores + size * step_scores
            new_loss = objective.loss(parameters + size * step, new_scores)
            # Close to the minimum, losses differ by less than they are rounded.
            if new_loss <= loss + 1e-4 * size * slope + ROUNDING * abs(loss):
                break
            size /= 2
            if size < MIN_STEP:
                return parameters, False
        parameters = parameters + size * step
        scores, loss = new_scores, new_loss
    return parameters, False


def _newton_step(curvature, gradient):
    """Solve for the step by conjugate gradients, the more exactly the smaller the gradient is."""
    length = np.linalg.norm(gradient)
    enough = length * min(0.1, np.sqrt(length))
    step, residual = np.zeros_like(gradient), -gradient
    direction, square = residual, residual @ residual
    for _ in range(MAX_CG):
        product = curvature(direction)
        bend = direction @ product
        if bend <= 0:
            break
        step = step + square / bend * direction
        residual = residual - square / bend * product
        previous, square = square, residual @ residual
        if np.sqrt(square) <= enough:
            break
        direction = residual + square / previous * direction
    return step if step.any() else -gradient
