"""Selectors that count, beside dense tables of pairs and the libraries of mRMR."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import xlogy

from benchmarks.speed import tables
from benchmarks.speed.child import Failure
from benchmarks.speed.child import run as run_in_child
from benchmarks.timing import cpu_seconds
from core.feature_selection.mrmr import MRMR
from core.feature_selection.semi_jmi import SemiJMI
from core.peak_memory import peak, reset_peak

try:
    import feature_engine.selection as feature_engine
except ImportError:
    feature_engine = None
try:
    import mrmr as mrmr_selection
except ImportError:
    mrmr_selection = None
try:
    import pandas as pd
except ImportError:
    pd = None

N_DOCUMENTS = 50_000
N_TERMS = 1_000_000
N_NONZEROS = 4_700_000
N_SELECTED_TERMS = 200
N_DENSE_TERMS = 1_000
AIM_SECONDS = 1
#: Of 5,000 terms as a dense array, in MiB.
DENSE_MEBIBYTES = N_DOCUMENTS * 5_000 * 8 / 2**20

N_SAMPLES = 20_000
N_FEATURES = 2_000
N_SELECTED = 50
AIM_RATIO = 5
LIMIT_SECONDS = 1_800


def semi_jmi() -> None:
    X, y = documents()
    SemiJMI(2).fit(X[:300, :100], np.arange(300) < 30)
    tables.header("semi-JMI", "s", "pair tables s", "ratio", "MiB", "aim", "met")
    before = reset_peak()
    seconds, _ = cpu_seconds(SemiJMI(N_SELECTED_TERMS).fit, X, y)
    memory = peak() - before
    is_met = seconds < AIM_SECONDS and memory < DENSE_MEBIBYTES
    aim = f"< {AIM_SECONDS} s, never dense"
    tables.row(f"{N_TERMS:,} terms", seconds, "", "", memory, aim, is_met)

    frequencies = np.bincount(X.indices, minlength=N_TERMS)
    subset = X[:, np.sort(np.argsort(-frequencies, kind="stable")[:N_DENSE_TERMS])]
    seconds, selector = cpu_seconds(SemiJMI(N_SELECTED_TERMS).fit, subset, y)
    theirs, order = cpu_seconds(_from_pair_tables, subset, y == 1)
    same = np.array_equal(order, selector.feature_order_[:N_SELECTED_TERMS])
    remark = "the same terms" if same else f"{_n_shared(order, selector)} terms shared"
    tables.row(f"{N_DENSE_TERMS:,} terms", seconds, theirs, theirs / seconds, "", "", remark)


def _n_shared(order: NDArray[np.intp], selector: SemiJMI) -> int:
    return len(np.intersect1d(order, selector.feature_order_[:N_SELECTED_TERMS]))


def documents() -> tuple[sp.csr_array, NDArray[np.int_]]:
    """Draw documents with terms by Zipf's frequencies, 200 of them more frequent in positives."""
    random = np.random.default_rng(0)
    y = (np.arange(N_DOCUMENTS) < N_DOCUMENTS // 50).astype(int)
    # The inverse of the distribution function of a density 1/x on [1, N_TERMS + 1].
    terms = (np.exp(random.random(N_NONZEROS) * math.log(N_TERMS + 1)) - 1).astype(np.int64)
    rows = random.integers(N_DOCUMENTS, size=N_NONZEROS)
    topical = (y[rows] == 1) & (random.random(N_NONZEROS) < 0.2)
    terms[topical] = random.integers(100, 300, size=topical.sum())
    shape = N_DOCUMENTS, N_TERMS
    X = sp.coo_array((np.ones(N_NONZEROS), (rows, terms)), shape=shape).tocsr()
    X.data[:] = 1
    return X, y


def _from_pair_tables(X: sp.csr_array, is_positive: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the terms that JMI selects, from the joint counts of all pairs."""
    dense = X.toarray().astype(np.float32)
    counts = [(part.T @ part).astype(float) for part in (dense, dense[is_positive])]
    sizes = [len(dense), int(is_positive.sum())]
    pairs = _pair_information(*counts, *sizes)
    total, order = np.zeros(X.shape[1]), [int(np.diag(pairs).argmax())]
    while len(order) < N_SELECTED_TERMS:
        total += pairs[order[-1]]
        total[order] = -np.inf
        order.append(int(total.argmax()))
    return np.array(order)


def _pair_information(
    n: NDArray[np.float64], p: NDArray[np.float64], n_rows: int, n_positive: int
) -> NDArray[np.float64]:
    """Return the information of all pairs, times the rows, less a constant; terms alone within."""
    information = np.zeros_like(n)
    for all_cells, positive_cells in zip(_cells(n, n_rows), _cells(p, n_positive), strict=True):
        information += xlogy(positive_cells, positive_cells) - xlogy(all_cells, all_cells)
        information += xlogy(all_cells - positive_cells, all_cells - positive_cells)
    return information


def _cells(both: NDArray[np.float64], n_rows: int) -> list[NDArray[np.float64]]:
    """Return the counts of both terms, only one, only the other, and none."""
    one = np.diag(both)
    return [both, one[:, None] - both, one - both, n_rows - one[:, None] - one + both]


def mrmr() -> None:
    X, y = samples()
    MRMR(2).fit(X[:300, :10], y[:300])
    seconds, _ = cpu_seconds(MRMR(N_SELECTED).fit, X, y)
    tables.header("mRMR", "s", "peer's s", "ratio", "aim", "met")
    aim = f">= {AIM_RATIO}"
    for name, (is_installed, measure) in PEERS.items():
        theirs: Any = Failure("not installed")
        if is_installed:
            theirs = run_in_child(measure, seconds=LIMIT_SECONDS)
        is_met = "no peer" if isinstance(theirs, Failure) else theirs >= AIM_RATIO * seconds
        tables.row(name, seconds, theirs, tables.ratio(theirs, seconds), aim, is_met)


def samples() -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    """Draw normal features, every twentieth of them shifted in the positives."""
    random = np.random.default_rng(0)
    y = (random.random(N_SAMPLES) < 0.1).astype(int)
    X = random.normal(size=(N_SAMPLES, N_FEATURES))
    X[:, ::20] += y[:, None] * random.uniform(0, 1, N_FEATURES // 20)
    return X, y


def mrmr_selection_seconds() -> float:
    X, y = samples()
    frame, target = pd.DataFrame(X), pd.Series(y)
    options = {"K": N_SELECTED, "n_jobs": 1, "show_progress": False}
    return cpu_seconds(mrmr_selection.mrmr_classif, frame, target, **options)[0]


def fcq_seconds() -> float:
    return _feature_engine_seconds("FCQ", N_SELECTED)


def miq_seconds() -> float:
    one, two = _feature_engine_seconds("MIQ", 1), _feature_engine_seconds("MIQ", 2)
    return two + (N_SELECTED - 2) * max(0.0, two - one)


def _feature_engine_seconds(method: str, n_selected: int) -> float:
    X, y = samples()
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(N_FEATURES)])
    selector = feature_engine.MRMR(
        method=method, max_features=n_selected, discrete_features=False, random_state=0, n_jobs=1
    )
    return cpu_seconds(selector.fit, frame, pd.Series(y))[0]


#: Name -> whether it can be run, and what measures it.
PEERS: dict[str, tuple[bool, Callable[[], float]]] = {
    "mrmr-selection": (mrmr_selection is not None, mrmr_selection_seconds),
    "feature-engine, FCQ": (feature_engine is not None, fcq_seconds),
    "feature-engine, MIQ": (feature_engine is not None, miq_seconds),
}
