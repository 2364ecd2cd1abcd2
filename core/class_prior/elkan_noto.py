"""The class prior from how probable a label is for a positive (Elkan and Noto)."""

import numpy as np

from core.class_prior.clamp import clamp_prior
from core.kernels.cross_fit import cross_fitted_probabilities
from core.kernels.training_space import training_space


def elkan_noto_prior(X, is_positive, *, n_folds=5, C=10.0):
    """Estimate the share of positives among the unlabeled, from labels at random.

    A logistic regression tells labeled from unlabeled samples. The label frequency c is its mean
    probability of a label for the positives, each left out of training (estimator e1); then
    ``pi_U = (n_P / n_U) (1 - c) / c``. No label of a negative is needed.

    The estimate is too large where negatives look like positives, and where the regression is held
    back by its penalty.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array: positives and unlabeled samples.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled; not all and not none.
    n_folds : int in [2, inf), default=5
        Parts that are left out in turn, at most one per positive. A single positive cannot be left
        out: its probability is that of the regression it was in, and the estimate too small.
    C : float in (0, inf), default=10.0
        How much the likelihood counts against the length of the weights. The root mean square
        length of the samples is the unit of X.

    Returns
    -------
    float
        In [1 / n_U, 1 - 1 / n_U]; 0.5 for a single unlabeled sample.

    References
    ----------
    C. Elkan and K. Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008,
    section 2.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.class_prior.elkan_noto import elkan_noto_prior
    >>> X = sp.csr_array(np.repeat([[1.0, 0], [0, 1]], [60, 40], axis=0))
    >>> round(elkan_noto_prior(X, np.arange(100) < 20, C=1e4), 2)
    0.5
    """
    n_positive = int(is_positive.sum())
    n_unlabeled = len(is_positive) - n_positive
    labeled = cross_fitted_probabilities(training_space(X).Z, is_positive, n_folds=n_folds, C=C)
    label_frequency = labeled[is_positive].mean()
    odds = (1 - label_frequency) / max(label_frequency, np.finfo(np.float64).tiny)
    return clamp_prior(n_positive / n_unlabeled * odds, n_unlabeled)
