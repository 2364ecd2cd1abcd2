"""Label propagation over a sparse graph.

Masses have two columns: what speaks for the positives, and what speaks for the negatives.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import cg

from core.kernels.hardware.blas import one_thread

#: Differences of masses below this share of their sum are rounding errors of the solver: ties.
TIE = 1e-9
#: Norm of the residual over that of the right-hand side at which the solver of GFHF stops.
GFHF_TOL = 1e-12


def gfhf(graph, seeds, *, max_iter=10_000):
    """Propagate labels by Gaussian fields and harmonic functions (GFHF).

    The masses of seeds are kept; those of any other vertex are the weighted mean of its
    neighbors.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, without negative weights.
    seeds : ndarray of shape (n_samples, 2)
        Masses of the seeds; zeros for all other vertices.
    max_iter : int, default=10000
        Most iterations of conjugate gradients per column.

    Returns
    -------
    mass : ndarray of shape (n_samples, 2)
        Float64, not negative; zeros in components without seeds.
    n_iter : int
        Iterations of the slower column.
    is_converged : bool
        Whether the tolerance was met.

    References
    ----------
    X. Zhu, Z. Ghahramani and J. Lafferty, "Semi-supervised learning using Gaussian fields and
    harmonic functions", ICML 2003, section 2.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.graphs.label_propagation import gfhf
    >>> path = sp.csr_array(np.eye(4, k=1) + np.eye(4, k=-1))
    >>> gfhf(path, np.array([[1.0, 0], [0, 0], [0, 0], [0, 1]]))[0].round(3).tolist()
    [[1.0, 0.0], [0.667, 0.333], [0.333, 0.667], [0.0, 1.0]]
    """
    mass = np.array(seeds, dtype=np.float64)
    is_seed = mass.any(axis=1)
    component = connected_components(graph, directed=False)[1]
    # Elsewhere the system is singular.
    free = np.flatnonzero(np.isin(component, component[is_seed]) & ~is_seed)
    if not len(free):
        return mass, 0, True

    degrees = graph.sum(axis=1)[free]
    rows = graph[free]
    system = (sp.diags_array(degrees) - rows[:, free]).tocsr()
    right = rows @ mass
    n_iters, is_converged = [], True
    for column in range(2):
        iterations = []
        # Waking the threads of a product of two vectors takes longer than the product.
        with one_thread():
            solution, code = cg(
                system,
                right[:, column],
                rtol=GFHF_TOL,
                maxiter=max_iter,
                M=sp.diags_array(1 / degrees),
                callback=iterations.append,
            )
        mass[free, column] = np.maximum(solution, 0)
        n_iters.append(len(iterations))
        is_converged &= code == 0
    return mass, max(n_iters), is_converged


def llgc(graph, seeds, alpha, *, tol=1e-9, max_iter=10_000):
    """Propagate labels with local and global consistency (LLGC).

    Solves F = alpha S F + (1 - alpha) seeds, where S is the graph divided by the square roots of
    the degrees at both ends.

    Parameters
    ----------
    graph : sparse array of shape (n_samples, n_samples)
        Symmetric, in CSR format, without negative weights.
    seeds : ndarray of shape (n_samples, n_classes)
        Masses of the seeds; zeros for all other vertices.
    alpha : float in (0, 1)
        Share that a vertex takes from its neighbors; the rest comes from its own label.
    tol : float, default=1e-9
        Relative error of every single mass.
    max_iter : int, default=10000
        Most sweeps over the edges.

    Returns
    -------
    mass : ndarray of shape (n_samples, n_classes)
        Float64, not negative; zeros in components without seeds.
    n_iter : int
        Sweeps made.
    is_converged : bool
        Whether the tolerance was met.

    References
    ----------
    D. Zhou, O. Bousquet, T. N. Lal, J. Weston and B. Schölkopf, "Learning with local and global
    consistency", NIPS 2003, section 2.
    """
    step = alpha * normalized(graph)
    source = (1 - alpha) * np.asarray(seeds, dtype=np.float64)
    mass = source
    # Far from the seeds both masses are tiny and only their ratio counts. All terms are positive,
    # so sweeps keep the relative error of each small, which conjugate gradients do not.
    for n_iter in range(1, max_iter + 1):
        previous, mass = mass, step @ mass + source
        if (mass - previous <= tol * (1 - alpha) * mass).all():
            return mass, n_iter, True
    return mass, max_iter, False


def normalized(graph):
    """Return a graph divided by the square roots of the degrees at both ends, in CSR format."""
    scale = sp.diags_array(inverse_root_degrees(graph))
    return (scale @ graph @ scale).tocsr()


def inverse_root_degrees(graph):
    """Return one over the square root of each degree, 0 for isolated vertices, (n_samples,)."""
    degrees = np.asarray(graph.sum(axis=1), dtype=np.float64)
    return np.divide(1, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)


def mass_difference(mass):
    """Return the positive minus the negative mass of each row, divided by their sum.

    Parameters
    ----------
    mass : ndarray of shape (n_samples, 2)
        Not negative.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [-1, 1]; exactly 0 for ties, and -1 where there is no mass: what nothing joins to a
        positive ranks last.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.graphs.label_propagation import mass_difference
    >>> mass_difference(np.array([[3.0, 1], [0, 0.5], [0, 0]])).tolist()
    [0.5, -1.0, -1.0]
    """
    total = mass.sum(axis=1)
    difference = np.divide(
        mass[:, 0] - mass[:, 1], total, out=np.full_like(total, -1), where=total > 0
    )
    difference[np.abs(difference) < TIE] = 0
    return difference
