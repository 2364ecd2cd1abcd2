"""The contract of feature selectors."""

from abc import ABCMeta, abstractmethod
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from core.errors import BadParameter, NoUnlabeled, TooFewPositives
from core.feature_selection.selection_memory import SelectionMemory
from core.flags import Flagged
from core.kernels.rows.column_bounds import column_bounds
from core.kernels.rows.row_blocks import transposed_product
from core.options import AT_LEAST_ONE
from core.validation import _fit_context, forgets, validate_training_set

#: With fewer positives than this many features, or sets of them, look equally good.
ENOUGH_TO_SELECT = 10


class BaseFeatureSelector(
    Flagged, SelectionMemory, SelectorMixin, BaseEstimator, metaclass=ABCMeta
):
    """Feature selector for positive and unlabeled samples.

    A subclass implements ``_rank_features``; it receives a canonical CSR array and a boolean
    mask. Features that are constant come last, whatever it says of them.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then the label of positives.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first; ties in the order of the features.
    scores_ : ndarray of shape (n_features,)
        Score of each feature: the higher, the better; never NaN, and -inf for a feature that
        the method did not look at.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Plain facts about the fit: ``n_positive``, ``n_unlabeled``, ``n_constant`` and
        ``n_duplicates`` (features that are constant, or equal to an earlier one), ``flags`` (a
        sorted list of codes), and what the method adds.
    """

    #: What the text pipeline feeds the method: "counts", "binary" or "tfidf".
    representation = "binary"
    #: One sentence a user can check against their data.
    assumption = ""
    #: Where the method was published.
    reference = ""
    requires_non_negative = False
    #: Fewest positives; more than 1 where the method splits them.
    min_positives = 1
    #: Whether everything is selected, constant features too, whatever number is asked for.
    takes_all = False

    _parameter_constraints: dict = {
        "n_features_to_select": [AT_LEAST_ONE],
        "pos_label": [Integral, str, "boolean", None],
    }

    @abstractmethod
    def _rank_features(self, X, is_positive):
        """Return the indices of all features, best first, and the score of each feature."""

    @_fit_context(prefer_skip_nested_validation=True)
    @forgets
    def fit(self, X, y):
        """Rank the features and select the best.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Two values: the label of positives (``pos_label``) and that of unlabeled samples.

        Returns
        -------
        self : object
            The fitted selector.

        Raises
        ------
        OneClass
            If all labels are the same, and there is no ``pos_label``.
        NoPositives, NoUnlabeled, TooFewPositives
            If there are fewer of them than the method needs; each is a ValueError with a
            ``code``.
        Refused
            A ValueError, too: if more features are asked for than there are, or y or X is not
            usable.
        """
        X, self.classes_, is_positive = validate_training_set(self, X, y)
        self._check_samples(is_positive)
        if self.n_features_to_select > X.shape[1]:
            raise BadParameter(
                f"n_features_to_select={self.n_features_to_select} is more than the "
                f"{X.shape[1]} features of X.",
                "n_features_to_select",
            )
        is_constant = np.equal(*column_bounds(X))
        self.report_ = {
            "n_positive": int(is_positive.sum()),
            "n_unlabeled": int((~is_positive).sum()),
            "n_constant": int(is_constant.sum()),
            "n_duplicates": _n_duplicates(X, ~is_constant),
            "flags": [],
        }
        ranking, self.scores_ = self._rank_features(X, is_positive)
        self.feature_order_ = np.concatenate(
            [ranking[~is_constant[ranking]], ranking[is_constant[ranking]]]
        )
        self.support_ = self._support()
        if is_constant[self.support_].any() and not self.takes_all:
            self.add_flag("constant_features_selected")
        return self

    def reordered(self, order):
        """Return an unfitted copy for the same features in another order.

        Parameters
        ----------
        order : ndarray of int of shape (n_features,)
            Indices of the features.

        Returns
        -------
        BaseFeatureSelector
            What the parameters say of single features is in that order, too.
        """
        return clone(self)

    def _check_samples(self, is_positive):
        if is_positive.all():
            raise NoUnlabeled("y holds one class only: unlabeled samples are needed too.")
        if is_positive.sum() < self.min_positives:
            raise TooFewPositives(
                f"{type(self).__name__} needs at least {self.min_positives} positives, got "
                f"{is_positive.sum()}: label more, or take semi_jmi."
            )

    def _support(self):
        """Return the mask of the features to keep."""
        mask = np.zeros(len(self.feature_order_), dtype=bool)
        mask[self.feature_order_[: self.n_features_to_select]] = True
        return mask

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self.requires_non_negative
        tags.target_tags.required = True
        # Not a classifier, but its y is binary as well: this is where scikit-learn looks it up.
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


def _n_duplicates(X, is_counted):
    # Equal columns have equal sums over randomly weighted rows, others almost surely not.
    weights = np.random.default_rng(0).random((X.shape[0], 2))
    sums = transposed_product(X, weights)[is_counted].view(np.complex128)
    return len(sums) - len(np.unique(sums))
