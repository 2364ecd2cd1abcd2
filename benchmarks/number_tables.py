"""How well each algorithm ranks the rows of tables of numbers, with its defaults.

    python -m benchmarks.number_tables --data DIR

Protocol: some rows of one class, drawn at random, are positive, all other rows are unlabeled.
Measured: the average precision over the unlabeled rows, the median of the draws, of columns as they
come, of columns divided by their standard deviation, and of columns that are centred before; a dash
where a method takes no negative numbers or fails otherwise.

- spambase, spam; ionosphere, bad returns: files of ``--data``, the latter with negative numbers;
- breast cancer, malignant; digits, each of the ten in turn: data sets of scikit-learn.

All figures are ours.
"""

import argparse
import gzip
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score
from sklearn.preprocessing import StandardScaler

from core.registry import ALGORITHMS, make_estimator

#: Files and the label of their positives.
FILES = {"spambase": "1", "ionosphere": "bad"}
NAMES = [*FILES, "breast cancer", "digits"]
#: It learns from judged negatives, of which there are none here.
LEFT_OUT = {"judged_svm"}


class Table(NamedTuple):
    X: NDArray[np.float64]
    #: Of each row.
    labels: NDArray[np.generic]
    #: The positive label of each draw, which starts again behind the last one.
    positive: list[object]


def main() -> None:
    arguments = _arguments()
    warnings.simplefilter("ignore", ConvergenceWarning)
    tables = {name: table(name, arguments.data) for name in arguments.tables}
    print("| algorithm |" + "".join(f" {name} |" for name in tables))
    print("|---" * (len(tables) + 1) + "|")
    for name in arguments.algorithms:
        cells = [cell(name, each, arguments.positives, arguments.draws) for each in tables.values()]
        print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--tables", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--positives", type=int, default=30)
    parser.add_argument("--draws", type=int, default=10)
    usual = [name for name in ALGORITHMS if name not in LEFT_OUT]
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=usual)
    return parser.parse_args()


def table(name: str, data: Path) -> Table:
    if name == "digits":
        X, labels = load_digits(return_X_y=True)
        return Table(X, labels, list(range(10)))
    if name == "breast cancer":
        X, labels = load_breast_cancer(return_X_y=True)
        return Table(X, labels, [0])
    with gzip.open(data / f"{name}.csv.gz", "rt") as file:
        rows = [line.rstrip().split(",") for line in file][1:]
    return Table(
        np.array([row[:-1] for row in rows], dtype=float),
        np.array([row[-1] for row in rows]),
        [FILES[name]],
    )


def cell(name: str, drawn_from: Table, n_positive: int, n_draws: int) -> str:
    """Return the median of the draws as the columns come, then divided, then centred as well."""
    divided, centred = (
        StandardScaler(with_mean=is_centred).fit_transform(drawn_from.X)
        for is_centred in (False, True)
    )
    return ", ".join(
        shown([precision(name, X, drawn_from, n_positive, draw) for draw in range(n_draws)])
        for X in (drawn_from.X, divided, centred)
    )


def shown(figures: list[float]) -> str:
    return "-" if np.isnan(figures).any() else f"{np.median(figures):.2f}"


def precision(
    name: str, X: NDArray[np.float64], drawn_from: Table, n_positive: int, draw: int
) -> float:
    """Return the average precision over the unlabeled rows, nan where there are no scores."""
    truth = drawn_from.labels == drawn_from.positive[draw % len(drawn_from.positive)]
    y = np.zeros(len(truth), dtype=int)
    y[np.random.default_rng(draw).permutation(np.flatnonzero(truth))[:n_positive]] = 1
    rows = sparse.csr_array(X)
    try:
        classifier = make_estimator(ALGORITHMS, name, {}, random_state=0).fit(rows, y)
    except ValueError:
        return np.nan
    scores = classifier.training_scores(rows)
    return float(average_precision_score(truth[y == 0], scores[y == 0]))


if __name__ == "__main__":
    main()
