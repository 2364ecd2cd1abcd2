import numpy as np
import pytest

from core.calibration.f1_cut import f1_cut
from core.calibration.score_calibration import ScoreCalibration

SCORES = np.random.default_rng(0).permutation(np.linspace(-1, 1, 41))


def n_accepted(cut, scores=SCORES):
    return int((scores >= cut.offset).sum())


@pytest.mark.parametrize("interval", [None, (0.05, 0.5)])
def test_f1_is_the_best_of_all_cuts_on_average(interval):
    ranks = np.array([0.97, 0.9, 0.7])
    calibration = ScoreCalibration(0.2, interval=interval).fit(SCORES, ranks)
    places = np.sort(SCORES)[::-1]
    expected = []
    for n in range(1, 42):
        of_priors = []
        for probabilities in calibration.alternatives_:
            # All 41 scores are knots, ascending.
            found = probabilities[::-1][:n].sum()
            of_priors.append(2 * found / (n + probabilities.sum()))
        expected.append(np.mean(of_priors))
    best = f1_cut(SCORES, calibration)
    assert len(calibration.alternatives_) == (5 if interval else 1)
    assert n_accepted(best, places) == np.argmax(expected) + 1


@pytest.mark.parametrize("n_sampled", [41, 7])
def test_beside_f1_few_edges_leave_what_is_accepted(n_sampled):
    calibration = ScoreCalibration(0.2).fit(SCORES, np.array([0.97, 0.9, 0.7]))
    alone = n_accepted(f1_cut(SCORES, calibration), SCORES)
    # Of a sample, the share of it that is accepted tells where.
    conductance = np.full(n_sampled, 0.5)
    same = f1_cut(SCORES, calibration, conductance)
    assert n_accepted(same, SCORES) == alone
    place = 2 * n_sampled // 7
    conductance[place - 1] = 0.05
    there = f1_cut(SCORES, calibration, conductance)
    assert n_accepted(there, SCORES) == pytest.approx(place * 41 / n_sampled, abs=1)
    assert n_accepted(there, SCORES) > alone

    expected = calibration.expected_f1(np.sort(SCORES)[::-1])
    places = np.arange(1, 42) / 41
    staying = 1 - np.interp(places, np.arange(1, n_sampled + 1) / n_sampled, conductance)
    assert n_accepted(there, SCORES) == np.argmax(expected * staying**0.35) + 1


def test_where_all_edges_leave_f1_alone_decides():
    calibration = ScoreCalibration(0.2).fit(SCORES, np.array([0.97, 0.9, 0.7]))
    assert f1_cut(SCORES, calibration, np.ones(41)) == f1_cut(SCORES, calibration)


def test_f1_accepts_equal_scores_together():
    scores = np.repeat([3.0, 2.0, 1.0, 0.0], [2, 5, 20, 30])
    calibration = ScoreCalibration(0.1).fit(scores, np.array([0.95, 0.9]))
    probabilities = calibration.predict(scores)
    expected = {n: 2 * probabilities[:n].sum() / (n + probabilities.sum()) for n in (2, 7, 27)}
    assert n_accepted(f1_cut(scores, calibration), scores) == max(expected, key=expected.get)


def test_f1_gives_no_cut_where_accepting_all_is_best():
    # Each is positive with probability .9: more accepted are as precise and recall more.
    calibration = ScoreCalibration(0.9)
    calibration.scores_, calibration.alternatives_ = np.array([-1.0, 1]), np.full((1, 2), 0.9)
    assert f1_cut(SCORES, calibration) == (None, "accepts_all")
    # A graph tells of parts, not of all.
    assert f1_cut(SCORES, calibration, np.linspace(0.5, 1, 41)) == (None, "accepts_all")
