"""Specification B1; the tables of its toy example are tests of the kernel."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import silhouette_samples
from sklearn.metrics.pairwise import cosine_distances

from core.classifiers.onb import ONB
from core.datasets import make_pu_data

X = np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]])
Y = [1, 1, 0, 0, 0, 0]


def test_candidates_of_the_toy_example_are_scored_as_a_fit_at_their_prior():
    # At 0.25, 0.5 and 0.75 the first unlabeled row alone is positive: the smallest is taken.
    classifier = ONB(grid_step=0.25, smoothing=1).fit(X, Y)
    assert classifier.class_prior_ == 0.25
    assert_allclose(classifier.score_samples(X[2:]), [1.098612] + [-3.295837] * 3, atol=1e-6)
    assert_allclose(classifier.predict_proba(X[2:4])[:, 1], [0.75, 0.035714], atol=1e-6)
    assert_allclose(classifier.report_["largest_class_prior"], 0.444444, atol=1e-6)


def test_counts_are_taken_as_presence():
    expected = ONB().fit(X, Y).score_samples(X)
    assert_allclose(ONB().fit(3 * X, Y).score_samples(7 * X), expected)


def slow_curve(rows, y, grid):
    """Refit for each candidate, and look at all pairs of unlabeled rows."""
    positive, unlabeled = rows[y == 1] > 0, rows[y == 0] > 0
    n_unlabeled = len(unlabeled)
    present = (positive.sum(axis=0) + 1) / (len(positive) + 2)
    curve = []
    for q in grid:
        n_with = np.maximum(0, unlabeled.sum(axis=0) - q * n_unlabeled * present)
        n_without = np.maximum(0, (~unlabeled).sum(axis=0) - q * n_unlabeled * (1 - present))
        absent = (1 + n_with) / (2 + n_with + n_without)
        odds = np.log(q / (1 - q)) + np.where(
            unlabeled, np.log(present / absent), np.log((1 - present) / (1 - absent))
        ).sum(axis=1)
        labels = odds > 0
        asw = lsn = 0.0
        if labels.any() and not labels.all():
            lsn = cosine_distances(unlabeled)[np.ix_(labels, ~labels)].min()
            if labels.sum() > 1:
                asw = silhouette_samples(unlabeled, labels, metric="cosine")[labels].mean()
        curve.append((q, labels.mean(), asw, lsn))
    return np.array(curve)


@pytest.mark.parametrize("criterion", ["lsn", "asw"])
@pytest.mark.parametrize("seed", range(4))
def test_choice_equals_that_of_the_slow_twin(seed, criterion):
    rows, y, _ = make_pu_data(90, 30, n_words=6, sparse=False, random_state=seed)
    rows[:, 0] += ~rows.any(axis=1)
    expected = slow_curve(rows[:, rows.any(axis=0)], y, np.arange(1, 20) / 20)
    classifier = ONB(criterion=criterion, smoothing=1).fit(rows, y)
    curve = classifier.report_["curve"]
    actual = np.array([curve[name] for name in ("class_prior", "share_positive", "asw", "lsn")]).T
    assert_allclose(actual, expected, atol=1e-12)

    first, second = (3, 2) if criterion == "lsn" else (2, 3)
    allowed = [row for row in expected.round(9).tolist() if 0.1 <= row[1] <= 0.9]
    best = max(allowed, key=lambda row: (row[first], row[second], -row[0]))
    assert_allclose(classifier.class_prior_, best[0])


def test_candidates_beyond_the_guard_are_left_out(pu_data):
    # The toy example accepts a quarter of the rows at every prior of the grid.
    assert ONB(grid_step=0.25, guard=0.25).fit(X, Y).report_["flags"] == []
    classifier = ONB(grid_step=0.25, guard=0.3, smoothing=1).fit(X, Y)
    assert classifier.report_["flags"] == ["selection_failed"]
    assert classifier.class_prior_ == 0.5
    assert_allclose(classifier.score_samples(X[2:4]), [2.432791, -2.269960], atol=1e-6)


def test_one_cluster_is_no_choice_even_without_a_guard():
    rows = np.ones((6, 2))
    assert "selection_failed" in ONB(guard=0.0).fit(rows, Y).report_["flags"]


def test_nearest_pair_is_looked_for_in_a_draw_of_many_samples(pu_data):
    counts, y, _ = pu_data
    full = ONB().fit(counts, y).report_
    drawn = ONB(max_criterion_samples=100).fit(counts, y).report_
    assert full["n_criterion_samples"] == (y == 0).sum()
    assert drawn["n_criterion_samples"] == 50
    assert len(set(ONB(max_criterion_samples=100)._criterion_samples(sp.csr_array(counts)))) == 50
    # Of fewer pairs none is nearer; where one label is not drawn, there is no pair: 0.
    least, found = np.array(full["curve"]["lsn"]), np.array(drawn["curve"]["lsn"])
    assert ((found >= least - 1e-12) | (found == 0)).all()
    assert drawn["curve"]["asw"] == full["curve"]["asw"]


def test_draw_is_the_same_each_time(pu_data):
    counts, y, _ = pu_data
    first, second = (ONB(max_criterion_samples=100).fit(counts, y) for _ in range(2))
    assert first.report_ == second.report_


def test_a_given_prior_takes_the_place_of_the_choice():
    expected = ONB(grid_step=0.25, smoothing=1).fit(X, Y)
    classifier = ONB(grid_step=0.25, smoothing=1, class_prior=0.5).fit(X, Y)
    assert classifier.class_prior_ == 0.5
    assert_allclose(classifier.score_samples(X[2:4]), [2.432791, -2.269960], atol=1e-6)
    assert ONB(class_prior=0).fit(X, Y).class_prior_ == 0.25
    for name in ("choices", "curve"):
        assert classifier.report_[name] == expected.report_[name]


def test_all_choices_are_told(pu_data):
    counts, y, _ = pu_data
    fits = {name: ONB(criterion=name).fit(counts, y) for name in ("lsn", "asw", "bbe", "dedpul")}
    for name in fits:
        expected = {each: fits[each].class_prior_ for each in {"lsn", "asw", name}}
        assert fits[name].report_["choices"] == expected


@pytest.mark.parametrize("criterion", ["bbe", "dedpul"])
def test_estimate_is_near_the_hidden_share(criterion, pu_data):
    counts, y, y_true = pu_data
    prior = ONB(criterion=criterion).fit(counts, y).class_prior_
    assert prior == pytest.approx(y_true[y == 0].mean(), abs=0.15)


@pytest.mark.parametrize("criterion", ["bbe", "dedpul"])
def test_one_positive_has_no_estimate(criterion):
    assert "selection_failed" in ONB(criterion=criterion).fit(X[1:], Y[1:]).report_["flags"]


@pytest.mark.parametrize("criterion", ["bbe", "dedpul"])
def test_a_handful_of_texts_has_an_estimate_that_is_a_share(criterion):
    classifier = ONB(criterion=criterion).fit(X, Y)
    assert 1 / 4 <= classifier.class_prior_ <= 3 / 4
    assert np.isfinite(classifier.score_samples(X)).all()


def test_empty_texts_are_not_clustered():
    longer = np.vstack([X, np.zeros((3, 3))])
    classifier = ONB(smoothing=1).fit(longer, [*Y, 0, 0, 0])
    assert classifier.report_["n_criterion_samples"] == 4
    assert_allclose(classifier.coef_, ONB(smoothing=1).fit(X, Y).coef_)


def test_judged_negatives_are_not_clustered_but_learned_from():
    is_negative = np.arange(6) == 5
    classifier = ONB(grid_step=0.25, smoothing=1).fit(X, Y, is_negative=is_negative)
    assert classifier.report_["n_criterion_samples"] == 3
    assert classifier.coef_[2] != ONB(grid_step=0.25, smoothing=1).fit(X[:5], Y[:5]).coef_[2]


def test_presence_alone_has_no_part_for_absent_terms():
    classifier = ONB(presence_only=True, grid_step=0.25).fit(sp.csr_array(X), Y)
    prior = classifier.class_prior_
    assert_allclose(classifier.intercept_, np.log(prior / (1 - prior)))


@pytest.mark.parametrize("criterion", ["dedpul", "bbe"])
def test_estimate_does_not_depend_on_the_type_of_the_values(criterion):
    random = np.random.default_rng(43)
    X, y = random.poisson(0.6, (40, 10)).astype(float), np.arange(40) < 8
    X[y, :3] += 1
    priors = [
        ONB(criterion=criterion).fit(X.astype(dtype), y).class_prior_
        for dtype in (np.float64, np.float32)
    ]
    # Lengths in single precision parted the probabilities of equal texts.
    assert priors[0] == priors[1]
