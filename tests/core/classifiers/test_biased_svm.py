"""Specification D2."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from core.classifier_bases.held_out import held_out_splits
from core.classifiers.biased_svm import COST_RATIOS, COSTS, BiasedSVM
from core.datasets import make_pu_data
from core.metrics import lee_liu_score
from core.validation import canonical_csr

X, Y, _ = make_pu_data(150, 40, class_prior=0.4, random_state=0)
IS_POSITIVE = Y == 1
Z = normalize(canonical_csr(X))


def hinge(rows, C, ratio, is_known=IS_POSITIVE, tol=1e-3):
    """Fit the SVM of scikit-learn with two costs; return its scores of all rows."""
    weights = np.where(is_known[rows], ratio, 1)
    svm = LinearSVC(C=C, loss="hinge", tol=tol, max_iter=10_000, random_state=0)
    return svm.fit(Z[rows], IS_POSITIVE[rows], weights).decision_function(Z)


def test_positives_cost_more():
    classifier = BiasedSVM(C=0.1, cost_ratio=3, random_state=0).fit(X, Y)
    expected = hinge(np.arange(150), 0.1, 3, tol=1e-6)
    assert_allclose(classifier.score_samples(X), expected, atol=1e-2)


def test_judged_negatives_cost_as_much_as_positives():
    judged = ~IS_POSITIVE & (np.arange(150) % 5 == 0)
    classifier = BiasedSVM(C=0.1, cost_ratio=3, random_state=0).fit(X, Y, is_negative=judged)
    expected = hinge(np.arange(150), 0.1, 3, IS_POSITIVE | judged, tol=1e-6)
    assert_allclose(classifier.score_samples(X), expected, atol=1e-2)


def test_the_costs_have_the_best_score_on_held_out_samples():
    [(training, held_out)] = held_out_splits(IS_POSITIVE, random_state=0)
    balanced = (~IS_POSITIVE).sum() / IS_POSITIVE.sum()
    tried = [
        (
            lee_liu_score(
                IS_POSITIVE[held_out],
                hinge(training, C, ratio)[held_out] >= 0,
                single_set=True,
                pos_label=True,
            ),
            ratio,
            -C,
        )
        for C in COSTS
        for ratio in (*COST_RATIOS, balanced)
    ]
    # Of equal scores the larger ratio, then the smaller cost.
    value, ratio, negative_C = max(tried)
    report = BiasedSVM(random_state=0).fit(X, Y).report_
    assert report["lee_liu"] == pytest.approx(value)
    assert (report["cost_ratio"], report["C"]) == (pytest.approx(ratio), -negative_C)


def test_what_is_given_is_not_searched():
    report = BiasedSVM(C=0.05, random_state=0).fit(X, Y).report_
    assert report["C"] == 0.05
    assert report["cost_ratio"] in (
        *COST_RATIOS,
        pytest.approx((~IS_POSITIVE).sum() / IS_POSITIVE.sum()),
    )
    report = BiasedSVM(C=0.05, cost_ratio=7).fit(X, Y).report_
    assert report["cost_ratio"] == 7
    assert "lee_liu" not in report


@pytest.mark.parametrize(
    ("given", "chosen", "grid"),
    [
        ({"cost_ratio": 1.0}, "C", COSTS),
        ({"cost_ratio": 2.0}, "C", COSTS),
        ({"C": 0.01}, "cost_ratio", COST_RATIOS),
        ({"C": 0.1}, "cost_ratio", COST_RATIOS),
    ],
)
def test_the_end_of_the_grid_is_flagged(given, chosen, grid):
    report = BiasedSVM(**given, random_state=0).fit(X, Y).report_
    assert ("grid_edge" in report["flags"]) == (report[chosen] in (grid[0], grid[-1]))


def test_where_no_cost_accepts_a_held_out_positive_it_is_small():
    # A positive that was left out is to the others like an unlabeled text.
    rows = np.hstack([np.eye(12, 2), np.ones((12, 1))])
    report = BiasedSVM(cost_ratio=1, random_state=0).fit(rows, np.arange(12) < 2).report_
    assert (report["C"], report["cost_ratio"], report["lee_liu"]) == (0.01, 1, 0)
    assert "selection_failed" in report["flags"]
    assert "grid_edge" not in report["flags"]


def test_a_machine_that_does_not_settle_is_told_once_and_flagged(monkeypatch):
    monkeypatch.setattr("core.kernels.linear.hinge_svm.MAX_ITER", 1)
    with pytest.warns(ConvergenceWarning, match="did not settle in 1 sweeps") as caught:
        classifier = BiasedSVM(cost_ratio=1, random_state=0).fit(X, Y)
    assert len(caught) == 1
    assert "not_converged" in classifier.report_["flags"]


def test_unlabeled_samples_without_terms_are_nothing_to_compare_with():
    rows = sp.csr_array([[1.0, 0], [1, 1], [0, 0]])
    with pytest.raises(ValueError, match="every unlabeled sample is empty"):
        BiasedSVM().fit(rows, [1, 1, 0])
