"""Graph methods on short documents beside scikit-learn's LabelSpreading on its kNN graph.

The documents are random tweets of sentiment140-sample and crisislex-t6, tf-idf, 20 seeds. Each fit
has a process of its own and two threads; its peak is that of the whole process. LabelSpreading
takes all cores, gets as many neighbors, and as many random negatives as seeds, for it cannot do
without.
"""

import time
from pathlib import Path

import numpy as np
from joblib import parallel_config
from sklearn.semi_supervised import LabelSpreading

from benchmarks.speed import child, tables
from benchmarks.speed.matrices import open_corpus, tweets, warm_up
from core.registry import ALGORITHMS

SIZES = (10_000, 100_000)
METHODS = ("lp_pul", "pu_lp")
PEER = "LabelSpreading"
N_SEEDS = 20
N_NEIGHBORS = 15
N_CORES = 2
AIM_SECONDS = 60
AIM_GIGABYTES = 2
#: What scikit-learn is given at most.
PEER_SECONDS = 600
PEER_GIGABYTES = 8


def run(data_dir: Path, folder: Path) -> None:
    path = tweets(data_dir).save(folder)
    print(f"{PEER} is ended after {PEER_SECONDS} s or at {PEER_GIGABYTES} GB of address space.")
    tables.header(
        "method", "documents", "s", "CPU s", "peak GB", PEER, "its GB", "ratio of s", "aim", "met"
    )
    aim = f"< {AIM_SECONDS} s, < {AIM_GIGABYTES} GB"
    for size in SIZES:
        peer = child.run(fit_peer, path, size, seconds=PEER_SECONDS, gigabytes=PEER_GIGABYTES)
        is_failed = isinstance(peer, child.Failure)
        their_seconds, their_peak = (peer, "") if is_failed else peer
        for name in METHODS:
            seconds, busy, peak = child.run(fit, path, name, size)
            is_met = bool(seconds < AIM_SECONDS and peak < AIM_GIGABYTES)
            times = tables.ratio(their_seconds, seconds)
            tables.row(
                name, size, seconds, busy, peak, their_seconds, their_peak, times, aim, is_met
            )


def fit(path: Path, name: str, size: int) -> tuple[float, float, float]:
    """Return seconds, those of the processors, and the peak in GB."""
    corpus = open_corpus(path).sample(size)
    X, y = corpus.weighted(), corpus.seeds(N_SEEDS)
    warm_up(ALGORITHMS[name](), X, y)
    estimator = ALGORITHMS[name](n_neighbors=N_NEIGHBORS)
    start, start_busy = time.perf_counter(), time.process_time()
    with parallel_config(n_jobs=N_CORES):
        estimator.fit(X, y)
    busy = time.process_time() - start_busy
    return time.perf_counter() - start, busy, child.resident_bytes("VmHWM") / 1e9


def fit_peer(path: Path, size: int) -> tuple[float, float]:
    corpus = open_corpus(path).sample(size)
    labels = np.where(corpus.seeds(N_SEEDS) == 1, 1, -1)
    unlabeled = np.flatnonzero(labels == -1)
    labels[np.random.default_rng(0).choice(unlabeled, N_SEEDS, replace=False)] = 0
    X = corpus.weighted()
    start = time.perf_counter()
    LabelSpreading(kernel="knn", n_neighbors=N_NEIGHBORS).fit(X, labels)
    return time.perf_counter() - start, child.resident_bytes("VmHWM") / 1e9
