"""Scoring by a linear one-class SVM beside scikit-learn's, which goes through support vectors.

Both learn from the same 100 rows of unit length and score the same 100,000 documents: random
tweets, and 20 newsgroups crossed as in ``matrices.crossed``, with nu as we have it by default and
as scikit-learn has it: the larger it is, the more support vectors. "checked" is what a user calls,
with all checks of its input; the aim is over "scores", the sparse product. The least of the repeats
counts; scikit-learn scores once. "difference" is the largest of the scores, which scikit-learn
scales by nu times the number of rows.
"""

import time
from pathlib import Path

import numpy as np
from sklearn.preprocessing import normalize
from sklearn.svm import OneClassSVM as KernelOneClassSVM

from benchmarks.speed import tables
from benchmarks.speed.matrices import Corpus, crossed, newsgroups, tweets
from benchmarks.timing import best_seconds
from core.classifiers.one_class_svm import OneClassSVM
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.unit_rows import unit_products

N_DOCUMENTS = 100_000
N_SEEDS = 100
#: Ours and scikit-learn's default.
NU = (0.1, 0.5)
N_REPEATS = 5
AIM = 300


def run(data_dir: Path, folder: Path) -> None:
    tables.header(
        "documents", "nonzeros", "nu", "support vectors", "scores, s", "checked, s",
        "scikit-learn, s", "ratio", "ratio, checked", "difference", "aim", "met",
    )  # fmt: skip
    for nu in NU:
        _compare("tweets", tweets(data_dir).sample(N_DOCUMENTS), nu)
        _compare("20newsgroups, crossed", crossed(newsgroups(data_dir), N_DOCUMENTS), nu)


def _compare(name: str, corpus: Corpus, nu: float) -> None:
    X, y = corpus.weighted("binary"), corpus.seeds(N_SEEDS)
    Z = normalize(X)
    ours = OneClassSVM(nu=nu, solver="exact").fit(X, y)
    theirs = KernelOneClassSVM(kernel="linear", nu=nu, tol=1e-6).fit(Z[y == 1])
    seconds = best_seconds(lambda: unit_products(X, ours.coef_), N_REPEATS)
    checked = best_seconds(lambda: ours.decision_function(X), N_REPEATS)
    start = time.perf_counter()
    their_scores = theirs.decision_function(Z)
    their_seconds = time.perf_counter() - start

    scores = ours.decision_function(X) * nu * y.sum()
    has_terms = has_entries(X)
    difference = float(np.abs(scores - their_scores)[has_terms].max())
    times = their_seconds / seconds
    tables.row(
        f"{name}: {N_DOCUMENTS:,}", X.nnz, nu, len(theirs.support_), seconds, checked,
        their_seconds, times, their_seconds / checked, f"{difference:.0e}", f">= {AIM}",
        bool(times >= AIM),
    )  # fmt: skip
