"""No result depends on the order of the samples, but for rounding (1.4)."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import core.kernels.scores.left_out_ranks as left_out
from core.auto.text_classifier import AutoTextClassifier
from core.calibration.calibrated_classifier import CalibratedPUClassifier
from core.classifiers.lp_pul import LPPUL
from core.classifiers.onb import ONB
from core.classifiers.one_class_svm import OneClassSVM
from core.classifiers.pebl import PEBL
from core.classifiers.pn_svm import PNSVM
from core.classifiers.prototype import Prototype
from core.classifiers.seed_expansion import SeedExpansion
from core.classifiers.spy_em import SpyEM
from core.classifiers.weighted_logistic_regression import WeightedLogisticRegression
from core.datasets import make_pu_data
from core.evaluation.hide_positives import hide_positives
from core.registry import ALGORITHMS, CLASS_PRIOR_ESTIMATORS, make_estimator

ORDER = np.random.default_rng(0).permutation(300)


def tied_samples(seed=0):
    """Return samples many of which are copies or equally near, two kinds of labels, an order."""
    random = np.random.default_rng(seed)
    X = (random.random((120, 8)) < 0.3).astype(float)
    is_kind = X[:, :2].any(axis=1)
    is_positive, is_negative = is_kind & (random.random(120) < 0.3), ~is_kind
    return X, is_positive, is_negative & (random.random(120) < 0.1), random.permutation(120)


def test_order_of_the_samples_is_irrelevant(classifier, pu_data):
    X, y, _ = pu_data
    expected = clone(classifier).fit(X, y)
    actual = clone(classifier).fit(X[ORDER], y[ORDER])
    assert_allclose(actual.score_samples(X), expected.score_samples(X), rtol=1e-4, atol=1e-4)
    assert_allclose(actual.offset_, expected.offset_, rtol=1e-4, atol=1e-4)
    assert actual.report_["flags"] == expected.report_["flags"]


def test_nor_is_it_where_samples_are_copies_and_equally_near(classifier):
    X, y, is_negative, order = tied_samples()
    expected = clone(classifier).fit(X, y, is_negative=is_negative)
    actual = clone(classifier).fit(X[order], y[order], is_negative=is_negative[order])
    assert_allclose(actual.score_samples(X), expected.score_samples(X), rtol=1e-4, atol=1e-4)
    assert_allclose(actual.offset_, expected.offset_, rtol=1e-4, atol=1e-4)


def test_selected_features_are_the_same_in_any_order(selector):
    X, y, _, order = tied_samples()
    sizes = {"max_iter": 10, "n_estimators": 5, "n_features_to_select": 4}
    selector.set_params(**{name: sizes[name] for name in sizes if name in selector.get_params()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        expected = clone(selector).fit(X, y)
        actual = clone(selector).fit(X[order], y[order])
    assert_allclose(actual.scores_, expected.scores_, atol=1e-9)
    assert actual.feature_order_.tolist() == expected.feature_order_.tolist()


@pytest.mark.parametrize(
    "classifier",
    [
        ONB(criterion="dedpul"),
        ONB(max_criterion_samples=60),
        LPPUL(max_paths=5),
        OneClassSVM(solver="sgd", random_state=0),
        SeedExpansion(max_unlabeled=60, random_state=0),
        SpyEM(max_unlabeled_ratio=1, random_state=0),
        WeightedLogisticRegression(max_unlabeled=60, random_state=0),
    ],
    ids=repr,
)
def test_draws_from_many_samples_are_of_what_they_hold(classifier, pu_data):
    test_order_of_the_samples_is_irrelevant(classifier, pu_data)


@pytest.mark.parametrize(
    ("classifier", "seed"),
    [(PEBL(), 5), (PEBL(), 6), (PNSVM(random_state=0), 9), (PNSVM(random_state=0), 10)],
)
def test_equally_likely_negatives_are_chosen_by_what_they_hold(classifier, seed):
    random = np.random.default_rng(seed)
    X, y = (random.random((40, 8)) < 0.5) * random.random((40, 8)), np.arange(40) < 4
    X[:, 0] = 1
    order = random.permutation(40)
    expected = clone(classifier).fit(X, y)
    assert "rn_relaxed" in expected.report_["flags"]
    actual = clone(classifier).fit(X[order], y[order])
    assert_allclose(actual.score_samples(X), expected.score_samples(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("algorithm", ["prototype", "seed_expansion"])
def test_positives_are_dealt_out_by_what_they_hold(algorithm, pu_data):
    X, y, _ = pu_data
    classifier = make_estimator(ALGORITHMS, algorithm, {}, random_state=0)
    expected = hide_positives(classifier, X, y == 1, random_state=0)
    actual = hide_positives(classifier, X[ORDER], y[ORDER] == 1, random_state=0)
    for one, other, n_hidden in zip(actual.scores, expected.scores, expected.n_hidden, strict=True):
        assert_allclose(one[:n_hidden], other[:n_hidden], atol=1e-9)
        assert_allclose(np.sort(one[n_hidden:]), np.sort(other[n_hidden:]), atol=1e-9)


def test_calibration_is_the_same_in_any_order_where_samples_are_equally_near():
    X, y, _, order = tied_samples()
    expected = CalibratedPUClassifier(Prototype()).fit(X, y)
    actual = CalibratedPUClassifier(Prototype()).fit(X[order], y[order])
    priors = [model.calibrated_.class_prior for model in (actual, expected)]
    assert_allclose(*([prior.low, prior.value, prior.high] for prior in priors))
    assert_allclose(actual.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("name", list(CLASS_PRIOR_ESTIMATORS))
def test_class_priors_are_the_same_in_any_order(name, pu_data):
    X, y, _ = pu_data
    estimate = CLASS_PRIOR_ESTIMATORS[name]
    expected = estimate(X, y == 1, random_state=0)
    actual = estimate(X[ORDER], y[ORDER] == 1, random_state=0)
    ends = ("low", "value", "high")
    assert_allclose(
        [getattr(actual, end) for end in ends], [getattr(expected, end) for end in ends], rtol=1e-6
    )


def test_ranks_of_left_out_positives_stay_with_them(pu_data, monkeypatch):
    monkeypatch.setattr(left_out, "MAX_RANKED", 100)
    X, y, _ = pu_data
    expected = left_out.left_out_ranks(X, y == 1, random_state=0)
    actual = left_out.left_out_ranks(X[ORDER], y[ORDER] == 1, random_state=0)
    positives = np.flatnonzero(y == 1)
    moved = ORDER[y[ORDER] == 1]
    assert_allclose(actual.positive[np.argsort(moved)], expected.positive[np.argsort(positives)])
    assert_allclose(np.sort(actual.unlabeled), np.sort(expected.unlabeled))


def test_auto_is_the_same_in_any_order():
    X, y, _ = make_pu_data(200, 30, random_state=3)
    texts = [
        " ".join(f"w{j}" for j in X[[i]].indices for _ in range(int(X[i, j]))) for i in range(200)
    ]
    order = ORDER[ORDER < 200]
    one = AutoTextClassifier(random_state=0).fit(texts, y)
    other = AutoTextClassifier(random_state=0).fit([texts[i] for i in order], y[order])
    assert one.calibrated_.class_prior.value == pytest.approx(other.calibrated_.class_prior.value)
    assert_allclose(other.score_samples(texts), one.score_samples(texts), atol=1e-9)
    assert other.predict(texts).tolist() == one.predict(texts).tolist()


def test_nor_does_its_class_prior_change_where_there_are_more_copies_than_neighbors():
    X, y, _, order = tied_samples(5)
    texts = np.array([" ".join(f"w{j}" for j in np.flatnonzero(row)) for row in X])
    models = [AutoTextClassifier().fit(texts[rows], y[rows]) for rows in (slice(None), order)]
    one, other = (model.calibrated_ for model in models)
    assert other.class_prior[:3] == pytest.approx(one.class_prior[:3])
    assert other.cuts["conductance"] == one.cuts["conductance"]
