"""Specification B7; the numbers are those of its toy examples."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import MultinomialNB

from core.classifiers.naive_nb import NaiveNB
from core.classifiers.spy_em import SpyEM, error_change, spy_threshold
from core.datasets import make_pu_data
from core.errors import TooFewPositives
from core.kernels.rows.row_hash import content_order


def test_threshold_is_that_of_the_toy_example():
    scores = np.array([0.5, -2.0, 2.2, -0.4])
    assert spy_threshold(scores, 0.25) == -0.4
    assert spy_threshold(scores, 0.0) == -2.0
    assert spy_threshold(scores, 0.99) == 2.2


@pytest.mark.parametrize(("noise_level", "n_spies", "n_below"), [(0.7, 90, 63), (0.29, 100, 29)])
def test_number_of_noisy_spies_is_not_moved_by_rounding(noise_level, n_spies, n_below):
    assert spy_threshold(np.arange(float(n_spies)), noise_level) == n_below
    assert spy_threshold(np.arange(float(n_spies)), 1 - 1e-12) == n_spies - 1


def test_change_of_the_error_is_that_of_the_toy_example():
    assert_allclose(error_change((0.25, 0.05), (0.30, 0.10), 0.25), 0.075)
    assert_allclose(error_change((0.25, 0.05), (0.24, 0.05), 0.25), -0.01)


def weighted_naive_bayes(X, posterior):
    """Every row in both classes, weighted, for the naive Bayes of scikit-learn."""
    weights = np.concatenate([posterior, 1 - posterior])
    model = MultinomialNB(alpha=0.1)
    return model.fit(np.vstack([X, X]), np.repeat([1, 0], len(X)), sample_weight=weights)


def log_odds(model, X):
    return np.diff(model.predict_joint_log_proba(X))[:, 0]


def slow_spy_em(X, y, is_negative, seed):
    """The procedure of the specification with refits; at least ten positives."""
    positives, unlabeled = np.flatnonzero(y == 1), np.flatnonzero((y == 0) & ~is_negative)
    n_spies = int(0.15 * len(positives))
    spies = np.random.RandomState(seed).choice(positives, n_spies, replace=False)
    mixed = np.concatenate([unlabeled, spies])
    posterior = (y == 1).astype(float)
    posterior[spies] = 0
    for _ in range(20):
        scores = log_odds(weighted_naive_bayes(X, posterior), X)
        change = np.abs(1 / (1 + np.exp(-scores[mixed])) - posterior[mixed]).max()
        posterior[mixed] = 1 / (1 + np.exp(-scores[mixed]))
        if change <= 1e-3:
            break
    threshold = np.sort(scores[spies])[int(0.15 * n_spies)]
    reliable = unlabeled[scores[unlabeled] < threshold]

    posterior = (y == 1).astype(float)
    known = np.concatenate([positives, np.flatnonzero(is_negative), reliable])
    model = weighted_naive_bayes(X[known], posterior[known])
    previous = prior = None
    for step in range(20):
        scores = log_odds(model, X)
        shares = (scores[unlabeled] >= 0).mean(), (scores[positives] < 0).mean()
        prior = shares[0] if prior is None else prior
        if previous is not None:
            delta = shares[0] - previous[0] + 2 * (shares[1] - previous[1]) * prior
            if delta > 1e-12:
                break
        result, previous = scores, shares
        updated = posterior.copy()
        updated[unlabeled] = 1 / (1 + np.exp(-scores[unlabeled]))
        if step and np.abs(updated - posterior).max() <= 1e-3:
            break
        posterior = updated
        model = weighted_naive_bayes(X, posterior)
    return threshold, len(reliable), result


@pytest.mark.parametrize("n_judged", [0, 5])
@pytest.mark.parametrize("seed", range(5))
def test_scores_equal_those_of_the_slow_twin(seed, n_judged):
    X, y, y_true = make_pu_data(150, 40, n_words=8, sparse=False, random_state=seed)
    X[:, 0] += ~X.any(axis=1)
    # In the order of their contents, which is that of the draws.
    order = content_order(sp.csr_array(X))
    X, y, y_true = X[order], y[order], y_true[order]
    is_negative = np.zeros(150, dtype=bool)
    is_negative[np.flatnonzero(y_true == 0)[:n_judged]] = True
    terms = X[:, X.any(axis=0)]
    threshold, n_reliable, scores = slow_spy_em(terms, y, is_negative, seed)
    classifier = SpyEM(random_state=seed).fit(X, y, is_negative=is_negative)
    assert_allclose(classifier.report_["spy_threshold"], threshold, rtol=1e-6)
    assert classifier.report_["n_reliable_negatives"] == n_reliable
    assert_allclose(classifier.score_samples(X), scores, rtol=1e-5, atol=1e-6)


def test_first_iteration_without_spies_is_naive_bayes(pu_data):
    X, y, _ = pu_data
    expected = NaiveNB().fit(X, y)
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        classifier = SpyEM(method="i-em", max_iter=1).fit(X, y)
    assert_allclose(classifier.coef_, expected.coef_)
    assert_allclose(classifier.intercept_, expected.intercept_)
    assert (classifier.report_["stop"], classifier.report_["n_iter"]) == ("max_iter", 1)
    assert "not_converged" in classifier.report_["flags"]


@pytest.mark.parametrize(("n_positive", "n_spies"), [(4, 1), (9, 1), (20, 3)])
def test_share_of_the_positives_are_spies(n_positive, n_spies, pu_data):
    X, y, _ = pu_data
    y = np.where(np.cumsum(y) <= n_positive, y, 0)
    classifier = SpyEM(random_state=0).fit(X, y)
    assert classifier.report_["n_spies"] == n_spies
    assert classifier.report_["n_reliable_negatives"] > 0


def test_spies_need_four_positives():
    X, y = np.array([[1.0, 0]] * 3 + [[0, 1.0]] * 3), [1] * 3 + [0] * 3
    with pytest.raises(TooFewPositives, match=r"at least 4 positives .* got 3"):
        SpyEM().fit(X, y)
    assert SpyEM(method="i-em").fit(X, y).predict(X).tolist() == y


def test_lowest_scores_are_negative_where_none_is_below_the_spies():
    X = np.tile([[1.0, 2]], (104, 1))
    classifier = SpyEM(random_state=0).fit(X, [1] * 4 + [0] * 100)
    assert "rn_relaxed" in classifier.report_["flags"]
    assert classifier.report_["n_reliable_negatives"] == 5


@pytest.mark.parametrize(("noise_level", "threshold"), [(0.15, 3), (0.5, 5)])
def test_three_tenths_of_the_spies_may_be_noise_where_none_is_below(noise_level, threshold):
    scores = np.array([*range(10), threshold - 0.5, threshold, 20])
    classifier, is_spy = SpyEM(noise_level=noise_level), np.arange(13) < 10
    classifier.report_ = {"flags": []}
    reliable = classifier._below(0, scores, np.arange(10), is_spy, ~is_spy)
    assert np.flatnonzero(reliable).tolist() == [10]


def test_all_unlabeled_below_the_spies_are_flagged():
    X = np.array([[3.0, 0]] * 6 + [[0, 3.0]] * 6)
    classifier = SpyEM(random_state=0).fit(X, [1] * 6 + [0] * 6)
    assert "rn_all" in classifier.report_["flags"]
    assert classifier.predict(X).tolist() == [1] * 6 + [0] * 6


def test_unlabeled_texts_can_be_capped(pu_data):
    X, y, _ = pu_data
    few = np.where(np.cumsum(y) <= 20, y, 0)
    classifier = SpyEM(max_unlabeled_ratio=2, random_state=0).fit(X, few)
    assert 0 < classifier.report_["n_reliable_negatives"] <= 40


def test_a_given_prior_is_of_all_unlabeled_texts_empty_ones_included():
    X, y, _ = make_pu_data(150, 30, class_prior=0.4, n_words=6, random_state=28)
    n_empty = (y == 0).sum()
    padded = sp.vstack([sp.csr_array(X), sp.csr_array((n_empty, 30))], format="csr")
    expected = SpyEM(method="i-em", class_prior=0.4).fit(X, y)
    actual = SpyEM(method="i-em", class_prior=0.2).fit(padded, np.append(y, [0] * n_empty))
    assert actual.n_iter_ == expected.n_iter_ != SpyEM(method="i-em").fit(X, y).n_iter_
    assert_allclose(actual.coef_, expected.coef_)


def test_unlabeled_texts_without_a_word_are_refused():
    with pytest.raises(ValueError, match="every unlabeled sample is empty"):
        SpyEM().fit([[1.0], [1], [1], [1], [0]], [1, 1, 1, 1, 0])
