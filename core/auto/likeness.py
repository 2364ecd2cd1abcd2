"""How alike the documents of a pile are: what race, calibration and classifiers share."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from core.auto.candidates import has_time_for_graph
from core.kernels.knn_graph import N_NEIGHBORS, knn_graph, no_edges
from core.kernels.latent_space import N_COMPONENTS, latent_space
from core.kernels.left_out_ranks import left_out_ranks, rows_to_rank
from core.kernels.masks import rows_and_masks
from core.kernels.row_hash import content_order, copy_groups
from core.kernels.unit_rows import unit_rows
from core.progress import part, report
from core.registry import USUAL
from core.shared_work import shared
from core.text.term_weights import TermWeighting
from core.vectorizer import make_vectorizer

#: Share of the time after which there is a graph: .77 of 18,846 long documents, .80 of 25,000 short
#: ones; about a quarter of 4,712 long ones.
GRAPH = 0.7


class Likeness(NamedTuple):
    """Documents in three views.

    Attributes
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        How often each term occurs in each document.
    weights : TermWeighting
        Makes tf-idf weights of them, counts taken as 1 + log(n).
    graph : sparse array of shape (n_documents, n_documents), or None
        Of nearest neighbors, where it is made in time.
    latent : ndarray of shape (n_documents, n_components)
        Unit rows in the space of the first singular vectors; no column without a graph.
    """

    counts: sp.csr_array
    weights: TermWeighting
    graph: sp.csr_array | None
    latent: np.ndarray

    def left_out_ranks(self, is_positive, is_negative, *, random_state=None):
        """Return the ranks of left out positives; judged negatives and copies are left aside.

        Of equal positives the first takes part. Parameters and result are those of
        :func:`~core.kernels.left_out_ranks.left_out_ranks`.
        """
        counts, is_positive, is_negative = rows_and_masks(
            self.counts, is_positive, is_negative=is_negative
        )
        random = check_random_state(random_state)
        is_first = copy_groups(counts, is_positive) == np.arange(len(is_positive))
        kept = np.sort(rows_to_rank(counts, is_positive, is_first & ~is_negative, random))
        return left_out_ranks(
            self.weights.transform(counts[kept]),
            is_positive[kept],
            graph=no_edges(len(kept)) if self.graph is None else self.graph[kept][:, kept],
            latent=self.latent[kept],
            random_state=random,
        )


def find_likeness(counts, *, vectorizer=None, seconds=np.inf, random_state=None):
    """Return how alike documents are.

    Parameters
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        How often each term occurs in each document, in CSR format.
    vectorizer : dict, default=None
        Parameters of the term weighting; ``representation`` is left aside.
    seconds : float in (0, inf], default=inf
        Graph and latent directions are made where the graph takes a small share of this.
    random_state : int, RandomState instance or None, default=None
        Starts the singular value decomposition.

    Returns
    -------
    Likeness

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.auto.likeness import find_likeness
    >>> counts = sp.csr_array([[2, 1, 0], [1, 2, 0], [0, 1, 3], [0, 0, 1]])
    >>> found = find_likeness(counts, random_state=0)
    >>> is_positive = np.array([True, True, False, False])
    >>> found.left_out_ranks(is_positive, ~is_positive & False, random_state=0).positive.tolist()
    [0.75, 0.75]
    """
    asked = {name: v for name, v in (vectorizer or {}).items() if name != "representation"}
    _, weights = make_vectorizer(asked, like=USUAL)
    if not has_time_for_graph(counts, seconds):
        # Where the graph takes too long, latent directions take too much memory.
        return Likeness(counts, weights.fit(counts), None, np.zeros((counts.shape[0], 0)))
    X = weights.fit_transform(counts)
    # As seed expansion orders them, which takes the same graph and directions.
    order = content_order(X)
    rows = unit_rows(X[order])
    with part("alike", 0, GRAPH):
        graph = shared(knn_graph, rows, N_NEIGHBORS)
    space = shared(latent_space, rows, N_COMPONENTS, check_random_state(random_state))
    back = np.argsort(order)
    latent = space.rows(rows)[back]
    report("alike", 1)
    return Likeness(counts, weights, graph[back][:, back], latent)
