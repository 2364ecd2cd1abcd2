"""Label propagation over the complete graph of some rows, without its matrix."""

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from core.kernels.convergence import tell_not_converged

#: Weights held at a time.
MAX_WEIGHTS = 2**18
#: Norm of the residual over that of the right-hand side at which the solver stops.
TOLERANCE = 1e-9


def one_class_llgc(Z, is_seed, alpha):
    """Propagate a single label with local and global consistency over a complete graph.

    Two rows are joined with the weight ``exp(-d / 2)``, where d is their distance. Weights are
    computed again for each product instead of being kept: time grows with the square of the rows,
    memory does not.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.
    is_seed : ndarray of bool of shape (n_samples,)
        Rows that have the label.
    alpha : float in (0, 1)
        Share that a row takes from the others.

    Returns
    -------
    ndarray of shape (n_samples,)
        How much of the label arrives; a solution of ``(I - alpha S) F = (1 - alpha) seeds``.

    Warns
    -----
    ConvergenceWarning
        If the tolerance was not met.

    References
    ----------
    D. Zhou, O. Bousquet, T. N. Lal, J. Weston and B. Schölkopf, "Learning with local and global
    consistency", NIPS 2003, section 2.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.complete_graph import one_class_llgc
    >>> Z = sp.csr_array([[1.0, 0], [0.8, 0.6], [0, 1]])
    >>> label = one_class_llgc(Z, np.array([True, False, False]), 0.5)
    >>> bool(label[0] > label[1] > label[2] > 0)
    True
    """
    n_samples = Z.shape[0]
    columns = Z.T.tocsr()
    step = max(1, MAX_WEIGHTS // n_samples)

    def product(vector):
        total = np.empty(n_samples)
        for start in range(0, n_samples, step):
            cosines = (Z[start : start + step] @ columns).toarray()
            weights = np.exp(-np.sqrt(np.maximum(2 - 2 * cosines, 0)) / 2)
            rows = np.arange(len(weights))
            weights[rows, start + rows] = 0
            total[start : start + step] = weights @ vector
        return total

    degrees = product(np.ones(n_samples))
    scale = np.divide(1, np.sqrt(degrees), out=np.zeros(n_samples), where=degrees > 0)
    system = LinearOperator(
        (n_samples, n_samples),
        matvec=lambda vector: vector - alpha * scale * product(scale * vector.ravel()),
        dtype=np.float64,
    )
    label, code = cg(system, (1 - alpha) * is_seed.astype(np.float64), rtol=TOLERANCE)
    if code:
        tell_not_converged("label propagation over a complete graph did not converge.")
    return label
