"""Regressions on pseudo-labels: what ranks first is learned from as if it were labeled."""

import numpy as np

from core.kernels.label_propagation import llgc
from core.kernels.rank_fusion import first_share
from core.kernels.soft_logistic import fit_soft_logistic

#: How far labels spread around what is taken for positive, and the relative error of it.
NEAR, SPREAD_TOL = 0.5, 1e-6
#: When a regression stops: scores are then within some thousandths of their deviation of those at
#: the optimum.
FIT_TOL = 1e-5
#: Least share of negatives, where all samples look alike.
MARGIN = 1e-6


class Expansion:
    """Regressions on soft targets around the samples of a ranking that come first."""

    def __init__(self, features, graph, is_positive, is_negative, is_used, C):
        self.features = features
        self.graph = graph
        self.is_positive = is_positive
        self.is_negative = is_negative
        self.is_used = is_used
        self.is_candidate = is_used & ~is_positive & ~is_negative
        self.C = C

    def scores(self, model):
        """Return the log-odds of all samples by the weights and the intercept of a model."""
        return self.features.products(model[:-1]) + model[-1]

    def model(self, ranking, n_expanded, *, start=None):
        """Return the weights and the intercept learned from the first samples of a ranking.

        To ``start`` from those of a similar ranking is faster and ends as near to the best ones.
        """
        targets = self.targets(ranking, n_expanded)
        # Both classes get the same weight; what is half positive counts as half of each.
        share = targets[self.is_used].mean()
        for_positive, for_negative = 0.5 / share, 0.5 / max(1 - share, MARGIN)
        weights = self.is_used * (targets * for_positive + (1 - targets) * for_negative)
        coef, intercept = fit_soft_logistic(
            self.features,
            np.divide(targets * for_positive, weights, out=targets, where=weights > 0),
            weights,
            C=self.C,
            tol=FIT_TOL,
            start=None if start is None else (start[:-1], start[-1]),
        )
        return np.append(coef, intercept)

    def targets(self, ranking, n_expanded):
        """Return the soft targets: labels of the first samples, spread to near neighbors."""
        first = first_share(ranking, self.is_candidate, n_expanded) + self.is_positive
        mass, _, _ = llgc(self.graph, first[:, None], NEAR, tol=SPREAD_TOL)
        mass = mass[:, 0]
        targets = np.minimum(mass / np.median(mass[first > 0]), 1)
        targets[self.is_positive], targets[~self.is_candidate & ~self.is_positive] = 1, 0
        return targets
