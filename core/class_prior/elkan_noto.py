"""The class prior from how probable a label is for a positive (Elkan and Noto)."""

import numpy as np
from sklearn.utils import check_random_state

from core.class_prior.checked_samples import checked_samples
from core.class_prior.clamp import clamp_prior
from core.class_prior.conversion import prior_from_label_frequency
from core.kernels.linear.cross_fit import cross_fitted_probabilities
from core.kernels.linear.training_space import training_space
from core.kernels.rows.masks import as_mask
from core.kernels.rows.row_hash import content_order
from core.options import ABOVE_ZERO, StrOptions, validate_params

#: Names of the estimators of the label frequency.
_ESTIMATOR = [StrOptions({"e1", "e2", "e3"})]
#: Quantile that stands for the maximum in estimator e3: the maximum itself is one sample.
MAX_QUANTILE = 0.995


@validate_params({"estimator": _ESTIMATOR}, prefer_skip_nested_validation=True)
def label_frequency(labeled, is_positive, *, estimator="e1"):
    """Return the label frequency, from how probable a label is for each sample.

    Parameters
    ----------
    labeled : ndarray of shape (n_samples,)
        Probabilities in [0, 1], each by a model that did not see the sample.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled; at least one.
    estimator : {"e1", "e2", "e3"}, default="e1"
        The mean over the labeled samples; their sum over that of all samples; the 99.5 % quantile
        of all samples.

    Returns
    -------
    float in [0, 1]
        The share of the positives that are labeled, c.

    References
    ----------
    C. Elkan and K. Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008,
    section 2.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.elkan_noto import label_frequency
    >>> labeled = np.array([0.5, 0.4, 0.6, 0.25, 0.1, 0.4])
    >>> is_positive = np.arange(6) < 3
    >>> [round(label_frequency(labeled, is_positive, estimator=e), 3) for e in ("e1", "e2", "e3")]
    [0.5, 0.667, 0.597]
    """
    is_positive = as_mask(is_positive, "is_positive", len(labeled))
    if estimator == "e1":
        return float(labeled[is_positive].mean())
    if estimator == "e2":
        return float(labeled[is_positive].sum() / labeled.sum())
    return float(np.quantile(labeled, MAX_QUANTILE))


@validate_params({"estimator": _ESTIMATOR, "C": [ABOVE_ZERO]}, prefer_skip_nested_validation=True)
def elkan_noto_prior(X, is_positive, *, estimator="e1", C=10.0, random_state=None):
    """Estimate the share of positives among the unlabeled, from labels at random.

    A logistic regression tells labeled from unlabeled samples. The label frequency c is its mean
    probability of a label for the positives, each left out of training in one of five parts
    (estimator e1; for the others see :func:`label_frequency`); then
    ``pi_U = (n_P / n_U) (1 - c) / c``. No label of a negative is needed.

    The estimate is too large where negatives look like positives, and where the regression is held
    back by its penalty. A single positive cannot be left out: its probability is that of the
    regression it was in, so the estimate is too small.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array: positives and unlabeled samples.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled; not all and not none.
    estimator : {"e1", "e2", "e3"}, default="e1"
        How the label frequency is estimated.
    C : float in (0, inf), default=10.0
        How much the likelihood counts against the length of the weights. The root mean square
        length of the samples is the unit of X.
    random_state : int, RandomState instance or None, default=None
        Deals the samples out into parts; None deals them out in the order of their hashes.

    Returns
    -------
    float
        In [1 / n_U, 1 - 1 / n_U]; 0.5 for a single unlabeled sample.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or there are samples of one kind only.

    References
    ----------
    C. Elkan and K. Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008,
    section 2.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.class_prior import elkan_noto_prior
    >>> X = sp.csr_array(np.repeat([[1.0, 0], [0, 1]], [60, 40], axis=0))
    >>> round(elkan_noto_prior(X, np.arange(100) < 20, C=1e4), 2)
    0.5
    """
    X, is_positive = checked_samples(X, is_positive)
    n_positive = int(is_positive.sum())
    n_unlabeled = len(is_positive) - n_positive
    random = None if random_state is None else check_random_state(random_state)
    labeled = cross_fitted_probabilities(
        training_space(X).Z,
        is_positive,
        C=C,
        random=random,
        order=content_order(X, is_positive),
    )
    frequency = label_frequency(labeled, is_positive, estimator=estimator)
    frequency = max(frequency, np.finfo(np.float64).tiny)
    prior = prior_from_label_frequency(frequency, n_positive, n_unlabeled)
    return clamp_prior(prior, n_unlabeled)
