"""NMFPUL: topics of a factorisation, the first of them tied to the positives."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from core import progress
from core.base import BasePUClassifier
from core.class_prior.clamp import clamp_prior
from core.kernels import kl_nmf
from core.validation import Interval, StrOptions

#: Most iterations and number of restarts of each mode.
LIMITS = {"guided": (200, 5), "paper": (300, 1)}

#: Iterations between two looks at the divergence.
CHECK_EVERY = 10


class NMFPUL(BasePUClassifier):
    """Non-negative factorisation under the KL divergence, its first topic tied to the positives.

    Samples become mixtures of a few topics. In each iteration the labeled positives are set to
    consist of topic 0 alone, so that it turns into theirs; the score of a sample is the share of
    topic 0 in its mixture, and the sample is positive where topic 0 is its largest one.

    "guided" repairs what keeps the published procedure from working with few labels: topic 0
    starts from the words of the positives, topics are distributions over the features, so that
    ``epsilon`` is small against any sample, and the result is a mean over restarts.

    Parameters
    ----------
    n_topics : int, default=4
        Topics, 2 to 20. The number of classes in the data, at most 10, where it is known; the
        guided mode hardly depends on it.
    mode : {"guided", "paper"}, default="guided"
        "paper" is the published procedure, but for the test of convergence, which never became
        true, and for the largest topic, which is looked up after bringing all to one scale.
    clamp : {"max", "mass"}, default="max"
        Weight of topic 0 in the labeled positives: the greatest weight of the whole
        factorisation, or the sample's own sum of weights.
    epsilon : float in (0, 1), default=1e-3
        Weight of the other topics in the labeled positives.
    max_iter : int, default=None
        Most iterations; None means 200 (guided) or 300 (paper).
    tol : float, default=1e-4
        A restart ends when the divergence, taken before clamping, changes by less than this
        share of it in ten iterations. 0 does all iterations.
    n_restarts : int, default=None
        Factorisations from different random starts; None means 5 (guided) or 1 (paper).
    threshold : float in [0, 1], default=None
        The cut on the score; None means the rule of the largest topic.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled, used only where topic 0 is the largest of every
        sample: then this share of them is accepted, or those above 0.5 where it is None.
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
        Facts about the fit; besides the common ones ``iterations`` of each restart,
        ``converged`` (all of them) and ``divergence``, a list per restart, every ten iterations.

    Notes
    -----
    A cut on a share cannot state the rule of the largest topic exactly: of k topics, one with a
    share of at least 1/2 is the largest and one below 1/k is not; between them it depends on the
    others. ``offset_`` is the cut from that range that agrees with the rule, by majority of the
    restarts, on most training samples; for two topics it is 1/2 and exact.

    New samples are folded in: their mixture is fitted to the fixed topics of each restart. The
    scores of training samples differ, for they also shaped the topics. The contributions of
    ``explain`` add up to ``decision_function``: a feature's weight in the sample times the
    probability that it comes from topic 0, less the cut.

    Judged negatives are kept out of topic 0. Time O(nnz n_topics) per iteration.

    References
    ----------
    .. [1] L. S. S. Nunes, T. de P. Faleiros and R. G. Rossi, "Positive unlabeled learning:
       adapting NMF for text classification", ENIAC 2023, algorithm 1.
    .. [2] D. D. Lee and H. S. Seung, "Algorithms for non-negative matrix factorization", NIPS
       2000, theorem 2.

    Examples
    --------
    >>> from core.classifiers.nmfpul import NMFPUL
    >>> X = [[2, 1, 0, 0], [1, 2, 0, 0], [1, 1, 0, 0], [0, 0, 1, 2], [0, 0, 2, 1]]
    >>> y = [1, 0, 0, 0, 0]
    >>> classifier = NMFPUL(n_topics=2, random_state=0).fit(X, y)
    >>> classifier.transduction_
    array([1, 1, 1, 0, 0])
    >>> classifier.predict([[3, 2, 0, 0], [0, 0, 1, 1]])
    array([1, 0])
    """

    assumption = "Texts are mixtures of topics, and the positives share one of their own."
    reference = (
        "Nunes, Faleiros and Rossi, Positive unlabeled learning: adapting NMF for text "
        "classification, ENIAC 2023"
    )
    is_transductive = True
    requires_non_negative = True

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        "n_topics": [Interval(Integral, 2, None, closed="left")],
        "mode": [StrOptions({"guided", "paper"})],
        "clamp": [StrOptions({"max", "mass"})],
        "epsilon": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "tol": [Interval(Real, 0, None, closed="left")],
        "n_restarts": [Interval(Integral, 1, None, closed="left"), None],
        "threshold": [Interval(Real, 0, 1, closed="both"), None],
        "class_prior": [Interval(Real, 0, 1, closed="both"), None],
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

    def _fit(self, X, is_positive, is_negative):
        is_empty = np.diff(X.indptr) == 0
        XT = X.T.tocsr()
        n_restarts = self.n_restarts or LIMITS[self.mode][1]
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=n_restarts)
        self.components_ = np.empty((n_restarts, self.n_topics, X.shape[1]), dtype=X.dtype)
        self.report_ |= {"iterations": [], "converged": True, "divergence": []}
        shares, votes = np.zeros((2, X.shape[0]))
        for i, seed in enumerate(seeds):
            rng = np.random.RandomState(seed)
            W, Ht = self._factorise(X, XT, is_positive & ~is_empty, is_negative, rng)
            # What no sample holds says nothing about a new one either.
            Ht[np.diff(XT.indptr) == 0] = 0
            self.components_[i] = Ht.T
            shares += W[:, 0] / W.sum(axis=1, dtype=np.float64) / n_restarts
            votes += W.argmax(axis=1) == 0
        shares[is_empty] = 0
        self.n_iter_ = max(self.report_["iterations"])
        self.transduction_scores_ = shares
        self.offset_ = self._cut(shares, votes >= n_restarts / 2, is_positive, is_empty)

    def _factorise(self, X, XT, is_seed, is_negative, rng):
        """Return W and Ht of one restart, on one scale; add to the report."""
        is_guided = self.mode == "guided"
        W, Ht = (_guided_start if is_guided else _random_start)(X, is_seed, self.n_topics, rng)
        max_iter = self.max_iter or LIMITS[self.mode][0]
        divergence = []
        for n_iter in range(1, max_iter + 1):
            kl_nmf.update(X, W, Ht)
            if is_guided:
                self._clamp(W, is_seed, is_negative)
            kl_nmf.update(XT, Ht, W)
            if is_guided:
                kl_nmf.normalize_topics(W, Ht)
            if n_iter % CHECK_EVERY == 0:
                divergence.append(float(kl_nmf.row_divergences(X, W, Ht).sum()))
                kl_nmf.reseed_dead_topics(X, W, Ht, ~is_seed)
                n_done = len(self.report_["iterations"]) + n_iter / max_iter
                progress.report("factorise", n_done / len(self.components_))
            self._clamp(W, is_seed, is_negative)
            if self._has_converged(divergence):
                break
        else:
            self.report_["converged"] = False
        if not is_guided:
            kl_nmf.normalize_topics(W, Ht)
        self.report_["iterations"].append(n_iter)
        self.report_["divergence"].append(divergence)
        return W, Ht

    def _clamp(self, W, is_seed, is_negative):
        weight = W.max() if self.clamp == "max" else W[is_seed].sum(axis=1)
        W[is_seed] = self.epsilon
        W[is_seed, 0] = weight
        W[is_negative, 0] = kl_nmf.FLOOR

    def _has_converged(self, divergence):
        if len(divergence) < 2:
            return False
        before, now = divergence[-2:]
        return abs(before - now) < self.tol * before

    def _cut(self, shares, is_first, is_positive, is_empty):
        if self.threshold is not None:
            return float(self.threshold)
        if not is_first[~is_empty].all():
            return _largest_topic_cut(shares[~is_empty], is_first[~is_empty], self.n_topics)
        self._flag("all_positive")
        if self.class_prior is None:
            return 0.5
        class_prior = clamp_prior(self.class_prior, self.report_["n_unlabeled"])
        return float(np.quantile(shares[~is_positive], 1 - class_prior))

    def _score_samples(self, X):
        from_first, _ = self._split(X)
        return from_first.sum(axis=1)

    def _explain(self, X):
        from_first, share = self._split(X)
        return from_first - self.offset_ * share

    def _split(self, X):
        """Return the part of topic 0 in each entry's share of its sample, and that share."""
        share = X.astype(np.float64)
        share.data *= self.components_[0, 0, X.indices] > 0
        totals = share.sum(axis=1)
        share.data /= np.repeat(np.where(totals > 0, totals, 1), np.diff(X.indptr))
        probability = np.zeros(X.nnz)
        for H in self.components_:
            Ht = np.ascontiguousarray(H.T, dtype=X.dtype)
            W = kl_nmf.fold_in(X, Ht)
            probability += kl_nmf.first_topic_probabilities(X, W, Ht)
        from_first = share.copy()
        from_first.data *= probability / len(self.components_)
        return from_first, share

    def _feature_weights(self):
        # Smoothed by the uniform topic: else words that only the positives have, once, lead.
        H = self.components_ + 1 / self.n_features_in_
        return np.log(H[:, 0] / H[:, 1:].mean(axis=1)).mean(axis=0)


def _random_start(X, is_seed, n_topics, rng):
    W = rng.random_sample((X.shape[0], n_topics))
    Ht = rng.random_sample((X.shape[1], n_topics))
    return _floored(W, X.dtype), _floored(Ht, X.dtype)


def _guided_start(X, is_seed, n_topics, rng):
    """Start topic 0 from the words of the seeds, the others near those of all samples."""
    background = X.mean(axis=0)
    Ht = rng.random_sample((X.shape[1], n_topics))
    Ht += 0.5
    Ht *= background[:, None]
    Ht[:, 0] = X[is_seed].mean(axis=0) + 0.1 * background
    Ht /= Ht.sum(axis=0)
    W = rng.random_sample((X.shape[0], n_topics))
    return _floored(W, X.dtype), _floored(Ht, X.dtype)


def _floored(factor, dtype):
    return np.maximum(factor, kl_nmf.FLOOR, out=factor).astype(dtype, copy=False)


def _largest_topic_cut(shares, is_first, n_topics):
    """Return the cut in [1 / n_topics, 1 / 2] with the fewest samples on the wrong side.

    The greatest of several; ``is_first`` marks the samples that belong above it.
    """
    is_open = (shares > 1 / n_topics) & (shares < 0.5)
    cuts = np.append(np.unique(shares[is_open]), 0.5)
    first, rest = np.sort(shares[is_first]), np.sort(shares[~is_first])
    n_wrong = np.searchsorted(first, cuts) + len(rest) - np.searchsorted(rest, cuts)
    return float(cuts[np.flatnonzero(n_wrong == n_wrong.min())[-1]])
