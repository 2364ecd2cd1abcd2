"""Specification F9, by its point-wise F3 and by slow twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import precision_recall_curve, roc_curve

from core.errors import BadParameter
from core.evaluation.hide_positives import HiddenPositives
from core.evaluation.pu_curve import curve_with_prior, hidden_places, recall_curve
from core.pu_rates import pu_scores_of_rates

RNG = np.random.default_rng(0)


def outcome(n_hidden, n_unlabeled, scale):
    scores = np.round(scale * RNG.normal(size=n_hidden + n_unlabeled), 2)
    scores[:n_hidden] += scale
    return HiddenPositives([scores], [scores > 0], [n_hidden])


def test_each_point_counts_what_is_above_the_cut_in_each_training():
    outcomes = [outcome(5, 40, 1.0), outcome(4, 40, 100.0)]
    accepted, recall = recall_curve(np.concatenate([hidden_places(each) for each in outcomes]))

    for share, found in zip(accepted[1:-1], recall[1:-1], strict=True):
        n_found = 0
        for each in outcomes:
            hidden, unlabeled = np.split(each.scores[0], each.n_hidden)
            n_found += sum((unlabeled >= score).mean() <= share + 1e-9 for score in hidden)
        assert_allclose(found, n_found / 9)
    assert (accepted[-1], recall[-1]) == (1, 1)


def test_equal_scores_have_no_point_but_the_ends():
    equal = HiddenPositives([np.ones(50)], [np.ones(50, dtype=bool)], [10])
    accepted, recall = recall_curve(hidden_places(equal))
    assert (accepted.tolist(), recall.tolist()) == ([0, 1], [0, 1])
    assert curve_with_prior(accepted, recall, 0.1)[1][-1] == 0.1


def test_points_are_bounded_and_ascend():
    accepted, recall = recall_curve(hidden_places(outcome(500, 2000, 1.0)), n_points=20)

    assert len(accepted) == len(recall) == 20
    assert (np.diff(accepted) > 0).all()
    assert (np.diff(recall) >= 0).all()


def test_points_are_those_of_rates_made_monotone():
    accepted, recall = recall_curve(hidden_places(outcome(30, 300, 1.0)))
    rate, precision = curve_with_prior(accepted, recall, 0.2)
    points = [
        pu_scores_of_rates(r, a, class_prior=0.2) for a, r in zip(accepted, recall, strict=True)
    ]

    rates = [point["false_positive_rate"] for point in points]
    assert_allclose(rate, [max(rates[: i + 1]) for i in range(len(rates))])
    as_it_is = np.isclose(rate, rates) & (accepted > 0)
    assert as_it_is.sum() > 10
    assert_allclose(precision[as_it_is], np.array([p["precision"] for p in points])[as_it_is])


@pytest.mark.parametrize("class_prior", [0.02, 0.2, 0.7, 0.98])
def test_recall_rate_and_precision_hold_at_one_cut(class_prior):
    # At the first point more positives are found than are accepted for most of the class priors,
    # at the others more is accepted than positives and negatives together for the last.
    accepted, recall = np.array([0.1, 0.6, 0.7, 1.0]), np.array([0.4, 0.5, 0.9, 1.0])
    rate, precision = curve_with_prior(accepted, recall, class_prior)

    n_found, n_wrong = class_prior * recall, (1 - class_prior) * rate
    assert_allclose(precision, n_found / (n_found + n_wrong))
    assert (np.diff(rate) >= 0).all()
    assert (rate[-1], precision[-1]) == (1, pytest.approx(class_prior))


def test_curves_are_the_true_ones_where_labels_are_missing_at_random():
    truth = np.repeat([1, 0], [60, 140])
    scores = RNG.permutation(200) + 80 * truth
    # All the hidden positives of the pile are labeled once more.
    twice = np.append(scores[:60], scores)
    places = hidden_places(HiddenPositives([twice], [twice > 0], [60]))
    accepted, recall = recall_curve(places)
    rate, precision = curve_with_prior(accepted, recall, 0.3)

    true_rate, true_recall, _ = roc_curve(truth, scores, drop_intermediate=False)
    expected = [true_rate[true_recall >= r - 1e-9].min() for r in recall[:-1]] + [1]
    assert_allclose(rate, expected, atol=1e-9)
    true_precision, recalls, _ = precision_recall_curve(truth, scores)
    best = [true_precision[np.isclose(recalls, r)].max() for r in recall[1:-1]]
    assert_allclose(precision[1:-1], best)


@pytest.mark.parametrize("values", [[], [0.2, np.nan], [0.2, 1.5], [-0.1], [[0.2]], 0.2, None])
@pytest.mark.parametrize("name", ["places", "accepted", "recall"])
def test_what_is_no_share_is_refused_by_its_name(name, values):
    given = {"accepted": [0.2], "recall": [0.4], "class_prior": 0.3} | {name: values}
    function = curve_with_prior
    if name == "places":
        function, given = recall_curve, {"places": values}
    with pytest.raises(BadParameter, match=f"^{name} must be one or more shares") as refused:
        function(**given)
    assert refused.value.name == name


def test_shares_of_a_curve_go_together_and_may_be_lists():
    assert curve_with_prior([0.5, 1.0], [1.0, 1.0], 0.5)[1].tolist() == [1.0, 0.5]
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        curve_with_prior([0.2, 0.4], [0.4], 0.3)


@pytest.mark.parametrize("n_points", [1, 0, -1, 2.5, True, np.nan, None])
def test_fewer_points_than_the_ends_are_refused(n_points):
    with pytest.raises(ValueError, match="'n_points' parameter"):
        recall_curve([0.0, 0.25], n_points=n_points)


def test_more_points_than_there_are_mean_all():
    accepted, recall = recall_curve([0.0, 0.25], n_points=10**30)
    assert (accepted.tolist(), recall.tolist()) == ([0, 0.25, 1], [0.5, 1, 1])
