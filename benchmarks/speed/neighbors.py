"""The graph of nearest neighbors beside scikit-learn's, and beside comparing all terms of all rows.

Random posts of 20 newsgroups, news of Reuters-21578 and tweets of sentiment140-sample and
crisislex-t6, weighted as ``auto`` does, one thread. scikit-learn's NearestNeighbors makes all
cosines, block by block. All three find the same neighbors, or it ends with an error.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from benchmarks.collections import load
from benchmarks.speed import tables
from benchmarks.speed.matrices import N_WARM_UP, Corpus, newsgroups, tweets
from core.kernels.graphs.knn_graph import N_NEIGHBORS, nearest_rows, transposed
from core.kernels.rows.unit_rows import unit_rows
from core.registry import USUAL
from core.text import TokenCounter
from core.vectorizer import make_vectorizer

N_TWEETS = 50_000


def run(data_dir: Path, _folder: Path) -> None:
    tables.header(
        "texts", "documents", "terms each", "s", "all terms, s", "scikit-learn, s", "ratio"
    )
    collections = {
        "posts": newsgroups(data_dir),
        "news": news(data_dir),
        "tweets": tweets(data_dir).sample(N_TWEETS),
    }
    _, weights = make_vectorizer({}, like=USUAL)
    for name, corpus in collections.items():
        Z = unit_rows(weights.fit_transform(corpus.counts))
        nearest(Z[:N_WARM_UP])
        of_all_terms(Z[:N_WARM_UP])
        with threadpool_limits(1):
            found, seconds = timed(nearest, Z)
            same, all_seconds = timed(of_all_terms, Z)
            theirs, their_seconds = timed(their_nearest, Z)
        # scikit-learn may take others of equal ones.
        if (found != same).nnz or not np.allclose(found.sum(axis=1), theirs, atol=1e-3):
            raise RuntimeError("these are not the same neighbors")
        ratio = tables.ratio(their_seconds, seconds)
        n_rows = Z.shape[0]
        tables.row(name, n_rows, Z.nnz / n_rows, seconds, all_seconds, their_seconds, ratio)


def news(data_dir: Path) -> Corpus:
    _, texts, labels = load("reuters21578", data_dir)
    return Corpus(TokenCounter().fit_transform(texts), np.array(labels) == "earn")


def timed(function: Callable[..., Any], Z: sp.csr_array) -> tuple[Any, float]:
    start = time.perf_counter()
    return function(Z), time.perf_counter() - start


def nearest(Z: sp.csr_array) -> sp.csr_array:
    return nearest_rows(Z, Z, N_NEIGHBORS, own=np.arange(Z.shape[0]))


def of_all_terms(Z: sp.csr_array) -> sp.csr_array:
    # With its columns at hand it takes these for a kept matrix that few rows are compared with.
    return nearest_rows(Z, Z, N_NEIGHBORS, columns=transposed(Z), own=np.arange(Z.shape[0]))


def their_nearest(Z: sp.csr_array) -> NDArray[np.float64]:
    """Return the sum of the largest cosines of each row."""
    nearest = NearestNeighbors(n_neighbors=N_NEIGHBORS, metric="cosine", algorithm="brute").fit(Z)
    distances, _ = nearest.kneighbors()
    return (1 - distances).sum(axis=1)
