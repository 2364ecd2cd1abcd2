"""What selectors share that count: features coded by their values, most of many left out."""

from abc import abstractmethod

import numpy as np

from core.feature_selection.base import ENOUGH_TO_SELECT, BaseFeatureSelector
from core.feature_selection.score_order import best_first_rounded
from core.kernels.features.discrete_features import bins_bytes, discretize
from core.kernels.features.mutual_information import Information
from core.options import AT_LEAST_ONE, AT_LEAST_TWO, StrOptions


class BaseBinnedSelector(BaseFeatureSelector):
    """Feature selector that goes by information of features whose values are cut into bins.

    A subclass has the parameters ``n_bins`` and ``binning``.
    """

    _parameter_constraints: dict = {
        **BaseFeatureSelector._parameter_constraints,
        "n_bins": [AT_LEAST_TWO],
        "binning": [StrOptions({"width", "quantile"})],
    }

    def _own_bytes(self, n_samples, n_features, itemsize):
        return bins_bytes(n_features, min(self.n_bins, n_samples))

    def _information(self, X, is_positive):
        """Return an ``Information`` about being labeled."""
        return Information(discretize(X, self.n_bins, self.binning), is_positive)


class BaseInformationSelector(BaseBinnedSelector):
    """Feature selector that adds one feature after the other by counts of joint values.

    Of more than ``prefilter`` features only those with the most information about being labeled
    are looked at; ``report_["n_candidates"]`` says how many, and the others have a score of -inf.
    Scores of chosen features are those of the step that chose them, so they need not descend.
    Below ten positives ``report_["flags"]`` has "few_positives".

    A subclass has the parameter ``prefilter`` as well and implements ``_rank_discrete``.
    """

    _parameter_constraints: dict = {
        **BaseBinnedSelector._parameter_constraints,
        "prefilter": [AT_LEAST_ONE],
    }

    @abstractmethod
    def _rank_discrete(self, information, n_selected):
        """Return the indices of features, best first, and the score of each.

        ``information`` is that of ``_information``. Only the first ``n_selected`` have to be in
        the order of the method.
        """

    def _rank_features(self, X, is_positive):
        if is_positive.sum() < ENOUGH_TO_SELECT:
            self.add_flag("few_positives")
        n_candidates = max(self.prefilter, self.n_features_to_select)
        order, candidates = np.arange(X.shape[1]), np.arange(X.shape[1])
        if X.shape[1] > n_candidates:
            order = best_first_rounded(self._information(X, is_positive).of_features())
            candidates = np.sort(order[:n_candidates])
            X = X[:, candidates]
        self.report_["n_candidates"] = len(candidates)
        information = self._information(X, is_positive)
        ranking, candidate_scores = self._rank_discrete(information, self.n_features_to_select)
        scores = np.full(len(order), -np.inf)
        scores[candidates] = candidate_scores
        return np.concatenate([candidates[ranking], order[len(candidates) :]]), scores
