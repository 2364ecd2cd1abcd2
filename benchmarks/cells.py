"""Cells of a comparison: one algorithm on one task of one collection, a JSON line each."""

from pathlib import Path
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from benchmarks.protocol import Task


class Quality(msgspec.Struct):
    """Figures over the unlabeled documents; ``_all``: labeled ones added, as found."""

    average_precision: float
    f1: float
    f1_true_number: float
    f1_all: float
    f1_true_number_all: float
    n_unlabeled: int
    n_hidden: int
    n_predicted: int

    @classmethod
    def of(cls, task: Task, scores: NDArray[np.float64], cut: float) -> Self:
        """Measure scores of the unlabeled documents, positive from the cut on."""
        truth = task.truth[task.is_unlabeled]
        n_hidden, n_predicted = int(truth.sum()), int((scores >= cut).sum())
        found, found_first = int(truth[scores >= cut].sum()), found_among_first(truth, scores)
        return cls(
            average_precision=float(average_precision_score(truth, scores)),
            f1=f1(found, n_predicted, n_hidden),
            f1_true_number=f1(found_first, n_hidden, n_hidden),
            f1_all=f1(found, n_predicted, n_hidden, n_known=task.n_seeds),
            f1_true_number_all=f1(found_first, n_hidden, n_hidden, n_known=task.n_seeds),
            n_unlabeled=len(truth),
            n_hidden=n_hidden,
            n_predicted=n_predicted,
        )


def f1(found: float, n_predicted: int, n_hidden: int, *, n_known: int = 0) -> float:
    return 2 * (found + n_known) / (n_predicted + n_hidden + 2 * n_known)


def found_among_first(truth: NDArray[np.int64], scores: NDArray[np.float64]) -> float:
    """Return the expected positives among as many first as there are; ties in random order."""
    k = int(truth.sum())
    lowest = np.sort(scores)[-k]
    is_above, is_tied = scores > lowest, scores == lowest
    share = (k - is_above.sum()) / is_tied.sum()
    return float(truth[is_above].sum() + share * truth[is_tied].sum())


class Cost(msgspec.Struct):
    """Processor seconds, and MiB of memory at most above those held before the fit."""

    fit_seconds: float
    predict_seconds: float
    peak_memory: float


class Key(msgspec.Struct, frozen=True):
    collection: str
    label: str
    n_seeds: int
    draw: int
    algorithm: str


class Cell(msgspec.Struct):
    """What came of an algorithm: ``error`` or figures."""

    key: Key
    error: str | None = None
    quality: Quality | None = None
    cost: Cost | None = None
    flags: list[str] = []
    warnings: list[str] = []
    versions: dict[str, str] = {}


def read(path: Path) -> list[Cell]:
    """Return the cells of a file; a last line that was cut off is left out."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    decode = msgspec.json.Decoder(Cell).decode
    return [decode(line) for line in lines]


def drop_cut_line(path: Path) -> None:
    """Remove what follows the last whole line."""
    if path.exists():
        with path.open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)
