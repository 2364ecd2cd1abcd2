"""Newton's method for linear scores: convex risks of single samples, summed over the rows."""

import numpy as np

from core.errors import Refused
from core.kernels.hardware.blas import one_thread
from core.kernels.linear.training_space import TOO_LARGE
from core.kernels.linear.wide_rows import wide_rows

#: Most products with the second derivatives for one step.
MAX_CG = 200
#: Most that a step may change a score: where losses are flat, the curvature is nearly 0 and does
#: not say how far to go.
MAX_CHANGE = 20.0
#: Shortest part of a step that is tried.
MIN_STEP = 1e-10
#: Losses that differ by a smaller share differ by rounding alone.
ROUNDING = 1e-14


class LinearObjective:
    """Weighted mean of risks of the scores ``X @ coef + intercept``, plus a penalty.

    A subclass has the risk of each sample in ``_risks``, and its first and second derivatives by
    the score in ``_slopes`` and ``_bends``. Parameters are the coef, then the intercept.

    Parameters
    ----------
    X : sparse array or WideRows of shape (n_samples, n_features)
        A sparse array in CSR format.
    sample_weight : ndarray of shape (n_samples,)
        Weights in [0, inf), not all 0.
    penalty : ndarray of shape (n_features + 1,)
        Half of it is what the square of each parameter costs, over the total weight.
    """

    def __init__(self, X, sample_weight, penalty):
        self.rows = wide_rows(X)
        total = sample_weight.sum()
        self.weights = sample_weight / total
        self.penalty = penalty / total

    def loss(self, parameters, scores):
        """Return the value at the parameters, whose scores are given."""
        return self.weights @ self._risks(scores) + (self.penalty * parameters) @ parameters / 2

    def scores(self, parameters):
        """Return the score of each row."""
        return self.rows.products(parameters[:-1]) + parameters[-1]

    def gradient(self, parameters, scores):
        """Return the slopes by the parameters, whose scores are given."""
        slopes = self.weights * self._slopes(scores)
        of_risks = np.append(self.rows.weighted_sum(slopes), slopes.sum())
        return of_risks + self.penalty * parameters

    def curvature(self, scores):
        """Return the function that multiplies a vector by the second derivatives."""
        bends = self.weights * self._bends(scores)
        return lambda vector: self.rows.curved_sum(vector, bends) + self.penalty * vector

    def _risks(self, scores):
        """Return the risk of each sample."""
        raise NotImplementedError  # each subclass has a risk of its own

    def _slopes(self, scores):
        """Return its first derivative by the score."""
        raise NotImplementedError  # each subclass has a risk of its own

    def _bends(self, scores):
        """Return its second derivative, not below 0."""
        raise NotImplementedError  # each subclass has a risk of its own


def minimize(objective, parameters, *, tol, max_iter):
    """Return the minimum of a LinearObjective, and whether it was reached.

    Parameters
    ----------
    objective : LinearObjective
        Convex.
    parameters : ndarray of shape (n_features + 1,)
        Where to start.
    tol : float in (0, inf)
        Largest entry of the gradient at which to stop.
    max_iter : int in [1, inf)
        Most steps, each solved by conjugate gradients and shortened until the loss falls.

    Returns
    -------
    parameters : ndarray of shape (n_features + 1,)
        The last ones where it was not reached.
    is_converged : bool
        Whether the tolerance was met.

    Raises
    ------
    ValueError
        If the rows hold values so large, from about 1e75 on, that a step would not be finite.

    References
    ----------
    C.-J. Lin, R. C. Weng and S. S. Keerthi, "Trust region Newton method for large-scale logistic
    regression", Journal of Machine Learning Research 9, 2008 (here with a line search).
    """
    # Vectors are too short for several threads.
    with one_thread():
        return _descend(objective, parameters, tol, max_iter)


def _descend(objective, parameters, tol, max_iter):
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


@np.errstate(over="ignore", invalid="ignore")
def _newton_step(curvature, gradient):
    """Solve for the step by conjugate gradients, the more exactly the smaller the gradient is."""
    length = np.linalg.norm(gradient)
    enough = length * min(0.1, np.sqrt(length))
    step, residual = np.zeros_like(gradient), -gradient
    direction, square = residual, residual @ residual
    for _ in range(MAX_CG):
        product = curvature(direction)
        bend = direction @ product
        # Of the order of the fourth power of the values.
        if not np.isfinite([bend, square]).all():
            raise Refused(TOO_LARGE)
        if bend <= 0:
            break
        step = step + square / bend * direction
        residual = residual - square / bend * product
        previous, square = square, residual @ residual
        if np.sqrt(square) <= enough:
            break
        direction = residual + square / previous * direction
    return step if step.any() else -gradient
