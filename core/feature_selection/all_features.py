"""All features: what a selection is worth that leaves nothing out."""

import numpy as np

from core.feature_selection.base import BaseFeatureSelector


class AllFeatures(BaseFeatureSelector):
    """Keep all features: a baseline.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        Without effect; there so that one selector can take the place of another.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Zeros.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features in their order, constant ones last.
    support_ : ndarray of bool of shape (n_features,)
        All True.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit.

    References
    ----------
    .. [1] I. Guyon and A. Elisseeff, "An introduction to variable and feature selection", Journal
       of Machine Learning Research 3, 2003, section 1: what a selection is measured against.

    Examples
    --------
    >>> from core.feature_selection import AllFeatures
    >>> AllFeatures(1).fit([[1, 0, 2], [0, 1, 3]], [1, 0]).get_support()
    array([ True,  True,  True])
    """

    assumption = "None: it learns nothing."
    reference = "Guyon and Elisseeff, An introduction to feature selection, JMLR 2003"
    takes_all = True

    def __init__(self, n_features_to_select=10, *, pos_label=None):
        self.n_features_to_select = n_features_to_select
        self.pos_label = pos_label

    def _rank_features(self, X, is_positive):
        return np.arange(X.shape[1]), np.zeros(X.shape[1])

    def _support(self):
        return np.ones(len(self.feature_order_), dtype=bool)
