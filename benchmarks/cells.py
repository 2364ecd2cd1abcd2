"""Cells of a comparison: one algorithm on one task of one collection, a JSON line each."""

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from benchmarks.protocol import Task

PROGRESS_EVERY = 25


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

    @property
    def task(self) -> tuple[str, str, int, int]:
        return self.collection, self.label, self.n_seeds, self.draw


class Cell(msgspec.Struct):
    """What came of an algorithm: ``error`` or figures."""

    key: Key
    error: str | None = None
    quality: Quality | None = None
    cost: Cost | None = None
    flags: list[str] = []
    warnings: list[str] = []
    versions: dict[str, str] = {}


AnyCell = TypeVar("AnyCell", bound=Cell)


def read(path: Path, kind: type[msgspec.Struct] = Cell) -> list[Any]:
    """Return the cells of a file, of a kind; a last line that was cut off is left out."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    decode = msgspec.json.Decoder(kind).decode
    return [decode(line) for line in lines]


def drop_cut_line(path: Path) -> None:
    """Remove what follows the last whole line."""
    if path.exists():
        with path.open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)


def make_missing(
    path: Path,
    planned: Iterable[tuple[Key, Task]],
    make: Callable[[Key, Task], Cell],
    *,
    n_jobs: int,
) -> None:
    """Append the cells that a file has not to it, by processes; report progress."""
    drop_cut_line(path)
    known = {cell.key for cell in read(path)}
    planned = list(planned)
    missing = [(key, task) for key, task in planned if key not in known]
    done = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")(
        delayed(make)(key, task) for key, task in missing
    )
    start = time.monotonic()
    with path.open("ab", buffering=0) as file:
        for n_done, cell in enumerate(done, start=1):
            file.write(msgspec.json.encode(cell) + b"\n")
            if n_done % PROGRESS_EVERY == 0 or n_done == len(missing):
                minutes = (time.monotonic() - start) / n_done * (len(missing) - n_done) / 60
                n_ready = len(planned) - len(missing) + n_done
                print(f"{n_ready} of {len(planned)}, {minutes:.0f} min left", file=sys.stderr)
