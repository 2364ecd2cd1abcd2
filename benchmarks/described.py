"""How much a few words that name what is looked for help ``auto``, as one more positive.

    python -m benchmarks.described run --data DIR
    python -m benchmarks.described tables described.ndjson

Each class of at least 40 documents is looked for in turn, at most eight of a collection, evenly
over their names: by its documents alone (``auto``), by them and a text of some words
(``auto, words added``), and by that text alone (``words alone``, under 0 seeds).

Nobody chose the words for their effect. They are the name of the class where that says anything:
topics of abstracts (cstr), bookmarks (syskillwebert), subject headings of MEDLINE (oh0, oh15),
sections of a news service (wap), newsgroups without their hierarchy; what the distributors of
Reuters-21578 call its topics; titles of systematic reviews. Of words that were stemmed, the longest
beginning that is a term is taken, of at least four letters. A class none of whose words is a term
is left out. Collections of ``benchmarks/debian_texts.py`` in English can be asked for, too.

Words are counted as the service does. Measured as in ``benchmarks.auto``, over the unlabeled
documents. A mean is over the classes and draws of a collection, then over collections. Cells are
lines appended to a file; a second run makes only those that are missing. Figures are ours.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import cells, quality_tables
from benchmarks.auto_cells import AutoCell
from benchmarks.cells import Key
from benchmarks.collections import add_collections, load
from benchmarks.described_cells import (
    ADDED,
    ALONE,
    AUTO,
    REVIEWS,
    counted,
    make_cell,
    words_of,
)
from benchmarks.protocol import Task, evenly, tasks
from benchmarks.quality import MIN_DOCUMENTS

MAX_CLASSES = 8
COLLECTIONS = [
    *("cstr", "syskillwebert", "oh0", "oh15", "wap"),
    *("20newsgroups:3000", "reuters21578:3000", *REVIEWS),
]
METRICS = {
    "average_precision": "Average precision",
    "f1_true_number": "F1 with the true number predicted positive",
    "f1": "F1 at the cut",
    "prior_error": "Class prior, absolute error",
    "prior_covered": "Class prior, interval holds the true share",
    "calibration_error": "Expected calibration error",
    "precision_error": "Expected precision less the true one, without sign",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    make = commands.add_parser("run", help="make the cells that are missing, print tables")
    add_collections(make, COLLECTIONS)
    make.add_argument("--out", type=Path, default=Path("described.ndjson"))
    make.add_argument("--seeds", nargs="+", type=int, default=[1, 5, 10])
    make.add_argument("--draws", type=int, default=1)
    make.add_argument("--jobs", type=int, default=2, help="processes")
    show = commands.add_parser("tables", help="print what a file holds, in Markdown")
    show.add_argument("file", type=Path)
    arguments = parser.parse_args()
    path = arguments.file if arguments.command == "tables" else arguments.out
    if arguments.command == "run":
        make_one = partial(make_cell, arguments.data)
        cells.make_missing(path, plan(arguments), make_one, n_jobs=arguments.jobs)
    show_tables(cells.read(path, AutoCell))


def plan(arguments: argparse.Namespace) -> Iterator[tuple[Key, Task]]:
    """Yield all cells; those of words alone do not depend on a draw."""
    for name in arguments.collections:
        labels = load(name, arguments.data)[2]
        kept = kept_labels(name, arguments.data, labels)
        for n_seeds in (0, *arguments.seeds):
            options = {"n_draws": arguments.draws if n_seeds else 1, "min_documents": MIN_DOCUMENTS}
            for task in tasks(labels, max(n_seeds, 1), **options):
                if task.label in kept:
                    for way in (AUTO, ADDED) if n_seeds else (ALONE,):
                        yield Key(name, task.label, n_seeds, task.draw, way), task


def kept_labels(collection: str, data_dir: Path, labels: list[str]) -> list[str]:
    counter, _ = counted(data_dir, collection)
    names = (
        str(label)
        for label, n_documents in zip(*np.unique(labels, return_counts=True), strict=True)
        if n_documents >= MIN_DOCUMENTS
        and counter.transform([words_of(collection, str(label), counter)]).nnz
    )
    return evenly(names, MAX_CLASSES)


def show_tables(made: list[AutoCell]) -> None:
    print(quality_tables.introduction(made))
    for metric, title in METRICS.items():
        quality_tables.show_means(title, made, metric)
    for collection in dict.fromkeys(cell.key.collection for cell in made):
        chosen = [cell for cell in made if cell.key.collection == collection]
        quality_tables.show_means(f"Average precision: {collection}", chosen, "average_precision")
    quality_tables.show_incidents(made)


if __name__ == "__main__":
    main()
