"""PN-SVM: reliable negatives and likely positives by core terms and centroids, then one SVM."""

import numpy as np
from sklearn.utils import check_random_state

from core.classifier_bases.linear import UnitLinearClassifier
from core.fit_memory import means_bytes
from core.kernels.clusters.negative_clusters import negative_clusters
from core.kernels.clusters.spherical_kmeans import (
    cosines,
    group_means,
    own_cosines,
)
from core.kernels.rows.row_blocks import document_frequencies, map_rows, mean_row
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.iterative_svm import fit_two_class_svm
from core.kernels.two_step.reliable_negatives import count_terms, lowest, usable_rows
from core.options import ABOVE_ZERO, AT_LEAST_ONE, NOT_NEGATIVE

#: Least cosine of a likely positive with a single seed, whose own cosine is no measure.
ONE_SEED_CUT = 0.05


class PNSVM(UnitLinearClassifier):
    """PN-SVM (also PNLH): a reconstruction, not as published.

    Only the abstracts of the papers were at hand; the steps are as remembered, not verified.
    Core terms are those that are much more typical of the positives than of the unlabeled
    samples. Unlabeled samples without core terms are reliable negatives, and are clustered. Of the
    others, those nearer to a cluster than to the positives, and near enough, become negatives too;
    those nearer to the positives, near enough and with a core term, become likely positives. One
    SVM is trained on all of them. Judged negatives are reliable negatives from the start.

    Parameters
    ----------
    n_clusters : int in [1, inf), default=10
        Most clusters of reliable negatives; at most one per five of them.
    max_likely : float in [0, inf), default=2
        Likely positives per positive, at most: only those most similar to the positives are kept,
        as likely ones are error-prone.
    C : float in (0, inf), default=1.0
        How much errors of the SVM count against the length of its weights.
    random_state : int, RandomState instance or None, default=None
        Seed of the clusters.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        Weights of the SVM, for samples of unit length.
    intercept_ : float
        Added to the weighted sum.
    offset_ : float
        The cut, 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_core_terms``, ``n_reliable_negatives``, ``n_added_negatives`` and
        ``n_likely_positives``. Flags: "rn_relaxed" where every unlabeled sample has a core term,
        "rn_all" where none has.

    References
    ----------
    .. [1] G. P. C. Fung, J. X. Yu, H. Lu and P. S. Yu, "Text classification without labeled
       negative documents", ICDE 2005.
    .. [2] G. P. C. Fung, J. X. Yu, H. Lu and P. S. Yu, "Text classification without negative
       examples revisit", IEEE Transactions on Knowledge and Data Engineering 18(1), 2006.

    Examples
    --------
    >>> from core.classifiers import PNSVM
    >>> X = [[4, 1, 0], [4, 0, 0], [3, 1, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]]
    >>> y = [1, 1, 0, 0, 0, 0]
    >>> PNSVM(random_state=0).fit(X, y).predict([[3, 0, 0], [0, 1, 5]])
    array([1, 0])
    """

    assumption = "A few terms are typical of the positives, and some other documents lack them all."
    reference = "After Fung et al., Text classification without labeled negatives, ICDE 2005"
    bytes_per_entry = 16
    bytes_per_sample = 256
    bytes_per_feature = 128

    _parameter_constraints: dict = {
        **UnitLinearClassifier._parameter_constraints,
        "n_clusters": [AT_LEAST_ONE],
        "max_likely": [NOT_NEGATIVE],
        "C": [ABOVE_ZERO],
        "random_state": ["random_state"],
    }

    def __init__(self, *, n_clusters=10, max_likely=2, C=1.0, random_state=None, pos_label=None):
        self.n_clusters = n_clusters
        self.max_likely = max_likely
        self.C = C
        self.random_state = random_state
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        return means_bytes(self.n_clusters, n_samples, n_features)

    def _fit(self, X, is_positive, is_negative):
        Z = unit_rows(X)
        is_positive, is_unlabeled = usable_rows(Z, is_positive)
        is_judged = is_unlabeled & is_negative
        random = check_random_state(self.random_state)

        is_core = _core_terms(X, is_positive, is_unlabeled)
        n_core = count_terms(X, is_core)
        is_undecided = is_unlabeled & ~is_judged
        is_reliable = self._without_core_terms(X, n_core, is_positive, is_undecided) | is_judged
        if (is_reliable == is_unlabeled).all():
            self.add_flag("rn_all")
        is_added, is_likely = self._enlarge(
            Z, is_positive, is_reliable, is_unlabeled & ~is_reliable, n_core > 0, random
        )
        self.report_ |= {
            "n_core_terms": int(is_core.sum()),
            "n_reliable_negatives": int(is_reliable.sum()),
            "n_added_negatives": int(is_added.sum()),
            "n_likely_positives": int(is_likely.sum()),
        }
        self.coef_, self.intercept_ = fit_two_class_svm(
            Z,
            is_positive | is_likely,
            is_reliable | is_added,
            C=self.C,
            balanced=True,
        )
        self.offset_ = 0.0

    def _without_core_terms(self, X, n_core, is_positive, is_undecided):
        """Return the samples that have no core term, or the smallest share of them."""
        is_chosen = is_undecided & (n_core == 0)
        if is_chosen.any() or not is_undecided.any():
            return is_chosen
        self.add_flag("rn_relaxed")
        share = n_core / np.maximum(np.diff(X.indptr), 1)
        return lowest(share, is_undecided, int(is_positive.sum()), content_order(X))

    def _enlarge(self, Z, is_positive, is_reliable, is_undecided, has_core, random):
        """Return the undecided samples that join the negatives, and those likely positive."""
        clusters = negative_clusters(Z, is_reliable, self.n_clusters, random_state=random)
        means = group_means(Z, clusters)
        own, groups = own_cosines(Z, clusters, means)[is_reliable], clusters[is_reliable]
        least_similar = np.bincount(groups, weights=own) / np.bincount(groups)

        def to_nearest(rows):
            products = cosines(rows, means)
            return np.column_stack([products.max(axis=1), least_similar[products.argmax(axis=1)]])

        to_negative, least = map_rows(to_nearest, Z).T
        to_positive = cosines(Z, mean_row(Z, is_positive)[:, None])[:, 0]
        is_single = is_positive.sum() == 1
        cut = ONE_SEED_CUT if is_single else to_positive[is_positive].mean()

        # Equal similarities may differ by rounding.
        is_near = to_negative > least - 1e-12
        is_added = is_undecided & is_near & (to_negative > to_positive + 1e-12)
        is_near = to_positive > cut - 1e-12
        is_likely = is_undecided & is_near & has_core & (to_positive > to_negative + 1e-12)
        most = int(min(self.max_likely * int(is_positive.sum()), len(is_likely)))
        return is_added, lowest(-to_positive, is_likely, most)


def _core_terms(X, is_positive, is_unlabeled):
    """Return the terms of the positives whose strength is above the mean of these terms."""
    in_positive = document_frequencies(X, is_positive)
    strength = _rescaled(in_positive) - _rescaled(document_frequencies(X, is_unlabeled))
    is_term = in_positive > 0
    # Rounding lifts none of several equal strengths above their mean.
    return is_term & (strength > strength[is_term].mean() + 1e-12)


def _rescaled(frequencies):
    """Return the frequencies of the terms that occur, from 0 (lowest) to 1; others are 0."""
    occurring = frequencies[frequencies > 0]
    low, high = occurring.min(), occurring.max()
    return np.maximum(frequencies - low, 0) / max(high - low, 1)
