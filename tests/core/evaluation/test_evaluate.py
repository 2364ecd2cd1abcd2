"""Specification part F: evaluation by positives hidden among the unlabeled samples."""

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest

from core.datasets import make_pu_data
from core.errors import TooFewPositives
from core.evaluation.evaluate import (
    HiddenPositives,
    figures_with_prior,
    hidden_figures,
    hide_positives,
    mean_figures,
)
from core.pu_rates import criteria_of_rates, pu_scores_of_rates
from core.registry import ALGORITHMS

X, Y, TRUTH = make_pu_data(600, 40, class_prior=0.3, random_state=0)
POSITIVE, NEGATIVE = Y == 1, np.zeros(len(Y), dtype=bool)


@pytest.mark.parametrize("algorithm", ["prototype", "lp_pul"])
def test_each_positive_is_hidden_once_and_trained_on_else(algorithm):
    outcome = hide_positives(
        ALGORITHMS[algorithm](), X, POSITIVE, NEGATIVE, n_splits=7, random_state=0
    )
    n_unlabeled = (~POSITIVE).sum()

    assert sum(outcome.n_hidden) == POSITIVE.sum()
    assert max(outcome.n_hidden) - min(outcome.n_hidden) <= 1
    assert [len(s) for s in outcome.scores] == [n + n_unlabeled for n in outcome.n_hidden]


def test_hidden_positives_are_scored_by_a_training_that_took_them_for_unlabeled():
    # One positive hidden from each training: what the others give, written out.
    few = np.flatnonzero(POSITIVE)[:4]
    is_positive = np.zeros_like(POSITIVE)
    is_positive[few] = True
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, is_positive, NEGATIVE, n_splits=9, random_state=0
    )

    expected = []
    for hidden in few:
        y = is_positive.astype(int)
        y[hidden] = 0
        expected.append(ALGORITHMS["prototype"]().fit(X, y).score_samples(X[[hidden]])[0])
    assert_allclose(sorted(s[0] for s in outcome.scores), sorted(expected))


def test_only_those_that_may_be_hidden_are():
    is_hideable = np.zeros(len(Y), dtype=bool)
    is_hideable[np.flatnonzero(POSITIVE)[:7]] = True
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, is_hideable=is_hideable, random_state=0
    )
    assert sum(outcome.n_hidden) == 7
    # The other positives are labeled in each training, so nowhere among the unlabeled.
    n_unlabeled = int((~POSITIVE).sum())
    assert [len(s) - n for s, n in zip(outcome.scores, outcome.n_hidden, strict=True)] == (
        [n_unlabeled] * 5
    )


def test_judged_negatives_are_negative_in_each_training_and_count_nowhere():
    is_negative = np.zeros(len(Y), dtype=bool)
    is_negative[np.flatnonzero(~POSITIVE)[:9]] = True
    told = []

    class Recording(ALGORITHMS["prototype"]):
        def fit(self, X, y, *, is_negative=None):
            told.append(is_negative)
            return super().fit(X, y, is_negative=is_negative)

    outcome = hide_positives(Recording(), X, POSITIVE, is_negative, random_state=0)
    assert len(told) == 5
    for mask in told:
        assert_array_equal(mask, is_negative)
    n_unlabeled = len(Y) - POSITIVE.sum() - 9
    assert [len(s) - n for s, n in zip(outcome.scores, outcome.n_hidden, strict=True)] == (
        [n_unlabeled] * 5
    )


@pytest.mark.parametrize("share", [0.0, 1 / 560, 0.1, 1.0])
def test_each_training_accepts_the_share_that_is_given(share):
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, share=share, random_state=0
    )
    own = hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=0)
    for scores, is_accepted, expected, n_hidden in zip(
        outcome.scores, outcome.is_accepted, own.scores, outcome.n_hidden, strict=True
    ):
        assert_array_equal(scores, expected)
        assert is_accepted[n_hidden:].sum() == round(share * len(scores[n_hidden:]))
        if share:
            assert scores[is_accepted].min() > scores[~is_accepted].max(initial=-np.inf)


def test_figures_are_near_those_of_the_truth_where_labels_are_missing_at_random():
    outcome = hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=0)
    figures = hidden_figures(outcome)
    fitted = ALGORITHMS["prototype"]().fit(X, Y)
    hits = fitted.score_samples(X[~POSITIVE]) >= fitted.offset_
    truth = TRUTH[~POSITIVE] == 1
    recall, low, high = figures["recall"]

    assert low <= hits[truth].mean() <= high
    prior = (truth.mean(),) * 3
    with_prior = figures_with_prior(figures["recall"], figures["accepted"], prior)
    assert low < recall < high
    assert with_prior["precision"][1] <= truth[hits].mean() <= with_prior["precision"][2]


def test_recall_counts_each_positive_once():
    scores = np.array([2.0, 2, 0, 1, 0])
    outcome = HiddenPositives([scores, scores[1:]], [scores > 1, scores[1:] > 1], [3, 2])
    figures = hidden_figures(outcome)
    interval = binomtest(3, 5).proportion_ci(0.95)

    assert_allclose(figures["recall"], (0.6, interval.low, interval.high))
    assert figures["accepted"] == 0
    assert figures["lee_liu"] == 0


def test_trainings_weigh_by_what_was_hidden_from_them():
    # Both hidden positives of the first rank above all, the one of the second below all.
    scores = [np.array([3.0, 4, 1, 2]), np.array([0.0, 1, 2])]
    figures = hidden_figures(HiddenPositives(scores, [s > 2.5 for s in scores], [2, 1]))
    assert figures["auc_unlabeled"][0] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("recall", "prior"),
    [
        ((0.7, 0.5, 0.9), (0.2, 0.1, 0.35)),
        # Recall and prior account for all that is accepted at 0.4 / 0.9, inside.
        ((0.7, 0.5, 0.9), (0.4, 0.3, 0.6)),
        ((0.7, 0.5, 0.9), (0.7, 0.6, 0.8)),
        # All negatives are accepted at 0.6 / 0.9, inside.
        ((0.3, 0.1, 0.4), (0.6, 0.5, 0.9)),
    ],
)
def test_ends_are_the_least_and_largest_of_all_in_between(recall, prior):
    accepted = 0.4
    figures = figures_with_prior(recall, accepted, prior)
    priors = np.append(np.linspace(*prior[1:], 301), prior[0])
    grid = [
        pu_scores_of_rates(r, accepted, class_prior=p)
        | criteria_of_rates(r, accepted, class_prior=p)
        for r in np.linspace(*recall[1:], 5)
        for p in priors
    ]

    for name, (_, low, high) in figures.items():
        of_grid = [point[name] for point in grid]
        assert_allclose([min(of_grid), max(of_grid)], [low, high], atol=1e-3)
        assert low <= min(of_grid) + 1e-12
        assert max(of_grid) <= high + 1e-12


def test_repeats_give_means_and_the_interval_of_one_deal():
    each = [
        hidden_figures(
            hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=seed)
        )
        for seed in range(3)
    ]
    n_positive = POSITIVE.sum()
    figures = mean_figures(each, n_positive)
    recall, low, high = figures["recall"]

    for name in ("accepted", "lee_liu", "auc_unlabeled"):
        assert_allclose(figures[name], np.mean([one[name] for one in each], axis=0))
    assert recall == pytest.approx(np.mean([one["recall"][0] for one in each]))
    # Between those of the whole numbers around it.
    below, above = (
        binomtest(int(round_(recall * n_positive)), n_positive).proportion_ci()
        for round_ in (np.floor, np.ceil)
    )
    assert below.low <= low <= above.low
    assert below.high <= high <= above.high
    assert_allclose(mean_figures(each[:1], n_positive)["recall"], each[0]["recall"])


def test_one_positive_cannot_be_hidden():
    alone = np.arange(len(Y)) == 0
    with pytest.raises(TooFewPositives, match="at least two"):
        hide_positives(ALGORITHMS["prototype"](), X, alone, NEGATIVE)


@pytest.mark.parametrize("name", ["seed_expansion", "lp_pul", "prototype"])
def test_trainings_side_by_side_are_those_one_after_the_other(name):
    X, y, _ = make_pu_data(120, 10, random_state=0)
    classifier = ALGORITHMS[name]()
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=0)
    alone = hide_positives(classifier, X, y == 1, y == 2, random_state=0)
    with joblib.parallel_config("threading", n_jobs=2):
        beside = hide_positives(classifier, X, y == 1, y == 2, random_state=0)
    for one, other in zip(alone.scores, beside.scores, strict=True):
        assert one.tolist() == other.tolist()


def test_copies_are_hidden_together_and_count_once():
    once = hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=0)
    # The mean of the positives, all the prototype knows, is the same if each comes twice.
    twice = sp.vstack([X, X[POSITIVE]], format="csr")
    is_copy = np.ones(POSITIVE.sum(), dtype=bool)
    outcome = hide_positives(
        ALGORITHMS["prototype"](),
        twice,
        np.append(POSITIVE, is_copy),
        np.append(NEGATIVE, ~is_copy),
        random_state=0,
    )
    assert outcome.n_hidden == once.n_hidden
    for scores, expected in zip(outcome.scores, once.scores, strict=True):
        assert_allclose(scores, expected)


def test_copies_of_one_positive_cannot_be_hidden():
    same = sp.csr_array(X[np.flatnonzero(POSITIVE)[[0] * 5]])
    rows = sp.vstack([same, X[~POSITIVE]], format="csr")
    mask = np.arange(rows.shape[0]) < 5
    with pytest.raises(TooFewPositives, match="two different"):
        hide_positives(ALGORITHMS["prototype"](), rows, mask, ~mask & False, random_state=0)


def test_groups_may_have_any_numbers():
    numbers = np.arange(len(Y)) // 3
    outcomes = [
        hide_positives(
            ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, groups=groups, random_state=0
        )
        for groups in (numbers, 1000 + numbers)
    ]
    n_groups = len(set(numbers[POSITIVE]))
    for outcome in outcomes:
        assert sum(outcome.n_hidden) == n_groups
    for scores, others in zip(*(outcome.scores for outcome in outcomes), strict=True):
        assert_allclose(scores, others)


def test_where_only_empty_positives_would_be_left_nothing_is_hidden():
    rows = sp.vstack([X[[0] * 4], sp.csr_array((1, X.shape[1])), X[~POSITIVE]], format="csr")
    mask = np.arange(rows.shape[0]) < 5
    with pytest.raises(TooFewPositives, match="empty"):
        hide_positives(ALGORITHMS["prototype"](), rows, mask, ~mask & False, random_state=0)
