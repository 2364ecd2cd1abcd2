"""What vectors of documents add to ``auto``, counted as words beside those of the texts.

    python -m benchmarks.vectors run --data DIR --vectors FOLDER
    python -m benchmarks.vectors tables vectors.ndjson

``FOLDER`` has a file for each collection: ``sms-spam-3000.npy``, an array of the vectors of its
documents, in their order. They are of whatever model you have; none comes with Seedbed. A
collection without a file is passed over.

Each class of at least 40 documents is looked for in turn, at most eight of a collection, evenly
over their names, and three draws where it has one class: by the words of the texts (``words``), by
both, and by the vectors alone. Measured as in ``benchmarks.auto``, over the unlabeled documents. A
mean is over the classes and draws of a collection, then over collections. Cells are lines appended
to a file; a second run makes only those that are missing. Figures are ours.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import cells
from benchmarks.auto import FURTHER, HELD_OUT, kept_labels
from benchmarks.auto_cells import AutoCell
from benchmarks.cells import Key
from benchmarks.collections import add_collections, load
from benchmarks.described import show_tables
from benchmarks.protocol import Task, tasks
from benchmarks.quality import MIN_DOCUMENTS
from benchmarks.vector_cells import BOTH, VECTORS, WORDS, make_cell, vectors_file

DRAWS_OF_ONE_CLASS = 3


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    make = commands.add_parser("run", help="make the cells that are missing, print tables")
    add_collections(make, [*HELD_OUT, *FURTHER])
    make.add_argument("--vectors", type=Path, required=True, help="folder of their vectors")
    make.add_argument("--out", type=Path, default=Path("vectors.ndjson"))
    make.add_argument("--seeds", nargs="+", type=int, default=[1, 5, 10])
    make.add_argument("--jobs", type=int, default=2, help="processes")
    show = commands.add_parser("tables", help="print what a file holds, in Markdown")
    show.add_argument("file", type=Path)
    arguments = parser.parse_args()
    path = arguments.file if arguments.command == "tables" else arguments.out
    if arguments.command == "run":
        make_one = partial(make_cell, arguments.data, arguments.vectors)
        cells.make_missing(path, plan(arguments), make_one, n_jobs=arguments.jobs)
    show_tables(cells.read(path, AutoCell))


def plan(arguments: argparse.Namespace) -> Iterator[tuple[Key, Task]]:
    for name in arguments.collections:
        if not vectors_file(arguments.vectors, name).exists():
            continue
        labels = load(name, arguments.data)[2]
        for n_seeds in arguments.seeds:
            options = {"n_draws": DRAWS_OF_ONE_CLASS, "min_documents": MIN_DOCUMENTS}
            every = list(tasks(labels, n_seeds, **options))
            kept = kept_labels(name, every)
            n_draws = DRAWS_OF_ONE_CLASS if len(kept) == 1 else 1
            for task in every:
                if task.label in kept and task.draw < n_draws:
                    for way in (WORDS, BOTH, VECTORS):
                        yield Key(name, task.label, n_seeds, task.draw, way), task


if __name__ == "__main__":
    main()
