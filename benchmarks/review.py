"""How much of a pile has to be read: reviews of three systematic reviews, replayed.

    python -m benchmarks.review --data DIR [--asreview PYTHON]

Protocol: 5 of a review's included records, drawn at random, are the seeds, all other records the
pile. A record is read, its label is told, and what was told is learned from. Measured: the share of
the pile that is read until 95 % of the included records in it are found; the median over the draws,
and each draw. All figures are ours, those of ASReview from its own program. The three collections
were looked at when the constants of ours were chosen. ``--collections`` takes yours as well.

- auto: what `seedbed simulate` does by default: `core.review.replay.Replay`.
- copies: the same, where what says nearly the same as a record that is read, and ranks near it,
  gets its label without being read. Wrong labels are counted; rounds count as a whole.
- words: auto with the title of the review as one more seed.
- words_alone: the same from the title alone, without any other seed; the draw is its random state.
- relevance: the same, always with the highest scores.
- seed_expansion: always the highest scores of that algorithm, without its graph.
- random: the mean over all orders of the pile.
- asreview: the default model of ASReview (ELAS u4: a support vector machine on tf-idf of words and
  pairs), trained again after each record; it starts with the same seeds and one excluded record,
  drawn at random, which is not counted. PYTHON is that of a virtual environment with `asreview`.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.collections import add_collections, load
from benchmarks.described_cells import REVIEWS
from core.review.replay import Replay
from core.shared_work import sharing

N_SEEDS = 5
TARGET = 0.95
WITH_TITLE = {"words", "words_alone"}
PEER = Path(__file__).with_name("asreview_peer.py")


class Task(NamedTuple):
    """A review to replay."""

    texts: list[str]
    is_relevant: NDArray[np.bool_]
    seeds: NDArray[np.intp]
    excluded: int
    draw: int

    @property
    def n_hidden(self) -> int:
        return int(self.is_relevant.sum()) - len(self.seeds)

    @property
    def n_wanted(self) -> int:
        return int(np.ceil(TARGET * self.n_hidden))

    @property
    def n_pile(self) -> int:
        return len(self.texts) - len(self.seeds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_collections(parser, list(REVIEWS))
    parser.add_argument("--positive", default="included", help="label of what is looked for")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument(
        "--batch", type=int, default=10, help="documents read between trainings of ours"
    )
    methods = ["auto", "copies", "words", "words_alone", "relevance", "seed_expansion"]
    methods += ["random", "asreview"]
    parser.add_argument("--methods", nargs="+", choices=methods, default=methods)
    parser.add_argument("--asreview", metavar="PYTHON", help="Python of an environment with it")
    arguments = parser.parse_args()
    print("| collection | method | read until 95 % | of each draw | wrong labels | s |")
    print("|---|---|---|---|---|---|", flush=True)
    for name in arguments.collections:
        for method in arguments.methods:
            if can_be_shown(name, method, arguments):
                show(name, method, arguments)


def can_be_shown(name: str, method: str, arguments: argparse.Namespace) -> bool:
    if method == "asreview":
        return arguments.asreview is not None
    return name in REVIEWS or method not in WITH_TITLE


def show(name: str, method: str, arguments: argparse.Namespace) -> None:
    start = time.monotonic()
    with threadpool_limits(1):
        reviews = [
            replayed(described(task, name, method), method, arguments)
            for task in tasks(name, arguments)
        ]
    each = " ".join(f"{review.share_read:.3f}" for review in reviews)
    share = median(review.share_read for review in reviews)
    n_wrong = sum(review.n_wrong for review in reviews)
    seconds = time.monotonic() - start
    print(f"| {name} | {method} | {share:.3f} | {each} | {n_wrong} | {seconds:.0f} |", flush=True)


def tasks(name: str, arguments: argparse.Namespace) -> list[Task]:
    _, texts, labels = load(name, arguments.data)
    is_relevant = np.array(labels) == arguments.positive
    if is_relevant.sum() <= N_SEEDS:
        known = ", ".join(sorted(set(labels))[:20])
        raise SystemExit(
            f"{name} has {is_relevant.sum()} documents labeled {arguments.positive!r}, and "
            f"{N_SEEDS + 1} or more are needed. Name a label with --positive. Labels: {known}."
        )
    found = []
    for draw in range(arguments.draws):
        random = np.random.default_rng(draw)
        seeds = random.permutation(np.flatnonzero(is_relevant))[:N_SEEDS]
        excluded = int(random.choice(np.flatnonzero(~is_relevant)))
        found.append(Task(texts, is_relevant, seeds, excluded, draw))
    return found


def described(task: Task, name: str, method: str) -> Task:
    if method not in WITH_TITLE:
        return task
    known = task.seeds if method == "words" else []
    return task._replace(
        texts=[*task.texts, REVIEWS[name]],
        is_relevant=np.append(task.is_relevant, True),
        seeds=np.append(known, len(task.texts)).astype(np.intp),
    )


class Review(NamedTuple):
    """A review that was replayed: what share was read, and how many labels are wrong."""

    share_read: float
    n_wrong: int = 0


def replayed(task: Task, method: str, arguments: argparse.Namespace) -> Review:
    if method == "random":
        # Of n places in random order the k-th of h is expected at k (n + 1) / (h + 1).
        return Review(task.n_wanted * (task.n_pile + 1) / (task.n_hidden + 1) / task.n_pile)
    if method == "asreview":
        read = read_by_asreview(task, arguments.asreview)
        return Review(count_until_found(task, [read]) / task.n_pile)
    options = {**OPTIONS.get(method, {}), "batch": arguments.batch}
    replay = Replay(task.texts, task.is_relevant, task.seeds, random_state=task.draw, **options)
    with sharing():
        if method == "copies":
            n_read = count_rounds(task, replay)
        else:
            n_read = count_until_found(task, (round.read for round in replay.rounds()))
    return Review(n_read / task.n_pile, int((replay.told != task.is_relevant).sum()))


OPTIONS: dict[str, dict[str, Any]] = {
    "copies": {"judges_alike": True},
    "relevance": {"strategy": "relevance"},
    "seed_expansion": {"algorithm": "seed_expansion", "strategy": "relevance"},
}


def count_until_found(task: Task, parts: Any) -> int:
    """Return how many were read when as many were found as are wanted."""
    n_read = n_found = 0
    for part in parts:
        found = n_found + np.cumsum(task.is_relevant[part])
        if len(found) and found[-1] >= task.n_wanted:
            return n_read + int(np.searchsorted(found, task.n_wanted)) + 1
        n_read, n_found = n_read + len(part), int(found[-1])
    return n_read


def count_rounds(task: Task, replay: Replay) -> int:
    """Return how many were read in the rounds until as many were found, read or not."""
    n_read = n_found = 0
    for _, read, alike in replay.rounds():
        n_read += len(read)
        judged = np.append(read, alike)
        n_found += int((task.is_relevant[judged] & replay.told[judged]).sum())
        if n_found >= task.n_wanted:
            break
    return n_read


def read_by_asreview(task: Task, python: str) -> NDArray[np.intp]:
    """Return what ASReview reads, in its order; it writes a cache to its working directory."""
    asked = {
        "texts": task.texts,
        "labels": task.is_relevant.astype(int).tolist(),
        "known": [*task.seeds.tolist(), task.excluded],
        "n_wanted": task.n_wanted,
    }
    with tempfile.TemporaryDirectory() as folder:
        # -P: benchmarks/collections.py must not hide the module of that name.
        finished = subprocess.run(
            [python, "-P", str(PEER.resolve())],
            input=json.dumps(asked),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=folder,
        )
    return np.array(json.loads(finished.stdout), dtype=np.intp)


if __name__ == "__main__":
    main()
