"""Specification A6, of which only an outline is known; the oracle here follows it step by step."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from core.classifiers.pe_puc import PEPUC
from core.datasets import make_pu_data
from core.kernels.rows.row_hash import content_order

X, Y, TRUTH = make_pu_data(100, 40, class_prior=0.5, random_state=0)
# In the order of their contents, which is that of the draws.
ORDER = content_order(X)
X, Y, TRUTH = X[ORDER], Y[ORDER], TRUTH[ORDER]


def naive_bayes(positive, negative, n_positive, n_negative):
    """Return log-odds of all rows, from the totals of both classes."""
    ratio = np.log((positive + 1) / (positive + 1).sum())
    ratio -= np.log((negative + 1) / (negative + 1).sum())
    return X.toarray() @ ratio + math.log(n_positive / n_negative)


def hard_naive_bayes(is_positive, is_negative):
    counts = X.toarray()
    return naive_bayes(
        counts[is_positive].sum(axis=0),
        counts[is_negative].sum(axis=0),
        is_positive.sum(),
        is_negative.sum(),
    )


def complete_graph_label(rows, n_seeds):
    Z = X.toarray()[rows]
    Z /= np.linalg.norm(Z, axis=1)[:, None]
    weights = np.exp(-np.linalg.norm(Z[:, None] - Z, axis=2) / 2) - np.eye(len(rows))
    root = np.sqrt(weights.sum(axis=1))
    seeds = np.arange(len(rows)) < n_seeds
    return np.linalg.solve(np.eye(len(rows)) - 0.99 * weights / root[:, None] / root, seeds)


def slow_scores(is_negative, *, expansion, n_rounds, weight=0.0, n_iter=0):
    is_positive = Y == 1
    free = ~is_positive & ~is_negative
    candidates = np.flatnonzero(free & (hard_naive_bayes(is_positive, ~is_positive) >= 0))
    n_added = math.ceil(expansion / n_rounds * len(candidates))
    random = np.random.RandomState(0)
    enlarged = is_positive.copy()
    for _ in range(n_rounds):
        positives = np.flatnonzero(enlarged)
        half = random.permutation(positives)[: len(positives) // 2]
        left = np.array([i for i in candidates if not enlarged[i]])
        label = complete_graph_label(np.append(half, left), len(half))[len(half) :]
        enlarged[left[np.argsort(-label)[:n_added]]] = True
    negative = is_negative | (~enlarged & (hard_naive_bayes(enlarged, ~enlarged) < 0))
    scores = hard_naive_bayes(enlarged, negative)
    rest = ~enlarged & ~negative
    for _ in range(n_iter):
        share = np.where(rest, weight * expit(scores), enlarged)
        other = np.where(rest, weight * expit(-scores), negative)
        scores = naive_bayes(X.T @ share, X.T @ other, share.sum(), other.sum())
    return scores


@pytest.mark.parametrize("n_rounds", [1, 3])
@pytest.mark.parametrize("has_judged", [False, True])
def test_scores_equal_the_dense_algorithm(n_rounds, has_judged):
    judged = (TRUTH == 0) & (np.arange(100) % 4 == 0) & has_judged
    classifier = PEPUC(expansion=0.6, n_rounds=n_rounds, random_state=0)
    classifier.fit(X, Y, is_negative=judged)
    expected = slow_scores(judged, expansion=0.6, n_rounds=n_rounds)
    assert_allclose(classifier.score_samples(X), expected, atol=1e-8)
    assert classifier.report_["n_reliable_positives"] > 0


def test_the_rest_may_count_a_little():
    judged = np.zeros(100, dtype=bool)
    classifier = PEPUC(expansion=0.6, unlabeled_weight=0.3, max_iter=4, random_state=0)
    classifier.fit(X, Y)
    n_iter = classifier.n_iter_ - 1
    assert n_iter > 0
    expected = slow_scores(judged, expansion=0.6, n_rounds=2, weight=0.3, n_iter=n_iter)
    assert_allclose(classifier.score_samples(X), expected, atol=1e-8)


def test_iterations_end_at_the_limit_or_when_no_label_changes():
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 iterations"):
        report = PEPUC(unlabeled_weight=0.3, max_iter=1, random_state=0).fit(X, Y).report_
    assert (report["n_iter"], report["converged"]) == (2, False)
    assert "not_converged" in report["flags"]
    report = PEPUC(unlabeled_weight=0.3, max_iter=500, random_state=0).fit(X, Y).report_
    assert report["n_iter"] < 501
    assert report["converged"] is True
    assert PEPUC(random_state=0).fit(X, Y).report_["converged"] is True


def test_a_pile_without_candidates_is_negative_as_a_whole():
    rows = sp.csr_array(np.repeat([[3.0, 0], [0, 3]], [3, 9], axis=0))
    report = PEPUC(random_state=0).fit(rows, [1] * 3 + [0] * 9).report_
    assert (report["n_candidates"], report["n_reliable_negatives"]) == (0, 9)
    assert "rn_all" in report["flags"]


def test_judged_negatives_never_become_positive():
    judged = (TRUTH == 1) & (Y == 0)
    report = PEPUC(random_state=0).fit(X, Y, is_negative=judged).report_
    expected = PEPUC(random_state=0).fit(X, Y).report_
    assert report["n_candidates"] < expected["n_candidates"]


def test_candidates_are_limited():
    report = PEPUC(max_candidates=5, expansion=1, random_state=0).fit(X, Y).report_
    assert report["n_candidates"] == report["n_reliable_positives"] == 5
    assert "rn_all" not in report["flags"]


def test_number_of_added_positives_is_not_moved_by_rounding():
    # 0.55 * 100 is a little above 55 in floating point.
    rows = sp.csr_array(np.repeat([[5.0, 0], [0, 5]], [250, 150], axis=0))
    classifier = PEPUC(expansion=0.55, n_rounds=1, max_candidates=100, random_state=0)
    report = classifier.fit(rows, np.arange(400) < 100).report_
    assert (report["n_candidates"], report["n_reliable_positives"]) == (100, 55)


def test_without_negatives_the_least_positive_ones_are_taken():
    rows = sp.csr_array(np.tile([[1.0, 2]], (8, 1)))
    classifier = PEPUC(random_state=0).fit(rows, [1] * 6 + [0] * 2)
    assert "rn_relaxed" in classifier.report_["flags"]
    assert np.isfinite(classifier.score_samples(rows)).all()
