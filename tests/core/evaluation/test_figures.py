"""Specification part F: figures without negatives, of hidden positives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binomtest
from sklearn.exceptions import UndefinedMetricWarning

from core.class_prior.prior_estimate import PriorEstimate
from core.datasets import make_pu_data
from core.evaluation.figures import figures_with_prior, hidden_figures, mean_figures
from core.evaluation.hide_positives import HiddenPositives, hide_positives
from core.pu_rates import (
    criteria_of_rates,
    is_prior_contradicted,
    is_prior_too_large,
    pu_scores_of_rates,
)
from core.registry import ALGORITHMS

X, Y, TRUTH = make_pu_data(600, 40, class_prior=0.3, random_state=0)
POSITIVE, NEGATIVE = Y == 1, np.zeros(len(Y), dtype=bool)


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


def test_without_a_cut_there_is_no_recall():
    scores = np.array([3.0, 1, 2, 0])
    figures = hidden_figures(HiddenPositives([scores], [scores > 3], [1], has_cut=False))

    for told in (figures, mean_figures([figures, figures], 1)):
        assert (told["recall"], told["lee_liu"]) == (None, None)
        assert (told["accepted"], told["auc_unlabeled"][0]) == (0, 1)


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


def test_a_class_prior_that_is_known_has_no_ends():
    recall = (0.8, 0.6, 0.9)
    assert figures_with_prior(recall, 0.4, 0.3) == figures_with_prior(recall, 0.4, (0.3,) * 3)


def test_an_estimate_is_a_prior_with_its_ends():
    estimate = PriorEstimate(0.3, 0.2, 0.4, 0.5, flags=("wide_interval",), details={})
    recall = (0.8, 0.6, 0.9)
    assert figures_with_prior(recall, 0.4, estimate) == figures_with_prior(
        recall, 0.4, (0.3, 0.2, 0.4)
    )


@pytest.mark.parametrize(
    ("recall", "accepted", "prior", "why"),
    [
        # .5 * .6 = .3 of the samples are found positives, and .2 are accepted.
        ((0.7, 0.5, 0.9), 0.2, (0.7, 0.6, 0.8), "account for more than the share 0.2"),
        # .7 * .6 = .42 are missed positives, and .3 are not accepted.
        ((0.2, 0.1, 0.3), 0.7, (0.7, 0.6, 0.8), "leave room for less than the share 0.7"),
    ],
)
def test_a_prior_that_no_end_allows_is_warned_of(recall, accepted, prior, why):
    with pytest.warns(UndefinedMetricWarning, match=why) as told:
        figures_with_prior(recall, accepted, prior)
    assert [warning.filename for warning in told] == [__file__]


@pytest.mark.parametrize(("recall", "accepted"), [((0.7, 0.5, 0.9), 0.4), ((0.2, 0.1, 0.5), 0.6)])
def test_a_prior_that_an_end_allows_is_not_warned_of(recall, accepted):
    prior = (0.7, 0.6, 0.8)
    assert is_prior_too_large(recall[0], accepted, 0.7) or is_prior_contradicted(
        recall[0], accepted, 0.7
    )
    assert figures_with_prior(recall, accepted, prior)["precision"].low < 1


def test_ends_in_the_wrong_order_and_no_estimate_are_refused():
    with pytest.raises(ValueError, match=r"class_prior must be value, lower and upper end"):
        figures_with_prior((0.8, 0.6, 0.9), 0.4, (0.3, 0.4, 0.2))
    with pytest.raises(ValueError, match=r"class_prior has no value: .*too_few_positives"):
        figures_with_prior((0.8, 0.6, 0.9), 0.4, PriorEstimate(None, reason="too_few_positives"))


@pytest.mark.parametrize(
    ("recall", "accepted", "prior", "name"),
    [
        ((80, 60, 90), 0.4, 0.3, "recall"),
        ((np.nan, 0.6, 0.9), 0.4, 0.3, "recall"),
        (0.8, 40, 0.3, "accepted"),
        (0.8, -0.1, 0.3, "accepted"),
        (0.8, 0.4, (0.3, 0.2, 1.1), "class_prior"),
    ],
)
def test_figures_of_what_is_no_share_are_refused(recall, accepted, prior, name):
    with pytest.raises(ValueError, match=rf"^{name} must be in \[0, 1\]"):
        figures_with_prior(recall, accepted, prior)


@pytest.mark.parametrize("recall", [None, "0.8", (0.8, 0.6), [], {0.8, 0.6, 0.9}])
def test_what_is_no_figure_is_refused_by_its_name(recall):
    with pytest.raises(ValueError, match="recall must be a number, or value, lower and"):
        figures_with_prior(recall, 0.4, 0.3)


def test_figures_may_be_arrays():
    expected = figures_with_prior((0.8, 0.6, 0.9), 0.4, 0.3)
    assert figures_with_prior(np.array([0.8, 0.6, 0.9]), np.array(0.4), np.float64(0.3)) == expected


@pytest.mark.parametrize("n_positive", [0, -1, 2.5, np.nan, np.inf])
def test_means_of_no_deal_or_no_positive_are_refused(n_positive):
    with pytest.raises(ValueError, match="each must hold"):
        mean_figures([], 2)
    with pytest.raises(ValueError, match="'n_positive' parameter"):
        mean_figures([{}], n_positive)
