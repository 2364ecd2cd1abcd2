"""Rows in the directions that they spread most in, with a word on how far that is."""

from scipy.linalg import lu, qr, svd

from core.kernels.hardware.blas import one_thread
from core.progress import report

#: Directions beyond those asked for, which make these more exact.
N_MORE = 10


def singular_rows(X, n_components, random_state):
    """Return the rows of X in the directions of its first singular vectors; reports its progress.

    What ``left * values`` of scikit-learn's ``randomized_svd`` is, but for signs. That tells
    nothing until it ends, after seconds or minutes. The result does not depend on the number of
    threads.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array of floats.
    n_components : int in [1, min(n_samples, n_features)]
        Directions.
    random_state : RandomState
        Starts the randomised algorithm.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        Each column has one sign or the other.

    References
    ----------
    N. Halko, P.-G. Martinsson and J. A. Tropp, "Finding structure with randomness: probabilistic
    algorithms for constructing approximate matrix decompositions", SIAM Review 53(2), 2011.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.singular_rows import singular_rows
    >>> X = sp.csr_array([[3.0, 0, 0], [0, 2, 0], [0, 0, 1]])
    >>> abs(singular_rows(X, 2, np.random.RandomState(0))).round(6).tolist()
    [[3.0, 0.0], [0.0, 2.0], [0.0, 0.0]]
    """
    # The factorisations of few columns take several times as long on two threads.
    with one_thread():
        return _singular_rows(X, n_components, random_state)


def _singular_rows(X, n_components, random_state):
    is_wide = X.shape[0] < X.shape[1]
    M = X.T if is_wide else X
    n_passes = 7 if n_components < 0.1 * min(X.shape) else 4
    basis = random_state.normal(size=(M.shape[1], n_components + N_MORE)).astype(X.dtype)
    for step in range(n_passes):
        for factor, half in ((M, 0.5), (M.T, 1)):
            basis, _ = lu(factor @ basis, permute_l=True, check_finite=False)
            report("singular vectors", (step + half) / (n_passes + 1))
    basis, _ = qr(M @ basis, mode="economic", check_finite=False)
    inner, values, outer = svd(basis.T @ M, full_matrices=False)
    left = outer[:n_components].T if is_wide else basis @ inner[:, :n_components]
    return left * values[:n_components]
