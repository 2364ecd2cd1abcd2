"""Linear scores ``g = X @ coef + intercept`` that minimise a risk of all samples at once.

The intercept is the weight of a feature that is always 1, and is penalised like the others.
"""

import itertools

import numpy as np
from scipy.optimize import minimize
from scipy.sparse.linalg import LinearOperator, cg

from core.kernels.hardware.blas import one_thread
from core.kernels.rows.row_blocks import row_products, transposed_product
from core.progress import report

#: Pairs of steps and gradients that L-BFGS remembers: each takes two numbers per feature.
N_PAIRS = 5


def minimize_risk(X, risk, *, l2, start=None, max_iter=1000, tol=1e-6):
    """Minimise ``risk(X @ coef + intercept) + l2 (|coef|² + intercept²)`` by L-BFGS.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array of float64.
    risk : callable
        From scores of shape (n_samples,) to the risk and its slopes of the same shape.
    l2 : float in [0, inf)
        Weight of the penalty.
    start : ndarray of shape (n_features + 1,), default=None
        Where to start; None means zeros.
    max_iter : int in [1, inf), default=1000
        Most steps.
    tol : float in (0, inf), default=1e-6
        Largest entry of the gradient at which to stop.

    Returns
    -------
    w : ndarray of shape (n_features + 1,)
        Weights, the intercept last.
    n_iter : int
        Steps made.
    is_converged : bool
        Whether the tolerance was met.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.linear.linear_risks import minimize_risk
    >>> def distance_to_three(g):
    ...     return float((g[0] - 3) ** 2), 2 * (g - 3)
    >>> minimize_risk(sp.csr_array([[1.0]]), distance_to_three, l2=1.0)[0].round(4).tolist()
    [1.0, 1.0]
    """
    steps = itertools.count(1)

    def objective(w):
        value, slopes = risk(row_products(X, w[:-1]) + w[-1])
        gradient = np.append(transposed_product(X, slopes), slopes.sum())
        return value + l2 * (w @ w), gradient + 2 * l2 * w

    # Vectors are too short for several threads.
    with one_thread():
        result = minimize(
            objective,
            np.zeros(X.shape[1] + 1) if start is None else start,
            jac=True,
            method="L-BFGS-B",
            callback=lambda _: report("minimise", next(steps) / max_iter),
            options={
                "maxiter": max_iter,
                "maxfun": 10 * max_iter,
                "maxcor": N_PAIRS,
                "gtol": tol,
                "ftol": 1e-12,
            },
        )
    return result.x, int(result.nit), bool(result.success)


def minimize_quadratic_risk(X, risk, *, l2, max_iter=1000, tol=1e-9):
    """Minimise ``risk(X @ coef + intercept) + l2 (|coef|² + intercept²)``, the risk quadratic.

    The risk must be a sum over samples of quadratic functions of their scores: the slope of each
    is ``(c g - d) / 2``. The normal equations ``(Phi' C Phi + 4 l2 I) w = Phi' d``, where Phi is X
    with a column of ones, are solved by conjugate gradients; no product of X with itself is
    formed.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array of float64.
    risk : callable
        From scores of shape (n_samples,) to the risk and its slopes of the same shape.
    l2 : float in (0, inf)
        Weight of the penalty.
    max_iter : int in [1, inf), default=1000
        Most steps.
    tol : float in (0, inf), default=1e-9
        Norm of the residual, relative to the right-hand side, at which to stop.

    Returns
    -------
    w : ndarray of shape (n_features + 1,)
        Weights, the intercept last.
    n_iter : int
        Steps made.
    is_converged : bool
        Whether the tolerance was met.
    """
    n_iter = 0

    def tell(_):
        nonlocal n_iter
        n_iter += 1
        report("minimise", n_iter / max_iter)

    def back(slopes):
        return np.append(transposed_product(X, slopes), slopes.sum())

    at_zero, at_one = (risk(np.full(X.shape[0], g))[1] for g in (0.0, 1.0))
    curvature = 2 * (at_one - at_zero)

    def normal_product(w):
        w = w.ravel()
        return back(curvature * (row_products(X, w[:-1]) + w[-1])) + 4 * l2 * w

    n_weights = X.shape[1] + 1
    normal = LinearOperator((n_weights, n_weights), matvec=normal_product, dtype=np.float64)
    with one_thread():
        w, code = cg(normal, -2 * back(at_zero), rtol=tol, maxiter=max_iter, callback=tell)
    return w, n_iter, code == 0
