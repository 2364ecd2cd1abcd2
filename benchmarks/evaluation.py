"""Evaluation without negatives beside the truth, and which criterion picks the best algorithm.

    python -m benchmarks.evaluation --data DIR

Protocol: classes of the nine collections of the NMFPUL paper, evenly over their names, each of at
least twice as many documents as seeds, are positive in turn, their seeds drawn at random; the rest
of the collection is unlabeled. Texts are counted and weighted as the product does by default, the
algorithms have their default parameters and the draw as their random state.

Truth: the algorithm fitted with all seeds, judged over the unlabeled documents by their true
labels. Estimates: five trainings, in each of which a fifth of the seeds is hidden among the
unlabeled; with the consensus estimate of the class prior and its interval, or with the true share.
Shown are the mean absolute error, the mean signed error and how often the interval holds the truth.

Criteria: over the algorithms of a task, the rank correlation (Spearman) of each criterion with the
true average precision; how often the algorithm it puts first is the best; and the regret, what
that algorithm lacks of the best one's average precision, and of the best one's F1 at its own cut.
A tie at the top counts as a fair draw. Below them what fixed choices give. Means over tasks.

All figures are ours. ``--results FILE`` keeps the cells, and goes on from those that are there.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from benchmarks.cell_making import counts
from benchmarks.cells import Key, drop_cut_line, read
from benchmarks.collections import add_collections, load
from benchmarks.evaluation_cells import Cell, Ends, make_cell
from benchmarks.evaluation_tables import show
from benchmarks.protocol import COLLECTIONS, Task, evenly, tasks
from core.class_prior.consensus import consensus_prior
from core.text import TermWeighting

ALGORITHMS = ["prototype", "weighted_logistic_regression", "seed_expansion", "lp_pul"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_collections(parser, COLLECTIONS)
    parser.add_argument("--algorithms", nargs="+", default=ALGORITHMS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[10, 30])
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--max-classes", type=int, default=3, help="of each collection")
    parser.add_argument("--results", type=Path, help="file of cells, a JSON line each")
    arguments = parser.parse_args()
    cells = []
    if arguments.results:
        drop_cut_line(arguments.results)
        cells = read(arguments.results, Cell)
    for collection in arguments.collections:
        with threadpool_limits(1):
            for cell in measure(collection, arguments, {cell.key for cell in cells}):
                cells.append(cell)
                if arguments.results:
                    with arguments.results.open("ab") as file:
                        file.write(msgspec.json.encode(cell) + b"\n")
        print(f"{collection}: {len(cells)} cells", flush=True)
    for n_seeds in arguments.seeds:
        show(n_seeds, [cell for cell in cells if cell.key.n_seeds == n_seeds])


def measure(collection: str, arguments: argparse.Namespace, done: set[Key]) -> Iterator[Cell]:
    labels = load(collection, arguments.data)[2]
    X = TermWeighting().fit_transform(counts(arguments.data, collection))
    for n_seeds in arguments.seeds:
        every = list(tasks(labels, n_seeds, n_draws=arguments.draws, min_documents=2 * n_seeds))
        kept = evenly((task.label for task in every), arguments.max_classes)
        for task in every:
            keys = [
                Key(collection, task.label, n_seeds, task.draw, algorithm)
                for algorithm in arguments.algorithms
            ]
            due = [key for key in keys if key not in done]
            if task.label in kept and due:
                priors = class_priors(X, task)
                yield from (make_cell(key, X, task, priors) for key in due)


def class_priors(X: csr_array, task: Task) -> dict[str, Ends]:
    estimate = consensus_prior(X, task.y == 1, random_state=task.draw)
    true = float(task.truth[task.is_unlabeled].mean())
    return {"estimated": (estimate.value, estimate.low, estimate.high), "true": (true,) * 3}


if __name__ == "__main__":
    main()
