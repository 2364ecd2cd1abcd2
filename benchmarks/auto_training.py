"""What ``algorithm="auto"`` does, by steps: likeness, race, fit, class prior and cut."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from core.auto.candidates import auto_candidates
from core.auto.entries import Candidate, Entry
from core.auto.likeness import Likeness, find_likeness
from core.auto.race import race
from core.auto.winner import winner
from core.base import BasePUClassifier
from core.calibration.calibrate import calibrate
from core.calibration.calibrated import Calibrated
from core.kernels.rows.row_blocks import has_entries
from core.pipeline import make_text_classifier
from core.shared_work import sharing

#: Default of the service.
TIME_BUDGET = 600.0

Seconds = dict[str, tuple[float, float]]


class AutoTraining(NamedTuple):
    """What came of it; ``scores`` are those of all documents, ``seconds`` wall and processor."""

    entries: list[Entry]
    taken: Entry
    classifier: BasePUClassifier
    scores: NDArray[np.float64]
    found: Calibrated
    seconds: Seconds


def train(counts: sp.csr_array, y: NDArray[np.int64], random_state: int) -> AutoTraining:
    """Train as the service does where no algorithm, no class prior and no cut is named."""
    is_positive, seconds = y == 1, Seconds()
    is_negative = np.zeros_like(is_positive)
    with sharing():
        with timed(seconds, "alike"):
            alike = find_likeness(
                counts, is_positive, seconds=TIME_BUDGET, random_state=random_state
            )
        with timed(seconds, "race"):
            candidates, _ = auto_candidates(counts, is_positive.sum(), 0, seconds=TIME_BUDGET)
            entries = race(
                counts,
                is_positive,
                is_negative,
                candidates,
                seconds=TIME_BUDGET,
                random_state=random_state,
                train=partial(trained, y, random_state),
            )
            taken = entries[winner(entries)]
        with timed(seconds, "fit"):
            X, classifier = fitted(taken, counts, y, random_state)
            scores, is_empty = classifier.training_scores(X), ~has_entries(X)
        with timed(seconds, "calibrate"):
            found, scores = calibrated(
                taken, classifier, scores, alike, is_positive, is_empty, random_state
            )
    return AutoTraining(entries, taken, classifier, scores, found, seconds)


def calibrated(
    taken: Entry,
    classifier: BasePUClassifier,
    scores: NDArray[np.float64],
    alike: Likeness,
    is_positive: NDArray[np.bool_],
    is_empty: NDArray[np.bool_],
    random_state: int,
) -> tuple[Calibrated, NDArray[np.float64]]:
    """Find class prior, probabilities and cuts; the classifier gets the cut of largest F1."""
    is_negative = np.zeros_like(is_positive)
    labels = is_positive, is_negative
    found = calibrate(
        classifier,
        scores,
        *labels,
        outcome=taken.outcome,
        is_empty=is_empty,
        left_out=taken.outcome and alike.left_out_ranks(*labels, random_state=random_state),
        neighbors=alike.neighbors(*labels, random_state=random_state),
        random_state=random_state,
    )
    _, _, scores = found.apply("f1", classifier, scores, *labels, is_empty)
    return found, scores


@contextmanager
def timed(seconds: Seconds, step: str) -> Iterator[None]:
    wall, processor = time.monotonic(), time.process_time()
    yield
    seconds[step] = (time.monotonic() - wall, time.process_time() - processor)


def fitted(
    taken: Entry, counts: sp.csr_array, y: NDArray[np.int64], random_state: int
) -> tuple[sp.csr_array, Any]:
    X = pipeline_of(taken.candidate, random_state)["weights"].fit_transform(counts)
    return X, taken.trained or trained(y, random_state, taken.candidate, X)


def trained(
    y: NDArray[np.int64], random_state: int, candidate: Candidate, X: sp.csr_array
) -> BasePUClassifier:
    return pipeline_of(candidate, random_state)["classifier"].fit(X, y)


def pipeline_of(candidate: Candidate, random_state: int) -> Pipeline:
    return make_text_classifier(
        candidate.algorithm,
        candidate.params,
        pos_label=1,
        random_state=random_state,
    )
