"""Linear support vector machines with sample weights: a library fits, only weights are kept."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

#: Most sweeps over the samples.
MAX_ITER = 10_000


def balanced_weights(is_positive):
    """Return sample weights that give both classes the same total, half of the samples each.

    Parameters
    ----------
    is_positive : ndarray of bool of shape (n_samples,)
        Both classes occur.

    Returns
    -------
    ndarray of shape (n_samples,)
        Weights in (0, inf) that add up to ``n_samples``.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.linear import balanced_weights
    >>> balanced_weights(np.array([True, False, False, False])).round(4).tolist()
    [2.0, 0.6667, 0.6667, 0.6667]
    """
    n_samples, n_positive = len(is_positive), is_positive.sum()
    return np.where(is_positive, n_samples / n_positive, n_samples / (n_samples - n_positive)) / 2


def fit_svm(
    X,
    is_positive,
    sample_weight=None,
    *,
    C=1.0,
    loss="squared_hinge",
    tol=1e-5,
    random_state=None,
):
    """Fit a linear support vector machine.

    Minimises ``(|coef|² + intercept²) / 2 + C sum_i weight_i max(0, 1 - y_i f(x_i))²``, where
    ``y_i`` is 1 or -1 and ``f(x) = x @ coef + intercept``; without the square for "hinge".

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array with 32-bit indices.
    is_positive : ndarray of bool of shape (n_samples,)
        Both classes occur.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights in [0, inf); None means 1 each.
    C : float in (0, inf), default=1.0
        How much errors count against the length of the weights.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        Whether errors are squared.
    tol : float in (0, inf), default=1e-5
        When to stop.
    random_state : int, RandomState instance or None, default=None
        Order in which samples are visited where there are fewer samples than features.

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
    R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang and C.-J. Lin, "LIBLINEAR: a library for large
    linear classification", Journal of Machine Learning Research 9, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear import fit_svm
    >>> coef, intercept = fit_svm(sp.csr_array([[1.0], [-1.0]]), np.array([True, False]))
    >>> coef.round(4).tolist(), abs(round(intercept, 4))
    ([0.8], 0.0)
    """
    svm = LinearSVC(C=C, loss=loss, tol=tol, max_iter=MAX_ITER, random_state=random_state)
    with warnings.catch_warnings():
        # It advises more iterations, which nobody can ask for here.
        warnings.filterwarnings("ignore", "Liblinear failed", ConvergenceWarning)
        svm.fit(X, is_positive, sample_weight=sample_weight)
    if svm.n_iter_ >= MAX_ITER:
        message = (
            f"the support vector machine did not settle in {MAX_ITER} sweeps: scale the features "
            "to one range, say with MaxAbsScaler, or give a smaller C."
        )
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return np.array(svm.coef_[0], dtype=np.float64), float(svm.intercept_[0])
