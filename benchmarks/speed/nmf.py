"""KL-NMF beside scikit-learn's multiplicative updates, and a whole fit of NMFPUL.

An iteration is one update of W and one of H, on one thread, both on the same tf-idf matrix, type
and number of topics; scikit-learn's is the difference of two fits over the difference of their
iterations. The whole fit has default parameters on random rows of 20 newsgroups, tf-idf, with 20
seeds; beside it scikit-learn makes as many iterations as all its restarts together, with as many
topics.
"""

import warnings
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from benchmarks.speed import tables
from benchmarks.speed.matrices import newsgroups, warm_up
from benchmarks.timing import best_seconds
from core.classifiers.nmfpul import NMFPUL
from core.kernels.factors import kl_nmf

N_TOPICS = 20
N_NONZEROS = 1_000_000
N_SEEDS = 20
N_REPEATS = 3
AIM_RATIO = 12
AIM_SECONDS = 3
#: Iterations of the two fits of scikit-learn whose difference is measured.
SHORT, LONG = 2, 7


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
            ours = milliseconds(X.astype(dtype))
            theirs = scikit_learn_milliseconds(X.astype(dtype))
        name = f"{N_TOPICS} topics, {dtype.__name__}"
        is_met = theirs >= AIM_RATIO * ours
        tables.row(name, X.nnz, ours, theirs, theirs / ours, f">= {AIM_RATIO}", is_met)


def milliseconds(X: sp.csr_array) -> float:
    rng = np.random.default_rng(0)
    W = rng.random((X.shape[0], N_TOPICS)).astype(X.dtype)
    Ht = rng.random((X.shape[1], N_TOPICS)).astype(X.dtype)
    XT = X.T.tocsr()

    def iterate(n_iterations: int) -> None:
        for _ in range(n_iterations):
            kl_nmf.update(X, W, Ht)
            kl_nmf.update(XT, Ht, W)

    iterate(1)  # compiles
    return 1000 * best_seconds(lambda: iterate(LONG), N_REPEATS) / LONG


def scikit_learn_milliseconds(X: sp.csr_array) -> float:
    short, long = (
        best_seconds(partial(fit_scikit_learn, X, N_TOPICS, n_iter), N_REPEATS)
        for n_iter in (SHORT, LONG)
    )
    return 1000 * (long - short) / (LONG - SHORT)


def whole_fit(X: sp.csr_array, y: np.ndarray) -> None:
    names = ("NMFPUL fit", "nonzeros", "iterations", "s", "scikit-learn", "ratio", "aim", "met")
    tables.header(*names)
    warm_up(NMFPUL(), X, y)
    model = NMFPUL(random_state=0)
    ours = best_seconds(lambda: model.fit(X, y), N_REPEATS)
    n_iter = sum(model.report_["iterations"])
    theirs = best_seconds(lambda: fit_scikit_learn(X, model.n_topics, n_iter), 1)
    shape = f"{X.shape[0]:,} x {X.shape[1]:,}"
    is_met = ours < AIM_SECONDS
    tables.row(shape, X.nnz, n_iter, ours, theirs, theirs / ours, f"< {AIM_SECONDS} s", is_met)


def fit_scikit_learn(X: sp.csr_array, n_topics: int, n_iter: int) -> None:
    nmf = NMF(
        n_topics,
        init="random",
        solver="mu",
        beta_loss="kullback-leibler",
        max_iter=n_iter,
        tol=0,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        nmf.fit(X)
