"""pulearn 0.2.0 beside ours on the same matrices: time, and average precision.

20 newsgroups, sci.space with 50 seeds; once tf-idf, sparse, and once its first 100 singular
vectors, dense. Time is that of the fit and of scoring all documents, each in a process of its own;
the average precision is over the documents that are not seeds. Both get the same regularisation,
number of estimators and size of samples, and nnPU the true class prior; else defaults. Linear
algebra has one thread. The aim is to take no longer, at an average precision no more than 0.01
below. There is no spy technique in 0.2.0; the one of its repository refuses sparse matrices. Three
naive baselines of ours on the sparse matrix say what it is worth to take them for unlabeled.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from threadpoolctl import threadpool_limits

from benchmarks.speed import child, tables
from benchmarks.speed.child import Failure
from benchmarks.speed.matrices import Corpus, newsgroups, open_corpus, warm_up
from core.classifiers.bagging_pu import BaggingPU
from core.classifiers.elkan_noto import ElkanNoto
from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.classifiers.naive_nb import NaiveNB
from core.classifiers.nnpu import NNPU
from core.classifiers.random_ranking import RandomRanking
from core.classifiers.spy_em import SpyEM

try:
    import pulearn
except ModuleNotFoundError:
    pulearn = None

N_SEEDS = 50
N_COMPONENTS = 100
DENSE = "dense.npy"
N_ESTIMATORS = 50
C = 10.0
LIMIT_SECONDS = 600
AIM_DIFFERENCE = -0.01
AIM = "ratio >= 1, -0.01"


def _logistic() -> LogisticRegression:
    return LogisticRegression(C=C, max_iter=1000)


class Pair(NamedTuple):
    """How to make both classifiers, from the number of unlabeled samples and the class prior."""

    ours: Callable[[int, float], Any]
    theirs: Callable[[int, float], Any]


PAIRS = {
    "Elkan-Noto, divided": Pair(
        lambda n_unlabeled, class_prior: ElkanNoto(variant="divided", C=C, random_state=0),
        lambda n_unlabeled, class_prior: pulearn.ElkanotoPuClassifier(
            _logistic(), hold_out_ratio=0.2, random_state=0
        ),
    ),
    "Elkan-Noto, weighted": Pair(
        lambda n_unlabeled, class_prior: ElkanNoto(C=C, random_state=0),
        lambda n_unlabeled, class_prior: pulearn.WeightedElkanotoPuClassifier(
            _logistic(), N_SEEDS, n_unlabeled, hold_out_ratio=0.2, random_state=0
        ),
    ),
    "bagging": Pair(
        lambda n_unlabeled, class_prior: BaggingPU(
            n_estimators=N_ESTIMATORS, max_samples=N_SEEDS, C=C, random_state=0
        ),
        lambda n_unlabeled, class_prior: pulearn.BaggingPuClassifier(
            _logistic(), n_estimators=N_ESTIMATORS, max_samples=N_SEEDS, random_state=0
        ),
    ),
    "nnPU": Pair(
        lambda n_unlabeled, class_prior: NNPU(class_prior=class_prior, random_state=0),
        lambda n_unlabeled, class_prior: pulearn.NNPUClassifier(class_prior, random_state=0),
    ),
    "spy": Pair(
        lambda n_unlabeled, class_prior: SpyEM(random_state=0),
        lambda n_unlabeled, class_prior: pulearn.TwoStepRNClassifier(_logistic(), random_state=0),
    ),
}

NAIVE = [NaiveLogisticRegression(C=C), NaiveNB(), RandomRanking(random_state=0)]


def run(data_dir: Path, folder: Path) -> None:
    corpus = newsgroups(data_dir)
    path = corpus.save(folder)
    svd = TruncatedSVD(N_COMPONENTS, random_state=0)
    np.save(path / DENSE, svd.fit_transform(corpus.weighted()))
    if pulearn is None:
        print("pulearn: not installed; the description of this command says how.")
    tables.header(
        "method", "matrix", "s", "pulearn", "ratio", "average precision", "pulearn", "aim", "met"
    )
    for name in PAIRS:
        for is_dense in (False, True):
            _compare(path, name, is_dense)
    for baseline in NAIVE:
        result = _cells(child.run(measure_naive, path, baseline, seconds=LIMIT_SECONDS))
        name = type(baseline).__name__
        tables.row(name, "sparse", result[0], "", "", result[1], "", "", "")


def _compare(path: Path, name: str, is_dense: bool) -> None:
    ours = child.run(measure, path, name, is_dense, False, seconds=LIMIT_SECONDS)
    theirs: Any = Failure("not installed")
    if pulearn is not None:
        theirs = child.run(measure, path, name, is_dense, True, seconds=LIMIT_SECONDS)
    (seconds, precision), (their_seconds, their_precision) = map(_cells, (ours, theirs))
    is_met: bool | str = False
    if isinstance(theirs, Failure):
        is_met = "no peer" if not isinstance(ours, Failure) else False
    elif not isinstance(ours, Failure):
        no_worse = precision - their_precision >= AIM_DIFFERENCE
        is_met = bool(seconds <= their_seconds and no_worse)
    matrix = f"dense, {N_COMPONENTS}" if is_dense else "sparse"
    times = tables.ratio(their_seconds, seconds)
    precisions = precision, their_precision
    tables.row(name, matrix, seconds, their_seconds, times, *precisions, AIM, is_met)


def _cells(result: Any) -> tuple[Any, Any]:
    return (result, "") if isinstance(result, Failure) else result


def measure(path: Path, name: str, is_dense: bool, is_peer: bool) -> tuple[float, float]:
    """Return seconds and average precision."""
    corpus = open_corpus(path)
    y = corpus.seeds(N_SEEDS)
    representation = SpyEM.representation if name == "spy" else "tfidf"
    X = np.load(path / DENSE) if is_dense else corpus.weighted(representation)
    n_unlabeled = int((y == 0).sum())
    class_prior = float(corpus.is_relevant[y == 0].mean())
    estimator = PAIRS[name][is_peer](n_unlabeled, class_prior)
    if not is_peer:
        warm_up(PAIRS[name].ours(n_unlabeled, class_prior), X, y)
    return _timed(estimator, X, y, corpus)


def measure_naive(path: Path, baseline: Any) -> tuple[float, float]:
    """Return seconds and average precision of a baseline on the sparse matrix."""
    corpus = open_corpus(path)
    X, y = corpus.weighted(baseline.representation), corpus.seeds(N_SEEDS)
    warm_up(clone(baseline), X, y)
    return _timed(baseline, X, y, corpus)


def _timed(estimator: Any, X: Any, y: NDArray[np.int64], corpus: Corpus) -> tuple[float, float]:
    with threadpool_limits(1):
        start = time.perf_counter()
        scores = _scores(estimator.fit(X, y), X)
        seconds = time.perf_counter() - start
    unseen = y == 0
    return seconds, float(average_precision_score(corpus.is_relevant[unseen], scores[unseen]))


def _scores(estimator: Any, X: sp.csr_array | np.ndarray) -> np.ndarray:
    if hasattr(estimator, "decision_function"):
        return estimator.decision_function(X)
    probabilities = np.asarray(estimator.predict_proba(X))
    return probabilities[:, 1] if probabilities.ndim == 2 else probabilities
