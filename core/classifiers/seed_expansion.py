"""Seed expansion: a fused first ranking, whose first texts are learned from as if labeled."""

import numpy as np
from sklearn.utils import check_random_state

from core.calibration.prior_cut import prior_cut
from core.class_prior.clamp import clamp_prior
from core.class_prior.expanded_share import AgreedShare, GivenShare, ShareOfOne, ShareOfSome
from core.classifier_bases.latent_linear import LatentLinearClassifier
from core.fit_memory import graph_bytes
from core.kernels.factors.latent_space import N_COMPONENTS
from core.kernels.graphs.knn_graph import N_NEIGHBORS, is_made, knn_graph_of_some, no_edges
from core.kernels.linear.contrast import with_contrast
from core.kernels.linear.expansion import Expansion
from core.kernels.linear.expansion_pile import expansion_pile
from core.kernels.linear.wide_rows import WideRows
from core.kernels.rows.near_copies import may_have_copies
from core.kernels.rows.row_blocks import has_entries
from core.kernels.scores.left_out_ranks import MAX_FOLDS, left_out_ranks
from core.options import ABOVE_ZERO, AT_LEAST_ONE, AT_LEAST_ZERO, SHARE
from core.progress import part
from core.shared_work import shared

#: Shares of the time that are over when there are latent directions, and then the graph. Measured
#: on 56,000 tweets and 18,000 posts: .16 to .32, and .36 to .53.
LATENT, GRAPH = 0.25, 0.45


class SeedExpansion(LatentLinearClassifier):
    """Logistic regression on pseudo-labels that start from three rankings put together.

    Three views rank the unlabeled samples: labels spread over the graph of nearest neighbors, the
    similarity to the positives in the space of latent semantic analysis, and a logistic regression
    of positives against unlabeled samples. Their reciprocal ranks are added. The few samples that
    then rank first are taken for positive. Their labels, spread to near neighbors, are the soft
    targets of logistic regressions on terms and latent directions, both classes of equal weight.

    This is done for half, once and twice ``n_expanded`` samples, and once more for twice as many
    that the mean of these ranks first. Where the positives then seem to be many more than were
    learned from, rounds follow. Each learns from half of the samples that the round before it
    estimates to be positive. All of it is done twice, the second time on terms alone, without graph
    and latent directions: these find more of a kind that is a topic of its own, terms more of a
    rare kind in a large pile. The score is the mean of the log-odds; new samples get it, too. It
    also goes by the mean of the positives less that of the pile, the more the fewer seem to be
    hidden: where most that is taken for positive is not, that does not drift.

    Judged negatives are never taken for positive and repel in the graph. Near copies are learned
    from as one sample, with the label that some of them have; where these contradict each other,
    each labeled one is learned from.

    Parameters
    ----------
    n_expanded : int in [1, inf), default=20
        Samples that are first taken for positive besides the labeled ones: at most a fifth of the
        unlabeled, and at most twice as many as rank above a positive that is left out.
    n_rounds : int in [0, inf), default=3
        Rounds that follow where half of the positives, as estimated, are at least twice as many as
        were learned from at first.
    n_neighbors : int in [0, inf), default=10
        Neighbors of a sample in the graph. 0 means no graph: time is then linear in the samples.
    n_components : int in [0, 300], default=50
        Latent directions; each takes a number per sample.
    C : float in (0, inf), default=1.0
        How much the likelihood counts against the length of the weights.
    max_unlabeled : int in [1, inf), default=None
        Most unlabeled samples to learn from; None means all. All are scored. Half are those that a
        logistic regression ranks first, the others a random draw that stands for the rest: of
        160,000 tweets, an eighth is as good as all.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, which the cut accepts. With two positives or
        more, None takes the geometric mean of two shares, as one errs where the other does not: the
        one that the log-odds agree with, and the consensus of
        :func:`~core.class_prior.consensus.consensus_prior`. With a single positive it takes the
        share of least conductance on the graph near one and a half times that of the log-odds.
    random_state : int, RandomState instance or None, default=None
        Draws samples, deals positives out and starts the singular value decomposition.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The share that the cut accepts, as nearly as equal scores allow.
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
        positives; ``n_near_copies``, the samples that were left out as near copies of another;
        ``n_expanded``, the samples taken for positive by each regression, and
        ``n_expanded_by_terms``, the same on terms alone.

    Notes
    -----
    The nine collections of the NMFPUL paper were looked at when the constants were chosen; see
    docs/algorithms.md for what it reaches there. Time and memory are those of the exact graph,
    as for :class:`~core.classifiers.lp_pul.LPPUL`, which is of all samples, however many. On more
    than 100,000 pass ``**core.auto.candidates.LINEAR``, as ``auto`` does: no graph, no latent
    directions, and 50,000 unlabeled samples to learn from.

    Examples
    --------
    >>> from core.classifiers import SeedExpansion
    >>> X = [[2, 1, 0, 0], [1, 2, 0, 0], [1, 1, 0, 0], [0, 0, 1, 2], [0, 0, 2, 1], [0, 0, 1, 1]]
    >>> classifier = SeedExpansion(random_state=0).fit(X, [1, 0, 0, 0, 0, 0])
    >>> classifier.predict([[3, 2, 0, 0], [0, 0, 1, 1]])
    array([1, 0])
    """

    assumption = (
        "Documents of the kind resemble each other more than the rest, in words or in topics."
    )
    reference = "Ours: reciprocal rank fusion (Cormack et al. 2009) and pseudo-labels"
    requires_unjudged = True
    cuts_at_estimate = True
    bytes_per_feature = 72

    _parameter_constraints: dict = {
        **LatentLinearClassifier._parameter_constraints,
        "n_expanded": [AT_LEAST_ONE],
        "n_rounds": [AT_LEAST_ZERO],
        "n_neighbors": [AT_LEAST_ZERO],
        "C": [ABOVE_ZERO],
        "max_unlabeled": [AT_LEAST_ONE, None],
        "class_prior": [SHARE, None],
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
        drawn, pile = expansion_pile(
            X, is_positive, is_negative, self.max_unlabeled, self.C, random
        )
        self.report_["n_near_copies"] = int((~pile.is_first).sum())
        Z = drawn if pile.is_first.all() else drawn[pile.is_first]
        is_used = has_entries(Z)
        latent = self._learn_latent(Z, random)
        features = WideRows(Z, latent)
        graph, begun = self._graph(drawn, pile.is_first)
        del drawn

        labels = pile.is_positive & is_used, pile.is_negative & is_used, is_used
        expand = Expansion(features, graph, *labels, self.C, pile.weight)
        share = self._share(Z, latent, expand, pile.is_random, filled)
        has_more_than_terms = latent.shape[1] > 0 or graph.nnz > 0
        with part("expand", begun, 1):
            with part("expand", 0, 0.8 if has_more_than_terms else 1):
                model, sizes = expand.grown_model(share, self.n_expanded, self.n_rounds)
            self.report_["n_expanded"] = sizes
            log_odds = expand.scores(model)
            if has_more_than_terms:
                model = (model + self._model_of_terms(Z, latent, share, labels, pile.weight)) / 2
        n_unlabeled = pile.n_copies * is_used
        n_hidden = share.at_first * expand.n_candidates
        model = with_contrast(model, features, expand.is_positive, n_unlabeled, n_hidden)
        self._keep(model, X.shape[1])

        scores = expand.scores(model)
        of_pile = expand.is_candidate
        candidates = np.repeat(scores[of_pile], pile.weight[of_pile])
        among = clamp_prior(share.at_cut(log_odds, scores), len(candidates))
        unlabeled = np.repeat(scores, n_unlabeled)
        is_given = share.source == "given"
        self.offset_ = prior_cut(unlabeled if is_given else candidates, among)
        is_kept = is_given and "prior_clamped" not in self.report_["flags"]
        accepted = (unlabeled >= self.offset_).mean() * filled
        self.class_prior_ = float(self.class_prior if is_kept else accepted)
        name = "class_prior" if is_given else "share_accepted"
        self.report_ |= {name: self.class_prior_, f"{name}_source": share.source}

    def _graph(self, drawn, is_first):
        """Return the graph, and the share of the fit that is over then: none if it was there."""
        if self.n_neighbors == 0:
            return no_edges(is_first.sum()), 0.0
        of_rows = drawn, is_first, self.n_neighbors
        start, end = (0.0, 0.0) if is_made(*of_rows) else (LATENT, GRAPH)
        with part("graph", start, end):
            return shared(knn_graph_of_some, *of_rows), end

    def _model_of_terms(self, Z, latent, share, labels, weight):
        """Return the model learned without the graph and latent directions, which weigh nothing."""
        n_terms, n_components, graph = Z.shape[1], latent.shape[1], no_edges(Z.shape[0])
        expand = Expansion(WideRows(Z, latent[:, :0]), graph, *labels, self.C, weight)
        with part("expand", 0.8, 1):
            model, sizes = expand.grown_model(share.without_graph(), self.n_expanded, self.n_rounds)
        self.report_["n_expanded_by_terms"] = sizes
        return np.insert(model, n_terms, np.zeros(n_components))

    def _share(self, Z, latent, expand, is_random, filled):
        """Return what estimates the share of positives from log-odds: samples drawn at random."""
        if self.class_prior is not None:
            # Empty samples are unlabeled too, and none of them is positive.
            return GivenShare(self._clamped_prior(expand.n_candidates, filled))
        masks = expand.is_positive, expand.is_candidate
        # All of the random draw may be near copies of labeled samples, which leaves the others.
        if is_random.all() or not is_random[expand.is_candidate].any():
            return self._share_of(Z, latent, expand.graph, *masks)
        rows = np.flatnonzero(is_random)
        graph, masks = expand.graph[rows][:, rows], [mask[rows] for mask in masks]
        return ShareOfSome(self._share_of(Z[rows], latent[rows], graph, *masks), rows)

    def _share_of(self, Z, latent, graph, is_positive, is_candidate):
        if is_positive.sum() == 1:
            return ShareOfOne(graph, is_positive, is_candidate)
        random = check_random_state(self.random_state)
        ranks = left_out_ranks(Z, is_positive, graph=graph, latent=latent, random_state=random)
        return AgreedShare(ranks, is_candidate, has_copies=may_have_copies(Z[is_positive]))
