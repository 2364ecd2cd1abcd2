"""Classifiers that spread labels over a graph of the training samples."""

from abc import abstractmethod
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from core.base import BasePUClassifier
from core.errors import Refused
from core.fit_memory import graph_bytes
from core.kernels.graphs.knn_graph import nearest_rows, transposed
from core.kernels.graphs.label_propagation import TIE, mass_difference
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows

#: Classifiers that predicted -> their training samples, transposed. Beside the classifiers, since
#: predicting changes none, and a file that held both would be twice as large.
_COLUMNS: WeakKeyDictionary = WeakKeyDictionary()


class PropagationClassifier(BasePUClassifier):
    """Base of classifiers whose score is the difference of two masses, divided by their sum.

    New samples take the masses of their nearest training samples; without any they score -1, as
    training samples do that nothing joins to a seed. A subclass has the parameters
    ``n_neighbors`` and ``max_df``, and sets ``mass_`` and ``transduction_scores_`` in ``_spread``.

    Attributes
    ----------
    X_fit_ : sparse array of shape (n_samples, n_features)
        Training samples of unit length, in CSR format.
    rows_ : ndarray of int of shape (n_samples,)
        Their numbers, ordered by what they hold: the first of equally near ones are neighbors.
    mass_ : ndarray of shape (n_samples, 2)
        Positive and negative mass that each training sample hands on to a new one.
    """

    is_transductive = True
    bytes_per_entry = 32
    bytes_per_sample = 200
    bytes_per_feature = 48

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        return graph_bytes(n_samples, self.n_neighbors, n_labeled)

    @abstractmethod
    def _spread(self, Z, is_positive, is_negative, is_candidate):
        """Set ``mass_`` and ``transduction_scores_`` of unit rows, in the order of these.

        The masks are of the rows that have terms.
        """

    def _fit(self, X, is_positive, is_negative):
        rows = content_order(X, is_positive, is_negative)
        Z = unit_rows(X[rows], max_df=self.max_df)
        is_positive, is_negative, has_terms = is_positive[rows], is_negative[rows], has_entries(Z)
        if not (is_positive & has_terms).any():
            raise Refused(f"no positive sample has a term left at max_df={self.max_df}.")
        is_candidate = ~(is_positive | is_negative) & has_terms
        self._spread(Z, is_positive & has_terms, is_negative & has_terms, is_candidate)
        # A tie is negative.
        self.offset_ = TIE
        back = np.argsort(rows)
        self.rows_, self.X_fit_, self.mass_ = rows, Z[back], self.mass_[back]
        self.transduction_scores_ = self.transduction_scores_[back]
        _COLUMNS.pop(self, None)

    def _report_graph(self, graph):
        self.report_.update(
            n_edges=int(graph.nnz // 2),
            n_components=int(connected_components(graph, directed=False)[0]),
        )

    def _report_propagation(self, n_iter, is_converged):
        if not is_converged:
            self.flag_not_converged(n_iter)
        self.report_.update(n_iter=n_iter, converged=bool(is_converged))

    def _score_samples(self, X):
        return mass_difference(self._neighbors(X) @ self.mass_)

    def nearest(self, Q, n_neighbors):
        """Return the cosines of unit rows with the training samples nearest to them.

        Parameters and result are those of :func:`~core.kernels.graphs.knn_graph.nearest_rows`.
        """
        near = nearest_rows(Q, self.X_fit_, n_neighbors, columns=self._columns())
        return self._numbered(near)

    def _neighbors(self, X):
        return self.nearest(unit_rows(X), self.n_neighbors)

    def _columns(self):
        """Return the training samples transposed, made at the first prediction."""
        if self not in _COLUMNS:
            _COLUMNS[self] = transposed(self.X_fit_[self.rows_])
        return _COLUMNS[self]

    def _numbered(self, cosines):
        """Return cosines with ``_columns`` as those with the training samples."""
        parts = cosines.data, self.rows_[cosines.indices], cosines.indptr
        return sp.csr_array(parts, shape=cosines.shape)

    @property
    def n_prediction_bytes(self):
        """What predicting keeps in memory beside the fitted attributes."""
        columns = self.X_fit_.data.nbytes + self.X_fit_.indices.nbytes
        return columns + self.X_fit_.indptr.itemsize * (self.X_fit_.shape[1] + 1)

    def _explain(self, X):
        neighbors = self._neighbors(X)
        total = (neighbors @ self.mass_).sum(axis=1)
        scale = np.divide(1, total, out=np.zeros_like(total), where=total > 0)
        # A cosine is a sum over words, hence so is the difference of the masses.
        neighbors.data = (self.mass_[:, 0] - self.mass_[:, 1])[neighbors.indices]
        words = neighbors @ self.X_fit_
        return (sp.diags_array(scale) @ unit_rows(X).multiply(words)).tocsr()

    def _feature_weights(self):
        share = self.mass_ / np.maximum(self.mass_.sum(axis=0), np.finfo(float).tiny)
        return self.X_fit_.T @ (share[:, 0] - share[:, 1])
