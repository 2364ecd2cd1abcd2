"""Mean scores in the protocol of the NMFPUL paper and of the LP-PUL study."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from benchmarks import collections
from benchmarks.protocol import N_SEEDS, Task, tasks
from core.base import BasePUClassifier
from core.classifiers.lp_pul import LPPUL
from core.registry import ALGORITHMS

#: Yardsticks of ours, at their own cuts.
NAIVE = ["naive_logistic_regression", "naive_nb", "random_ranking"]


class Collection(NamedTuple):
    """Labeled documents as the matrices that algorithms learn from."""

    name: str
    labels: list[str]
    matrices: dict[str, sp.csr_matrix]


class Configuration(NamedTuple):
    """An algorithm, by name or as a class, with parameters; all others have their defaults."""

    algorithm: str | type[BasePUClassifier]
    parameters: dict[str, Any]

    @property
    def estimator(self) -> type[BasePUClassifier]:
        return ALGORITHMS[self.algorithm] if isinstance(self.algorithm, str) else self.algorithm


class Scores(NamedTuple):
    """Means over classes and draws."""

    #: F1 of the positive class over all documents, the labeled ones as the method predicts them;
    #: graph methods keep their labels.
    on_all: float
    #: F1 of the positive class over the unlabeled documents.
    on_unlabeled: float
    #: Mean of micro, macro and weighted F1 over the unlabeled documents.
    mean3: float


def load(name: str, data_dir: Path) -> Collection:
    _, texts, labels = collections.load(name, data_dir)
    options: dict[str, Any] = {"stop_words": "english", "min_df": 2}
    matrices = {
        "tfidf": TfidfVectorizer(**options).fit_transform(texts),
        "counts": CountVectorizer(**options).fit_transform(texts),
    }
    return Collection(name, labels, matrices)


def study_tasks(labels: list[str], n_seeds: int, n_draws: int) -> Iterator[Task]:
    return tasks(labels, n_seeds, n_draws=n_draws, keep_small=True)


def evaluate(
    collection: Collection, configurations: Sequence[Configuration], n_draws: int, n_jobs: int
) -> list[list[Scores]]:
    """Return the scores of each configuration, for each of N_SEEDS."""
    scores = Parallel(n_jobs, max_nbytes=None)(
        delayed(_mean_scores)(collection, configuration, n_seeds, n_draws)
        for configuration in configurations
        for n_seeds in N_SEEDS
    )
    step = len(N_SEEDS)
    return [scores[start : start + step] for start in range(0, len(scores), step)]


def f1(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Return the F1 of the ones, 0 where there are none."""
    total = truth.sum() + predicted.sum()
    return float(2 * (truth & predicted).sum() / total) if total else 0.0


def mean3(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Return the mean of micro, macro and weighted F1 over both classes."""
    each = np.array([f1(truth, predicted), f1(1 - truth, 1 - predicted)])
    share = truth.mean()
    micro = (truth == predicted).mean()
    return float((micro + each.mean() + each @ [share, 1 - share]) / 3)


def _mean_scores(
    collection: Collection, configuration: Configuration, n_seeds: int, n_draws: int
) -> Scores:
    X = collection.matrices[configuration.estimator.representation]
    scores = [
        _scores(X, task, configuration) for task in study_tasks(collection.labels, n_seeds, n_draws)
    ]
    return Scores(*np.mean(scores, axis=0).tolist())


def _scores(X: sp.csr_matrix, task: Task, configuration: Configuration) -> Scores:
    classifier = _estimator(configuration, task).fit(X, task.y)
    is_transductive = classifier.is_transductive
    predicted = classifier.transduction_ if is_transductive else classifier.predict(X)
    hidden, guess = task.truth[task.is_unlabeled], predicted[task.is_unlabeled]
    return Scores(f1(task.truth, predicted), f1(hidden, guess), mean3(hidden, guess))


def _estimator(configuration: Configuration, task: Task):
    classifier = configuration.estimator(**configuration.parameters)
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=0)
    if isinstance(classifier, LPPUL):
        # The study counts negatives by the seeds asked for, also where a class has fewer.
        share = task.n_seeds / int(task.y.sum())
        classifier.set_params(n_negatives=classifier.n_negatives * share)
    return classifier
