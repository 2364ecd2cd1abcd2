"""Quality of the classifiers on the nine collections of the NMFPUL paper.

    python -m benchmarks.quality run --data DIR
    python -m benchmarks.quality tables quality.ndjson

Protocol: each class of at least 40 documents is positive in turn, its labeled documents drawn at
random, those of fewer seeds among those of more; the rest of the collection is unlabeled. Texts are
counted and weighted as the product does by default, and each classifier has its default parameters:
none is told the class prior, those that need one estimate it or assume their default. The draw is
the random state. All figures are ours. The collections are published as counts or tokenised anew,
so they are near those of the papers, not the same.

Measured over the unlabeled documents: average precision; F1 at the classifier's own cut; F1 with as
many predicted positive as are hidden, the best that a known number could give. Both F1 also over
all documents, where labeled ones count as found, as in the LP-PUL study: it flatters more the more
is labeled. Ties count as in random order. The scores of a transductive method are those of its fit.

Cost: processor seconds of the classifier's fit and of scoring the unlabeled documents as if they
were new, in one thread; and peak memory: how far the resident size of the process rose above that
before the fit (reset and VmHWM of Linux, free memory given back before). Counting and weighting are
not in it. Each process has fitted the algorithm before, so nothing is compiled.

A method that refuses a task (too few positives) or fails leaves a cell without figures. Each cell
is a line appended to the file; a second run makes only those that are missing. Cells of code that
changed since have to be deleted by hand.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import cells, quality_tables
from benchmarks.cell_making import make_cell
from benchmarks.cells import Key
from benchmarks.collections import add_collections, load
from benchmarks.protocol import COLLECTIONS, N_SEEDS, Task, tasks
from core.registry import ALGORITHMS

MIN_DOCUMENTS = 40


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    make = commands.add_parser("run", help="make the cells that are missing")
    add_collections(make, COLLECTIONS)
    make.add_argument("--out", type=Path, default=Path("quality.ndjson"))
    make.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=list(ALGORITHMS))
    make.add_argument("--seeds", nargs="+", type=int, default=N_SEEDS)
    make.add_argument("--draws", type=int, default=5)
    make.add_argument("--jobs", type=int, default=2, help="processes")
    show = commands.add_parser("tables", help="print what a file holds, in Markdown")
    show.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "run":
        make_one = partial(make_cell, arguments.data)
        cells.make_missing(arguments.out, plan(arguments), make_one, n_jobs=arguments.jobs)
    else:
        quality_tables.show(cells.read(arguments.file))


def plan(arguments: argparse.Namespace) -> Iterator[tuple[Key, Task]]:
    """Yield all cells, whole draws first, so that a run cut short compares like with like."""
    labels = {name: load(name, arguments.data)[2] for name in arguments.collections}
    options = {"n_draws": arguments.draws, "min_documents": MIN_DOCUMENTS}
    every = [
        (name, task)
        for n_seeds in arguments.seeds
        for name in arguments.collections
        for task in tasks(labels[name], n_seeds, **options)
    ]
    for name, task in sorted(every, key=lambda pair: pair[1].draw):
        for algorithm in arguments.algorithms:
            yield Key(name, task.label, task.n_seeds, task.draw, algorithm), task


if __name__ == "__main__":
    main()
