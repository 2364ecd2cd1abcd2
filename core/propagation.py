"""Classifiers that spread labels over a graph of the training samples."""

import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from core.base import BasePUClassifier
from core.fit_memory import graph_bytes
from core.kernels.knn_graph import nearest_rows
from core.kernels.label_propagation import mass_difference
from core.kernels.unit_rows import unit_rows


class PropagationClassifier(BasePUClassifier):
    """Base of classifiers whose score is the difference of two masses, divided by their sum.

    New samples take the masses of their nearest training samples; without any they score -1, as
    training samples do that nothing joins to a seed. A subclass has the parameters
    ``n_neighbors`` and ``max_df``, and sets ``mass_`` and ``transduction_scores_`` in ``_fit``.

    Attributes
    ----------
    X_fit_ : sparse array of shape (n_samples, n_features)
        Training samples of unit length, in CSR format.
    mass_ : ndarray of shape (n_samples, 2)
        Positive and negative mass that each training sample hands on to a new one.
    """

    is_transductive = True
    bytes_per_entry = 32
    bytes_per_sample = 200
    bytes_per_feature = 112

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        return graph_bytes(n_samples, self.n_neighbors, n_labeled)

    def _set_rows(self, X, is_positive):
        """Keep unit rows; return which rows have terms, and the positives among them."""
        self.X_fit_ = unit_rows(X, max_df=self.max_df)
        has_terms = np.diff(self.X_fit_.indptr) > 0
        positives = np.flatnonzero(is_positive & has_terms)
        if not len(positives):
            raise ValueError(f"no positive sample has a term left at max_df={self.max_df}.")
        return has_terms, positives

    def _report_propagation(self, n_iter, is_converged):
        if not is_converged:
            message = f"label propagation did not converge in {n_iter} iterations."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
            self._flag("not_converged")
        self.report_.update(n_iter=n_iter, converged=bool(is_converged))

    def _score_samples(self, X):
        return mass_difference(self._neighbors(X) @ self.mass_)

    def _neighbors(self, X):
        """Return the cosines of the samples with their nearest training samples."""
        return nearest_rows(unit_rows(X), self.X_fit_, self.n_neighbors)

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
