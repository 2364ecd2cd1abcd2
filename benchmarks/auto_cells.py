"""Cells of the measure of ``algorithm="auto"``: what it says of itself beside the truth."""

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks import auto_training
from benchmarks.auto_training import AutoTraining
from benchmarks.cell_making import fill
from benchmarks.cells import Cell, Key, Quality, f1
from benchmarks.protocol import Task
from core.calibration.expected_figures import expected_figures
from core.plain_file import library_versions

N_BINS = 10


class AutoQuality(Quality):
    """Figures over the unlabeled documents; None where there is no estimate.

    ``f1`` is at the cut of auto, ``f1_X`` at rule X. Of the class prior: estimate, its ends, the
    true share, the absolute error, whether the ends hold the truth (0 or 1). Of the precision at
    the cut: the true and the expected one, the expected less the true, and without sign. Whether
    the ends of what is expected hold the truth: precision, recall, F1, number of positives.
    """

    f1_own: float | None = None
    f1_prior: float | None = None
    f1_lee_liu: float | None = None
    f1_conductance: float | None = None
    f1_mixture: float | None = None
    prior: float | None = None
    prior_low: float | None = None
    prior_high: float | None = None
    prior_true: float | None = None
    prior_error: float | None = None
    prior_covered: float | None = None
    calibration_error: float | None = None
    precision: float | None = None
    precision_expected: float | None = None
    precision_signed: float | None = None
    precision_error: float | None = None
    precision_covered: float | None = None
    recall_covered: float | None = None
    f1_covered: float | None = None
    n_hidden_covered: float | None = None
    wall_seconds: float | None = None
    processor_seconds: float | None = None


class AutoCell(Cell):
    """``winner`` and ``places`` are of the race, ``details`` of the class prior."""

    quality: AutoQuality | None = None
    winner: str = ""
    places: dict[str, float | None] = {}
    details: dict[str, float] = {}
    seconds: dict[str, tuple[float, float]] = {}


def make_auto_cell(data_dir: Path, key: Key, task: Task) -> AutoCell:
    cell = AutoCell(key, versions=library_versions())
    fill(cell, measure, data_dir, task)
    return cell


def measure(cell: AutoCell, counts: sp.csr_array, task: Task) -> None:
    training = auto_training.train(counts, task.y, task.draw)
    cell.winner = training.taken.candidate.algorithm
    cell.places = {entry.candidate.algorithm: entry.place for entry in training.entries}
    cell.details = training.found.class_prior.details or {}
    cell.flags = training.classifier.report_["flags"]
    cell.seconds = training.seconds
    cell.quality = quality_of(task, training)


def quality_of(task: Task, training: AutoTraining) -> AutoQuality:
    truth, asked = task.truth[task.is_unlabeled], training.scores[task.is_unlabeled]
    is_accepted = asked >= training.classifier.offset_
    quality = AutoQuality.of(task, asked, training.classifier.offset_)
    for rule, cut in training.found.cuts.items():
        if cut.offset is not None and rule != "f1":  # which is the cut of auto
            found = asked >= cut.offset
            value = f1(int(truth[found].sum()), int(found.sum()), int(truth.sum()))
            setattr(quality, f"f1_{rule}", value)
    judge_prior(quality, training, truth)
    if training.found.curves is not None:
        curves = [curve.predict(asked) for curve in training.found.curves]
        quality.calibration_error = calibration_error(truth, curves[0])
        judge_expected(quality, curves, is_accepted, truth)
    quality.wall_seconds, quality.processor_seconds = np.sum(
        list(training.seconds.values()), axis=0
    ).tolist()
    return quality


def judge_prior(quality: AutoQuality, training: AutoTraining, truth: NDArray[np.int64]) -> None:
    prior, true = training.found.class_prior, float(truth.mean())
    quality.prior_true = true
    if prior.value is not None and prior.low is not None and prior.high is not None:
        quality.prior, quality.prior_low, quality.prior_high = prior.value, prior.low, prior.high
        quality.prior_error = abs(prior.value - true)
        quality.prior_covered = float(prior.low <= true <= prior.high)


def calibration_error(truth: NDArray[np.int64], probabilities: NDArray[np.float64]) -> float:
    """Return the mean gap of share and mean probability in ten bins of equal width."""
    bins = np.minimum((probabilities * N_BINS).astype(int), N_BINS - 1)
    gaps = np.bincount(bins, probabilities - truth, minlength=N_BINS)
    return float(np.abs(gaps).sum() / len(truth))


def judge_expected(
    quality: AutoQuality,
    curves: list[NDArray[np.float64]],
    is_accepted: NDArray[np.bool_],
    truth: NDArray[np.int64],
) -> None:
    expected = expected_figures(curves, is_accepted)
    n_found, n_hidden = int(truth[is_accepted].sum()), int(truth.sum())
    quality.recall_covered = covered(expected.recall, n_found / n_hidden)
    quality.n_hidden_covered = covered(expected.n_hidden, n_hidden)
    if expected.precision is not None:
        true = n_found / expected.n_accepted
        quality.precision, quality.precision_expected = true, expected.precision[0]
        quality.precision_signed = expected.precision[0] - true
        quality.precision_error = abs(quality.precision_signed)
        quality.precision_covered = covered(expected.precision, true)
        quality.f1_covered = covered(expected.f1, f1(n_found, expected.n_accepted, n_hidden))


def covered(ends: tuple[float, float, float], truth: float) -> float:
    # A sum of probabilities that are one may fall short of its number by a rounding error.
    return float(ends[1] - 1e-9 <= truth <= ends[2] + 1e-9)
