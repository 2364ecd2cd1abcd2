"""KL-NMF beside scikit-learn's multiplicative updates, and a whole fit of NMFPUL.

An iteration is measured as in ``benchmarks.kl_nmf``, on one thread. The whole fit has default
parameters on random rows of 20 newsgroups, tf-idf, with 20 seeds; beside it scikit-learn makes as
many iterations as all its restarts together, with as many topics.
"""

import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from benchmarks.kl_nmf import milliseconds, scikit_learn_milliseconds
from benchmarks.speed import tables
from benchmarks.speed.matrices import newsgroups, warm_up
from core.classifiers.nmfpul import NMFPUL

N_TOPICS = 20
N_NONZEROS = 1_000_000
N_SEEDS = 20
N_REPEATS = 3
AIM_RATIO = 12
AIM_SECONDS = 3


def run(data_dir: Path, folder: Path) -> None:
    corpus = newsgroups(data_dir)
    X = corpus.weighted()
    iterations(X)
    n_rows = int(np.searchsorted(X.indptr, N_NONZEROS))
    whole_fit(X[:n_rows], corpus.seeds(N_SEEDS)[:n_rows])


def iterations(X: sp.csr_array) -> None:
    tables.header("KL-NMF iteration", "nonzeros", "ms", "scikit-learn", "ratio", "aim", "met")
    for dtype in (np.float32, np.float64):
        with threadpool_limits(1):
            ours = milliseconds(X.astype(dtype), N_TOPICS, N_REPEATS)
            theirs = scikit_learn_milliseconds(X.astype(dtype), N_TOPICS, N_REPEATS)
        name = f"{N_TOPICS} topics, {dtype.__name__}"
        is_met = theirs >= AIM_RATIO * ours
        tables.row(name, X.nnz, ours, theirs, theirs / ours, f">= {AIM_RATIO}", is_met)


def whole_fit(X: sp.csr_array, y: np.ndarray) -> None:
    names = ("NMFPUL fit", "nonzeros", "iterations", "s", "scikit-learn", "ratio", "aim", "met")
    tables.header(*names)
    warm_up(NMFPUL(), X, y)
    seconds = []
    for _ in range(N_REPEATS):
        start = time.perf_counter()
        model = NMFPUL(random_state=0).fit(X, y)
        seconds.append(time.perf_counter() - start)
    n_iter = sum(model.report_["iterations"])
    ours, theirs = min(seconds), _scikit_learn_seconds(X, model.n_topics, n_iter)
    shape = f"{X.shape[0]:,} x {X.shape[1]:,}"
    is_met = ours < AIM_SECONDS
    tables.row(shape, X.nnz, n_iter, ours, theirs, theirs / ours, f"< {AIM_SECONDS} s", is_met)


def _scikit_learn_seconds(X: sp.csr_array, n_topics: int, n_iter: int) -> float:
    nmf = NMF(
        n_topics,
        init="random",
        solver="mu",
        beta_loss="kullback-leibler",
        max_iter=n_iter,
        tol=0,
        random_state=0,
    )
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        nmf.fit(X)
    return time.perf_counter() - start
