"""How well a review knows what it has left, and when to stop: replays of labeled collections.

    python -m benchmarks.stopping --data DIR
    python -m benchmarks.stopping --data DIR --hidden 10 30
    python -m benchmarks.stopping --data DIR --copies

Protocol: of a class some documents, drawn at random, are the seeds, all other documents of the
collection the pile. A review of it is replayed as ``seedbed simulate`` does, in batches of 20.
After each batch it knows the judgements in their order and what the seeds tell, and estimates how
many positives are left. It ends when it suggested to stop and 95 % were found, or 70 % of the pile
were read. ``--hidden`` leaves so many of the class in the pile at most: kinds that are rare. With
``--copies`` what says nearly the same as a document that is read gets its label without being read.

- rounds: estimates, one after each batch from the first finding on; the rounds of a review have
  one weight together in all figures of rounds;
- holds: share of the rounds in which the interval of 90 % holds what is left; below, above: in
  which it is too low, too high;
- factor: how far the estimate, plus one, is off what is left, plus one: by 2 both where it is twice
  as large and where it is half, on average over the logarithms;
- stopped: share of the reviews in which the suggestion to stop came; short: of these, those before
  95 % were found; least recall: the smallest at a stop;
- read at stop: median share of the pile; a review that did not stop counts as 70 %;
- read at 95 %: median share of the pile until 95 % were found, of those where they were.

Constants of ours were chosen with reviews of these collections in view. All figures are ours.
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.collections import add_collections, load
from benchmarks.described_cells import REVIEWS
from benchmarks.protocol import evenly
from benchmarks.speed import tables
from core.review.replay import Replay
from core.review.stopping import progress
from core.shared_work import sharing

TARGET, MOST_READ, BATCH = 0.95, 0.7, 20
#: A class has so many documents beside the seeds, and no more than so large a share of all.
LEAST_HIDDEN, MOST_SHARE = 30, 0.5
COLLECTIONS = [
    *REVIEWS,
    *("20newsgroups:3000", "reuters21578:3000", "crisislex-t6:3000", "sms-spam:3000"),
    *("oh0", "fbis", "re1", "tr11", "wap"),
]


@dataclass
class Outcome:
    """A review that was replayed: of each round what was left and its estimate."""

    left: list[int] = field(default_factory=list)
    estimates: list[tuple[int, int, int]] = field(default_factory=list)
    stopped_at: float | None = None
    recall_at_stop: float | None = None
    reached_at: float | None = None

    def figures_of_rounds(self) -> NDArray[np.float64]:
        """Return how often the interval holds, is below, is above, and the mean error."""
        left, (value, low, high) = np.array(self.left), np.array(self.estimates).T
        errors = np.abs(np.log((value + 1) / (left + 1)))
        holds = (low <= left) & (left <= high)
        return np.array([holds.mean(), (high < left).mean(), (low > left).mean(), errors.mean()])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_collections(parser, COLLECTIONS)
    parser.add_argument("--classes", type=int, default=2, help="of a collection")
    parser.add_argument("--seeds", type=int, nargs="+", default=[5, 20])
    parser.add_argument("--hidden", type=int, nargs="+", default=[None], metavar="N")
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--copies", action="store_true", help="judge what says the same alike")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()
    tables.header(
        *("collection", "reviews", "rounds", "holds", "below", "above", "factor"),
        *("stopped", "short", "least recall", "read at stop", "read at 95 %"),
    )
    every: list[Outcome] = []
    for name in arguments.collections:
        calls = [
            delayed(replayed)(*review, judges_alike=arguments.copies)
            for review in reviews(name, arguments)
        ]
        outcomes = [found for found in Parallel(arguments.jobs)(calls) if found.left]
        if outcomes:
            show(name, outcomes)
        every += outcomes
    show("all", every)


def reviews(
    name: str, arguments: argparse.Namespace
) -> Iterator[tuple[list[str], NDArray[np.bool_], NDArray[np.intp], int]]:
    """Yield texts, which are positive, the seeds and the draw of each review."""
    _, texts, labels = load(name, arguments.data)
    several = [set(label.split("|")) for label in labels]
    for n_seeds in arguments.seeds:
        counts = Counter(label for some in several for label in some)
        kept = [
            label
            for label, n in sorted(counts.items())
            if n_seeds + LEAST_HIDDEN <= n <= MOST_SHARE * len(labels)
        ]
        chosen = ["included"] if name in REVIEWS else evenly(kept, arguments.classes)
        for label in chosen:
            is_positive = np.array([label in some for some in several])
            for n_hidden in arguments.hidden:
                for draw in range(arguments.draws):
                    yield _review(texts, is_positive, n_seeds, n_hidden, draw)


def _review(
    texts: list[str], is_positive: NDArray[np.bool_], n_seeds: int, n_hidden: int | None, draw: int
) -> tuple[list[str], NDArray[np.bool_], NDArray[np.intp], int]:
    members = np.random.default_rng(draw).permutation(np.flatnonzero(is_positive))
    end = len(members) if n_hidden is None else n_seeds + n_hidden
    is_kept = np.ones(len(texts), dtype=bool)
    is_kept[members[end:]] = False
    is_seed = np.zeros(len(texts), dtype=bool)
    is_seed[members[:n_seeds]] = True
    kept_texts = [text for text, keep in zip(texts, is_kept.tolist(), strict=True) if keep]
    return kept_texts, is_positive[is_kept], np.flatnonzero(is_seed[is_kept]), draw


def replayed(
    texts: list[str],
    is_positive: NDArray[np.bool_],
    seeds: NDArray[np.intp],
    draw: int,
    *,
    judges_alike: bool,
) -> Outcome:
    n_hidden, n_pile = int(is_positive.sum()) - len(seeds), len(texts) - len(seeds)
    outcome, judged = Outcome(), np.zeros(0, dtype=bool)
    n_read = n_found = 0
    replay = Replay(
        texts, is_positive, seeds, batch=BATCH, judges_alike=judges_alike, random_state=draw
    )
    with sharing(), threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = replay.expected()
        for _, read, alike in replay.rounds():
            documents = np.append(read, alike)
            judged = np.append(judged, replay.told[documents])
            is_found = is_positive[documents] & replay.told[documents]
            n_read, n_found = n_read + len(read), n_found + int(is_found.sum())
            n_left, share = n_pile - len(judged), n_read / n_pile
            if judged.any():
                known = progress(judged, n_left, expected=expected, target=TARGET)
                outcome.left.append(n_hidden - n_found)
                outcome.estimates.append(tuple(known.remaining))
                if known.is_enough and outcome.stopped_at is None:
                    outcome.stopped_at, outcome.recall_at_stop = share, n_found / n_hidden
            if outcome.reached_at is None and n_found >= TARGET * n_hidden:
                enough = int(np.searchsorted(np.cumsum(judged), TARGET * n_hidden))
                outcome.reached_at = min(enough + 1, n_read) / n_pile
            is_done = outcome.stopped_at is not None and outcome.reached_at is not None
            if is_done or share >= MOST_READ:
                break
    return outcome


def show(name: str, outcomes: list[Outcome]) -> None:
    holds, below, above, error = np.mean([each.figures_of_rounds() for each in outcomes], axis=0)
    recalls = [each.recall_at_stop for each in outcomes if each.recall_at_stop is not None]
    reached = [each.reached_at for each in outcomes if each.reached_at is not None]
    tables.row(
        *(name, len(outcomes), sum(len(each.left) for each in outcomes)),
        *map(float, (holds, below, above, np.exp(error))),
        len(recalls) / len(outcomes),
        sum(recall < TARGET for recall in recalls) / len(recalls) if recalls else "-",
        min(recalls, default="-"),
        median(MOST_READ if each.stopped_at is None else each.stopped_at for each in outcomes),
        median(reached) if reached else "-",
    )


if __name__ == "__main__":
    main()
