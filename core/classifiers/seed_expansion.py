"""Seed expansion: a fused first ranking, whose first texts are learned from as if labeled."""

from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight

from core.calibration.prior_cut import prior_cut
from core.class_prior.clamp import clamp_prior
from core.class_prior.expanded_share import AgreedShare, GivenShare, ShareOfOne
from core.classifier_bases.latent_linear import LatentLinearClassifier
from core.fit_memory import FitMemory, graph_bytes
from core.kernels.expansion import FIT_TOL, SPREAD_TOL, Expansion
from core.kernels.knn_graph import N_NEIGHBORS, knn_graph, no_edges
from core.kernels.label_propagation import llgc
from core.kernels.latent_space import N_COMPONENTS
from core.kernels.left_out_ranks import MAX_FOLDS, left_out_ranks
from core.kernels.rank_fusion import fused_ranks
from core.kernels.row_blocks import has_entries
from core.kernels.row_hash import content_order
from core.kernels.soft_logistic import fit_soft_logistic
from core.kernels.unit_rows import unit_rows
from core.kernels.wide_rows import WideRows
from core.options import Interval
from core.progress import report
from core.shared_work import shared

#: How far labels spread over the graph for the first ranking.
FAR = 0.9
#: Of the unlabeled samples, the share that is taken for positive at first, at most.
MOST_EXPANDED = 0.2
#: Of the samples estimated to be positive, the share that is learned from: those ranked first.
TRUSTED_SHARE = 0.5
#: Least cosine of positives that are copies of each other, and how many are compared at most.
COPY, MANY_POSITIVES = 0.8, 100
#: These must be so many times what was learned from before: with less to gain, rounds drift away
#: from the labeled.
MIN_GROWTH = 2


class SeedExpansion(LatentLinearClassifier):
    """Logistic regression on pseudo-labels that start from three rankings put together.

    Three views rank the unlabeled samples: labels spread over the graph of nearest neighbors, the
    similarity to the positives in the space of latent semantic analysis, and a logistic regression
    of positives against unlabeled samples. Their reciprocal ranks are added. The samples then
    ranked first, few of them, are taken for positive; their labels, spread to near neighbors, are
    the soft targets of logistic regressions on terms and latent directions, both classes of equal
    weight. This is done for half, once and twice ``n_expanded`` samples, and once more for twice
    as many of the mean of these. Where the positives then seem to be many more than were learned
    from, rounds follow, each of which learns from half of those that the one before it estimates
    to be positive. The score is the mean of the log-odds; new samples get it, too.

    Judged negatives are never taken for positive and repel in the graph.

    Parameters
    ----------
    n_expanded : int in [1, inf), default=20
        Samples taken for positive at first besides the labeled ones: at most a fifth of the
        unlabeled, and twice as many as rank above a positive that is left out.
    n_rounds : int in [0, inf), default=3
        Rounds that follow where half of the positives, as estimated, are at least twice as many as
        are learned from at first.
    n_neighbors : int in [0, inf), default=10
        Neighbors of a sample in the graph. 0 does without it: time is then linear in the samples.
    n_components : int in [0, 300], default=50
        Latent directions; each takes a number per sample.
    C : float in (0, inf), default=1.0
        How much the likelihood counts against the length of the weights.
    max_unlabeled : int in [1, inf), default=None
        Learn from so many of the unlabeled samples, drawn by chance; None means all. All are
        scored. On 150,000 tweets a quarter of them was about as good as all.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, which the cut accepts. None takes the
        geometric mean of the share that the log-odds agree with and of the consensus of
        :func:`~core.class_prior.consensus.consensus_prior`, which needs two positives: one errs
        where the other does not. From a single positive it takes the share of least conductance
        on the graph near one and a half times that of the log-odds.
    random_state : int, RandomState instance or None, default=None
        Starts the singular value decomposition.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The share that the cut accepts.
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score at unit length, latent directions aside.
    latent_coef_ : ndarray of shape (n_components,)
        What the cosine with each latent direction adds.
    latent_columns_ : ndarray of shape (n_used,)
        The features that latent directions are made of.
    components_ : ndarray of shape (n_used, n_components)
        The directions, float32.
    intercept_ : float
        Score of an empty sample.
    offset_ : float
        The cut.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior`` and ``class_prior_source`` ("given") where it is given,
        else ``share_accepted`` and ``share_accepted_source`` ("log_odds", "log_odds, conductance"
        or "log_odds, left_out_ranks"), as that share sets the cut and is no estimate of the
        positives; and ``n_expanded``, the samples taken for positive by each regression.

    Notes
    -----
    The nine collections of the NMFPUL paper were looked at when the constants were chosen; see
    docs/algorithms.md for what it reaches there. Time and memory are those of the exact graph,
    as for :class:`~core.classifiers.lp_pul.LPPUL`.

    Examples
    --------
    >>> from core.classifiers.seed_expansion import SeedExpansion
    >>> X = [[2, 1, 0, 0], [1, 2, 0, 0], [1, 1, 0, 0], [0, 0, 1, 2], [0, 0, 2, 1], [0, 0, 1, 1]]
    >>> classifier = SeedExpansion(random_state=0).fit(X, [1, 0, 0, 0, 0, 0])
    >>> classifier.predict([[3, 2, 0, 0], [0, 0, 1, 1]])
    array([1, 0])
    """

    assumption = (
        "Documents of the kind resemble each other more than the rest, in words or in topics."
    )
    reference = "Ours: reciprocal rank fusion (Cormack et al. 2009) and pseudo-labels"
    sublinear_tf = True
    requires_unjudged = True
    cuts_at_estimate = True
    bytes_per_feature = 72

    _parameter_constraints: dict = {
        **LatentLinearClassifier._parameter_constraints,
        "n_expanded": [Interval(Integral, 1, None, closed="left")],
        "n_rounds": [Interval(Integral, 0, None, closed="left")],
        "n_neighbors": [Interval(Integral, 0, None, closed="left")],
        "n_components": [Interval(Integral, 0, 300, closed="both")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "max_unlabeled": [Interval(Integral, 1, None, closed="left"), None],
        "class_prior": [Interval(Real, 0, 1, closed="both"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_expanded=20,
        n_rounds=3,
        n_neighbors=N_NEIGHBORS,
        n_components=N_COMPONENTS,
        C=1.0,
        max_unlabeled=None,
        class_prior=None,
        random_state=None,
        pos_label=None,
    ):
        self.n_expanded = n_expanded
        self.n_rounds = n_rounds
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.C = C
        self.max_unlabeled = max_unlabeled
        self.class_prior = class_prior
        self.random_state = random_state
        self.pos_label = pos_label

    def memory_bytes(self, n_samples, n_features, n_entries, n_labeled=0):
        """Return what ``fit`` holds at most; see :class:`~core.fit_memory.FitMemory`."""
        n_drawn = n_samples
        if self.max_unlabeled is not None:
            n_drawn = min(n_samples, self.max_unlabeled + n_labeled)
        n_entries_drawn = n_entries * n_drawn // max(n_samples, 1)
        learned = super().memory_bytes(n_drawn, n_features, n_entries_drawn, n_labeled)
        # All samples are scored, in blocks.
        return learned + FitMemory.bytes_per_sample * (n_samples - n_drawn)

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        rest = super()._own_bytes(n_samples, n_features, n_entries, n_labeled)
        if self.n_neighbors == 0:
            return rest
        # No more columns than there are parts in which positives are left out.
        return rest + graph_bytes(n_samples, self.n_neighbors, min(n_labeled, 2 * MAX_FOLDS))

    def _fit(self, X, is_positive, is_negative):
        random = check_random_state(self.random_state)
        is_unlabeled, has_terms = ~(is_positive | is_negative), has_entries(X)
        filled = has_terms[is_unlabeled].mean()
        X, is_positive, is_negative = self._drawn(X, is_positive, is_negative, random)
        Z = unit_rows(X)
        is_used = has_entries(Z)
        latent = self._learn_latent(Z, random)
        features = WideRows(Z, latent)
        graph = self._graph(Z)
        report("graph", 1.0)

        is_positive, is_negative = is_positive & is_used, is_negative & is_used
        expand = Expansion(features, graph, is_positive, is_negative, is_used, self.C)
        share = self._share(Z, latent, graph, is_positive, is_negative, is_used, filled)
        first = self._first_ranking(features, latent, graph, is_positive, is_negative, is_used)
        model = self._grow(expand, share, self._expanded(expand, first, share.most))
        self._keep(model, X.shape[1])

        candidates = expand.scores(model)[share.is_candidate]
        among = clamp_prior(share.at_cut(expand.scores(model)), len(candidates))
        is_kept = share.source == "given" and "prior_clamped" not in self.report_["flags"]
        self.class_prior_ = float(self.class_prior if is_kept else among * filled)
        name = "class_prior" if share.source == "given" else "share_accepted"
        self.report_ |= {name: self.class_prior_, f"{name}_source": share.source}
        self.offset_ = prior_cut(candidates, among)

    def _drawn(self, X, is_positive, is_negative, random):
        """Return the samples to learn from, in the order of their contents, and their labels."""
        rows = content_order(X, is_positive, is_negative)
        is_unlabeled = ~(is_positive | is_negative) & has_entries(X)
        unlabeled = rows[is_unlabeled[rows]]
        if self.max_unlabeled is not None and len(unlabeled) > self.max_unlabeled:
            is_drawn = is_positive | is_negative
            is_drawn[random.choice(unlabeled, self.max_unlabeled, replace=False)] = True
            rows = rows[is_drawn[rows]]
        return X[rows], is_positive[rows], is_negative[rows]

    def _graph(self, Z):
        if self.n_neighbors == 0:
            return no_edges(Z.shape[0])
        return shared(knn_graph, Z, self.n_neighbors)

    def _expanded(self, expand, ranking, most):
        """Return the model learned from few samples of a ranking, ``most`` a share."""
        most = max(1, int(min(MOST_EXPANDED, most) * expand.is_candidate.sum()))
        half, once, twice = (
            min(most, max(1, round(self.n_expanded * factor))) for factor in (0.5, 1, 2)
        )
        models = []
        for number, size in enumerate((half, once, twice), start=1):
            start = models[-1] if models else None
            models.append(expand.model(ranking, size, start=start))
            report("expand", number / (4 + self.n_rounds))
        mean = np.mean(models, axis=0)
        self.report_["n_expanded"] = [half, once, twice, twice]
        return (mean + expand.model(expand.scores(mean), twice, start=mean)) / 2

    def _grow(self, expand, share, model):
        """Return the mean of a model and of the rounds that follow it, if any."""
        sizes, models = self.report_["n_expanded"], [model]
        least = MIN_GROWTH * (sizes[-1] + expand.is_positive.sum())
        for number in range(self.n_rounds):
            report("expand", (4 + number) / (4 + self.n_rounds))
            scores = expand.scores(models[-1])
            size = round(TRUSTED_SHARE * share(scores) * expand.is_candidate.sum())
            if size < least:
                break
            sizes.append(size)
            models.append(expand.model(scores, size, start=models[-1]))
        return np.mean(models, axis=0)

    def _first_ranking(self, features, latent, graph, is_positive, is_negative, is_used):
        seeds = np.column_stack([is_positive, is_negative])
        mass, _, _ = llgc(graph, seeds, FAR, tol=SPREAD_TOL)
        weights = np.zeros(len(is_used))
        weights[is_used] = compute_sample_weight("balanced", is_positive[is_used])
        coef, intercept = fit_soft_logistic(
            features, is_positive.astype(float), weights, C=self.C, tol=FIT_TOL
        )
        views = [mass[:, 0] - mass[:, 1], features.products(coef) + intercept]
        if latent.shape[1]:
            views.append(latent @ latent[is_positive].mean(axis=0))
        return fused_ranks(views, is_used & ~is_positive & ~is_negative)

    def _share(self, Z, latent, graph, is_positive, is_negative, is_used, filled):
        """Return what estimates the share of positives from log-odds."""
        is_candidate = is_used & ~is_positive & ~is_negative
        if self.class_prior is not None:
            # Empty samples are unlabeled too, and none of them is positive.
            return GivenShare(self._clamped_prior(is_candidate.sum(), filled), is_candidate)
        if is_positive.sum() == 1:
            return ShareOfOne(graph, is_positive, is_candidate)
        random = check_random_state(self.random_state)
        ranks = left_out_ranks(Z, is_positive, graph=graph, latent=latent, random_state=random)
        return AgreedShare(ranks, is_candidate, has_copies=_may_have_copies(Z[is_positive]))


def _may_have_copies(positives):
    """Return whether two positives may be nearly the same: of many, some are taken to be."""
    if positives.shape[0] > MANY_POSITIVES:
        return True
    return sp.triu(positives @ positives.T, 1).max() >= COPY
