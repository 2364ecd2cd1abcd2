"""The best grid points of the LP-PUL study beside ours, our defaults and naive baselines."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.papers.nmfpul_grids import ALGORITHM_OF, grid
from benchmarks.papers.nmfpul_published import STUDY_BEST
from benchmarks.papers.nmfpul_scores import NAIVE, Configuration, Scores, evaluate, load
from benchmarks.protocol import N_SEEDS

#: Their published F1 is over all documents; that of the others is over the unlabeled ones.
GRAPH_METHODS = {"LP-PUL", "PU-LP"}


def print_study(
    names: Sequence[str], data_dir: Path, n_draws: int, n_jobs: int, *, is_full: bool
) -> None:
    print("## The LP-PUL study, F1 of the positive class\n")
    print("Published and ours, best: the best point of a grid, chosen on the true classes.")
    sizes = [f"{method} {len(grid(method, is_full=is_full))}" for method in STUDY_BEST]
    print(f"Points of our grids: {', '.join(sizes)}.\n")
    print(
        "| method | collection | seeds | F1 over | published | ours, best | difference "
        "| ours, default | best over the others | default over the others |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in names:
        collection = load(name, data_dir)
        for method, published in STUDY_BEST.items():
            if name not in published:
                continue
            default = Configuration(ALGORITHM_OF[method], {})
            points = [default, *grid(method, is_full=is_full)]
            results = evaluate(collection, points, n_draws, n_jobs)
            for row in _rows(method, name, published[name], results):
                print(row, flush=True)
        baselines = [Configuration(algorithm, {}) for algorithm in NAIVE]
        for algorithm, scores in zip(
            NAIVE, evaluate(collection, baselines, n_draws, n_jobs), strict=True
        ):
            for row in _naive_rows(algorithm, name, scores):
                print(row, flush=True)
    print()


def _rows(
    method: str, name: str, published: list[float], results: list[list[Scores]]
) -> Iterator[str]:
    is_graph = method in GRAPH_METHODS
    own, other = (0, 1) if is_graph else (1, 0)
    documents = "all" if is_graph else "unlabeled"
    # Axes: configurations (the default, then the grid), seeds, scores.
    scores = np.array(results)
    best = scores[1:].max(axis=0)
    for i, (n_seeds, target) in enumerate(zip(N_SEEDS, published, strict=True)):
        yield (
            f"| {method} | {name} | {n_seeds} | {documents} | {target:.3f} "
            f"| {best[i, own]:.3f} | {best[i, own] - target:+.3f} | {scores[0, i, own]:.3f} "
            f"| {best[i, other]:.3f} | {scores[0, i, other]:.3f} |"
        )


def _naive_rows(algorithm: str, name: str, scores: list[Scores]) -> Iterator[str]:
    for n_seeds, score in zip(N_SEEDS, scores, strict=True):
        yield (
            f"| {algorithm} | {name} | {n_seeds} | unlabeled | | | | {score.on_unlabeled:.3f} "
            f"| | {score.on_all:.3f} |"
        )
