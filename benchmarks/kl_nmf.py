"""Time of one KL-NMF iteration beside scikit-learn's multiplicative updates, on one thread.

Both get the same tf-idf matrix, type and number of topics. An iteration is one update of W and one
of H; scikit-learn's is the difference of two fits over the difference of their iterations.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from benchmarks.collections import load
from core.kernels import kl_nmf

#: Iterations of the two fits of scikit-learn.
SHORT, LONG = 2, 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--collections", nargs="+", default=["fbis", "20newsgroups"])
    parser.add_argument("--topics", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3, help="the best of them counts")
    arguments = parser.parse_args()

    print("| collection | n x m | nnz | k | type | ms/iteration | scikit-learn | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for name in arguments.collections:
        _, texts, _ = load(name, arguments.data)
        tfidf = TfidfVectorizer().fit_transform(texts)
        for dtype in (np.float32, np.float64):
            X = sp.csr_array(tfidf, dtype=dtype)
            with threadpool_limits(1):
                ours = milliseconds(X, arguments.topics, arguments.repeats)
                theirs = scikit_learn_milliseconds(X, arguments.topics, arguments.repeats)
            print(
                f"| {name} | {X.shape[0]:,} x {X.shape[1]:,} | {X.nnz:,} | {arguments.topics} "
                f"| {dtype.__name__} | {ours:.1f} | {theirs:.1f} | {theirs / ours:.1f} |",
                flush=True,
            )


def milliseconds(X: sp.csr_array, n_topics: int, repeats: int) -> float:
    rng = np.random.default_rng(0)
    W = rng.random((X.shape[0], n_topics)).astype(X.dtype)
    Ht = rng.random((X.shape[1], n_topics)).astype(X.dtype)
    XT = X.T.tocsr()

    def iterate(n_iterations: int) -> None:
        for _ in range(n_iterations):
            kl_nmf.update(X, W, Ht)
            kl_nmf.update(XT, Ht, W)

    iterate(1)  # compiles
    return 1000 * best(lambda: iterate(LONG), repeats) / LONG


def scikit_learn_milliseconds(X: sp.csr_array, n_topics: int, repeats: int) -> float:
    def fit(n_iterations: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            NMF(
                n_topics,
                init="random",
                solver="mu",
                beta_loss="kullback-leibler",
                max_iter=n_iterations,
                tol=0,
                random_state=0,
            ).fit(X)

    seconds = best(lambda: fit(LONG), repeats) - best(lambda: fit(SHORT), repeats)
    return 1000 * seconds / (LONG - SHORT)


def best(run: Callable[[], None], repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
