"""Scoring by a linear one-class SVM beside scikit-learn's, which goes through support vectors.

Both learn from the same 100 rows of unit length and score the same 100,000 documents: random
tweets, and 20 newsgroups crossed as in ``matrices.crossed``. The least of the repeats counts;
scikit-learn scores once. "difference" is the largest of the scores, which scikit-learn scales by
nu times the number of rows.
"""

import time
from pathlib import Path

import numpy as np
from sklearn.preprocessing import normalize
from sklearn.svm import OneClassSVM as KernelOneClassSVM

from benchmarks.kl_nmf import best
from benchmarks.speed import tables
from benchmarks.speed.matrices import Corpus, crossed, newsgroups, tweets
from core.classifiers.one_class_svm import OneClassSVM

N_DOCUMENTS = 100_000
N_SEEDS = 100
N_REPEATS = 5
AIM = 300


def run(data_dir: Path, folder: Path) -> None:
    tables.header("documents", "nonzeros", "s", "scikit-learn", "ratio", "difference", "aim", "met")
    _compare("tweets", tweets(data_dir).sample(N_DOCUMENTS))
    _compare("20newsgroups, crossed", crossed(newsgroups(data_dir), N_DOCUMENTS))


def _compare(name: str, corpus: Corpus) -> None:
    X, y = corpus.weighted("binary"), corpus.seeds(N_SEEDS)
    Z = normalize(X)
    ours = OneClassSVM(solver="exact", threshold="auto").fit(X, y)
    theirs = KernelOneClassSVM(kernel="linear", nu=ours.nu, tol=1e-6).fit(Z[y == 1])
    seconds = best(lambda: ours.decision_function(X), N_REPEATS)
    start = time.perf_counter()
    their_scores = theirs.decision_function(Z)
    their_seconds = time.perf_counter() - start

    scores = ours.decision_function(X) * ours.nu * y.sum()
    has_terms = np.diff(X.indptr) > 0
    difference = float(np.abs(scores - their_scores)[has_terms].max())
    times = their_seconds / seconds
    cells = f"{difference:.0e}", f">= {AIM}", bool(times >= AIM)
    tables.row(f"{name}: {N_DOCUMENTS:,}", X.nnz, seconds, their_seconds, times, *cells)
