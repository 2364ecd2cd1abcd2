from typing import Any

import numpy as np
import pytest

from app.services.documents.labels import Labels
from app.services.training import calibrating
from core.calibration.calibrated import Calibrated
from core.calibration.cuts import Cut
from core.class_prior.prior_estimate import PriorEstimate
from core.datasets import make_pu_data
from core.registry import ALGORITHMS
from core.review.expected import Expected
from core.review.reading import Reading
from tests.app.services.corpora import training_spec

X, Y, _ = make_pu_data(200, 10, random_state=0)
NONE = np.zeros(len(Y), dtype=bool)


def test_a_cut_that_accepts_nothing_says_why_it_has_no_precision() -> None:
    probabilities = [np.array([0.9, 0.2], dtype=np.float32)] * 3
    told = calibrating.cut_figures(Cut(3.0), np.array([2.0, 1.0]), probabilities)

    assert (told["n_accepted"], told["precision"], told["f1"]) == (0, None, None)
    assert told["reason"] == "nothing_predicted"
    assert told["n_hidden"]["value"] == pytest.approx(1.1)
    assert calibrating.cut_figures(Cut(1.5), np.array([2.0, 1.0]), [])["reason"] is None


def test_where_all_is_judged_a_cut_has_nothing_to_accept() -> None:
    told = calibrating.cut_figures(Cut(3.0), np.zeros(0), [])
    assert (told["offset"], told["n_accepted"], told["reason"]) == (3.0, 0, "no_unlabeled")


def test_no_cut_accepts_empty_documents() -> None:
    scores, is_positive = np.array([0.9, 0.7, 0.3, 0.6]), np.array([True, False, False, False])
    labels = Labels(is_positive, np.zeros(4, dtype=bool), np.zeros(4, dtype=bool))
    # The last one is just below the cut by F1.
    cuts = {"f1": Cut(0.65), "own": Cut(0.2)}
    found = Calibrated(PriorEstimate(0.5, 0.4, 0.6), None, cuts, scores[1:3])
    chosen = calibrating.ChosenCut(found, "f1", "f1", np.arange(4) == 3)
    card = calibrating.card_fields(chosen, labels, {"scores": scores})
    assert [card["cuts"][rule]["n_accepted"] for rule in ("f1", "own")] == [1, 2]


def hide(is_negative: Any = NONE, is_judged: Any = NONE, *, asked: bool = True) -> Any:
    labels = Labels(Y == 1, is_negative, is_judged)
    spec = training_spec(calibrate=asked)
    return calibrating.hide(spec, ALGORITHMS["prototype"](), X, labels)


def test_only_seeds_are_hidden() -> None:
    is_judged = NONE.copy()
    is_judged[np.flatnonzero(Y == 1)[6:]] = True
    assert is_judged.sum() >= 6
    assert sum(hide(is_judged=is_judged).outcome.n_hidden) == 6


@pytest.mark.parametrize(
    ("asked", "is_negative", "reason"),
    [(False, NONE, "not_asked"), (True, Y != 1, "no_unlabeled")],
)
def test_what_is_not_hidden_has_a_reason(asked: bool, is_negative: Any, reason: str) -> None:
    assert hide(is_negative, asked=asked) == calibrating.Hidden(None, reason)


@pytest.mark.parametrize(
    ("expected", "n_unsure", "is_told"),
    [
        ((700, 600, 780), 0, True),
        ((31, 29, 50), 0, False),
        # Each of the unsure may be positive.
        ((700, 600, 780), 760, False),
        ((700, 600, 780), 40, True),
    ],
)
def test_order_and_seeds_that_contradict_each_other_are_a_warning(
    expected: tuple[float, float, float], n_unsure: int, *, is_told: bool
) -> None:
    # Two seeds, 30 that were found first of all, 170 negatives, and 800 unsure or not read.
    place = np.arange(1002)
    is_judged = (place >= 2) & (place < 202 + n_unsure)
    reading = Reading(np.arange(200 + n_unsure) < 30, 800 - n_unsure)
    labels = Labels(place < 32, (place >= 32) & (place < 202), is_judged, reading)
    prior, is_empty = PriorEstimate(0.1, 0.05, 0.2), np.zeros(1002, dtype=bool)
    found = Calibrated(prior, None, {}, np.zeros(800), expected=Expected(*expected))

    told = calibrating.contradiction(calibrating.ChosenCut(found, "prior", "f1", is_empty), labels)

    assert len(told) == is_told
    assert all("at the start, 570 to 750." in each for each in told)
    silent = calibrating.ChosenCut(found._replace(expected=None), "prior", "f1", is_empty)
    assert calibrating.contradiction(silent, labels) == []
