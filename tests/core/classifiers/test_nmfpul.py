"""Specification A1; the slow twin below is its text in dense arrays."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score

from core.classifiers.nmfpul import NMFPUL
from core.datasets import make_pu_data
from core.kernels.factors.kl_nmf import FLOOR
from core.kernels.factors.largest_topic import largest_topic_cut
from core.progress import listening
from tests.core.kernels.factors.test_kl_nmf import slow_update


def topics_data(n_positive, seed=0):
    """Return X, y and the truth of 200 texts on four topics with a common background."""
    rng = np.random.default_rng(seed)
    topic = np.repeat(np.arange(4), 50)
    rates = np.full((4, 80), 0.15)
    for t in range(4):
        rates[t, 20 * t : 20 * t + 20] = 0.4
    X = rng.poisson(rates[topic]).astype(float)
    y = np.zeros(200, dtype=int)
    y[:n_positive] = 1
    return X, y, (topic == 0).astype(int)


def slow_weights(V, is_seed, is_negative, *, mode, clamp, n_topics, n_iter, seed):
    """Return W of one restart, on the scale on which rows of H sum to 1."""

    def clamped(W):
        top = W.max() if clamp == "max" else W[is_seed].sum(axis=1)
        W = W.copy()
        W[is_seed] = 1e-3
        W[is_seed, 0] = top
        W[is_negative, 0] = FLOOR
        return W

    rng = np.random.RandomState(np.random.RandomState(seed).randint(2**31 - 1))
    if mode == "paper":
        W, H = rng.random_sample((len(V), n_topics)), rng.random_sample((V.shape[1], n_topics)).T
    else:
        background = V.mean(axis=0)
        H = background * (0.5 + rng.random_sample((V.shape[1], n_topics))).T
        H[0] = V[is_seed].mean(axis=0) + 0.1 * background
        H /= H.sum(axis=1, keepdims=True)
        W = np.tile(V.sum(axis=1, keepdims=True) / n_topics, n_topics)
    for _ in range(n_iter):
        W = slow_update(V, W, H.T)
        if mode == "guided":
            W = clamped(W)
        H = slow_update(V.T, H.T, W).T
        if mode == "guided":
            W, H = W * H.sum(axis=1), H / H.sum(axis=1, keepdims=True)
        W = clamped(W)
    return W * H.sum(axis=1)


@pytest.mark.parametrize("clamp", ["max", "mass"])
@pytest.mark.parametrize("mode", ["guided", "paper"])
@pytest.mark.parametrize("n_judged", [0, 20])
def test_scores_equal_dense_arithmetic(mode, clamp, n_judged):
    X, y, y_true = topics_data(5)
    is_negative = (y_true == 0) & (np.cumsum(y_true == 0) <= n_judged)
    parameters = {"mode": mode, "clamp": clamp, "n_topics": 3}
    classifier = NMFPUL(**parameters, max_iter=23, tol=0, n_restarts=1, random_state=4)
    with pytest.warns(ConvergenceWarning, match="NMFPUL did not converge in 23 iterations"):
        classifier.fit(X, y, is_negative=is_negative)
    W = slow_weights(X, y == 1, is_negative, **parameters, n_iter=23, seed=4)
    assert_allclose(classifier.transduction_scores_, W[:, 0] / W.sum(axis=1), rtol=1e-7)
    assert classifier.n_iter_ == 23
    assert classifier.report_["converged"] is False
    assert "not_converged" in classifier.report_["flags"]


def test_the_usual_end_is_not_told():
    X, y, _ = topics_data(5)
    with warnings.catch_warnings(action="error"):
        classifier = NMFPUL(tol=0, random_state=4).fit(X, y)
    assert (classifier.n_iter_, classifier.report_["converged"]) == (100, False)
    assert "not_converged" not in classifier.report_["flags"]
    with pytest.warns(ConvergenceWarning):
        classifier.set_params(max_iter=100).fit(X, y)
    assert "not_converged" in classifier.report_["flags"]


def test_toy_example_is_clamped_to_the_scores_of_the_specification():
    W = np.array([[1.528390, 1.475571], [0.543428, 1.442781], [1.698211, 1.311619]])
    NMFPUL()._clamp(W[..., None], np.array([True, False, False]), np.zeros(3, dtype=bool))
    assert_allclose(W[0], [1.698211, 0.001])
    shares = W[:, 0] / W.sum(axis=1)
    assert_allclose(shares, [0.999411, 0.273601, 0.564222], atol=1e-6)
    cut = largest_topic_cut(shares, W.argmax(axis=1) == 0, 2)
    assert (shares >= cut).tolist() == [True, False, True]


def test_two_topics_are_cut_at_one_half():
    X, y, _ = topics_data(5)
    classifier = NMFPUL(n_topics=2, n_restarts=1, random_state=0).fit(X, y)
    assert classifier.offset_ == 0.5


def test_one_scale_makes_topics_distributions():
    X, y, _ = topics_data(5)
    for mode in ("guided", "paper"):
        classifier = NMFPUL(mode=mode, max_iter=20, n_restarts=2, random_state=0).fit(X, y)
        assert classifier.components_.shape == (2, 4, 80)
        assert_allclose(classifier.components_.sum(axis=2), 1)


@pytest.mark.parametrize("n_restarts", [3, 9])
def test_restarts_are_averaged(n_restarts):
    X, y, _ = topics_data(3)
    seeds = np.random.RandomState(7)
    scores = []
    for _ in range(n_restarts):
        single = NMFPUL(n_restarts=1, max_iter=30, random_state=seeds)
        scores.append(single.fit(X, y).transduction_scores_)
    joint = NMFPUL(n_restarts=n_restarts, max_iter=30, random_state=7).fit(X, y)
    assert_allclose(joint.transduction_scores_, np.mean(scores, axis=0), rtol=1e-6)


def test_each_restart_ends_by_itself():
    X, y, _ = topics_data(5)
    seeds = np.random.RandomState(7)
    parameters = {"tol": 1e-3}
    singles = [NMFPUL(n_restarts=1, **parameters, random_state=seeds).fit(X, y) for _ in range(4)]
    joint = NMFPUL(n_restarts=4, **parameters, random_state=7).fit(X, y)
    iterations = [single.n_iter_ for single in singles]
    assert len(set(iterations)) > 1
    assert joint.report_["iterations"] == iterations
    assert joint.n_iter_ == max(iterations)
    assert joint.report_["converged"] == all(single.report_["converged"] for single in singles)
    for single, divergence in zip(singles, joint.report_["divergence"], strict=True):
        assert_allclose(divergence, single.report_["divergence"][0])
    components = np.concatenate([single.components_ for single in singles])
    assert_allclose(joint.components_, components, atol=1e-7)


def test_order_of_the_samples_is_irrelevant():
    X, y, _ = topics_data(5)
    order = np.random.default_rng(0).permutation(len(y))
    scores = NMFPUL(random_state=0).fit(X, y).transduction_scores_
    permuted = NMFPUL(random_state=0).fit(X[order], y[order]).transduction_scores_
    assert_allclose(permuted, scores[order], atol=1e-9)


def test_identical_samples_are_scored_alike():
    X, y, _ = topics_data(5)
    X[[20, 90, 150]] = X[60]
    scores = NMFPUL(random_state=0).fit(X, y).transduction_scores_
    assert_array_equal(scores[[20, 90, 150]], scores[60])


def test_random_state_decides_the_result():
    X, y, _ = topics_data(3)
    first, second, other = (
        NMFPUL(max_iter=20, random_state=seed).fit(X, y).transduction_scores_ for seed in (0, 0, 1)
    )
    assert_array_equal(first, second)
    assert (first != other).any()


@pytest.mark.parametrize("n_positive", [3, 4])
def test_guided_mode_beats_the_published_one_at_few_seeds(n_positive):
    precision = {"guided": [], "paper": []}
    for seed in range(3):
        X, y, y_true = topics_data(n_positive, seed)
        rest = y == 0
        for mode, values in precision.items():
            scores = NMFPUL(mode=mode, random_state=seed).fit(X, y).transduction_scores_
            values.append(average_precision_score(y_true[rest], scores[rest]))
    # Chance gives a quarter.
    assert np.mean(precision["guided"]) > 0.8
    assert np.mean(precision["guided"]) > np.mean(precision["paper"]) + 0.2


def test_stops_when_the_divergence_settles():
    X, y, _ = topics_data(5)
    classifier = NMFPUL(n_restarts=1, tol=1e-3, random_state=0).fit(X, y)
    divergence = np.array(classifier.report_["divergence"][0])
    changes = abs(np.diff(divergence)) / divergence[:-1]
    assert classifier.report_["converged"]
    assert "not_converged" not in classifier.report_["flags"]
    assert classifier.report_["iterations"] == [10 * len(divergence)] == [classifier.n_iter_]
    assert changes[-1] < 1e-3
    assert (changes[:-1] >= 1e-3).all()


def test_empty_texts_score_zero_and_are_negative():
    X, y, _ = topics_data(5)
    X[[2, 60]] = 0
    classifier = NMFPUL(max_iter=20, random_state=0).fit(X, y)
    assert classifier.transduction_scores_[[2, 60]].tolist() == [0, 0]
    assert classifier.transduction_[60] == 0
    assert classifier.score_samples(X[[60]]).tolist() == [0]
    assert np.isfinite(classifier.components_).all()


def test_features_of_new_texts_only_are_ignored():
    X, y, _ = topics_data(5)
    X[:, 7] = 0
    classifier = NMFPUL(max_iter=20, random_state=0).fit(X, y)
    new = X[[10, 60]].copy()
    expected = classifier.score_samples(new)
    new[:, 7] = 5
    assert_allclose(classifier.score_samples(new), expected, atol=1e-6)
    only_unseen = np.eye(80)[[7]]
    assert classifier.score_samples(only_unseen).tolist() == [0]
    assert classifier.explain(only_unseen).nnz == 0
    assert abs(classifier.feature_weights()[7]) < 1e-12


@pytest.mark.parametrize(("class_prior", "n_accepted"), [(None, 4), (0.25, 1), (1 / 3, 2)])
def test_first_topic_everywhere_falls_back_to_a_threshold(class_prior, n_accepted):
    # Equal texts keep the mixtures that they started from: one start in sixteen favours topic 0
    # in all four of the unlabeled.
    X, y = np.ones((5, 3)), np.array([1, 0, 0, 0, 0])
    parameters = {"n_topics": 2, "mode": "paper", "max_iter": 1, "class_prior": class_prior}
    n_fallbacks = 0
    for seed in range(60):
        classifier = NMFPUL(**parameters, random_state=seed).fit(X, y)
        if (classifier.transduction_scores_ >= 0.5).all():
            n_fallbacks += 1
            says_all = ["all_positive"] if n_accepted == 4 else []
            expected = [*says_all, "first_topic_everywhere", "not_converged"]
            assert classifier.report_["flags"] == expected
            assert classifier.transduction_[1:].sum() == n_accepted
            # A rounding error would decide about a score at the cut.
            assert classifier.offset_ not in classifier.transduction_scores_
        else:
            assert set(classifier.report_["flags"]) <= {"all_negative", "not_converged"}
            assert classifier.offset_ == 0.5
    assert n_fallbacks > 0


def test_a_judged_negative_does_not_keep_the_class_prior_from_cutting():
    # A judged negative is kept out of topic 0, whatever topic is the largest of all others.
    X, y, is_negative = np.ones((6, 3)), np.array([1, 0, 0, 0, 0, 0]), np.arange(6) == 5
    parameters = {"n_topics": 2, "mode": "paper", "max_iter": 1, "class_prior": 0.25}
    n_fallbacks = 0
    for seed in range(60):
        classifier = NMFPUL(**parameters, random_state=seed).fit(X, y, is_negative=is_negative)
        if (classifier.transduction_scores_[:5] >= 0.5).all():
            n_fallbacks += 1
            assert "first_topic_everywhere" in classifier.report_["flags"]
            assert classifier.transduction_[1:].sum() == 1
    assert n_fallbacks > 0
    classifier = NMFPUL(**parameters, random_state=0).fit(X, y, is_negative=y == 0)
    assert classifier.transduction_.tolist() == y.tolist()


def test_threshold_is_the_cut():
    X, y, _ = topics_data(5)
    classifier = NMFPUL(threshold=0.7, max_iter=10, random_state=0).fit(X, y)
    assert classifier.offset_ == 0.7


def test_explanations_add_up_to_the_decision():
    X, y, _ = topics_data(5)
    classifier = NMFPUL(max_iter=20, random_state=0).fit(X, y)
    contributions = classifier.explain(X)
    assert_allclose(contributions.sum(axis=1), classifier.decision_function(X), atol=1e-12)
    own_words = contributions[:, :20].toarray()[X[:, :20] > 0]
    assert own_words.mean() > 0 > contributions[:, 20:].sum()


def test_words_of_the_positives_weigh_most():
    X, y, _ = topics_data(5)
    weights = NMFPUL(random_state=0).fit(X, y).feature_weights()
    assert np.mean(np.argsort(-weights)[:20] < 20) > 0.8


def test_progress_rises_to_the_end():
    X, y, _ = topics_data(5)
    fractions = []
    with listening(lambda stage, fraction: fractions.append((stage, fraction))):
        NMFPUL(max_iter=20, tol=0, n_restarts=2, random_state=0).fit(X, y)
    # All restarts go on together.
    assert fractions == [("factorise", share) for share in (0.5, 1)]


def test_judged_negatives_are_kept_out_of_the_topic_of_the_positives():
    X, y, y_true = make_pu_data(n_samples=200, random_state=0)
    judged = np.flatnonzero((y == 0) & (y_true == 1))[:5]
    is_negative = np.isin(np.arange(len(y)), judged)
    classifier = NMFPUL(random_state=0).fit(X, y, is_negative=is_negative)
    assert classifier.transduction_scores_[judged].max() < 1e-6
    assert (classifier.transduction_[judged] == 0).all()


def test_scores_are_shares():
    X, y, _ = make_pu_data(n_samples=200, random_state=0)
    scores = NMFPUL(random_state=0).fit(X.astype(np.float32), y).transduction_scores_
    assert scores.min() >= 0
    assert scores.max() <= 1


def test_no_more_topics_are_taken_than_samples_or_features():
    X, y, _ = topics_data(5)
    few = NMFPUL(n_topics=10**9, n_restarts=1, random_state=0).fit(X[:6], y[:6])
    assert few.report_["n_topics"] == few.components_.shape[1] == 6
    narrow = NMFPUL(n_topics=10**9, n_restarts=1, random_state=0).fit(X[:, :3], y)
    assert narrow.report_["n_topics"] == 3
    bounded = NMFPUL(n_topics=10**9).memory_bytes(6, 40, 100, 2)
    assert bounded == NMFPUL(n_topics=6).memory_bytes(6, 40, 100, 2)
