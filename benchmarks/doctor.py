"""How often the doctor finds what is wrong with the labels, and how often it finds what is not.

    python -m benchmarks.doctor --data DIR

Protocol: each class of at least 40 documents is positive in turn, up to ``--max-classes`` of a
collection; the rest of the collection is unlabeled. Its documents are put into four sorts by
spherical k-means on tf-idf. Labeled documents are drawn

- "at random" from the class,
- from "two sorts" of the four, drawn at random among the pairs that hold three documents more than
  are labeled and leave a fifth of the class or more out,
- from "one sort" by the same rules,
- "at random, one wrong": one of them is replaced by a document of another class.

The default algorithm is trained, then the doctor examines it.

Measured: how often "random_labeling" warns, and how often it warns or advises caution; how often
"odd_positives" lists the wrong document ("wrong listed"), and which share of the right ones it
lists ("right listed"); precision and recall of what the model accepts. Beside them

- "KS": the two-sample test of Kolmogorov and Smirnov of the scores of labeled and of accepted
  documents at 10 %, the usual diagnostic of SCAR;
- "truth known": the permutation test at 10 % of the distance between the means of labeled and of
  hidden positives, told which documents those are: about what can be known at all.

"at random" they are false alarms. All nine collections were looked at when the check was chosen;
its bounds were first set on cstr, tr11, oh0 and oh15. All figures are ours.
"""

import argparse
import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.stats import ks_2samp
from threadpoolctl import threadpool_limits

from benchmarks.cell_making import counts
from benchmarks.collections import add_collections, load
from benchmarks.protocol import COLLECTIONS, evenly
from core.doctor.examine import examine
from core.kernels.clusters.spherical_kmeans import spherical_kmeans
from core.kernels.rows.unit_rows import unit_rows
from core.pipeline import make_text_classifier
from core.text import TermWeighting

MIN_DOCUMENTS, N_SORTS, LEVEL, N_PERMUTATIONS = 40, 4, 0.1, 199
#: Collections that the bounds were first set on.
FIRST = {"cstr", "tr11", "oh0", "oh15"}
AT_RANDOM, TWO_SORTS, ONE_SORT, ONE_WRONG = "at random", "two sorts", "one sort", "one wrong"
SORTS_LABELED = {TWO_SORTS: 2, ONE_SORT: 1}
COLUMNS = [
    *("warns", "or cautions", "KS", "truth known"),
    *("right listed", "wrong listed", "precision", "recall"),
]


class Drawn(NamedTuple):
    """Labeled documents of a class; ``wrong`` is the one that is not of it, -1 for none."""

    way: str
    truth: NDArray[np.bool_]
    labeled: NDArray[np.int64]
    wrong: int = -1


class Result(NamedTuple):
    collection: str
    way: str
    n_seeds: int
    figures: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_collections(parser, COLLECTIONS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[10, 20, 30])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--max-classes", type=int, default=4, help="of each collection")
    parser.add_argument("--algorithm", default="seed_expansion")
    arguments = parser.parse_args()
    results: list[Result] = []
    for collection in arguments.collections:
        with threadpool_limits(1):
            results += measure(collection, arguments)
        print(f"{collection}: {len(results)} trainings", flush=True)
    first = "Collections that the bounds were first set on"
    for heading, is_first in [(first, True), ("Other collections", False)]:
        kept = [result for result in results if (result.collection in FIRST) == is_first]
        if kept:
            show(heading, kept)


def measure(collection: str, arguments: argparse.Namespace) -> list[Result]:
    names = np.array(load(collection, arguments.data)[2])
    found, sizes = np.unique(names, return_counts=True)
    counted = counts(arguments.data, collection)
    X = TermWeighting().fit_transform(counted)
    results = []
    for label in evenly(found[sizes >= MIN_DOCUMENTS], arguments.max_classes):
        for draw, n_seeds in itertools.product(range(arguments.draws), arguments.seeds):
            for drawn in draws(unit_rows(X), names == label, n_seeds, draw):
                figures = train_and_examine(X, counted, drawn, arguments.algorithm, draw)
                results.append(Result(collection, drawn.way, n_seeds, figures))
    return results


def draws(Z: sp.csr_array, truth: NDArray[np.bool_], n_seeds: int, draw: int) -> Iterator[Drawn]:
    members = np.flatnonzero(truth)
    if len(members) < n_seeds + 5:
        return
    random = np.random.default_rng(draw)
    at_random = random.permutation(members)[:n_seeds]
    yield Drawn(AT_RANDOM, truth, at_random)
    wrong = int(random.choice(np.flatnonzero(~truth)))
    yield Drawn(ONE_WRONG, truth, np.append(at_random[1:], wrong), wrong)
    sorts, _ = spherical_kmeans(Z[members], N_SORTS, n_init=3, random_state=draw)
    for way, n_labeled in SORTS_LABELED.items():
        pools = [
            members[np.isin(sorts, chosen)]
            for chosen in itertools.combinations(range(sorts.max() + 1), n_labeled)
        ]
        pools = [p for p in pools if n_seeds + 3 <= len(p) <= 0.8 * len(members)]
        if pools:
            pool = pools[random.integers(len(pools))]
            yield Drawn(way, truth, random.permutation(pool)[:n_seeds])


def train_and_examine(
    X: sp.csr_array, counted: sp.csr_array, drawn: Drawn, algorithm: str, draw: int
) -> dict[str, float]:
    pipeline = make_text_classifier(algorithm, random_state=draw)[1:]
    y = np.zeros(X.shape[0], dtype=int)
    y[drawn.labeled] = 1
    classifier = pipeline.fit(counted, y)["classifier"]
    scores = pipeline.score_samples(counted)
    cut, is_positive = classifier.offset_, y == 1
    findings = {
        finding.code: finding
        for finding in examine(X, is_positive, y == 2, scores, cut, random_state=draw)
    }
    level = findings["random_labeling"].level
    figures: dict[str, float] = {
        "warns": np.nan if level is None else level == "warning",
        "or cautions": np.nan if level is None else level != "fine",
    }
    is_accepted = ~is_positive & (scores >= cut)
    accepted = scores[is_accepted]
    figures["KS"] = bool(len(accepted)) and (ks_2samp(scores[is_positive], accepted).pvalue < LEVEL)
    figures["truth known"] = truth_known(unit_rows(X), drawn, draw)
    listed = findings["odd_positives"].rows
    figures["right listed"] = len(set(listed) - {drawn.wrong}) / len(drawn.labeled)
    figures["wrong listed"] = np.nan if drawn.wrong < 0 else drawn.wrong in listed
    found = int((is_accepted & drawn.truth).sum())
    figures["precision"] = found / max(1, int(is_accepted.sum()))
    figures["recall"] = found / max(1, int((drawn.truth & ~is_positive).sum()))
    return figures


def truth_known(Z: sp.csr_array, drawn: Drawn, draw: int) -> bool:
    """Return whether a test that is told of the hidden positives rejects."""
    n_labeled = len(drawn.labeled)
    hidden = np.setdiff1d(np.flatnonzero(drawn.truth), drawn.labeled)
    rows = Z[np.concatenate([drawn.labeled, hidden])]
    random = np.random.default_rng(draw)
    weights = np.full((1 + N_PERMUTATIONS, rows.shape[0]), -1 / len(hidden))
    weights[0, :n_labeled] = 1 / n_labeled
    for row in weights[1:]:
        row[random.permutation(len(row))[:n_labeled]] = 1 / n_labeled
    cosines = (rows @ rows.T).toarray()
    distances = np.einsum("ij,ij->i", weights @ cosines, weights)
    return bool((distances >= distances[0]).mean() <= LEVEL)


def show(heading: str, results: list[Result]) -> None:
    print(f"\n{heading}: share of the trainings\n")
    print("| labeled | seeds | trainings | " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * (len(COLUMNS) + 3))
    for n_seeds in sorted({result.n_seeds for result in results}):
        for way in (AT_RANDOM, TWO_SORTS, ONE_SORT, ONE_WRONG):
            rows = [r.figures for r in results if r.n_seeds == n_seeds and r.way == way]
            if rows:
                values = [np.mean([float(row[column]) for row in rows]) for column in COLUMNS]
                cells = " | ".join("" if np.isnan(v) else f"{v:.2f}" for v in values)
                print(f"| {way} | {n_seeds} | {len(rows)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
