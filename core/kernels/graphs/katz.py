"""Katz similarity to some vertices of a graph, without the matrix of all similarities."""

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, minres

from core.kernels.convergence import tell_not_converged

#: Relative error of the largest eigenvalue.
RADIUS_TOL = 1e-6
#: Relative error of every single similarity; of the residual where divergent.
TOL = 1e-9
#: Up to so many vertices all eigenvalues are computed: ARPACK needs more than it seeks.
FEW = 20


def spectral_radius(adjacency):
    """Return the largest eigenvalue of a symmetric matrix without negative entries.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.katz import spectral_radius
    >>> path = sp.csr_array(np.eye(6, k=1) + np.eye(6, k=-1))
    >>> round(spectral_radius(path), 4)
    1.8019
    """
    if not adjacency.nnz:
        return 0.0
    if adjacency.shape[0] <= FEW:
        return float(np.linalg.eigvalsh(adjacency.toarray())[-1])
    start = np.ones(adjacency.shape[0])
    options = {"k": 1, "which": "LA", "v0": start, "tol": RADIUS_TOL}
    try:
        (radius,) = eigsh(adjacency.astype(float), return_eigenvectors=False, **options)
    except ArpackNoConvergence:
        radius = adjacency.sum(axis=1).max()  # it is no larger
    return float(radius)


def katz_similarity(adjacency, is_source, factor, *, is_divergent=False, max_iter=10_000):
    """Return the mean Katz similarity of each vertex with the sources.

    That is the mean over the sources of the columns of ``K = (I - factor A)^-1 - I``, which is the
    sum of all powers of ``factor A`` where that converges: the number of walks, longer ones
    counting less.

    Parameters
    ----------
    adjacency : sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, without negative entries; A.
    is_source : ndarray of bool of shape (n_samples,)
        The sources, at least one.
    factor : float in (0, inf)
        What each step of a walk counts.
    is_divergent : bool, default=False
        Whether the factor is not below one over the spectral radius of A. The inverse may exist,
        with negative similarities.
    max_iter : int, default=10000
        Most products with A.

    Returns
    -------
    ndarray of shape (n_samples,)
        Similarities; 0 where no path leads to a source.

    Warns
    -----
    ConvergenceWarning
        If the tolerance was not met.

    References
    ----------
    L. Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.katz import katz_similarity
    >>> path = sp.csr_array(np.eye(3, k=1) + np.eye(3, k=-1))
    >>> katz_similarity(path, np.array([True, False, False]), 0.5).round(6).tolist()
    [0.5, 1.0, 0.5]
    """
    source = is_source.astype(np.float64)
    solve = _solution if is_divergent else _series
    walks, is_converged = solve(adjacency, source, factor, max_iter)
    if not is_converged:
        tell_not_converged(f"Katz similarity did not converge in {max_iter} iterations.")
    return (walks - source) / source.sum()


def _series(adjacency, source, factor, max_iter):
    # Similarities of far vertices are tiny, and the least ones are sought. All terms are
    # positive, so that adding them up keeps each relative error small, which conjugate gradients
    # do not.
    steps = adjacency * factor
    walks = source
    for _ in range(max_iter):
        previous, walks = walks, steps @ walks + source
        if (walks - previous <= TOL * walks).all():
            return walks, True
    return walks, False


def _solution(adjacency, source, factor, max_iter):
    def product(vector):
        return vector - factor * (adjacency @ vector)

    system = LinearOperator(adjacency.shape, matvec=product, dtype=np.float64)
    walks, code = minres(system, source, rtol=TOL, maxiter=max_iter)
    return walks, code == 0
