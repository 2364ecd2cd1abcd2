"""FSCPU-MI: FSCPU with mutual information between pairs of features and being labeled."""

import numpy as np
import scipy.sparse as sp

from core.feature_selection.fscpu import FSCPU
from core.kernels.features.discrete_features import discretize
from core.kernels.features.mutual_information import Information
from core.options import AT_LEAST_TWO


class FSCPUMI(FSCPU):
    """Select features as FSCPU does, and such that pairs of them tell much about being labeled.

    A mask is worth the recall times the precision of its best clusters, plus the sum over its
    pairs of features of their joint information about being labeled. Each term is divided by its
    standard deviation over all masks so far.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select; with ``costs``, the default of ``budget``.
    n_bins : int in [2, inf), default=5
        Bins of equal width for features with more distinct values than that.
    mode : {"fast", "paper"}, default="fast"
        "fast" looks at a sample of the rows after two steps of expectation-maximisation;
        "paper" fits scikit-learn's mixture to all rows until it converges, which takes a
        hundred times as long, or more.
    n_clusters : int in [1, inf), default=10
        Components of the mixture; at most a fifth of the samples is taken, and at least 2.
    costs : array-like of shape (n_features,), default=None
        Cost of each feature, in (0, inf); None means 1 each. With costs, features are selected
        in the order of the ranking as long as they fit, however many, and there must not be more
        features than ``prefilter``.
    budget : float in (0, inf), default=None
        Most that the selected features cost together; None means ``n_features_to_select``. Only
        with ``costs``.
    learning_rate : float in (0, 0.5), default=0.05
        Step of a probability. With more than 50 candidates it is divided by the square root of
        their number over 50.
    clip_rate : float in (0, 0.5), default=None
        How far probabilities stay from 0 and 1; None means 1 over the number of candidates, at
        most a third.
    max_iter : int in [1, inf), default=1000
        Most pairs of masks. With more than 50 candidates it is multiplied by the square root of
        their number over 50.
    max_unlabeled : int in [1, inf), default=1500
        Most unlabeled samples that mode "fast" compares masks on, besides all positives; a thousand
        where these are enough for full covariances.
    max_seconds : float in [0, inf), default=None
        End the search after this time with what was found so far; None means never.
    prefilter : int in [1, inf), default=500
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the sample, the masks and the mixtures.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Probability of each feature at the end of the search; -inf for features that the
        prefilter left out.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    objective_ : list of float
        The larger recall times precision of each pair, without the information.
    n_iter_ : int
        Pairs of masks.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit, those of FSCPU.

    References
    ----------
    .. [1] K. Uchikoshi and Y. Akimoto, "Feature selection based on cluster assumption in PU
       learning", GECCO 2025, section 5.2.3, equation 13 (its exact form is derived here).
    .. [2] K. Sechidis and G. Brown, "Simple strategies for semi-supervised feature selection",
       Machine Learning 107, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import FSCPUMI
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-3, 6, size=(360, 6))
    >>> X[:, :2] = random.normal(size=(360, 2))
    >>> X[300:, :2] += 3
    >>> y = (np.arange(360) >= 340).astype(int)
    >>> selector = FSCPUMI(n_features_to_select=2, n_clusters=4, max_iter=300, random_state=0)
    >>> selector.fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    assumption = (
        "In the right features, the positives lie in a few clusters that hold little else, and "
        "which of them were labeled does not depend on their features."
    )

    _parameter_constraints: dict = {
        **FSCPU._parameter_constraints,
        "n_bins": [AT_LEAST_TWO],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        n_bins=5,
        mode="fast",
        n_clusters=10,
        costs=None,
        budget=None,
        learning_rate=0.05,
        clip_rate=None,
        max_iter=1000,
        max_unlabeled=1500,
        max_seconds=None,
        prefilter=500,
        pos_label=None,
        random_state=None,
    ):
        super().__init__(
            n_features_to_select,
            mode=mode,
            n_clusters=n_clusters,
            costs=costs,
            budget=budget,
            learning_rate=learning_rate,
            clip_rate=clip_rate,
            max_iter=max_iter,
            max_unlabeled=max_unlabeled,
            max_seconds=max_seconds,
            prefilter=prefilter,
            pos_label=pos_label,
            random_state=random_state,
        )
        self.n_bins = n_bins

    def _criterion(self, X, is_positive, evaluate):
        clusters_alone = super()._criterion(X, is_positive, evaluate)
        information = pair_information(X, is_positive, self.n_bins)
        terms = StandardizedSum()

        def criterion(*masks):
            # Twice each pair: the scale of a term does not matter.
            told = [mask @ information @ mask for mask in masks]
            return terms.add(np.column_stack([clusters_alone(*masks), told]))

        return criterion


def pair_information(X, is_positive, n_bins):
    """Return the joint information of each pair of features about being labeled.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Rows.
    is_positive : ndarray of bool of shape (n_samples,)
        Which are labeled positive.
    n_bins : int
        Bins of equal width for features with more distinct values than that.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        I(X_i, X_j; S) in nats, symmetric, 0 on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.fscpu_mi import pair_information
    >>> either = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    >>> pair_information(either, either[:, 0] != either[:, 1], 5).round(4).tolist()
    [[0.0, 0.6931], [0.6931, 0.0]]
    """
    information = Information(discretize(sp.csr_array(X), n_bins), is_positive)
    pairs = np.array([information.of_pairs(feature) for feature in range(X.shape[1])])
    np.fill_diagonal(pairs, 0)
    return pairs


class StandardizedSum:
    """Sum of two terms, each divided by its standard deviation over all that was added.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection.fscpu_mi import StandardizedSum
    >>> StandardizedSum().add(np.array([[1.0, 7], [3, 7]])).tolist()
    [1.0, 3.0]
    """

    def __init__(self):
        self._n, self._mean, self._squares = 0, np.zeros(2), np.zeros(2)

    def add(self, terms):
        """Add rows of two terms and return the sum of each row; a constant term is left out."""
        for row in terms:
            self._n += 1
            change = row - self._mean
            self._mean += change / self._n
            self._squares += change * (row - self._mean)
        deviations = np.sqrt(self._squares / self._n)
        scales = np.divide(1, deviations, out=np.zeros(2), where=deviations > 0)
        return terms @ scales
