"""How alike the documents of a pile are: what race, calibration and classifiers share."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from core.auto.candidates import rows_in_graph
from core.kernels.factors.latent_space import N_COMPONENTS, latent_space
from core.kernels.graphs.conductance import Neighbors
from core.kernels.graphs.knn_graph import N_NEIGHBORS, knn_graph, no_edges
from core.kernels.rows.masks import rows_and_masks
from core.kernels.rows.near_copies import are_distinct
from core.kernels.rows.row_blocks import row_products, transposed_product
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.left_out_ranks import left_out_ranks, rows_to_rank
from core.progress import part, report
from core.registry import USUAL
from core.review.from_top import FIRST, is_from_top
from core.shared_work import shared
from core.text import TermWeighting
from core.vectorizer import make_vectorizer

#: Share of the time that the graph takes. Measured: .77 on 18,846 long documents, .80 on 25,000
#: short ones, about a quarter on 4,712 long ones.
GRAPH = 0.7
#: A graph of some documents has so many positives at least; more are drawn like other documents.
LEAST_POSITIVE = 200


class Likeness(NamedTuple):
    """Documents in three views.

    Attributes
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        How often each term occurs in each document.
    weights : TermWeighting
        Makes tf-idf weights of them, counts taken as 1 + log(n).
    graph : sparse array of shape (n_documents, n_documents), or None
        Of nearest neighbors, where it is of all.
    latent : ndarray of shape (n_documents, n_components)
        Unit rows in the space of the first singular vectors; no column without that graph.
    n_sampled : int, default=0
        Unlabeled documents that a graph is to be of, where it is not of all.
    """

    counts: sp.csr_array
    weights: TermWeighting
    graph: sp.csr_array | None
    latent: np.ndarray
    n_sampled: int = 0

    def neighbors(self, is_positive, is_negative, *, random_state=None):
        """Return the graph of neighbors of all documents, or of some where it is not of all.

        Parameters
        ----------
        is_positive, is_negative : ndarray of bool of shape (n_documents,)
            Which are labeled, and which were judged not to be positive: those are left aside, and
            so are copies of positives.
        random_state : int, RandomState instance or None, default=None
            Draws documents.

        Returns
        -------
        Neighbors or None
            None where there is no time for a graph.
        """
        if self.graph is not None:
            # Of equal scores the first rank first: by what they hold, not by where they stand.
            order = content_order(self.counts, is_positive, is_negative)
            return Neighbors(self.graph[order][:, order], order)
        random = check_random_state(random_state)
        return self._sampled_neighbors(*self._kept(is_positive, is_negative, random), random)

    def left_out_ranks(self, is_positive, is_negative, *, random_state=None):
        """Return the ranks of left out positives; judged negatives and copies are left aside.

        Of positives that say nearly the same the first takes part. Parameters and result are those
        of :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`; where the graph is not of
        all, they are made without it, and their conductance is that of some documents.
        """
        random = check_random_state(random_state)
        kept, is_positive = self._kept(is_positive, is_negative, random)
        sampled = self._sampled_neighbors(kept, is_positive, random) if self.graph is None else None
        kept = np.sort(kept)
        ranks = left_out_ranks(
            self.weights.transform(self.counts[kept]),
            is_positive[kept],
            graph=no_edges(len(kept)) if self.graph is None else self.graph[kept][:, kept],
            latent=self.latent[kept],
            random_state=random,
        )
        if sampled is None:
            return ranks
        scores = np.zeros(len(is_positive))
        scores[kept[~is_positive[kept]]] = ranks.unlabeled
        conductance = sampled.conductance(scores, is_positive, ~is_positive)
        return ranks._replace(conductance=conductance)

    def are_from_top(self, is_positive, judged, *, random_state=None):
        """Return whether judged documents were read from the top of a ranking.

        By their cosine with the mean of the positives, less that with the mean of all documents.

        Parameters
        ----------
        is_positive : ndarray of bool of shape (n_documents,)
            The positives that are known otherwise.
        judged : ndarray of int of shape (n_judged,)
            Rows of judged documents, in the order of their judgements; those of these positives
            do not count.
        random_state : int, RandomState instance or None, default=None
            Draws documents to compare them with, where there are many.

        Returns
        -------
        bool
            Of :func:`~core.review.from_top.is_from_top`.
        """
        first, is_kept = judged[~is_positive[judged]][:FIRST], is_positive.copy()
        is_kept[first] = True
        random = check_random_state(random_state)
        rows = rows_to_rank(self.counts, is_kept, np.ones_like(is_kept), random)
        Z = unit_rows(self.weights.transform(self.counts[rows]))
        of_positives, of_all = (
            transposed_product(Z, weights)
            for weights in (is_positive[rows] * 1.0, np.ones(len(rows)))
        )
        direction = of_positives / (np.linalg.norm(of_positives) or 1.0)
        direction -= of_all / (np.linalg.norm(of_all) or 1.0)
        is_of_pile = ~is_positive[rows]
        likeness = row_products(Z, direction)[is_of_pile]
        return is_from_top(likeness, [np.flatnonzero(rows[is_of_pile] == row)[0] for row in first])

    def _kept(self, is_positive, is_negative, random):
        """Return the rows that take part, in the order of their contents, and the positives."""
        counts, is_positive, is_negative = rows_and_masks(
            self.counts, is_positive, is_negative=is_negative
        )
        is_kept = are_distinct(counts, is_positive) & ~is_negative
        return rows_to_rank(counts, is_positive, is_kept, random), is_positive

    def _sampled_neighbors(self, kept, is_positive, random):
        if not self.n_sampled:
            return None
        of_kept = is_positive[kept]
        n_kept = np.bincount(of_kept, minlength=2)
        n_unlabeled = min(self.n_sampled, int(n_kept[0]))
        of_positives = round(n_kept[1] * self.n_sampled / self.counts.shape[0])
        n_positive = min(max(LEAST_POSITIVE, of_positives), int(n_kept[1]))
        is_drawn = np.zeros(len(kept), dtype=bool)
        for mask, n_drawn in ((~of_kept, n_unlabeled), (of_kept, n_positive)):
            is_drawn[random.choice(np.flatnonzero(mask), n_drawn, replace=False)] = True
        rows = kept[is_drawn]
        Z = unit_rows(self.weights.transform(self.counts[rows]))
        graph = shared(knn_graph, Z, N_NEIGHBORS)
        return Neighbors(graph, rows) if graph.nnz else None


def find_likeness(counts, *masks, vectorizer=None, seconds=np.inf, random_state=None):
    """Return how alike documents are.

    Parameters
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        How often each term occurs in each document, in CSR format.
    *masks : ndarrays of bool of shape (n_documents,)
        Such as labels: of more copies than a document has neighbors they tell which it has.
    vectorizer : dict, default=None
        Parameters of the term weighting; ``representation`` is left aside.
    seconds : float in [0, inf], default=inf
        Graph and latent directions are made where the graph of all takes a small share of this.
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
    n_rows = rows_in_graph(counts, seconds)
    if n_rows < counts.shape[0]:
        # Where the graph takes too long, latent directions take too much memory.
        return Likeness(counts, weights.fit(counts), None, np.zeros((counts.shape[0], 0)), n_rows)
    X = weights.fit_transform(counts)
    # In the order of seed expansion, which then takes this graph and these directions.
    order = content_order(X, *masks)
    rows = unit_rows(X[order])
    with part("alike", 0, GRAPH):
        graph = shared(knn_graph, rows, N_NEIGHBORS)
    space = shared(latent_space, rows, N_COMPONENTS, check_random_state(random_state))
    back = np.argsort(order)
    latent = space.rows(rows)[back]
    report("alike", 1)
    return Likeness(counts, weights, graph[back][:, back], latent)
