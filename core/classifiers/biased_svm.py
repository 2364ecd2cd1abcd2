"""Biased SVM: errors on positives cost more than errors on unlabeled samples."""

import numpy as np

from core.classifier_bases.held_out import held_out_splits, mean_lee_liu
from core.classifier_bases.linear import UnitLinearClassifier
from core.kernels.linear.hinge_svm import fit_hinge_svm
from core.kernels.rows.row_blocks import has_entries, row_products
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.options import ABOVE_ZERO
from core.progress import report

#: Costs of an error on an unlabeled sample that are tried.
COSTS = (0.001, 0.01, 0.1, 1.0)
#: How many times as much an error on a positive costs, tried.
COST_RATIOS = (1.0, 3.0, 10.0, 30.0, 100.0)
#: Cost of both sides where no choice accepts a held-out positive. It is small, so that the ranking
#: is about that of the difference of the two means.
DEFAULT_C = 0.01

#: Tolerance of the solver, far below what its choice among the costs can tell apart.
TOL = 1e-3


class BiasedSVM(UnitLinearClassifier):
    """Linear support vector machine of positives against everything else, with two costs.

    An error on a positive costs C+, one on an unlabeled sample C-, because the unlabeled hold
    positives that must not be learned as negatives. Both costs are those of the best Lee-Liu
    score over held-out samples: recall squared over the share that is accepted. Judged negatives
    cost C+.

    The idea of choosing among a grid is as remembered, not verified, and so is the published grid
    (C- 0.01 to 0.61, C+ 10 to 200 times that); the one used here is coarser and wider.

    Parameters
    ----------
    C : float in (0, inf), default=None
        Cost of an error on an unlabeled sample, C- in the paper; None chooses among 0.001, 0.01,
        0.1 and 1.
    cost_ratio : float in (0, inf), default=None
        How many times as much an error on a positive costs; j in the paper. None chooses among 1,
        3, 10, 30, 100 and the ratio at which both sides cost alike: with few positives, all others
        reject whatever they were not trained on.
    random_state : int, RandomState instance or None, default=None
        Seed of the split into samples to train on and to judge by, and of the solver.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each feature of a sample of unit length adds to the score.
    intercept_ : float
        Score of an empty sample.
    offset_ : float
        The cut on the score: 0.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``C``, ``cost_ratio`` and, where one was chosen, their ``lee_liu`` on
        held-out samples. Flags: "grid_edge" where one is the first or last of those tried,
        "not_converged" where a solver stopped before its tolerance was met, "selection_failed"
        where none accepted a held-out positive and 0.01 was taken, at the ratio at which both
        sides cost alike.

    References
    ----------
    .. [1] B. Liu, Y. Dai, X. Li, W. S. Lee and P. S. Yu, "Building text classifiers using positive
       and unlabeled examples", ICDM 2003.

    Examples
    --------
    >>> from core.classifiers.biased_svm import BiasedSVM
    >>> X = [[1, 1, 0], [1, 0, 0], [2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 2]]
    >>> classifier = BiasedSVM(C=1, cost_ratio=3).fit(X, [1, 1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "Few documents of the pile are of the kind, and they were left out at random."
    reference = "Liu et al., Building text classifiers using positive and unlabeled examples, 2003"
    bytes_per_entry = 8
    bytes_per_sample = 128
    min_positives = 2

    _parameter_constraints: dict = {
        **UnitLinearClassifier._parameter_constraints,
        "C": [ABOVE_ZERO, None],
        "cost_ratio": [ABOVE_ZERO, None],
        "random_state": ["random_state"],
    }

    def __init__(self, *, C=None, cost_ratio=None, random_state=None, pos_label=None):
        self.C = C
        self.cost_ratio = cost_ratio
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        Z, is_known = unit_rows(X), is_positive | is_negative
        order = content_order(Z, is_positive, is_known)
        used = order[has_entries(X)[order]]
        C, cost_ratio = self.C, self.cost_ratio
        if C is None or cost_ratio is None:
            C, cost_ratio = self._choose(Z, is_positive, is_known, used)
        model = self._fit_svm(Z, is_positive, is_known, used, C, cost_ratio)
        self.coef_, self.intercept_ = model
        self.report_.update(C=float(C), cost_ratio=float(cost_ratio))
        self.offset_ = 0.0

    def _choose(self, Z, is_positive, is_known, used):
        """Return the costs of the best Lee-Liu score; of equals the larger ratio, smaller cost."""
        labels = is_positive[used]
        splits = held_out_splits(labels, random_state=self.random_state)
        costs = COSTS if self.C is None else (self.C,)
        balanced = max(1.0, float((~is_known[used]).sum() / is_known[used].sum()))
        ratios = sorted({*COST_RATIOS, balanced})
        if self.cost_ratio is not None:
            ratios = [self.cost_ratio]
        tried = []
        for C in costs:
            for ratio in ratios:
                report("choose", len(tried) / (len(costs) * len(ratios)))

                def score(training, held_out, C=C, ratio=ratio):
                    rows = used[training], used[held_out]
                    model = self._fit_svm(Z, is_positive, is_known, rows[0], C, ratio)
                    return row_products(Z, model[0])[rows[1]] + model[1]

                tried.append((mean_lee_liu(score, labels, splits), ratio, -C))
        value, ratio, negative_C = max(tried)
        self.report_["lee_liu"] = value
        if value == 0:
            self.add_flag("selection_failed")
            return self.C or DEFAULT_C, self.cost_ratio or balanced
        is_edge = len(costs) > 1 and -negative_C in (costs[0], costs[-1])
        if is_edge or (len(ratios) > 1 and ratio in (ratios[0], ratios[-1])):
            self.add_flag("grid_edge")
        return -negative_C, ratio

    def _fit_svm(self, Z, is_positive, is_known, rows, C, cost_ratio):
        """Fit to some rows: the others weigh nothing, so that no rows are copied."""
        weights = np.zeros(len(is_known))
        weights[rows] = np.where(is_known[rows], cost_ratio, 1.0)
        return fit_hinge_svm(
            Z, is_positive, weights, rows=rows, C=C, tol=TOL, random_state=self.random_state
        )
