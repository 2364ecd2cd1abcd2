"""Classifiers whose score is a weighted sum over the features."""

from core.base import BasePUClassifier
from core.kernels.linear.training_space import training_space
from core.kernels.rows.row_blocks import row_products
from core.kernels.rows.unit_rows import unit_products, unit_rows


class LinearClassifier(BasePUClassifier):
    """Base of classifiers whose score is ``coef_`` times the features, and ``intercept_``.

    A subclass implements ``_fit``, in which it sets ``coef_``, ``intercept_`` and ``offset_``,
    and ``_terms`` where it does not take X as it is.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score.
    intercept_ : float
        Score of a sample before its features are read.
    """

    def _terms(self, X):
        """Return what the weights are applied to, of the shape of X."""
        return X

    def _training_space(self, X):
        """Return the samples in the unit that their weights are learned in; flag outliers."""
        space = training_space(X)
        if space.has_outlier:
            self.add_flag("outlying_length")
        return space

    def _score_samples(self, X):
        return row_products(self._terms(X), self.coef_) + self.intercept_

    def _explain(self, X):
        return super()._explain(self._terms(X))


class UnitLinearClassifier(LinearClassifier):
    """Base of classifiers whose score is linear in the samples scaled to unit length."""

    def _terms(self, X):
        return unit_rows(X)

    def _score_samples(self, X):
        # As the base would, but without a scaled copy of X.
        return unit_products(X, self.coef_) + self.intercept_
