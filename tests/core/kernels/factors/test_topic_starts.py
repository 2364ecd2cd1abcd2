"""Specification A1, the starts."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.factors.kl_nmf import FLOOR
from core.kernels.factors.topic_starts import guided_start, random_start, side_by_side, starts
from core.kernels.hardware.lanes import LANES

V = sp.csr_array([[2.0, 0, 1], [1, 1, 0], [0, 2, 1]])
IS_SEED = np.array([True, False, False])
EVERYTHING = np.ones(3, dtype=bool)


@pytest.mark.parametrize("start", [guided_start, random_start])
def test_each_restart_starts_as_it_does_alone(start):
    W, Ht = starts(start, V, IS_SEED, EVERYTHING, 4, [7, 8, 9])
    assert W.shape == Ht.shape == (3, 4, LANES)
    for run, seed in enumerate([7, 8, 9]):
        alone_W, alone_Ht = starts(start, V, IS_SEED, EVERYTHING, 4, [seed])
        assert_array_equal(W[..., [run]], alone_W)
        assert_array_equal(Ht[..., [run]], alone_Ht)
    assert_array_equal(Ht[..., 3:], np.repeat(Ht[..., :1], LANES - 3, axis=2))


def test_guided_start_knows_the_words_of_the_seeds():
    W, Ht = starts(guided_start, V, IS_SEED, EVERYTHING, 2, [0])
    first = np.array([2, 0, 1]) + 0.1 * np.array([1, 1, 2 / 3])
    assert_allclose(Ht[:, 0, 0], first / first.sum())
    assert_allclose(Ht.sum(axis=0), 1)
    assert_allclose(W[..., 0], [[1.5, 1.5], [1, 1], [1.5, 1.5]])


@pytest.mark.parametrize("start", [guided_start, random_start])
def test_features_that_no_sample_holds_do_not_change_the_start(start):
    _, Ht = starts(start, V, IS_SEED, np.array([True, True, True, False]), 2, [0])
    _, expected = starts(start, V, IS_SEED, EVERYTHING, 2, [0])
    assert_array_equal(Ht, expected)


def test_starts_are_positive():
    mostly_empty = sp.csr_array([[1.0, 0, 0], [0, 0, 0], [0, 0, 0]])
    W, Ht = starts(guided_start, mostly_empty, IS_SEED, EVERYTHING, 2, [0])
    assert min(W.min(), Ht.min()) == FLOOR


def test_topics_lie_side_by_side_in_memory():
    H = np.random.default_rng(0).random((3, 2, 5))
    Ht = side_by_side(H, np.float32)
    assert (Ht.shape, Ht.dtype, Ht.flags.c_contiguous) == ((5, 2, LANES), np.float32, True)
    assert_allclose(Ht[..., 1], H[1].T, rtol=1e-6)
    assert side_by_side(H[:1], np.float32).shape == (5, 2, 1)
