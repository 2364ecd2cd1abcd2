"""Estimates are compared with what NumPy is asked for, at three sizes and in both precisions."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from core.datasets import make_pu_data
from core.feature_selection.fscpu import FSCPU
from core.feature_selection.jsfs import JSFS
from core.feature_selection.k_best import KBest
from core.feature_selection.mrmr_ufs2 import MRMRUFS2
from core.feature_selection.selection_memory import BASE_BYTES
from core.feature_selection.semi_jmi import SemiJMI
from core.feature_selection.semi_mim import SemiMIM
from core.feature_selection.sselect import SSelect
from tests.core.conftest import SELECTORS, peak_bytes

SHAPE = 1_000_000, 100_000, 20_000_000
#: Searches hold no more the longer they take.
QUICK = {
    "DTRFE": {"step": 0.9, "n_estimators": 5},
    "ESMCRFS": {"max_iter": 2},
    "FSCPU": {"max_iter": 2},
    "FSCPUMI": {"max_iter": 2, "prefilter": 100},
    "JSFS": {"max_iter": 1, "prefilter": 50},
    "LGBMOPT": {"max_iter": 1, "n_estimators": 2},
    "MRMRUFS2": {"max_samples": 100, "prefilter": 50},
}


@pytest.mark.parametrize(
    "one", [*SELECTORS, SemiMIM(binning="quantile")], ids=lambda one: type(one).__name__
)
def test_estimates_bound_what_is_taken(one):
    one = clone(one).set_params(**QUICK.get(type(one).__name__, {}))
    if "random_state" in one.get_params():
        one.set_params(random_state=0)
    X, y, _ = make_pu_data(2000, 1000, random_state=0)
    table = np.random.default_rng(0).random((2000, 40))
    one.fit(X[:200], y[:200])  # compiles, loads: not part of the measure
    for part, labels in ((X[:700], y[:700]), (X, y), (table, y)):
        n_entries = int((part != 0).sum())
        estimate = one.memory_bytes(*part.shape, n_entries, part.dtype.itemsize)
        assert peak_bytes(partial(one.fit, part, labels)) <= estimate


@pytest.mark.parametrize("one", [KBest(1), SemiJMI(1), FSCPU(1, max_iter=1, random_state=0)])
def test_estimates_are_not_far_too_large(one):
    X, y, _ = make_pu_data(20_000, 2000, random_state=0)
    one.fit(X[:200], y[:200])
    peak = peak_bytes(partial(one.fit, X, y))
    assert one.memory_bytes(*X.shape, X.nnz, X.dtype.itemsize) <= 3 * peak + 4 * BASE_BYTES


@pytest.mark.parametrize("one", SELECTORS, ids=lambda one: type(one).__name__)
def test_more_of_anything_takes_no_less(one):
    told = one.memory_bytes(*SHAPE)
    assert isinstance(told, int)
    assert one.memory_bytes(*SHAPE, itemsize=8) >= told
    for i in range(len(SHAPE)):
        assert one.memory_bytes(*(n * (1 + (i == j)) for j, n in enumerate(SHAPE))) >= told


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (FSCPU(prefilter=1000), FSCPU()),
        (FSCPU(mode="paper"), FSCPU()),
        (SemiJMI(n_bins=9), SemiJMI()),
        (SSelect(n_neighbors=9), SSelect()),
        (JSFS(n_neighbors=9), JSFS()),
        (MRMRUFS2(max_samples=9000), MRMRUFS2()),
    ],
)
def test_parameters_that_take_memory_are_counted(more, less):
    assert more.memory_bytes(*SHAPE) > less.memory_bytes(*SHAPE)
