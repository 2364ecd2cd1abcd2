"""Quality of ``algorithm="auto"``, and of what it says of itself.

    python -m benchmarks.auto run --data DIR
    python -m benchmarks.auto held-out --data DIR
    python -m benchmarks.auto further --data DIR
    python -m benchmarks.auto tables auto.ndjson [--quality quality.ndjson]
    python -m benchmarks.auto time --data DIR

``run``: protocol and collections of ``benchmarks.quality``: each class of at least 40 documents is
positive in turn, its labeled documents drawn at random, those of fewer seeds among those of more.
Nobody names an algorithm, a class prior or a cut: the race of core/auto/race.py chooses, the
positives that it hides give class prior, probabilities and cut. From one seed nothing can be
hidden: auto takes its favourite with the cut of that.

``held-out``: the same on collections that nothing was designed or chosen on: three systematic
reviews (included), Reuters-21578 (documents of one topic), 20 newsgroups, short messages (spam)
and tweets (on topic), the larger ones as a fixed random sample of 3,000 documents; at most eight
classes of each, evenly over their names. Beside auto three algorithms with their own cuts.

Measured over the unlabeled documents: average precision; F1 at the cut of auto, at each other cut
and with the true number predicted positive; class prior beside the true share, and whether its
interval holds it; expected calibration error in ten bins of equal width; expected precision beside
the true one, and whether intervals hold the truth; over single tasks, how far both go together, and
how far off one guess for all tasks, the mean of the true ones, would be. Seconds are of the whole
training but for counting words, on one thread.

``further``: the same on collections of ``benchmarks/debian_texts.py``, in four languages: each a
fixed random sample of 3,000 documents. Their classes are less alike and their texts shorter.

``--collections`` of each of the three takes yours as well: ``NAME.ndjson.gz`` in the folder, a line
for each document with ``id``, ``text`` and ``label``.

``time``: one training on the whole of 20 newsgroups from 10 seeds, on two threads, by steps.

A mean is over the classes and draws of a collection, then over collections. Aims stand beside.
Cells are lines appended to a file; a second run makes only those that are missing. Figures are
ours.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import auto_tables, cells, quality
from benchmarks.auto_cells import AutoCell, make_auto_cell
from benchmarks.auto_time import show_time
from benchmarks.cell_making import make_cell
from benchmarks.cells import Cell, Key
from benchmarks.collections import add_collections, load
from benchmarks.protocol import COLLECTIONS, N_SEEDS, Task, evenly, tasks

AUTO = "auto"
BASELINES = ["naive_logistic_regression", "lp_pul", "weighted_logistic_regression"]
#: Collections that nothing was chosen on, with the only positive class there is.
HELD_OUT = {
    "review-ACEInhibitors": "included",
    "review-BannachBrown_2019": "included",
    "review-Nagtegaal_2019": "included",
    "reuters21578:3000": None,
    "20newsgroups:3000": None,
    "sms-spam:3000": "spam",
    "crisislex-t6:3000": "on-topic",
}
FURTHER: dict[str, str | None] = {
    f"{name}:3000": None
    for name in (
        *("debian-en", "debian-de", "debian-fr", "debian-ja", "wordnet-noun", "wordnet-verb"),
        *("fortunes-en", "fortunes-de", "fortunes-cs"),
    )
}
MAX_CLASSES = 8


def main() -> None:
    arguments = parsed()
    if arguments.command == "time":
        show_time(arguments.data)
    elif arguments.command == "tables":
        known: list[Cell] = cells.read(arguments.quality) if arguments.quality else []
        auto_tables.show(cells.read(arguments.file, AutoCell), known)
    else:
        planned = quality.plan(arguments) if arguments.command == "run" else held_out(arguments)
        make = partial(make_any, arguments.data)
        cells.make_missing(arguments.out, planned, make, n_jobs=arguments.jobs)
        auto_tables.show(cells.read(arguments.out, AutoCell), [])


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    for name, collections, algorithms in (
        ("run", COLLECTIONS, [AUTO]),
        ("held-out", list(HELD_OUT), [AUTO, *BASELINES]),
        ("further", list(FURTHER), [AUTO]),
    ):
        make = commands.add_parser(name, help="make the cells that are missing, print tables")
        add_collections(make, collections)
        make.add_argument("--out", type=Path, default=Path(f"auto-{name}.ndjson"))
        make.add_argument("--seeds", nargs="+", type=int, default=N_SEEDS)
        make.add_argument("--draws", type=int, default=1)
        make.add_argument("--jobs", type=int, default=2, help="processes")
        make.set_defaults(algorithms=algorithms)
    show = commands.add_parser("tables", help="print what a file holds, in Markdown")
    show.add_argument("file", type=Path)
    show.add_argument("--quality", type=Path, help="cells of benchmarks.quality, to compare with")
    show_seconds = commands.add_parser("time", help="time one training, by steps")
    show_seconds.add_argument("--data", type=Path, required=True)
    return parser.parse_args()


def make_any(data_dir: Path, key: Key, task: Task) -> Cell:
    make = make_auto_cell if key.algorithm == AUTO else make_cell
    return make(data_dir, key, task)


def held_out(arguments: argparse.Namespace) -> Iterator[tuple[Key, Task]]:
    """Yield the cells of the held-out collections, those of few seeds first."""
    labels = {name: load(name, arguments.data)[2] for name in arguments.collections}
    for n_seeds in arguments.seeds:
        for name in arguments.collections:
            options = {"n_draws": arguments.draws, "min_documents": quality.MIN_DOCUMENTS}
            every = list(tasks(labels[name], n_seeds, **options))
            kept = kept_labels(name, every)
            for task in (task for task in every if task.label in kept):
                for algorithm in arguments.algorithms:
                    yield Key(name, task.label, n_seeds, task.draw, algorithm), task


def kept_labels(collection: str, every: list[Task]) -> list[str]:
    label = (HELD_OUT | FURTHER).get(collection)
    if label is not None:
        return [label]
    return evenly((task.label for task in every), MAX_CLASSES)


if __name__ == "__main__":
    main()
