"""The NMFPUL paper and the LP-PUL study it takes its baselines from: published F1 beside ours.

Each class is positive in turn, ten random draws of 1, 5, 10, 20 and 30 labeled documents; of a
class with fewer, all but one are labeled. Terms: no English stop words, none of a single document.

- tables: NMFPUL in the metric of its paper, the mean of micro, macro and weighted F1 over the two
  classes, on the unlabeled documents, with the rule that calls everything negative beside it. The
  published baselines are F1 of the positive class, so that ours is given in that too. Asserted
  of the mode "paper": the mean rises with the labels, and is within 0.1 of the published on CSTR.
  "guided" is meant to be better; its mean need not rise, for what is left to find gets less.
- study: the best grid points of the LP-PUL study, which are chosen on the true classes and so an
  upper bound, beside our best over the same grid or a thinned one, and beside our defaults and
  those of three naive baselines.
- configs: single configurations on CSTR, with a verdict. The re-run is an earlier program of our
  own, independent of this library. Why some are off stands in nmfpul_configurations.

F1 is that of the positive class over all documents for the graph methods, where the labeled ones
count as found, which flatters; over the unlabeled ones for the others: over all documents a centre
accepts its own seeds, and k-Means at 20 labels and the cut 0.05 gets 0.46, published 0.38.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.papers.nmfpul_configurations import print_configurations
from benchmarks.papers.nmfpul_published import NMFPUL_TABLES
from benchmarks.papers.nmfpul_scores import (
    NAIVE,
    Collection,
    Configuration,
    Scores,
    evaluate,
    load,
    mean3,
    study_tasks,
)
from benchmarks.papers.nmfpul_study import print_study
from benchmarks.protocol import COLLECTIONS, N_SEEDS

MODES = ["paper", "guided"]
#: How far ours may be from the published row on CSTR.
TOLERANCE = 0.1
BASELINES = ["k-Means", "PU-LP", "RC-SVM", "LP-PUL"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--only", choices=["tables", "study", "configs"])
    parser.add_argument("--collections", nargs="+", choices=COLLECTIONS, default=COLLECTIONS)
    parser.add_argument("--grid", choices=["reduced", "full"], default="reduced")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()

    common = arguments.collections, arguments.data, arguments.draws, arguments.jobs
    if arguments.only in (None, "configs"):
        print_configurations(*common)
    if arguments.only in (None, "tables"):
        print_tables(*common)
    if arguments.only in (None, "study"):
        print_study(*common, is_full=arguments.grid == "full")


def print_tables(names: Sequence[str], data_dir: Path, n_draws: int, n_jobs: int) -> None:
    print("## Tables 3 to 11 of the NMFPUL paper\n")
    for name in names:
        collection = load(name, data_dir)
        results = evaluate(collection, _configurations(collection), n_draws, n_jobs)
        number, published = NMFPUL_TABLES[name]
        print(f"### Table {number}: {name}, {len(set(collection.labels))} classes\n")
        _print_mean3(collection, results, published["NMFPUL"])
        _print_f1(results, published)
        ours = [score.mean3 for score in results[MODES.index("paper")]]
        print(_verdict(name, ours, published["NMFPUL"]))
        print(flush=True)


def _configurations(collection: Collection) -> list[Configuration]:
    n_topics = max(2, min(10, len(set(collection.labels))))
    ours = [Configuration("nmfpul", {"mode": mode, "n_topics": n_topics}) for mode in MODES]
    return ours + [Configuration(name, {}) for name in NAIVE]


def _print_mean3(
    collection: Collection, results: list[list[Scores]], published: list[float]
) -> None:
    print("Mean of micro, macro and weighted F1 over the unlabeled documents:\n")
    print(
        f"| seeds | published | ours, paper | ours, guided | all negative | {' | '.join(NAIVE)} |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for i, n_seeds in enumerate(N_SEEDS):
        cells = [f"{scores[i].mean3:.3f}" for scores in results]
        cells.insert(len(MODES), f"{_all_negative(collection.labels, n_seeds):.3f}")
        print(f"| {n_seeds} | {published[i]:.3f} | {' | '.join(cells)} |")


def _all_negative(labels: list[str], n_seeds: int) -> float:
    hidden = [task.truth[task.is_unlabeled] for task in study_tasks(labels, n_seeds, 1)]
    return float(np.mean([mean3(truth, np.zeros_like(truth)) for truth in hidden]))


def _print_f1(results: list[list[Scores]], published: dict[str, list[float]]) -> None:
    print("\nF1 of the positive class, the metric of the published baselines:\n")
    print(
        f"| seeds | {' | '.join(BASELINES)} | paper, all | guided, all "
        f"| paper, unlabeled | guided, unlabeled | {' | '.join(NAIVE)}, unlabeled |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for i, n_seeds in enumerate(N_SEEDS):
        cells = [f"{published[method][i]:.2f}" for method in BASELINES]
        cells += [f"{scores[i].on_all:.3f}" for scores in results[: len(MODES)]]
        cells += [f"{scores[i].on_unlabeled:.3f}" for scores in results]
        print(f"| {n_seeds} | {' | '.join(cells)} |")
    print()


def _verdict(name: str, ours: list[float], published: list[float]) -> str:
    text = f'Mode "paper" rises with the labels: {_outcome(all(np.diff(ours) > 0))}.'
    if name != "cstr":
        return text
    worst = max(abs(a - b) for a, b in zip(ours, published, strict=True))
    outcome = _outcome(worst <= TOLERANCE)
    return f"{text} Within {TOLERANCE} of the published: {outcome}, at most {worst:.3f} off."


def _outcome(is_so: bool) -> str:
    return "holds" if is_so else "FAILS"


if __name__ == "__main__":
    main()
