"""What terms are worth that are chosen from a few positives of a pile of text, by each method.

    python -m benchmarks.feature_selection_text --data DIR [--methods NAME ...]

Of each collection the three largest classes in turn, 30 of their documents labeled, 50 terms chosen
of those that two documents have. A plain logistic regression (labeled against unlabeled) on these
terms alone ranks the unlabeled documents: average precision, mean over classes, beside that on all
terms. "of one positive" is the share of the chosen terms that a single labeled document has: they
tell nothing of others. The last row has the mean seconds of a selection, of one thread. All figures
are ours.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score
from threadpoolctl import threadpool_limits

from benchmarks.collections import add_collections, load
from benchmarks.protocol import Task, tasks
from benchmarks.quality_tables import show_header
from core.classifiers import NaiveLogisticRegression
from core.registry import FEATURE_SELECTORS, make_estimator
from core.text import TermWeighting, TokenCounter

COLLECTIONS = ["20newsgroups", "reuters21578", "wap", "oh0", "review-BannachBrown_2019"]
N_CLASSES, N_SEEDS, N_TERMS = 3, 30, 50
METHODS = ["k_best", "lasso", "mrmr", "pu_mutual_information", "semi_jmi", "semi_mim"]
ALL = "all_features"


def main() -> None:
    arguments = parsed()
    names = [ALL, *arguments.methods]
    columns = [f"{name}{of}" for name in names for of in ("", ", of one positive")]
    show_header(f"{N_TERMS} terms from {N_SEEDS} positives", ["collection", *columns])
    seconds = []
    for collection in arguments.collections:
        rows = [
            [chosen(name, counts, task) for name in names]
            for counts, task in largest(arguments.data, collection)
        ]
        means = np.mean(rows, axis=0)
        told = " | ".join(f"{precision:.3f} | {single:.2f}" for precision, single, _ in means)
        print(f"| {collection} | {told} |", flush=True)
        seconds.append(means[:, 2])
    told = " | ".join(f"{each:.2f} |" for each in np.mean(seconds, axis=0))
    print(f"| seconds | {told} |")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_collections(parser, COLLECTIONS)
    parser.add_argument("--methods", nargs="+", choices=sorted(FEATURE_SELECTORS), default=METHODS)
    return parser.parse_args()


def largest(data_dir: Path, collection: str) -> Iterator[tuple[sp.csr_array, Task]]:
    """Yield the counts, and a task for each of the largest classes that leave some to find."""
    _, texts, labels = load(collection, data_dir)
    counts = TokenCounter(min_df=2).fit_transform(texts)
    sizes = Counter(labels).most_common()
    names = [name for name, n in sizes if n > N_SEEDS and 2 * n < len(labels)][:N_CLASSES]
    for task in tasks(labels, N_SEEDS, n_draws=1):
        if task.label in names:
            yield counts, task


def chosen(name: str, counts: sp.csr_array, task: Task) -> tuple[float, float, float]:
    """Return the average precision, the share of terms of one positive, and seconds."""
    params = {} if name == ALL else {"n_features_to_select": N_TERMS}
    selector = make_estimator(FEATURE_SELECTORS, name, params, random_state=0)
    X = TermWeighting(representation=selector.representation).fit_transform(counts)
    with threadpool_limits(1):
        start = time.process_time()
        selector.fit(X, task.y)
        seconds = time.process_time() - start
    columns = np.flatnonzero(selector.support_)
    in_positives = np.bincount(counts[task.y == 1].indices, minlength=counts.shape[1])
    single = float((in_positives[columns] == 1).mean())
    return precision_on(columns, counts, task), single, seconds


def precision_on(columns: NDArray[np.intp], counts: sp.csr_array, task: Task) -> float:
    weights = TermWeighting(sublinear_tf=True).fit_transform(counts)[:, columns]
    truth = task.truth[task.is_unlabeled]
    if not weights[task.is_unlabeled].nnz:
        return float(truth.mean())
    scores = NaiveLogisticRegression().fit(weights, task.y).score_samples(weights)
    return float(average_precision_score(truth, scores[task.is_unlabeled]))


if __name__ == "__main__":
    main()
