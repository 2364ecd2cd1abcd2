"""Estimates of the class prior on the nine collections of the NMFPUL paper, without negatives.

    python -m benchmarks.class_prior --data DIR

Protocol: each class of at least 40 documents is positive in turn, its labeled documents drawn at
random; the rest of the collection is unlabeled. Texts are counted and weighted as the product does
by default; every estimator has its default parameters and the draw as its random state.

Measured: the mean absolute error (MAE) of the share of positives among the unlabeled documents, and
its mean signed error; coverage, the share of the tasks whose interval holds it; the mean width of
the intervals; seconds of an estimate, without the ranking of left out positives that most of them
share (first row). All are means over the classes and draws of a collection, then over collections.
"none" always says one tenth: about the mean share, which no user knows. "largest admissible" is an
upper bound: its coverage is how often the share is not above it.

All figures are ours. Other collections of the data folder are taken by ``--collections``.
"""

import argparse
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.cell_making import counts
from benchmarks.collections import add_collections, load
from benchmarks.protocol import COLLECTIONS, Task, evenly, tasks
from core.class_prior.prior_estimate import PriorEstimate
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.registry import CLASS_PRIOR_ESTIMATORS
from core.text import TermWeighting

MIN_DOCUMENTS = 40
#: What "none" says.
CONSTANT = 0.1
NONE, RANKING, BOUND = "none", "(ranking)", "largest admissible"


class Result(NamedTuple):
    collection: str
    n_seeds: int
    name: str
    truth: float
    estimate: PriorEstimate
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_collections(parser, COLLECTIONS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[10, 20, 30])
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--max-classes", type=int, default=2, help="of each collection")
    parser.add_argument(
        "--estimators",
        nargs="+",
        choices=CLASS_PRIOR_ESTIMATORS,
        default=list(CLASS_PRIOR_ESTIMATORS),
    )
    arguments = parser.parse_args()
    results: list[Result] = []
    for collection in arguments.collections:
        with threadpool_limits(1):
            results += measure(collection, arguments)
        print(f"{collection}: {len(results)} estimates", flush=True)
    for n_seeds in arguments.seeds:
        show(n_seeds, [result for result in results if result.n_seeds == n_seeds])


def measure(collection: str, arguments: argparse.Namespace) -> list[Result]:
    labels = load(collection, arguments.data)[2]
    weights = TermWeighting()
    X = weights.fit_transform(counts(arguments.data, collection))
    results = []
    for n_seeds in arguments.seeds:
        options = {"n_draws": arguments.draws, "min_documents": MIN_DOCUMENTS}
        every = list(tasks(labels, n_seeds, **options))
        kept = evenly((task.label for task in every), arguments.max_classes)
        for task in every:
            if task.label in kept:
                results += estimates(collection, X, task, arguments.estimators)
    return results


def estimates(collection: str, X: object, task: Task, names: list[str]) -> list[Result]:
    truth = float(task.truth[task.is_unlabeled].mean())
    start = time.perf_counter()
    ranks = left_out_ranks(X, task.y == 1, random_state=task.draw)
    seconds = {RANKING: time.perf_counter() - start, NONE: 0.0}
    found = {RANKING: PriorEstimate(None), NONE: PriorEstimate(CONSTANT)}
    for name in names:
        start = time.perf_counter()
        found[name] = CLASS_PRIOR_ESTIMATORS[name](
            X, task.y == 1, ranks=ranks, random_state=task.draw
        )
        seconds[name] = time.perf_counter() - start
    largest = found[names[0]].largest_admissible
    found[BOUND], seconds[BOUND] = PriorEstimate(largest, 0.0, largest), 0.0
    return [
        Result(collection, task.n_seeds, name, truth, estimate, seconds[name])
        for name, estimate in found.items()
    ]


def show(n_seeds: int, results: list[Result]) -> None:
    n_tasks = sum(result.name == NONE for result in results)
    print(f"\n{n_seeds} positives, {n_tasks} tasks\n")
    print("| estimator | MAE | error | coverage | width | seconds |\n|---|---|---|---|---|---|")
    for name in dict.fromkeys(result.name for result in results):
        rows = [result for result in results if result.name == name]
        figures = np.array([figures_of(result) for result in rows])
        collections = np.array([result.collection for result in rows])
        means = np.mean([figures[collections == c].mean(axis=0) for c in set(collections)], axis=0)
        cells = " | ".join("" if np.isnan(mean) else f"{mean:.3f}" for mean in means)
        print(f"| {name} | {cells} |", flush=True)


def figures_of(result: Result) -> NDArray[np.float64]:
    value, low, high = result.estimate[:3]
    error = np.nan if value is None else value - result.truth
    if low is None or high is None:
        return np.array([abs(error), error, np.nan, np.nan, result.seconds])
    is_covered = low <= result.truth <= high
    return np.array([abs(error), error, is_covered, high - low, result.seconds])


if __name__ == "__main__":
    main()
