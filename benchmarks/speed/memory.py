"""Memory that a fit takes besides its matrix, for every registered algorithm.

20 newsgroups, float32, in the representation of the algorithm, 50 seeds, default parameters. The
peak is what NumPy asked for during the fit, as tracemalloc sees it, over the size of the matrix
(values, column indices and row starts). "resident" is by how much the resident memory of the
process grew at most in a first fit without tracemalloc, the same way: it holds what compiled
libraries ask for, too. "s" is the time of that first fit. Each algorithm has a process of its own.
Those that go by what their section states instead have that in the column "aim".
"""

import time
import tracemalloc
from pathlib import Path

from benchmarks.speed import child, tables
from benchmarks.speed.child import Failure
from benchmarks.speed.matrices import newsgroups, open_corpus, warm_up
from core.registry import ALGORITHMS

N_SEEDS = 50
LIMIT_SECONDS = 900
AIM = 3
#: What the graph methods hold: a block of rows against all others, and the graph.
STATED = {
    "lp_pul": "a block of rows x documents, and the graph",
    "pu_lp": "a block of rows x documents, and the graph",
    "seed_expansion": "a block of rows x documents, the graph, and 50 numbers a row and a term",
}


def run(data_dir: Path, folder: Path) -> None:
    corpus = newsgroups(data_dir)
    path = corpus.save(folder)
    n_bytes = matrix_bytes(corpus.counts)
    rows, columns = corpus.counts.shape
    print(f"{rows:,} x {columns:,}, {corpus.counts.nnz:,} nonzeros, {n_bytes / 1e6:.1f} MB")
    tables.header("algorithm", "s", "peak MB", "ratio", "resident MB", "ratio", "aim", "met")
    for name in ALGORITHMS:
        result = child.run(measure, path, name, seconds=LIMIT_SECONDS)
        if isinstance(result, Failure):
            tables.row(name, result, "", "", "", "", f"<= {AIM}", "")
            continue
        seconds, peak, resident = result
        ratios = peak / n_bytes, resident / n_bytes
        aim, is_met = STATED.get(name, f"<= {AIM}"), "" if name in STATED else ratios[0] <= AIM
        cells = peak / 1e6, ratios[0], resident / 1e6, ratios[1]
        tables.row(name, seconds, *cells, aim, is_met)


def matrix_bytes(X) -> int:
    return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes


def measure(path: Path, name: str) -> tuple[float, int, int]:
    """Return seconds, the traced peak and the growth of resident memory, in bytes."""
    corpus = open_corpus(path)
    algorithm = ALGORITHMS[name]
    X, y = corpus.weighted(algorithm.representation), corpus.seeds(N_SEEDS)
    del corpus
    warm_up(algorithm(), X, y)

    child.forget_peak()
    before = child.resident_bytes("VmRSS")
    start = time.perf_counter()
    algorithm().fit(X, y)
    seconds = time.perf_counter() - start
    resident = child.resident_bytes("VmHWM") - before

    tracemalloc.start()
    algorithm().fit(X, y)
    return seconds, tracemalloc.get_traced_memory()[1], resident
