"""Linear support vector machines whose errors are squared, with sample weights."""

import numpy as np

from core.kernels.convergence import tell_not_converged
from core.kernels.linear.newton import LinearObjective, minimize

#: What to do where a machine does not settle.
ADVICE = "Scale the features to one range, say with MaxAbsScaler, or give a smaller C."


def fit_svm(X, is_positive, sample_weight=None, *, C=1.0, tol=1e-6, max_iter=100, start=None):
    """Fit a linear support vector machine whose errors are squared.

    Minimises ``(|coef|² + intercept²) / 2 + C sum_i weight_i max(0, 1 - y_i f(x_i))²``, where
    ``y_i`` is 1 or -1 and ``f(x) = x @ coef + intercept``. No copy of X is made.

    Parameters
    ----------
    X : sparse array or WideRows of shape (n_samples, n_features)
        A sparse array in CSR format.
    is_positive : ndarray of bool of shape (n_samples,)
        Both classes occur.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights in [0, inf); 0 leaves a row out, None means 1 each.
    C : float in (0, inf), default=1.0
        How much errors count against the length of the weights.
    tol : float in (0, inf), default=1e-6
        Largest entry of the gradient, over C and the total weight, at which to stop. The weights
        are then at most ``C * sample_weight.sum()`` times the length of that gradient away from
        the optimum.
    max_iter : int in [1, inf), default=100
        Most steps of Newton's method.
    start : tuple of (ndarray of shape (n_features,), float), default=None
        Where to start: coef and intercept; None means zeros.

    Returns
    -------
    coef : ndarray of shape (n_features,)
        Weights.
    intercept : float
        ``X @ coef + intercept`` is not negative for the positive class.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` steps were not enough.

    References
    ----------
    S. S. Keerthi and D. DeCoste, "A modified finite Newton method for fast solution of large scale
    linear SVMs", Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.squared_hinge_svm import fit_svm
    >>> coef, intercept = fit_svm(sp.csr_array([[1.0], [-1.0]]), np.array([True, False]))
    >>> coef.round(4).tolist(), abs(round(intercept, 4))
    ([0.8], 0.0)
    """
    weights = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight, float)
    objective = _SquaredHinge(X, np.where(is_positive, 1.0, -1.0), weights, C)
    first = np.zeros(X.shape[1] + 1) if start is None else np.append(*start)
    parameters, is_converged = minimize(objective, first, tol=tol, max_iter=max_iter)
    if not is_converged:
        message = f"the support vector machine did not converge in {max_iter} steps. {ADVICE}"
        tell_not_converged(message)
    return parameters[:-1], float(parameters[-1])


class _SquaredHinge(LinearObjective):
    def __init__(self, X, signs, sample_weight, C):
        super().__init__(X, sample_weight, np.full(X.shape[1] + 1, 1 / C))
        self.signs = signs

    def _risks(self, scores):
        return np.maximum(0, 1 - self.signs * scores) ** 2

    def _slopes(self, scores):
        return -2 * self.signs * np.maximum(0, 1 - self.signs * scores)

    def _bends(self, scores):
        return 2.0 * (self.signs * scores < 1)
