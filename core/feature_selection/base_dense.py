"""What selectors share that need a dense array: features scaled, and most of many left out."""

from abc import abstractmethod

import numpy as np

from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.score_order import best_first_rounded
from core.kernels.features.chi_squared import scaled_chi_squared
from core.kernels.rows.row_blocks import document_frequencies
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_range import unit_columns
from core.options import AT_LEAST_ONE

#: Fewer samples than this say too little about a feature to keep it as one of the best of many.
MIN_SAMPLES = 5


class BaseDenseSelector(BaseFeatureSelector):
    """Feature selector that works on a dense array of few features, each scaled to [0, 1].

    Of more than ``prefilter`` features only those with the largest chi-squared are looked at;
    ``report_["n_candidates"]`` says how many, and the others have a score of -inf.

    A subclass has a parameter ``prefilter`` and implements ``_rank_dense``.
    """

    representation = "tfidf"
    #: For each value of the dense array, twice: it is in double precision.
    bytes_per_cell: float = 12

    _parameter_constraints: dict = {
        **BaseFeatureSelector._parameter_constraints,
        "prefilter": [AT_LEAST_ONE],
    }

    @abstractmethod
    def _rank_dense(self, X, is_positive):
        """Return the indices of the columns of a dense X, best first, and the score of each."""

    def _own_bytes(self, n_samples, n_features, itemsize):
        return 2 * self.bytes_per_cell * n_samples * self._n_candidates(n_features)

    def _n_candidates(self, n_features):
        return min(n_features, max(self.prefilter, self.n_features_to_select))

    def _rank_features(self, X, is_positive):
        order = self._candidates_first(X, is_positive)
        candidates = np.sort(order[: self._n_candidates(X.shape[1])])
        self.report_["n_candidates"] = len(candidates)
        # Rows are drawn by their place: which ones depends on what they hold, not on their order.
        rows = content_order(X, is_positive)
        # In double precision: the same values select the same features, whatever their type.
        columns = X[:, candidates][rows].toarray().astype(np.float64, copy=False)
        ranking, candidate_scores = self._rank_dense(unit_columns(columns), is_positive[rows])
        scores = np.full(X.shape[1], -np.inf)
        scores[candidates] = candidate_scores
        return np.concatenate([candidates[ranking], order[len(candidates) :]]), scores

    def _candidates_first(self, X, is_positive):
        if X.shape[1] <= self.prefilter:
            return np.arange(X.shape[1])
        dependence = scaled_chi_squared(X, is_positive)
        dependence[document_frequencies(X) < MIN_SAMPLES] = -1
        return best_first_rounded(dependence)
