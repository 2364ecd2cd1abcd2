"""Lasso: features with a weight in a sparse linear regression on being labeled."""

import numpy as np
from sklearn.linear_model import Lasso

from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.silence import silence
from core.kernels.rows.unit_range import unit_range
from core.options import ABOVE_ZERO, AT_LEAST_ONE
from core.short_indices import LARGEST, short_indices


class LassoSelector(BaseFeatureSelector):
    """Select the features with the largest weights in a lasso regression on being labeled.

    Minimises ``|s - X w - b|² / (2 n_samples) + alpha sum_j |w_j|``, where s is 1 for labeled
    positives and 0 for unlabeled samples, and each feature is scaled to a range of 1. Features
    without a weight follow by how much they say about what the regression leaves over.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    alpha : float in (0, inf), default=1e-4
        Penalty on the weights: the larger, the fewer features have one.
    relative : bool, default=False
        Whether ``alpha`` is a share of the least penalty at which no feature has a weight. The
        fewer labels there are, the smaller is that penalty.
    max_iter : int in [1, inf), default=1000
        Most passes over the features.
    tol : float in (0, inf), default=1e-4
        Duality gap at which to stop, relative to the squares of s.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Absolute weights of the scaled features.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_iter_ : int
        Passes over the features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: the penalty ``alpha`` and the least that leaves no weight,
        ``alpha_max``, ``n_nonzero`` weights, ``n_iter`` and ``converged``. ``flags`` has
        "few_nonzero_weights" where features without a weight are selected, and "not_converged".

    References
    ----------
    .. [1] R. Tibshirani, "Regression shrinkage and selection via the lasso", Journal of the Royal
       Statistical Society B 58(1), 1996.

    Examples
    --------
    >>> from core.feature_selection import LassoSelector
    >>> X = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]]
    >>> y = [1, 1, 0, 0]
    >>> LassoSelector(n_features_to_select=1).fit(X, y).get_support()
    array([ True, False, False])
    """

    representation = "tfidf"
    assumption = "The share of labeled samples grows about evenly with the features of the kind."
    bytes_per_entry = 36
    reference = "Tibshirani, Regression shrinkage and selection via the lasso, JRSS B 1996"

    _parameter_constraints: dict = {
        **BaseFeatureSelector._parameter_constraints,
        "alpha": [ABOVE_ZERO],
        "relative": ["boolean"],
        "max_iter": [AT_LEAST_ONE],
        "tol": [ABOVE_ZERO],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        alpha=1e-4,
        relative=False,
        max_iter=1000,
        tol=1e-4,
        pos_label=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.relative = relative
        self.max_iter = max_iter
        self.tol = tol
        self.pos_label = pos_label

    def _rank_features(self, X, is_positive):
        X = short_indices(X, "lasso", "Select from fewer documents, or take k_best.")
        X, target = unit_range(X).tocsc(), is_positive - is_positive.mean()
        alpha_max = np.abs(X.T @ target).max() / len(target)
        alpha = self.alpha * alpha_max if self.relative else self.alpha
        weights, residual = self._weights(X, target, alpha, alpha_max)
        n_nonzero = np.count_nonzero(weights)
        self.report_ |= {
            "alpha": float(alpha),
            "alpha_max": float(alpha_max),
            "n_nonzero": int(n_nonzero),
            "n_iter": self.n_iter_,
            "converged": self.n_iter_ < self.max_iter,
        }
        if not self.report_["converged"]:
            self.flag_not_converged(self.n_iter_)
        if n_nonzero < self.n_features_to_select:
            self.add_flag("few_nonzero_weights")
        scores = np.abs(weights)
        return np.lexsort((-np.abs(X.T @ residual), -scores)), scores

    def _weights(self, X, target, alpha, alpha_max):
        """Return the weights, of shape (n_features,), and what is left of the target."""
        if alpha >= alpha_max:
            self.n_iter_ = 0
            return np.zeros(X.shape[1]), target
        # The library counts in 32 bits.
        max_iter = min(self.max_iter, LARGEST)
        lasso = Lasso(alpha=alpha, max_iter=max_iter, tol=self.tol)
        with silence:
            lasso.fit(X, target)
        self.n_iter_ = int(lasso.n_iter_)
        return lasso.coef_, target - lasso.predict(X)
