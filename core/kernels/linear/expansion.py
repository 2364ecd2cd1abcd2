"""Regressions on pseudo-labels: what ranks first is learned from as if it were labeled."""

import numpy as np

from core.kernels.convergence import tell_not_converged
from core.kernels.graphs.label_propagation import llgc
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.scores.rank_fusion import first_share, fused_ranks
from core.kernels.scores.weighted_median import weighted_median
from core.progress import report

#: How far labels spread over the graph: for the first ranking, and around samples taken for
#: positive. Then the relative error of both.
FAR, NEAR, SPREAD_TOL = 0.9, 0.5, 1e-6
#: Tolerance of a regression: scores are then some thousandths of their deviation away from those at
#: the optimum.
FIT_TOL = 1e-5
#: Least share of negatives, where all samples look alike.
MARGIN = 1e-6
#: Largest share of the unlabeled samples that is taken for positive at first.
MOST_EXPANDED = 0.2
#: Share of the samples estimated to be positive that is learned from: those ranked first.
TRUSTED_SHARE = 0.5
#: Another round needs so many times the samples of the one before. With less to gain, rounds drift
#: away from the labeled positives.
MIN_GROWTH = 2


class Expansion:
    """Regressions on soft targets around the samples of a ranking that come first.

    ``weight`` is how many samples each stands for, of a pile that they were drawn from; all numbers
    of samples are those of the pile.
    """

    def __init__(self, features, graph, is_positive, is_negative, is_used, C, weight=None):
        self.features = features
        self.graph = graph
        self.is_positive = is_positive
        self.is_negative = is_negative
        self.is_candidate = is_used & ~is_positive & ~is_negative
        self.C = C
        self.weight = np.ones(len(is_used), dtype=int) if weight is None else weight
        self.n_candidates = int(self.weight[self.is_candidate].sum())
        #: What C is of: as many samples as are learned from, however many these stand for.
        self.counted = is_used * self.weight * (is_used.sum() / self.weight[is_used].sum())

    def grown_model(self, share, n_expanded, n_rounds):
        """Return the mean model of all rounds, and how many samples each took for positive.

        Parameters
        ----------
        share : object
            Called with log-odds, it returns the share of positives; ``most`` is the share of the
            samples that is learned from at first, at most.
        n_expanded, n_rounds : int
            As of :class:`~core.classifiers.seed_expansion.SeedExpansion`.
        """
        n_steps = 4 + n_rounds
        most = max(1, int(min(MOST_EXPANDED, share.most) * self.n_candidates))
        sizes = [min(most, max(1, round(n_expanded * factor))) for factor in (0.5, 1, 2)]
        models = []
        ranking = self.first_ranking()
        for number, size in enumerate(sizes, start=1):
            models.append(self.model(ranking, size, start=models[-1] if models else None))
            report("expand", number / n_steps)
        mean = np.mean(models, axis=0)
        sizes.append(sizes[-1])
        models = [(mean + self.model(self.scores(mean), sizes[-1], start=mean)) / 2]
        least = MIN_GROWTH * (sizes[-1] + self.is_positive.sum())
        for number in range(n_rounds):
            report("expand", (4 + number) / n_steps)
            scores = self.scores(models[-1])
            size = round(TRUSTED_SHARE * share(scores) * self.n_candidates)
            if size < least:
                break
            sizes.append(size)
            models.append(self.model(scores, size, start=models[-1]))
        return np.mean(models, axis=0), sizes

    def first_ranking(self):
        """Return the ranking that the views of the samples agree on."""
        is_positive = self.is_positive
        seeds = np.column_stack([is_positive, self.is_negative])
        mass = self._spread(seeds, FAR)
        coef, intercept = fit_balanced(self.features, is_positive, self.counted, C=self.C)
        views = [mass[:, 0] - mass[:, 1], self.features.products(coef) + intercept]
        latent = self.features.dense
        if latent.shape[1]:
            views.append(latent @ latent[is_positive].mean(axis=0))
        return fused_ranks(views, self.is_candidate)

    def scores(self, model):
        """Return the log-odds of all samples by the weights and the intercept of a model."""
        return self.features.products(model[:-1]) + model[-1]

    def model(self, ranking, n_expanded, *, start=None):
        """Return the weights and the intercept learned from the first samples of a ranking.

        To ``start`` from those of a similar ranking is faster and ends as near to the best ones.
        """
        targets = self.targets(ranking, n_expanded)
        # Both classes get the same weight; what is half positive counts as half of each.
        share = np.average(targets, weights=self.counted)
        for_positive, for_negative = 0.5 / share, 0.5 / max(1 - share, MARGIN)
        for_each = targets * for_positive + (1 - targets) * for_negative
        coef, intercept = fit_soft_logistic(
            self.features,
            targets * for_positive / for_each,
            self.counted * for_each,
            C=self.C,
            tol=FIT_TOL,
            start=None if start is None else (start[:-1], start[-1]),
        )
        return np.append(coef, intercept)

    def targets(self, ranking, n_expanded):
        """Return the soft targets: labels of the first samples, spread to near neighbors."""
        expanded = first_share(ranking, self.is_candidate, n_expanded, self.weight)
        first = expanded + self.is_positive
        mass = self._spread(first[:, None], NEAR)[:, 0]
        # Many copies of one text that share a few places are not what most first samples are like.
        targets = np.minimum(mass / weighted_median(mass, first), 1)
        targets[self.is_positive], targets[~self.is_candidate & ~self.is_positive] = 1, 0
        return targets

    def _spread(self, seeds, alpha):
        mass, n_iter, is_converged = llgc(self.graph, seeds, alpha, tol=SPREAD_TOL)
        if not is_converged:
            tell_not_converged(f"label propagation did not converge in {n_iter} sweeps.")
        return mass


def fit_balanced(features, is_positive, weight=None, *, C):
    """Return coef and intercept of a logistic regression that both sides weigh the same in.

    Parameters
    ----------
    features : WideRows of shape (n_samples, n_features)
    is_positive : ndarray of bool of shape (n_samples,)
        One side; all other samples are the other.
    weight : ndarray of shape (n_samples,), default=None
        How many samples each counts for; None means one.
    C : float
        How much the likelihood counts against the length of the weights.

    Returns
    -------
    coef : ndarray of shape (n_features,)
    intercept : float
    """
    weight = np.ones(len(is_positive)) if weight is None else weight
    sums = np.bincount(is_positive, weights=weight)
    return fit_soft_logistic(
        features,
        is_positive.astype(float),
        weight * (sums.sum() / (2 * sums))[is_positive.astype(int)],
        C=C,
        tol=FIT_TOL,
    )
