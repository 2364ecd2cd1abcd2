"""The share of positives that the log-odds of a seed expansion speak for."""

import numpy as np

from core.class_prior.consensus import consensus_value
from core.class_prior.prior_shift import shifted_prior
from core.kernels.graphs.conductance import candidate_conductance, least_conductance_share
from core.kernels.graphs.knn_graph import no_edges

#: The penalty makes the log-odds of a regression too small: they are multiplied by this.
SHARPNESS = 4.0
#: The same where the regression has learned from a single positive.
SHARPNESS_OF_ONE = 16.0
#: The share is multiplied by this where it is from a single positive. It may be off by a factor of
#: two then, and to accept too many costs less of F1 than to accept too few.
AMPLE = 1.5
#: How many times as many samples may be learned from as rank above the last left out positive.
MARGIN = 2


class GivenShare:
    """The share that the user knows."""

    source = "given"
    most = 1.0

    def __init__(self, class_prior):
        self.class_prior = self.at_first = class_prior

    def __call__(self, log_odds):
        """Return the share among the candidates."""
        return self.class_prior

    def at_cut(self, log_odds, scores):
        """Return the same."""
        return self.class_prior

    def without_graph(self):
        """Return what estimates the share from other log-odds, learned without a graph."""
        return self


class AgreedShare:
    """The geometric mean of what log-odds agree with and of what left out positives tell.

    One errs where the other does not. ``most`` is the share of the samples that are to be learned
    from at most: where all left out positives rank first, hardly any other is of their kind. That
    they have copies among each other is no sign of it. ``at_first`` is the share by the left out
    positives alone.
    """

    source = "log_odds, left_out_ranks"

    def __init__(self, ranks, is_candidate, *, has_copies=False):
        self.at_first = consensus_value(ranks)
        self.most = 1.0 if has_copies else MARGIN * (1 - ranks.positive.min())
        self.is_candidate = is_candidate

    def __call__(self, log_odds):
        """Return the share among the candidates, from the log-odds of all samples."""
        return float(
            np.sqrt(shifted_prior(SHARPNESS * log_odds[self.is_candidate]) * self.at_first)
        )

    def at_cut(self, log_odds, scores):
        """Return the share by the log-odds: ``scores``, the mean of two models, are less sharp."""
        return self(log_odds)

    def without_graph(self):
        """Return what estimates the share from other log-odds, learned without a graph."""
        return self


class ShareOfOne:
    """From a single positive: the share of least conductance near that of the first log-odds.

    Those of rounds that learned from the first would confirm them, and nothing that is left out
    could contradict them. ``at_first`` is all that is known before.
    """

    most = at_first = 1.0

    def __init__(self, graph, is_positive, is_candidate):
        self.graph = graph
        self.is_positive = is_positive
        self.is_candidate = is_candidate
        self.source = "log_odds, conductance" if graph.nnz else "log_odds"
        self.near = self.share = None

    def __call__(self, log_odds):
        """Return the share among the candidates by the first log-odds, of all samples."""
        self._remember_first(log_odds)
        return self.share

    def at_cut(self, log_odds, scores):
        """Return the share that the scores separate best, near that of the first log-odds."""
        self._remember_first(log_odds)
        return self._separated(scores)

    def without_graph(self):
        """Return what estimates the share from other log-odds, learned without a graph."""
        edges = no_edges(len(self.is_positive))
        return ShareOfOne(edges, self.is_positive, self.is_candidate)

    def _remember_first(self, log_odds):
        if self.share is None:
            shifted = shifted_prior(SHARPNESS_OF_ONE * log_odds[self.is_candidate])
            self.near = min(1.0, AMPLE * shifted)
            self.share = self._separated(log_odds)

    def _separated(self, log_odds):
        if not self.graph.nnz:
            return self.near
        ranked = self.graph, log_odds, self.is_positive, self.is_candidate
        return least_conductance_share(candidate_conductance(*ranked), self.near)


class ShareOfSome:
    """What some of the samples say: those that look like all."""

    def __init__(self, share, rows):
        self.share = share
        self.rows = rows
        self.source, self.most, self.at_first = share.source, share.most, share.at_first

    def __call__(self, log_odds):
        """Return the share among the candidates, from the log-odds of all samples."""
        return self.share(log_odds[self.rows])

    def at_cut(self, log_odds, scores):
        """Return the share to accept."""
        return self.share.at_cut(log_odds[self.rows], scores[self.rows])

    def without_graph(self):
        """Return what estimates the share from other log-odds, learned without a graph."""
        return ShareOfSome(self.share.without_graph(), self.rows)
