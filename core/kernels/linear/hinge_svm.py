"""Linear support vector machine with the hinge loss, by coordinates of its dual."""

import numba
import numpy as np
from sklearn.utils import check_random_state

from core.kernels.convergence import tell_not_converged
from core.kernels.linear.squared_hinge_svm import ADVICE

#: Most sweeps over the samples.
MAX_ITER = 10_000
#: A gradient below this moves nothing.
NO_GRADIENT = 1e-12


def fit_hinge_svm(
    X, is_positive, sample_weight=None, *, rows=None, C=1.0, tol=1e-5, random_state=None
):
    """Fit a linear support vector machine without copying X.

    Minimises ``(|coef|² + intercept²) / 2 + C sum_i weight_i max(0, 1 - y_i f(x_i))``, where
    ``y_i`` is 1 or -1 and ``f(x) = x @ coef + intercept``: what LIBLINEAR minimises, by its
    algorithm, but on the arrays of X themselves.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array.
    is_positive : ndarray of bool of shape (n_samples,)
        Both classes occur.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights in [0, inf); None means 1 each.
    rows : ndarray of int, default=None
        Which samples take part, in the order that is shuffled; None means all in their order.
    C : float in (0, inf), default=1.0
        How much errors count against the length of the weights.
    tol : float in (0, inf), default=1e-5
        Stops when the projected gradients of all samples lie within so much of each other.
    random_state : int, RandomState instance or None, default=None
        Shuffles the order in which samples are visited.

    Returns
    -------
    coef : ndarray of shape (n_features,)
        Weights.
    intercept : float
        ``X @ coef + intercept`` is not negative for the positive class.

    Warns
    -----
    ConvergenceWarning
        If the tolerance is not met in 10,000 sweeps over the samples.

    References
    ----------
    C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan, "A dual coordinate
    descent method for large-scale linear SVM", ICML 2008; algorithm 3, with shrinking.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.hinge_svm import fit_hinge_svm
    >>> coef, intercept = fit_hinge_svm(sp.csr_array([[1.0], [-1.0]]), np.array([True, False]))
    >>> coef.round(4).tolist(), abs(round(intercept, 4))
    ([1.0], 0.0)
    """
    weights = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight, float)
    signs = np.where(is_positive, 1.0, -1.0)
    rows = np.arange(X.shape[0]) if rows is None else rows
    seed = check_random_state(random_state).randint(2**31 - 1)
    # The intercept is the weight of a feature that is 1 everywhere.
    model = np.zeros(X.shape[1] + 1)
    arrays = X.data, X.indices, X.indptr
    if not _descend(*arrays, signs, C * weights, rows, model, tol, MAX_ITER, seed):
        message = f"the support vector machine did not settle in {MAX_ITER} sweeps. {ADVICE}"
        tell_not_converged(message)
    return model[:-1], float(model[-1])


@numba.njit(cache=True, nogil=True)
def _descend(data, indices, indptr, signs, most, rows, model, tol, max_iter, seed):
    """Change the model in place; return whether the tolerance was met."""
    np.random.seed(seed)
    n_samples = len(signs)
    dual, active = np.zeros(n_samples), rows[most[rows] > 0]
    n_all = n_active = len(active)
    highest, lowest = np.inf, -np.inf
    for _ in range(max_iter):
        top, bottom = -np.inf, np.inf
        np.random.shuffle(active[:n_active])
        place = 0
        while place < n_active:
            i = active[place]
            gradient = signs[i] * _score(data, indices, indptr, model, i) - 1
            is_at_least, is_at_most = dual[i] == 0, dual[i] == most[i]
            # A bound that the gradient holds firmly is not looked at until all others settle.
            if (is_at_least and gradient > highest) or (is_at_most and gradient < lowest):
                n_active -= 1
                active[place], active[n_active] = active[n_active], active[place]
                continue
            is_held = (is_at_least and gradient > 0) or (is_at_most and gradient < 0)
            projected = 0.0 if is_held else gradient
            top, bottom = max(top, projected), min(bottom, projected)
            if abs(projected) > NO_GRADIENT:
                _move(data, indices, indptr, signs, most, model, dual, i, gradient)
            place += 1
        if n_active == 0 or top - bottom <= tol:
            if n_active == n_all:
                return True
            n_active, highest, lowest = n_all, np.inf, -np.inf
            continue
        highest = top if top > 0 else np.inf
        lowest = bottom if bottom < 0 else -np.inf
    return False


@numba.njit(cache=True, nogil=True)
def _score(data, indices, indptr, model, i):
    score = model[-1]
    for k in range(indptr[i], indptr[i + 1]):
        score += data[k] * model[indices[k]]
    return score


@numba.njit(cache=True, nogil=True)
def _move(data, indices, indptr, signs, most, model, dual, i, gradient):
    """Take the best step in the coordinate of one sample."""
    curvature = 1.0
    for k in range(indptr[i], indptr[i + 1]):
        curvature += data[k] * data[k]
    before = dual[i]
    dual[i] = min(max(before - gradient / curvature, 0.0), most[i])
    step = (dual[i] - before) * signs[i]
    for k in range(indptr[i], indptr[i + 1]):
        model[indices[k]] += step * data[k]
    model[-1] += step
