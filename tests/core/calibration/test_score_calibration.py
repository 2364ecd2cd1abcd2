from statistics import NormalDist

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.special import expit, logit

from core.calibration.score_calibration import ScoreCalibration
from core.calibration.slopes import BELIEF, SLOPES
from core.evaluation.hide_judgements import Judged


def sample(n_unlabeled=20_000, class_prior=0.2, n_positive=500, seed=0):
    """Scores of two normal distributions, whose probabilities are known, and hidden positives."""
    random = np.random.default_rng(seed)
    is_positive = random.random(n_unlabeled) < class_prior
    scores = random.normal(np.where(is_positive, 1.5, -1.5), 1)
    hidden = random.normal(1.5, 1, size=n_positive)
    ranks = np.clip(np.searchsorted(np.sort(scores), hidden), 0.5, n_unlabeled - 0.5) / n_unlabeled
    truth = expit(3 * scores + np.log(class_prior / (1 - class_prior)))
    return scores, ranks, truth


@pytest.mark.parametrize("class_prior", [0.02, 0.2, 0.6])
def test_probabilities_of_normal_classes_are_found(class_prior):
    scores, ranks, truth = sample(class_prior=class_prior)
    found = ScoreCalibration(class_prior).fit(scores, ranks).predict(scores)
    assert np.abs(found - truth).mean() < 0.02


def slow_probabilities(scores, ranks, class_prior):
    """Weigh the curve of each slope by its likelihood; equal scores have the mean of theirs."""
    places = logit((np.arange(len(scores)) + 0.5) / len(scores))
    log_weights, curves = [], []
    for slope, belief in zip(SLOPES, BELIEF, strict=True):
        lowered = brentq(lambda b, s=slope: expit(s * places - b).mean() - class_prior, -200, 200)
        density = expit(slope * logit(ranks) - lowered) / class_prior
        log_weights.append(np.log(belief) + np.log(density).sum())
        curves.append(expit(slope * places - lowered))
    by_place = np.average(curves, axis=0, weights=np.exp(log_weights - np.max(log_weights)))
    ascending = np.sort(scores)
    return np.array([by_place[ascending == score].mean() for score in scores])


@pytest.mark.parametrize("n_decimals", [0, 1, 8])
@pytest.mark.parametrize("class_prior", [0.05, 0.4])
def test_probabilities_equal_those_of_the_slow_twin(class_prior, n_decimals):
    scores = np.random.default_rng(0).normal(size=120).round(n_decimals)
    ranks = np.array([0.99, 0.97, 0.9, 0.8, 0.6, 0.3])
    found = ScoreCalibration(class_prior).fit(scores, ranks).predict(scores)
    assert_allclose(found, slow_probabilities(scores, ranks, class_prior), atol=1e-9)


@pytest.mark.parametrize("n_unlabeled", [2, 10, 1000, 50_000])
def test_mean_probability_is_the_class_prior(n_unlabeled):
    scores, _, _ = sample(n_unlabeled)
    ranks = np.array([0.7, 0.95])
    found = ScoreCalibration(0.3).fit(scores, ranks).predict(scores)
    assert found.mean() == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize("n_unlabeled", [10, 1000, 50_000])
@pytest.mark.parametrize("class_prior", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("ranks", [np.linspace(0.01, 0.99, 500), np.full(500, 0.999)])
def test_mean_probability_is_the_class_prior_of_flat_and_of_steep_curves(
    n_unlabeled, class_prior, ranks
):
    # The ends of the slopes: the one ranking knows nothing, the other all.
    scores = np.arange(float(n_unlabeled))
    found = ScoreCalibration(class_prior).fit(scores, ranks).predict(scores)
    assert found.mean() == pytest.approx(class_prior, abs=1e-3)


@pytest.mark.parametrize("class_prior", [0.02, 0.3, 0.9])
def test_where_positives_rank_all_over_each_probability_is_the_class_prior(class_prior):
    # A share of the positives as large as that of all samples is above any score.
    scores, uniform = np.arange(2000.0), (np.arange(1000) + 0.5) / 1000
    found = ScoreCalibration(class_prior).fit(scores, uniform).predict(scores)
    assert_allclose(found, class_prior, rtol=0.01)


def test_few_positives_that_rank_all_over_promise_little_at_the_top():
    scores, uniform = np.arange(2000.0), (np.arange(10) + 0.5) / 10
    found = ScoreCalibration(0.1).fit(scores, uniform).predict(scores)
    assert found.max() < 2 * 0.1


@pytest.mark.parametrize("spread", [1e-9, 1.0, 1e9])
def test_probabilities_ascend_with_the_score_and_stay_in_bounds(spread):
    scores, ranks, _ = sample(500)
    calibration = ScoreCalibration(0.2).fit(spread * scores, ranks[:5])
    beyond = spread * np.linspace(-100, 100, 2001)
    found = calibration.predict(beyond)
    assert (np.diff(found) >= 0).all()
    assert 0 <= found[0] <= found[-1] <= 1


def test_equal_scores_have_one_probability_that_keeps_the_mean():
    scores = np.repeat([0.0, 1.0], [80, 20])
    found = ScoreCalibration(0.1).fit(scores, np.array([0.9, 0.9])).predict(scores)
    assert len(np.unique(found)) == 2
    assert found.mean() == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("n_equal", [50, 2000, 20_000])
@pytest.mark.parametrize("place", [0, 1500, 2941])
def test_a_score_of_many_samples_among_many_scores_keeps_the_mean(n_equal, place):
    distinct = np.arange(3000.0)
    scores = np.concatenate([distinct, np.full(n_equal, distinct[place])])
    ranks = np.array([0.99, 0.97, 0.95, 0.9, 0.85])
    calibration = ScoreCalibration(0.05).fit(scores, ranks)
    assert calibration.predict(scores).mean() == pytest.approx(0.05, abs=1e-3)


def test_scores_equal_but_for_rounding_have_one_probability():
    ranks = np.array([0.7, 0.8, 0.95])
    equal, noisy = np.repeat([-0.7, 0.1, 0.9], [40, 5, 5]), np.repeat([-0.7, 0.1, 0.9], [40, 5, 5])
    noisy[20:40] = np.nextafter(-0.7, 0)
    expected = ScoreCalibration(0.2).fit(equal, ranks).predict(equal)
    assert_allclose(ScoreCalibration(0.2).fit(noisy, ranks).predict(noisy), expected, rtol=1e-9)


def test_all_scores_equal_give_the_class_prior():
    found = ScoreCalibration(0.1).fit(np.ones(50), np.array([0.5, 0.5])).predict(np.ones(3))
    assert found == pytest.approx(0.1, abs=1e-6)


def test_positives_at_the_top_sharpen_and_positives_all_over_blur():
    scores = np.linspace(0, 1, 1000)
    top, all_over = np.linspace(0.91, 0.999, 30), np.linspace(0.01, 0.99, 30)
    sharp, blurred = (ScoreCalibration(0.1).fit(scores, ranks) for ranks in (top, all_over))
    assert sharp.slope_ > 3 > blurred.slope_
    assert sharp.predict(np.array([0.99])) > blurred.predict(np.array([0.99]))


def test_of_an_uncertain_prior_the_probability_is_the_mean_over_equally_likely_ones():
    scores, ranks, _ = sample(400)
    uncertain = ScoreCalibration(0.1, interval=(0.02, 0.3)).fit(scores, ranks[:5])
    # The ends are 2.3263 standard deviations away, the first and the last percentile.
    deviations = NormalDist().inv_cdf(0.9), NormalDist().inv_cdf(0.7)
    shares = [0.1, *(0.1 * (0.3 / 0.1) ** (z / 2.3263479) for z in deviations)]
    shares += [0.1 * (0.02 / 0.1) ** (z / 2.3263479) for z in deviations]
    alone = [ScoreCalibration(share).fit(scores, ranks[:5]).predict(scores) for share in shares]
    assert_allclose(uncertain.predict(scores), np.mean(alone, axis=0), atol=1e-9)


def test_a_quantile_takes_one_slope():
    scores, ranks, _ = sample(400)
    rank_logits = logit((np.arange(400) + 0.5) / 400)
    order = np.argsort(scores)
    for quantile in (0.05, 0.95):
        curve = ScoreCalibration(0.2, slope_quantile=quantile).fit(scores, ranks[:5])
        found = curve.predict(scores[order])
        inner = (found > 1e-6) & (found < 1 - 1e-6)
        slopes = np.diff(logit(found[inner])) / np.diff(rank_logits[inner])
        assert_allclose(slopes, curve.slope_, rtol=1e-3)


@pytest.mark.parametrize("interval", [(0.2, 0.3), (0, 0.3), (0.05, 1)])
def test_an_interval_that_does_not_hold_the_prior_is_refused(interval):
    with pytest.raises(ValueError, match="interval"):
        ScoreCalibration(0.1, interval=interval).fit(np.arange(3.0), np.array([0.5]))


def test_a_prior_outside_is_refused():
    with pytest.raises(ValueError, match="class_prior"):
        ScoreCalibration(1.0).fit(np.arange(3.0), np.array([0.5]))


@pytest.mark.parametrize(
    ("scores", "ranks", "words"),
    [
        ([0.0, 1.0], [1.0, 0.9], r"shares in \(0, 1\)"),
        ([0.0, 1.0], [0.0], r"shares in \(0, 1\)"),
        ([0.0, 1.0], [np.nan], r"shares in \(0, 1\)"),
        ([], [0.5], "no score of an unlabeled sample"),
        ([-np.inf, 0, 1], [0.5], "infinity"),
        ([np.nan, 0, 1], [0.5], "NaN"),
    ],
)
def test_what_gives_no_probabilities_is_refused(scores, ranks, words):
    with pytest.raises(ValueError, match=words):
        ScoreCalibration(0.3).fit(np.array(scores), np.array(ranks))


def judged_sample(n=20_000, class_prior=0.2, n_judged=600, seed=0):
    """Scores of two normal classes, of which the highest and some others were judged."""
    random = np.random.default_rng(seed)
    is_positive = random.random(n) < class_prior
    scores = random.normal(np.where(is_positive, 1.5, -1.5), 1)
    is_judged = random.random(n) < np.where(scores > 1, 0.5, 0.005)
    is_judged &= np.cumsum(is_judged) <= n_judged
    left = is_positive[~is_judged].mean()
    return scores[~is_judged], Judged(scores[is_judged], is_positive[is_judged]), left


@pytest.mark.parametrize("class_prior", [0.02, 0.2, 0.6])
def test_probabilities_of_normal_classes_are_found_by_what_was_judged(class_prior):
    scores, judged, left = judged_sample(class_prior=class_prior)
    calibration = ScoreCalibration(left).fit_judged(scores, judged)
    # By the densities of the classes, at scores that were judged as at others.
    asked = np.linspace(-4, 4, 81)
    truth = expit(3 * asked + np.log(class_prior / (1 - class_prior)))
    weights = np.exp(-((asked - 1.5) ** 2) / 2) + np.exp(-((asked + 1.5) ** 2) / 2)
    assert np.average(np.abs(calibration.predict(asked) - truth), weights=weights) < 0.03


@pytest.mark.parametrize("n", [60, 1000, 50_000])
@pytest.mark.parametrize("class_prior", [0.02, 0.3])
def test_mean_probability_of_what_is_left_is_the_class_prior(n, class_prior):
    scores, judged, _ = judged_sample(n)
    found = ScoreCalibration(class_prior).fit_judged(scores, judged).predict(scores)
    assert found.mean() == pytest.approx(class_prior, abs=2e-3)


@pytest.mark.parametrize("n", [60, 50_000])
@pytest.mark.parametrize("class_prior", [0.02, 0.3])
def test_mean_probability_is_the_class_prior_where_many_scores_are_equal(n, class_prior):
    scores, judged, _ = judged_sample(n)
    scores, judged = (scores > 0).astype(float), Judged((judged.scores > 0) * 1.0, judged[1])
    found = ScoreCalibration(class_prior).fit_judged(scores, judged).predict(scores)
    assert found.mean() == pytest.approx(class_prior, rel=1e-2)


def test_judgements_that_scores_say_nothing_of_make_all_as_probable():
    scores, random = np.arange(2000.0), np.random.default_rng(0)
    judged = Judged(random.uniform(0, 2000, 1000), random.random(1000) < 0.3)
    found = ScoreCalibration(0.3).fit_judged(scores, judged).predict(scores)
    assert_allclose(found, 0.3, atol=0.05)


def test_more_judgements_make_the_curve_as_sharp_as_they_are():
    scores = np.linspace(0, 1, 1001)
    slopes = []
    for n in (4, 40, 400):
        places = np.linspace(0.5, 1, n)
        judged = Judged(places, places > 0.75)
        # A quarter is positive, and nothing below the place that parts them.
        slopes.append(ScoreCalibration(0.25).fit_judged(scores, judged).slope_)
    assert slopes == sorted(slopes)
    assert slopes[0] < 6 < 10 < slopes[-1]
