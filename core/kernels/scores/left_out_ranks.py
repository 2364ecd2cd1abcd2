"""How high positives rank among the unlabeled samples where nobody knows that they are positive."""

from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.special import logit
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state

from core.errors import NoUnlabeled, TooFewPositives
from core.kernels.graphs.conductance import candidate_conductance
from core.kernels.graphs.knn_graph import N_NEIGHBORS, knn_graph
from core.kernels.graphs.label_propagation import inverse_root_degrees, normalized
from core.kernels.hardware.thread_map import thread_map
from core.kernels.rows.masks import rows_and_masks
from core.kernels.rows.near_copies import groups_among
from core.kernels.rows.row_blocks import row_products, transposed_product
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.singular_rows import singular_rows
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.mean_ranks import mean_ranks
from core.progress import part
from core.shared_work import shared

#: Most parts that positives are left out in, in turn.
MAX_FOLDS = 10
#: Unlabeled samples that are ranked, at most: the share that ranks below one is then known to two
#: thousandths, while time and memory stop growing.
MAX_RANKED = 100_000
#: Dimensions of the latent semantic index where none is given. It has all terms and more dimensions
#: than ``latent_space``: the figures on class priors were measured so.
N_RANKING_COMPONENTS = 100
#: Share of the time that the graph takes, where graph and singular vectors are to be made: a tenth
#: of it for some thousand samples, most of it for a hundred thousand.
OF_GRAPH = 0.3
#: Share of a walk that goes on at each step, and steps after which the rest is nothing.
CONTINUATION, N_STEPS = 0.9, 60


class PairedRanks(NamedTuple):
    """Ranks of positives and unlabeled samples that treat both alike: the higher, the likelier.

    Attributes
    ----------
    positive : ndarray of shape (n_positive,)
        Those of the labeled positives, by rankings that were not told of them.
    unlabeled : ndarray of shape (n_unlabeled,)
        Those of the unlabeled samples.
    conductance : ndarray of shape (n_unlabeled,) or None
        Of the positives with the first one, two, three ... unlabeled samples in the graph of
        nearest neighbors (:func:`~core.kernels.graphs.conductance.candidate_conductance`); None
        where there is no graph or it has no edge.
    """

    positive: np.ndarray
    unlabeled: np.ndarray
    conductance: np.ndarray | None = None


def left_out_ranks(X, is_positive, *, graph=None, latent=None, random_state=None):
    """Rank the samples by likeness to the positives, each positive as if it were unlabeled.

    The mean of three rankings: walks from the positives on the graph of nearest neighbors, which
    start anew one step in ten; cosine with their mean, less that with the mean of all samples; and
    the same in the space of the leading singular vectors. All three are sums over positives, so
    that leaving some out costs nothing. A left out positive is then treated exactly as hidden ones
    are, which a classifier that learns unlabeled samples as negative does not grant. Copies, equal
    rows of ``X`` or nearly so, are left out together, unless all positives are such: one that stays
    would give the other away. Of more than ``MAX_RANKED`` unlabeled samples so many are drawn; the
    others take no part.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array: positives and unlabeled samples.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled, at least two; not all.
    graph : sparse array of shape (n_samples, n_samples), default=None
        What :func:`~core.kernels.graphs.knn_graph.knn_graph` returned; None makes it.
    latent : ndarray of shape (n_samples, n_components), default=None
        Rows of unit length in the space of singular vectors; None makes them.
    random_state : int, RandomState instance or None, default=None
        Draws samples where there are many, deals the positives out and starts the singular
        vectors.

    Returns
    -------
    PairedRanks
        Shares of the unlabeled samples that rank lower, half of the equal ones included; those of
        the unlabeled samples, all or those drawn, are the means over the parts, ranked again. In
        (0, 1).

    Raises
    ------
    TooFewPositives, NoUnlabeled
        If there is a single positive, or no unlabeled sample.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.scores.left_out_ranks import left_out_ranks
    >>> X = sp.csr_array([[2.0, 1, 0], [1, 2, 0], [3, 2, 0], [0, 1, 3], [0, 0, 1]])
    >>> is_positive = np.array([True, True, False, False, False])
    >>> ranks = left_out_ranks(X, is_positive, random_state=0)
    >>> ranks.positive.round(2).tolist(), ranks.unlabeled.round(2).tolist()
    ([0.67, 0.67], [0.83, 0.5, 0.17])
    """
    X, is_positive = rows_and_masks(X, is_positive)
    positives, unlabeled = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    if len(positives) < 2:
        raise TooFewPositives("an estimate of the class prior needs at least two positives.")
    if not len(unlabeled):
        raise NoUnlabeled("all samples are labeled positive: none is unlabeled.")
    random = check_random_state(random_state)
    rows = rows_to_rank(X, is_positive, np.ones(len(is_positive), dtype=bool), random)
    ranks = _left_out_ranks(
        X[rows],
        is_positive[rows],
        None if graph is None else graph[rows][:, rows],
        None if latent is None else latent[rows],
        random,
    )
    # As the positives and the unlabeled samples came in.
    own = (
        each[np.argsort(rows[mask[rows]])]
        for each, mask in ((ranks.positive, is_positive), (ranks.unlabeled, ~is_positive))
    )
    return PairedRanks(*own, ranks.conductance)


def _left_out_ranks(X, is_positive, graph, latent, random):
    positives, unlabeled = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    fold = _folds(groups_among(X, is_positive)[positives], random)
    n_folds = fold.max() + 1
    sources = np.zeros((len(is_positive), n_folds))
    sources[positives, fold] = 1

    Z = unit_rows(X)
    if graph is None:
        with part("rank", 0, OF_GRAPH):
            graph = shared(knn_graph, Z, N_NEIGHBORS)
    likenesses = _likenesses(Z, sources, graph, latent, random)

    def ranks_of_fold(k):
        rows = np.concatenate([unlabeled, positives[fold == k]])
        score = np.mean([_rank_logits(columns[rows, k]) for columns in likenesses], axis=0)
        own, others = score[: len(unlabeled)], score[len(unlabeled) :]
        return shares_below(others, np.sort(own)), mean_ranks(own)

    positive, total = np.empty(len(positives)), np.zeros(len(unlabeled))
    for k, (of_left_out, of_unlabeled) in enumerate(thread_map(ranks_of_fold, range(n_folds))):
        positive[fold == k] = of_left_out
        total += of_unlabeled
    conductance = None
    if graph.nnz:
        scores = np.zeros(len(is_positive))
        scores[unlabeled] = total
        conductance = candidate_conductance(graph, scores, is_positive, ~is_positive)
    return PairedRanks(positive, (mean_ranks(total) - 0.5) / len(unlabeled), conductance)


def _folds(groups, random):
    """Return which fold each positive is left out in, the same for all of a group."""
    distinct, group = np.unique(groups, return_inverse=True)
    if len(distinct) == 1:
        distinct = group = np.arange(len(groups))
    fold = np.empty(len(distinct), dtype=int)
    fold[random.permutation(len(distinct))] = np.arange(len(distinct)) % MAX_FOLDS
    return fold[group]


def _likenesses(Z, sources, graph, latent, random):
    """Return how like the sources of each fold the samples are, by all views that tell."""
    if latent is None:
        with part("rank", OF_GRAPH, 1):
            latent = _latent_rows(Z, random)
    likenesses = [_cosines(Z, sources)]
    if graph.nnz:
        likenesses.append(_walks(graph, sources))
    if latent.shape[1] >= 2:
        likenesses.append(_cosines(latent, sources))
    return likenesses


def rows_to_rank(X, is_positive, is_wanted, random):
    """Return the rows that take part in a ranking, in the order of their contents.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array.
    is_positive, is_wanted : ndarray of bool of shape (n_samples,)
        Which samples are labeled, and which may take part.
    random : numpy.random.RandomState
        Draws samples where there are many.

    Returns
    -------
    ndarray of int of shape (n_rows,)
        All wanted positives, and of the others that are wanted at most ``MAX_RANKED``.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.scores.left_out_ranks import rows_to_rank
    >>> X, is_wanted = sp.csr_array([[1.0], [2], [3]]), np.array([True, False, True])
    >>> rows = rows_to_rank(X, ~is_wanted, is_wanted, np.random.RandomState(0))
    >>> np.sort(rows).tolist()
    [0, 2]
    """
    rows = content_order(X, is_positive)
    rows = rows[is_wanted[rows]]
    unlabeled = np.flatnonzero(~is_positive[rows])
    if len(unlabeled) <= MAX_RANKED:
        return rows
    is_kept = is_positive[rows]
    is_kept[random.choice(unlabeled, MAX_RANKED, replace=False)] = True
    return rows[is_kept]


def shares_below(scores, ascending):
    """Return the share of sorted scores below each score, half of the equal ones included.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.scores.left_out_ranks import shares_below
    >>> shares_below(np.array([3.0, 0, 1]), np.array([1.0, 2])).tolist()
    [0.75, 0.25, 0.25]
    """
    lower, upper = (np.searchsorted(ascending, scores, side=side) for side in ("left", "right"))
    # Half a sample away from either end, as the unlabeled samples are.
    return np.clip((lower + upper) / 2, 0.5, len(ascending) - 0.5) / len(ascending)


def _latent_rows(Z, random):
    size = max(0, min(N_RANKING_COMPONENTS, min(Z.shape) - 1))
    if size < 2:
        return np.zeros((Z.shape[0], 0))
    return normalize(singular_rows(Z, size, random))


def _walks(graph, sources):
    step = CONTINUATION * normalized(graph)
    mass = sources
    for _ in range(N_STEPS):
        mass = step @ mass + sources
    mass = mass * inverse_root_degrees(graph)[:, None]
    return mass.sum(axis=1, keepdims=True) - mass


def _cosines(Z, sources):
    """Return cosines with the mean of the other sources, less those with the mean of all rows."""
    add_up = transposed_product if sp.issparse(Z) else _dense_sum
    multiply = row_products if sp.issparse(Z) else np.matmul
    away = _unit(add_up(Z, np.ones(Z.shape[0])))
    total = add_up(Z, sources.sum(axis=1))
    # One at a time: all directions together would be larger than the matrix.
    directions = (_unit(total - add_up(Z, column)) - away for column in sources.T)
    return np.column_stack(list(thread_map(partial(multiply, Z), directions)))


def _dense_sum(Z, weights):
    return Z.T @ weights


def _unit(direction):
    length = np.linalg.norm(direction)
    return direction / length if length > 0 else direction


def _rank_logits(scores):
    # Rounding would order what is equal, such as samples that nothing leads to.
    return logit(mean_ranks(scores.round(12)) / (len(scores) + 1))
