"""Seed expansion with and without neighbors and latent directions on a growing pile of tweets.

    python -m benchmarks.many_documents ways --data DIR
    python -m benchmarks.many_documents draws --data DIR
    python -m benchmarks.many_documents sample --data DIR
    python -m benchmarks.many_documents time --data DIR

``ways``: what ``MOST_WITH_GRAPH`` of core/auto/candidates.py rests on. The pile is a fixed random
sample of real tweets and short messages; positive are those about one event, labeled ones among
them drawn at random; where fewer of an event are asked for than there are, the others are left out.
Average precision and F1 at the classifier's own cut over the unlabeled documents, mean over events,
and seconds of a fit, processor, on one thread; two threads would share them.

``draws``: what ``SAMPLED`` there rests on, of 160,000 documents, without neighbors and latent
directions: learning from all, from random documents, and from as many that ``max_unlabeled`` draws,
half of which rank first. "Any" are the positives of all events together.

``sample``: what ``MOST_SAMPLED`` rests on: class prior and cut of ``algorithm="auto"`` on such a
pile where no document, 25,000 and 100,000 are in the graph of neighbors that tells how well
positives are separated. The class prior over the true one, up or down; F1 at the cut over that with
the true number; the expected precision at the cut less the true one; the calibration error.

``time``: one whole training of ``algorithm="auto"`` on such a pile, on two threads, by steps,
beside the time budget that it has by default.

Figures are ours.
"""

import argparse
import time
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import joblib
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks import auto_training
from benchmarks.auto_cells import quality_of
from benchmarks.auto_time import N_JOBS, show_training
from benchmarks.auto_training import TIME_BUDGET, AutoTraining
from benchmarks.cell_making import warm_up
from benchmarks.cells import Quality
from benchmarks.collections import load
from benchmarks.protocol import Task
from benchmarks.quality_tables import show_header
from core.auto.candidates import LINEAR
from core.auto.likeness import Likeness, find_likeness
from core.kernels.rows.row_blocks import has_entries
from core.pipeline import make_text_classifier
from core.text import TokenCounter

EVENTS, OTHERS = "crisislex-t6", ("sentiment140-sample", "sms-spam")
ON_TOPIC = "on-topic"
ALGORITHM = "seed_expansion"
WAYS: dict[str, dict[str, int]] = {"with": {}, "without": LINEAR}
#: Unlabeled documents in the graph of neighbors.
SAMPLES = (0, 25_000, 100_000)
#: Seeds of a training of auto.
N_SEEDS = 20


def main() -> None:
    arguments = parsed()
    warm_up(ALGORITHM)
    commands = {"ways": show_ways, "draws": show_draws, "sample": show_sample, "time": show_time}
    commands[arguments.command](arguments)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    sizes = {
        "ways": [20_000, 40_000, 80_000, 160_000],
        "draws": [160_000],
        "sample": [160_000],
        "time": [100_000, 160_000],
    }
    for name in sizes:
        command = commands.add_parser(name)
        command.add_argument("--data", type=Path, required=True, help="folder of the collections")
        command.add_argument("--documents", type=int, nargs="+", default=sizes[name])
        command.add_argument("--positives", type=int, nargs="+", default=[3200, 400])
    for name in ("ways", "draws", "sample"):
        command = commands.choices[name]
        command.add_argument("--events", type=int, default=6, help="first so many by name")
        command.add_argument("--seeds", type=int, nargs="+", default=[5, 20])
    commands.choices["draws"].set_defaults(positives=[3200, 400, 100], seeds=[20])
    learned = {"type": int, "nargs": "+", "default": [40_000, 20_000]}
    commands.choices["draws"].add_argument("--learned", **learned, help="sizes of draws")
    return parser.parse_args()


def show_ways(arguments: argparse.Namespace) -> None:
    columns = ["documents", "positives", "seeds", "neighbors", "average precision", "F1", "seconds"]
    show_header(f"{ALGORITHM}, mean over {arguments.events} events", columns)
    for sizes in product(arguments.documents, arguments.positives, arguments.seeds):
        n_documents, n_positives, n_seeds = sizes
        every = list(event_tasks(arguments.data, *sizes, arguments.events))
        for name, params in WAYS.items():
            figures = np.mean([fitted(X, task, params) for X, task in every], axis=0)
            precision, f1, seconds = figures
            print(
                f"| {n_documents:,} | {n_positives:,} | {n_seeds} | {name} | "
                f"{precision:.3f} | {f1:.3f} | {seconds:.1f} |",
                flush=True,
            )


def show_draws(arguments: argparse.Namespace) -> None:
    columns = ["documents", "positives", "seeds", "learned from", "average precision", "F1"]
    show_header(f"{ALGORITHM}, mean over {arguments.events} events", [*columns, "seconds"])
    for n_documents, n_seeds in product(arguments.documents, arguments.seeds):
        piles = {
            f"{n:,}": list(event_tasks(arguments.data, n_documents, n, n_seeds, arguments.events))
            for n in arguments.positives
        }
        piles["any"] = list(any_event(arguments.data, n_seeds))
        for n_positives, tasks in piles.items():
            for name, figures in drawn(tasks, arguments.learned):
                precision, f1, seconds = np.mean(figures, axis=0)
                print(
                    f"| {len(tasks[0][1].y):,} | {n_positives} | {n_seeds} | {name} | "
                    f"{precision:.3f} | {f1:.3f} | {seconds:.1f} |",
                    flush=True,
                )


def drawn(
    tasks: list[tuple[sp.csr_array, Task]], sizes: list[int]
) -> Iterator[tuple[str, list[list[float]]]]:
    """Yield a name and the figures of each task: of all documents, then of two kinds of draws."""
    without = {name: LINEAR[name] for name in ("n_neighbors", "n_components")}
    yield "all", [fitted(X, task, without) for X, task in tasks]
    for size in sizes:
        yield f"{size:,} random", [fitted(X, task, without, size) for X, task in tasks]
        params = without | {"max_unlabeled": size}
        yield f"{size:,} drawn", [fitted(X, task, params) for X, task in tasks]


def any_event(data_dir: Path, n_seeds: int) -> Iterator[tuple[sp.csr_array, Task]]:
    """Yield all short messages, those of any event positive: three draws of the labeled ones."""
    counts, events = tweets(data_dir)
    truth = (events != "").astype(int)
    for draw in range(3):
        y = np.zeros(len(truth), dtype=int)
        chosen = np.random.default_rng(draw).choice(np.flatnonzero(truth), n_seeds, replace=False)
        y[chosen] = 1
        yield counts, Task("any", n_seeds, draw, truth, y)


def show_sample(arguments: argparse.Namespace) -> None:
    columns = ["class prior, factor off", "F1 / best", "precision, expected - true", "calibration"]
    header = ["documents", "positives", "seeds", "in the graph", *columns]
    show_header(f"auto, mean over {arguments.events} events", header)
    for sizes in product(arguments.documents, arguments.positives, arguments.seeds):
        n_documents, n_positives, n_seeds = sizes
        tasks = event_tasks(arguments.data, *sizes, arguments.events)
        every = [of_samples(X, task) for X, task in tasks]
        for n_sampled, figures in zip(SAMPLES, np.mean(every, axis=0), strict=True):
            # The mean of logarithms of factors is that of a factor.
            told = " | ".join(f"{x:.3f}" for x in (np.exp(figures[0]), *figures[1:]))
            print(
                f"| {n_documents:,} | {n_positives:,} | {n_seeds} | {n_sampled:,} | {told} |",
                flush=True,
            )


def of_samples(counts: sp.csr_array, task: Task) -> list[list[float]]:
    """Return figures of one training for each number of documents in the graph."""
    with joblib.parallel_config("threading", n_jobs=N_JOBS), threadpool_limits(1):
        training = auto_training.train(counts, task.y, 0)
        alike = find_likeness(counts, task.y == 1, random_state=0)
        return [figures(training, alike._replace(n_sampled=n), task) for n in SAMPLES]


def figures(training: AutoTraining, alike: Likeness, task: Task) -> list[float]:
    found, scores = auto_training.calibrated(
        training.taken,
        training.classifier,
        training.scores,
        alike,
        task.y == 1,
        ~has_entries(alike.counts),
        random_state=0,
    )
    told = quality_of(task, training._replace(found=found, scores=scores))
    off = abs(np.log(told.prior / told.prior_true))
    return [off, told.f1 / told.f1_true_number, told.precision_signed, told.calibration_error]


def show_time(arguments: argparse.Namespace) -> None:
    for n_documents, n_positives in product(arguments.documents, arguments.positives):
        counts, task = next(event_tasks(arguments.data, n_documents, n_positives, N_SEEDS, 1))
        title = (
            f"{task.label}, {n_positives:,} of {n_documents:,} documents, {N_SEEDS} seeds, "
            f"{N_JOBS} threads, time budget {TIME_BUDGET:.0f}"
        )
        training = show_training(title, counts, task)
        quality = Quality.of(task, training.scores[task.is_unlabeled], training.classifier.offset_)
        print(f"\nAverage precision {quality.average_precision:.3f}, F1 {quality.f1:.3f}")


def event_tasks(
    data_dir: Path, n_documents: int, n_positives: int, n_seeds: int, n_events: int
) -> Iterator[tuple[sp.csr_array, Task]]:
    """Yield counts and the task for each event, all of the same size."""
    counts, events = tweets(data_dir)
    for event in np.unique(events[events != ""])[:n_events]:
        random = np.random.default_rng(0)
        others = random.permutation(np.flatnonzero(events != event))
        members = random.permutation(np.flatnonzero(events == event))[:n_positives]
        rows = np.append(members, others[: n_documents - len(members)])
        truth = np.repeat([1, 0], [len(members), len(rows) - len(members)])
        y = np.where(np.arange(len(rows)) < n_seeds, truth, 0)
        order = random.permutation(len(rows))
        task = Task(str(event), n_seeds, 0, truth[order], y[order])
        yield counts[rows[order]], task


@cache
def tweets(data_dir: Path) -> tuple[sp.csr_array, NDArray[np.str_]]:
    """Return the counts of all short messages, and the event that each is about, or none."""
    ids, texts, labels = load(EVENTS, data_dir)
    events = [
        name.partition("/")[0] if label == ON_TOPIC else ""
        for name, label in zip(ids, labels, strict=True)
    ]
    for name in OTHERS:
        others = load(name, data_dir)[1]
        texts, events = texts + others, events + [""] * len(others)
    return TokenCounter().fit_transform(texts), np.array(events)


def fitted(
    counts: sp.csr_array, task: Task, params: dict[str, int], n_random: int | None = None
) -> list[float]:
    """Return figures of a training on all documents, or on the labeled and random ones."""
    rows = np.arange(len(task.y))
    if n_random is not None:
        unlabeled = np.flatnonzero(task.y == 0)
        chosen = np.random.default_rng(0).choice(unlabeled, n_random, replace=False)
        rows = np.sort(np.append(np.flatnonzero(task.y), chosen))
    pipeline = make_text_classifier(ALGORITHM, params, random_state=0)
    X, classifier = pipeline["weights"].fit_transform(counts), pipeline["classifier"]
    with threadpool_limits(1):
        start = time.process_time()
        classifier.fit(X[rows], task.y[rows])
        scores = classifier.score_samples(X)[task.is_unlabeled]
        seconds = time.process_time() - start
    quality = Quality.of(task, scores, classifier.offset_)
    return [quality.average_precision, quality.f1, seconds]


if __name__ == "__main__":
    main()
