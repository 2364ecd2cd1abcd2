"""Propensity weighting: a labeled positive stands for those that were not labeled."""

from numbers import Real

import numpy as np
from sklearn.utils.validation import column_or_1d

from core.classifier_bases.log_odds import LogOddsClassifier
from core.errors import BadParameter
from core.kernels.linear.propensity import MAX_SHARE, MIN_PROPENSITY, fit_propensity_weighted
from core.options import ABOVE_ZERO, SHARE_ABOVE_ZERO


class PropensityWeighting(LogOddsClassifier):
    """Logistic regression for positives that were labeled with a known probability.

    A positive that is labeled with probability e stands for 1 / e positives. So each labeled
    sample counts as a positive 1 / e times and as a negative 1 - 1 / e times, which takes away
    what the hidden positives add to the negatives; all others count as negatives. The total of
    the negatives is kept from falling below 0.

    Parameters
    ----------
    propensity : float in (0, 1] or array-like of shape (n_samples,), default=0.5
        Probability that a positive is labeled. An array has one for each training sample, of which
        only those of labeled positives matter; so it cannot be cross-validated. Below 0.05 it
        counts as 0.05. The default is a guess: give what is known of how the labels came about.
    C : float in (0, inf), default=1.0
        How much the likelihood counts against the length of the weights.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each feature adds to the log-odds of being positive.
    intercept_ : float
        Log-odds of an empty sample.
    offset_ : float
        The cut on the log-odds: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_positive_estimate``, the sum of 1 / e over the labeled positives.
        The flag "propensity_too_small" says that propensities were raised: some are below 0.05, or
        together they make positives of more than 95 % of the samples.

    References
    ----------
    .. [1] J. Bekker, P. Robberechts and J. Davis, "Beyond the selected completely at random
       assumption for learning from positive and unlabeled data", ECML-PKDD 2019, section 3.

    Examples
    --------
    >>> from core.classifiers import PropensityWeighting
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> classifier = PropensityWeighting(propensity=0.6).fit(X, [1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "It is known how probable a label is for each labeled positive."
    reference = "Bekker, Robberechts and Davis, Beyond the SCAR assumption, ECML-PKDD 2019"
    bytes_per_entry = 4
    bytes_per_sample = 128

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "propensity": [SHARE_ABOVE_ZERO, "array-like"],
        "C": [ABOVE_ZERO],
    }

    def __init__(self, *, propensity=0.5, C=1.0, pos_label=None):
        self.propensity = propensity
        self.C = C
        self.pos_label = pos_label

    def _validate_params(self):
        super()._validate_params()
        propensity = column_or_1d(np.atleast_1d(self.propensity), dtype=np.float64)
        # The negation catches NaN as well.
        if not ((propensity > 0) & (propensity <= 1)).all():
            raise BadParameter("propensity must be in (0, 1] for every sample.", "propensity")

    def _fit(self, X, is_positive, is_negative):
        propensity = self._propensities(len(is_positive))
        estimate = float((1 / propensity[is_positive]).sum())
        self.report_["n_positive_estimate"] = estimate
        is_clipped = propensity[is_positive].min() < MIN_PROPENSITY
        if is_clipped or estimate > MAX_SHARE * len(is_positive):
            self.add_flag("propensity_too_small")
        self.coef_, self.intercept_ = fit_propensity_weighted(X, is_positive, propensity, C=self.C)
        self.offset_ = 0.0

    def _propensities(self, n_samples):
        if isinstance(self.propensity, Real):
            return np.full(n_samples, float(self.propensity))
        propensity = column_or_1d(self.propensity, dtype=np.float64)
        if propensity.shape != (n_samples,):
            raise BadParameter(
                f"propensity must have one value for each of the {n_samples} samples, got "
                f"{propensity.shape[0]}. A list belongs to one training set: where samples are "
                "split, as in cross-validation, give one number or take SAREM, which learns them.",
                "propensity",
            )
        return propensity
