"""NMFPUL: topics of a factorisation, the first of them tied to the positives."""

import numpy as np
from sklearn.utils import check_random_state

from core import progress
from core.base import BasePUClassifier
from core.calibration.prior_cut import prior_cut
from core.kernels.factors import kl_nmf
from core.kernels.factors.largest_topic import largest_topic_cut
from core.kernels.factors.topic_starts import guided_start, random_start, side_by_side, starts
from core.kernels.hardware.lanes import LANES
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.seen_columns import seen_columns
from core.options import (
    AT_LEAST_ONE,
    AT_LEAST_TWO,
    INNER_SHARE,
    NOT_NEGATIVE,
    REPEATS,
    SHARE,
    StrOptions,
)

#: Most iterations and number of restarts of each mode.
LIMITS = {"guided": (100, 5), "paper": (300, 1)}
#: Iterations between two looks at the divergence.
CHECK_EVERY = 10


class NMFPUL(BasePUClassifier):
    """Non-negative factorisation under the KL divergence, its first topic tied to the positives.

    Samples become mixtures of a few topics. In each iteration the labeled positives are set to
    consist of topic 0 alone, so that it turns into theirs; the score of a sample is the share of
    topic 0 in its mixture, and the sample is positive where topic 0 is its largest one.

    "guided" repairs what keeps the published procedure from working with few labels: topic 0
    starts from the words of the positives, topics are distributions over the features, so that
    ``epsilon`` is small against any text, and the result is a mean over restarts. All samples
    start from equal weights, only the topics at random, so that equal samples score the same.

    Parameters
    ----------
    n_topics : int in [2, inf), default=4
        Topics; 20 are many. Give the number of classes in the data, at most 10, if
        known; the guided mode hardly depends on it. No more than samples or features are taken.
    mode : {"guided", "paper"}, default="guided"
        "paper" is the published procedure, but for the test of convergence, which never became
        true, and for the largest topic, which is looked up after bringing all to one scale.
    clamp : {"max", "mass"}, default="max"
        Weight of topic 0 in the labeled positives: the greatest weight of the whole
        factorisation, or the sample's own sum of weights.
    epsilon : float in (0, 1), default=1e-3
        Weight of the other topics in the labeled positives, in the unit of X: too much where
        samples sum to far less than 1, as no text does. Scale those.
    max_iter : int in [1, inf), default=None
        Most iterations; None means 100 (guided) or 300 (paper), at which to end is no failure.
    tol : float in [0, inf), default=1e-4
        A restart ends when the divergence, before clamping, changes by less than this share of
        it in ten iterations. 0 does all iterations.
    n_restarts : int in [1, 100000], default=None
        Factorisations from different random starts; None means 5 (guided) or 1 (paper).
    threshold : float in [0, 1], default=None
        The cut on the score; None means the rule of the largest topic.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled. Used only where topic 0 is the largest of all but
        judged negatives: then this share of them is accepted, or those above 0.5 if it is None.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed of the random starts.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    components_ : ndarray of shape (n_restarts, n_topics, n_features)
        Topics as distributions over the features seen in a sample; topic 0 is the positives'.
    n_iter_ : int
        Iterations of the longest restart.
    offset_ : float
        The cut on the score.
    transduction_ : ndarray of shape (n_samples,)
        Labels of the training samples; labeled positives stay so.
    transduction_scores_ : ndarray of shape (n_samples,)
        Share of topic 0 in the training samples, in [0, 1], the mean over the restarts.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; besides the common ones ``n_topics``, ``iterations`` of each restart,
        ``converged`` (all of them) and ``divergence``, a list per restart, every ten iterations.
        Flags: "not_converged" if a given ``max_iter`` ended a restart, "first_topic_everywhere" if
        topic 0 is the largest of all but judged negatives, so that ``class_prior`` has the cut.

    Notes
    -----
    A cut on a share cannot state the rule of the largest topic exactly: of k topics, one with a
    share of at least 1/2 is the largest and one below 1/k is not; between them it depends on the
    others. ``offset_`` is the cut from that range that agrees with the rule, by majority of the
    restarts, on most training samples; for two topics and one restart it is 1/2 and exact.

    New samples are folded in: their mixture is fitted to the fixed topics of each restart. The
    scores of training samples differ, for they also shaped the topics. The contributions of
    ``explain`` add up to ``decision_function``: a feature's weight in the sample times the
    probability that it comes from topic 0, less the cut.

    Judged negatives are kept out of topic 0. Time O(nnz n_topics) per iteration; up to eight
    restarts go on side by side, in the time of two or three. The published procedure depends most
    on the vocabulary: its F1 on CSTR at 5 and 20 labeled positives is 0.29 and 0.50 with all terms,
    0.42 and 0.65 without those of a single document.

    References
    ----------
    .. [1] L. S. S. Nunes, T. de P. Faleiros and R. G. Rossi, "Positive unlabeled learning:
       adapting NMF for text classification", ENIAC 2023, algorithm 1.
    .. [2] D. D. Lee and H. S. Seung, "Algorithms for non-negative matrix factorization", NIPS
       2000, theorem 2.

    Examples
    --------
    >>> from core.classifiers import NMFPUL
    >>> X = [[2, 1, 0, 0], [1, 2, 0, 0], [1, 1, 0, 0], [0, 0, 1, 2], [0, 0, 2, 1]]
    >>> classifier = NMFPUL(n_topics=2, random_state=0).fit(X, [1, 0, 0, 0, 0])
    >>> classifier.transduction_
    array([1, 1, 1, 0, 0])
    >>> classifier.predict([[3, 2, 0, 0], [0, 0, 1, 1]])
    array([1, 0])
    """

    assumption = "Documents are mixtures of a few topics, and the kind is one of them."
    reference = "Nunes, Faleiros and Rossi, Positive unlabeled learning: adapting NMF, ENIAC 2023"
    is_transductive = True
    bytes_per_entry = 16
    requires_non_negative = True

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        "n_topics": [AT_LEAST_TWO],
        "mode": [StrOptions({"guided", "paper"})],
        "clamp": [StrOptions({"max", "mass"})],
        "epsilon": [INNER_SHARE],
        "max_iter": [AT_LEAST_ONE, None],
        "tol": [NOT_NEGATIVE],
        "n_restarts": [REPEATS, None],
        "threshold": [SHARE, None],
        "class_prior": [SHARE, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_topics=4,
        mode="guided",
        clamp="max",
        epsilon=1e-3,
        max_iter=None,
        tol=1e-4,
        n_restarts=None,
        threshold=None,
        class_prior=None,
        pos_label=None,
        random_state=None,
    ):
        self.n_topics = n_topics
        self.mode = mode
        self.clamp = clamp
        self.epsilon = epsilon
        self.max_iter = max_iter
        self.tol = tol
        self.n_restarts = n_restarts
        self.threshold = threshold
        self.class_prior = class_prior
        self.pos_label = pos_label
        self.random_state = random_state

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        n_topics = min(self.n_topics, n_samples, n_features)
        kept = 8 * (self.n_restarts or LIMITS[self.mode][1]) * n_features
        return n_topics * (16 * LANES * (n_samples + n_features) + kept)

    def _fit(self, X, is_positive, is_negative):
        is_used, is_seen = has_entries(X), seen_columns(X)
        V = X if is_seen.all() else X[:, is_seen]
        n_restarts = self.n_restarts or LIMITS[self.mode][1]
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=n_restarts)
        topics_of, VT = {}, V.T.tocsr()
        n_topics = max(2, min(self.n_topics, *V.shape))
        facts = {"n_topics": n_topics, "iterations": [0] * n_restarts, "converged": True}
        self.report_ |= facts | {"divergence": [[] for _ in seeds]}
        (shares, votes), is_seed = np.zeros((2, X.shape[0])), is_positive & is_used
        start = guided_start if self.mode == "guided" else random_start
        for first in range(0, n_restarts, LANES):
            batch = seeds[first : first + LANES]
            W, Ht = starts(start, V, is_seed, is_seen, n_topics, batch)
            restarts = list(range(first, first + len(batch)))
            ends = self._factorise(V, VT, W, Ht, is_seed, is_negative, restarts)
            for restart, weights, topics in ends:
                topics_of[restart] = topics
                shares += weights[:, 0] / weights.sum(axis=1, dtype=np.float64) / n_restarts
                votes += weights.argmax(axis=1) == 0
        del W, Ht
        # What no sample holds says nothing about a new one either: it stays zero.
        self.components_ = np.zeros((n_restarts, n_topics, X.shape[1]), dtype=X.dtype)
        for restart, topics in topics_of.items():
            self.components_[restart][:, is_seen] = topics.T
        shares[~is_used] = 0
        self.n_iter_ = max(self.report_["iterations"])
        if self.max_iter is not None and not self.report_["converged"]:
            self.flag_not_converged(self.n_iter_)
        self.transduction_scores_ = shares
        is_first, is_pile = votes >= n_restarts / 2, ~(is_positive | is_negative)
        self.offset_ = self._cut(shares, is_first, is_pile, is_used)

    def _factorise(self, V, VT, W, Ht, is_seed, is_negative, restarts):
        """Yield the number, W and Ht of each restart as soon as it ends; add to the report."""
        max_iter = self.max_iter or LIMITS[self.mode][0]
        first, running = restarts[0], restarts.copy()
        for n_iter in range(1, max_iter + 1):
            self._update(V, VT, W, Ht, is_seed, is_negative)
            if n_iter % CHECK_EVERY == 0:
                self._check(V, W, Ht, ~is_seed, running, first)
                n_done = first + len(restarts) * n_iter / max_iter
                progress.report("factorise", n_done / len(self.report_["iterations"]))
            self._clamp(W, is_seed, is_negative)
            for restart in running.copy():
                before, now = [0, 0, *self.report_["divergence"][restart]][-2:]
                has_converged = abs(before - now) < self.tol * before
                if has_converged or n_iter == max_iter:
                    running.remove(restart)
                    self.report_["iterations"][restart] = n_iter
                    self.report_["converged"] &= has_converged
                    weights, topics = (part[..., restart - first].copy() for part in (W, Ht))
                    kl_nmf.normalize_topics(weights, topics)
                    yield restart, weights, topics
            if not running:
                return

    def _update(self, V, VT, W, Ht, is_seed, is_negative):
        kl_nmf.update(V, W, Ht)
        if self.mode == "guided":
            self._clamp(W, is_seed, is_negative)
        kl_nmf.update(VT, Ht, W)
        if self.mode == "guided":
            kl_nmf.normalize_topics(W, Ht)

    def _check(self, V, W, Ht, is_free, running, first):
        divergences = kl_nmf.divergences(V, W, Ht)
        for restart in running:
            run = restart - first
            self.report_["divergence"][restart].append(float(divergences[run]))
            kl_nmf.reseed_dead_topics(V, W[..., run], Ht[..., run], is_free)

    def _clamp(self, W, is_seed, is_negative):
        # Two steps: NumPy is slow on the short last axis.
        top = W.reshape(len(W), -1).max(axis=0).reshape(W.shape[1:]).max(axis=0)
        weight = top if self.clamp == "max" else W[is_seed].sum(axis=1)
        W[is_seed] = self.epsilon
        W[is_seed, 0] = weight
        W[is_negative, 0] = kl_nmf.FLOOR

    def _cut(self, shares, is_first, is_pile, is_used):
        if self.threshold is not None:
            return float(self.threshold)
        if not (is_pile & is_used).any() or not is_first[is_pile & is_used].all():
            return largest_topic_cut(shares[is_used], is_first[is_used], self.report_["n_topics"])
        self.add_flag("first_topic_everywhere")
        if self.class_prior is None:
            return 0.5
        return prior_cut(shares[is_pile], self._clamped_prior(is_pile.sum()))

    def _score_samples(self, X):
        return self._split(X)[0].sum(axis=1)

    def _explain(self, X):
        from_first, share = self._split(X)
        return from_first - self.offset_ * share

    def _split(self, X):
        """Return the part of topic 0 in each entry's share of its sample, and that share."""
        share = X.astype(np.float64)
        share.data /= np.repeat(share.sum(axis=1), np.diff(X.indptr))
        columns = np.flatnonzero(seen_columns(X))
        V = X[:, columns]
        probability = np.zeros(X.nnz)
        for first in range(0, len(self.components_), LANES):
            H = self.components_[first : first + LANES, :, columns]
            Ht = side_by_side(H, X.dtype)
            W = kl_nmf.fold_in(V, Ht)
            parts = (part[..., : len(H)] for part in (W, Ht))
            probability += len(H) * kl_nmf.first_topic_probabilities(V, *parts)
        from_first = share.copy()
        from_first.data *= probability / len(self.components_)
        return from_first, share

    def _feature_weights(self):
        # Smoothed by the uniform topic: else words that only the positives have, once, lead.
        H = self.components_ + 1 / self.n_features_in_
        return np.log(H[:, 0] / H[:, 1:].mean(axis=1)).mean(axis=0)
