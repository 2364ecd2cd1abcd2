"""Roc-SVM: reliable negatives by Rocchio prototypes, then iterated SVMs."""

from sklearn.utils import check_random_state

from core.classifier_bases.two_step_svm import TwoStepSVMClassifier
from core.fit_memory import means_bytes
from core.kernels.clusters.negative_clusters import negative_clusters
from core.kernels.clusters.spherical_kmeans import group_means
from core.kernels.rows.row_blocks import map_rows, mean_row
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.reliable_negatives import fallback_size, lowest, usable_rows
from core.kernels.two_step.rocchio import rocchio_cosines
from core.options import ABOVE_ZERO, AT_LEAST_ONE, NOT_NEGATIVE

#: An SVM whose classes weigh by their sizes accepts next to nothing below this many positives.
MIN_UNBALANCED = 20


class RocSVM(TwoStepSVMClassifier):
    """Roc-SVM, also called RC-SVM: Rocchio, then support vector machines.

    Unlabeled samples nearer to the Rocchio prototype of the unlabeled than to that of the
    positives are reliable negatives. They are clustered, and those that are nearer to the
    positives after all are put back. SVMs are then trained, each of which turns what it rejects
    into negatives for the next. If the last one loses positives, the first one is kept. Judged
    negatives are reliable negatives from the start.

    Parameters
    ----------
    alpha : float in (0, inf), default=16
        Weight of the own class in a prototype. Only its proportion to ``beta`` matters, and
        exchanging the two changes nothing. RC-SVM has ``beta`` at 1 - ``alpha``.
    beta : float in [0, inf), default=4
        Weight of the other class in a prototype.
    n_clusters : int in [1, inf) or None, default=10
        Most clusters of reliable negatives; at most one per five of them. None leaves the reliable
        negatives as Rocchio finds them.
    C : float in (0, inf), default=1.0
        How much errors of the SVM count against the length of its weights.
    balanced : bool, default=True
        Whether positives and negatives get the same total weight. Without that, few positives
        against many negatives give an SVM that accepts almost nothing.
    max_iter : int in [1, inf), default=20
        Largest number of SVMs.
    max_loss : float in [0, 1] or None, default=0.05
        The first SVM is kept where the last one rejects more than this share of the positives;
        None means never.
    random_state : int, RandomState instance or None, default=None
        Seed of the clusters.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        Weights of the kept SVM, for samples of unit length.
    intercept_ : float
        Added to the weighted sum.
    offset_ : float
        The cut, 0.
    n_iter_ : int
        Number of SVMs fitted.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_rocchio_negatives`` (before they are purified),
        ``n_reliable_negatives``, ``n_final_negatives``, ``n_iter``, ``converged``, ``lost`` (share
        of the positives that the last SVM rejects) and ``chosen`` ("first" or "last"). Flags:
        "rn_relaxed" where the rule found no reliable negative, "rn_all" where it took all
        unlabeled samples, "unbalanced" where classes are not balanced for fewer than 20 positives,
        "not_converged" where the last of ``max_iter`` SVMs still rejects undecided samples.

    References
    ----------
    .. [1] X. Li and B. Liu, "Learning to classify texts using positive and unlabeled data", IJCAI
       2003. The final choice (``max_loss`` 0.08 there) and the number of clusters are as
       remembered, not verified.

    Examples
    --------
    >>> from core.classifiers import RocSVM
    >>> X = [[4, 1, 0], [4, 0, 0], [3, 1, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]]
    >>> y = [1, 1, 0, 0, 0, 0]
    >>> RocSVM(random_state=0).fit(X, y).predict([[3, 0, 0], [0, 1, 5]])
    array([1, 0])
    """

    assumption = "Positives and other documents can be told apart by a weighted sum of their terms."
    reference = "Li and Liu, Learning to classify texts using positive and unlabeled data, 2003"
    bytes_per_entry = 8
    bytes_per_sample = 448
    bytes_per_feature = 160

    _parameter_constraints: dict = {
        **TwoStepSVMClassifier._parameter_constraints,
        "alpha": [ABOVE_ZERO],
        "beta": [NOT_NEGATIVE],
        "n_clusters": [AT_LEAST_ONE, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        alpha=16,
        beta=4,
        n_clusters=10,
        C=1.0,
        balanced=True,
        max_iter=20,
        max_loss=0.05,
        random_state=None,
        pos_label=None,
    ):
        self.alpha = alpha
        self.beta = beta
        self.n_clusters = n_clusters
        self.C = C
        self.balanced = balanced
        self.max_iter = max_iter
        self.max_loss = max_loss
        self.random_state = random_state
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        return means_bytes(self.n_clusters or 0, n_samples, n_features)

    def _fit(self, X, is_positive, is_negative):
        Z = unit_rows(X)
        is_positive, is_unlabeled = usable_rows(Z, is_positive)
        is_judged = is_unlabeled & is_negative
        random = check_random_state(self.random_state)

        is_reliable = self._rocchio_negatives(Z, is_positive, is_unlabeled, is_judged) | is_judged
        self.report_["n_rocchio_negatives"] = int(is_reliable.sum())
        if self.n_clusters is not None:
            is_reliable = self._purify(Z, is_positive, is_reliable, is_judged, random)
        if (is_reliable == is_unlabeled).all():
            self.add_flag("rn_all")
        if not self.balanced and is_positive.sum() < MIN_UNBALANCED:
            self.add_flag("unbalanced")
        self._fit_iterated(Z, is_positive, is_reliable)

    def _rocchio_negatives(self, Z, is_positive, is_unlabeled, is_judged):
        """Return the unjudged samples that are nearer to the prototype of the unlabeled."""
        is_undecided = is_unlabeled & ~is_judged
        if not is_undecided.any():
            return is_undecided
        means = mean_row(Z, is_positive), mean_row(Z, is_unlabeled)[:, None]
        for beta in (self.beta, self.beta / 2, self.beta / 4):
            margin = _negative_margin(Z, *means, alpha=self.alpha, beta=beta)
            if beta != self.beta:
                self.add_flag("rn_relaxed")
            # Equal cosines may differ by rounding.
            is_chosen = is_undecided & (margin > 1e-12)
            if is_chosen.any():
                return is_chosen
        self.add_flag("rn_relaxed")
        return lowest(-margin, is_undecided, fallback_size(is_positive.sum(), is_unlabeled.sum()))

    def _purify(self, Z, is_positive, is_reliable, is_judged, random):
        """Return the negatives without those that are nearer to a prototype of the positives."""
        clusters = negative_clusters(Z, is_reliable, self.n_clusters, random_state=random)
        means = mean_row(Z, is_positive), group_means(Z, clusters)
        margin = _negative_margin(Z, *means, alpha=self.alpha, beta=self.beta)
        is_purified = is_judged | (is_reliable & (margin > 1e-12))
        if not (is_purified & ~is_judged).any():
            self.add_flag("rn_relaxed")
            return is_reliable
        return is_purified


def _negative_margin(Z, positive_mean, negative_means, *, alpha, beta):
    """Return how much nearer the nearest negative prototype is than the nearest positive one."""

    def margin(rows):
        cosines = rocchio_cosines(rows, positive_mean, negative_means, alpha=alpha, beta=beta)
        to_negative, to_positive = (to_prototypes.max(axis=1) for to_prototypes in cosines)
        return to_negative - to_positive

    return map_rows(margin, Z)
