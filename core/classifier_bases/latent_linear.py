"""Classifiers whose score is a weighted sum over terms and latent directions."""

from numbers import Integral

import numpy as np

from core.base import BasePUClassifier
from core.kernels.factors.latent_space import LatentSpace, latent_space
from core.kernels.rows.row_blocks import row_products
from core.kernels.rows.unit_rows import unit_rows
from core.options import Interval
from core.shared_work import shared


class LatentLinearClassifier(BasePUClassifier):
    """Base of classifiers that are linear in the terms and in the directions these spread most in.

    A subclass has the parameter ``n_components``; its ``_fit`` calls ``_learn_latent``, fits
    weights to terms and to what that returns, and hands them to ``_keep``.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score at unit length, latent directions aside.
    latent_coef_ : ndarray of shape (n_components,)
        What the cosine with each latent direction adds.
    latent_columns_ : ndarray of shape (n_used,)
        The features that latent directions are made of.
    components_ : ndarray of shape (n_used, n_components)
        The directions, float32.
    intercept_ : float
        Score of an empty sample.
    """

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        "n_components": [Interval(Integral, 0, 300, closed="both")],
    }

    bytes_per_entry = 40
    bytes_per_sample = 200
    bytes_per_feature = 96

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        # Directions are made of features that three rows have.
        n_used = min(n_features, n_entries // 3)
        return self.n_components * (34 * n_samples + 16 * n_used)

    def _learn_latent(self, Z, random):
        """Learn the directions of unit rows; return the rows in them."""
        self.latent_columns_, self.components_ = shared(latent_space, Z, self.n_components, random)
        return self._latent_space().rows(Z)

    def _keep(self, model, n_features):
        """Keep weights of features and directions, and the intercept, in one array."""
        self.coef_, self.latent_coef_ = model[:n_features], model[n_features:-1]
        self.intercept_ = float(model[-1])

    def _latent_space(self):
        return LatentSpace(self.latent_columns_, self.components_)

    def _score_samples(self, X):
        Z = unit_rows(X)
        latent = self._latent_space().products(Z, self.latent_coef_)
        return row_products(Z, self.coef_) + latent + self.intercept_

    def _explain(self, X):
        Z = unit_rows(X)
        columns, weights = self._latent_space().to_features(self.latent_coef_)
        lengths = np.linalg.norm(self._latent_space().projections(Z), axis=1)
        scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        through_latent = np.zeros(X.shape[1])
        through_latent[columns] = weights
        rows = np.repeat(np.arange(Z.shape[0]), np.diff(Z.indptr))
        Z.data *= self.coef_[Z.indices] + scale[rows] * through_latent[Z.indices]
        return Z

    def _feature_weights(self):
        columns, weights = self._latent_space().to_features(self.latent_coef_)
        total = self.coef_.copy()
        total[columns] += weights
        return total
