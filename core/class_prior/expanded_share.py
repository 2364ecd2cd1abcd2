"""The share of positives that the log-odds of a seed expansion speak for."""

import numpy as np

from core.class_prior.consensus import consensus_value
from core.class_prior.prior_shift import shifted_prior
from core.kernels.conductance import least_conductance_size

#: The log-odds of a penalised regression are this much too small to be taken at their word.
SHARPNESS = 4.0
#: From a single positive, the more so.
SHARPNESS_OF_ONE = 16.0
#: From a single positive, the share lies within this factor of the one of the log-odds.
FACTOR = 2
#: So many times as many samples may be learned from as rank above the last left out positive.
MARGIN = 2


class GivenShare:
    """The share that the user knows."""

    source = "given"
    most = 1.0

    def __init__(self, class_prior, is_candidate):
        self.class_prior = class_prior
        self.is_candidate = is_candidate

    def __call__(self, log_odds):
        """Return the share among the candidates."""
        return self.class_prior


class AgreedShare:
    """The geometric mean of what log-odds agree with and of what left out positives tell.

    One errs where the other does not. ``most`` is the share of the samples that are to be learned
    from at most: where all left out positives rank first, hardly any other is of their kind. That
    they have copies among each other is no sign of it.
    """

    source = "log_odds, left_out_ranks"

    def __init__(self, ranks, is_candidate, *, has_copies=False):
        self.by_ranks = consensus_value(ranks)
        self.most = 1.0 if has_copies else MARGIN * (1 - ranks.positive.min())
        self.is_candidate = is_candidate

    def __call__(self, log_odds):
        """Return the share among the candidates, from the log-odds of all samples."""
        return float(
            np.sqrt(shifted_prior(SHARPNESS * log_odds[self.is_candidate]) * self.by_ranks)
        )


class ShareOfOne:
    """From a single positive: the share of least conductance near that of the log-odds.

    The first log-odds decide. Those of rounds that learned from it would confirm it, and nothing
    that is left out could contradict them.
    """

    most = 1.0

    def __init__(self, graph, is_positive, is_candidate):
        self.graph = graph
        self.is_positive = is_positive
        self.is_candidate = is_candidate
        self.source = "log_odds, conductance" if graph.nnz else "log_odds"
        self.share = None

    def __call__(self, log_odds):
        """Return the share among the candidates, from the log-odds of all samples."""
        if self.share is None:
            self.share = self._found(log_odds)
        return self.share

    def _found(self, log_odds):
        share = shifted_prior(SHARPNESS_OF_ONE * log_odds[self.is_candidate])
        if not self.graph.nnz:
            return share
        n_candidates = self.is_candidate.sum()
        marks = self.is_positive, self.is_candidate
        ends = share * n_candidates / FACTOR, share * n_candidates * FACTOR
        return least_conductance_size(self.graph, log_odds, *marks, *ends) / n_candidates
