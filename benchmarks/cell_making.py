"""Fit and score for one cell; a module of its own, so that processes keep what it caches."""

import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from benchmarks.cells import AnyCell, Cell, Cost, Key, Quality
from benchmarks.collections import load
from benchmarks.protocol import Task
from core import peak_memory
from core.datasets import make_pu_data
from core.errors import TooFewPositives
from core.pipeline import make_text_classifier
from core.plain_file import library_versions
from core.vectorizer import make_vectorizer, with_language


def make_cell(data_dir: Path, key: Key, task: Task) -> Cell:
    warm_up(key.algorithm)
    cell = Cell(key, versions=library_versions())
    fill(cell, measure, data_dir, task)
    return cell


def fill(
    cell: AnyCell,
    measure: Callable[[AnyCell, Any, Task], None],
    data_dir: Path,
    task: Task,
    read: Callable[[Path, str], Any] | None = None,
) -> None:
    """Measure on one thread of BLAS; an error ends in the cell, and so do warnings.

    ``read`` gives what is measured on, of a collection: the counts of its words by default.
    """
    with threadpool_limits(1), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        try:
            measure(cell, (read or counts)(data_dir, cell.key.collection), task)
        except TooFewPositives as error:
            cell.error = f"refused: {error}"
        except Exception as error:  # the others of the run are not to blame
            cell.error = f"failed: {type(error).__name__}: {error}"
    cell.warnings = sorted({f"{w.category.__name__}: {w.message}" for w in caught})


@cache
def warm_up(algorithm: str) -> None:
    """Compile and import what the algorithm needs."""
    X, y, _ = make_pu_data(random_state=0)
    X = X.astype(np.float32)
    with warnings.catch_warnings(action="ignore"):
        make_text_classifier(algorithm, random_state=0)[1:].fit(X, y).score_samples(X)


@cache
def counts(data_dir: Path, collection: str) -> sp.csr_array:
    counter, _ = make_vectorizer(with_language(None))  # as the service does, but for stop words
    return counter.fit_transform(load(collection, data_dir)[1])


def measure(cell: Cell, counts: sp.csr_array, task: Task) -> None:
    pipeline = make_text_classifier(cell.key.algorithm, random_state=task.draw)
    X, classifier = pipeline["weights"].fit_transform(counts), pipeline["classifier"]
    X_unlabeled = X[task.is_unlabeled]

    held_before, start = peak_memory.reset_peak(), time.process_time()
    classifier.fit(X, task.y)
    fitted, peak = time.process_time(), peak_memory.peak()
    scored_at = time.process_time()
    scores = classifier.score_samples(X_unlabeled)
    cell.cost = Cost(fitted - start, time.process_time() - scored_at, peak - held_before)

    cell.flags = classifier.report_["flags"]
    if classifier.is_transductive:
        scores = classifier.transduction_scores_[task.is_unlabeled]
    cell.quality = Quality.of(task, scores, classifier.offset_)
