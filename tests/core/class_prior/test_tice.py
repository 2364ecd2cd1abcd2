"""Specification E2; the numbers are those of its toy example."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.class_prior.tice import failure_probability, lower_bound, tice_prior


def test_probability_and_bound_are_those_of_the_toy_example():
    assert_allclose(failure_probability(100), 0.714286, atol=1e-6)
    assert_allclose(lower_bound(40, 100, 0.5, failure_probability(100)), 0.368377, atol=1e-6)
    assert failure_probability(10_000) == 0.025


@pytest.mark.parametrize("label_frequency", [0.3, 0.6])
def test_region_of_positives_is_found_among_noise(label_frequency):
    random = np.random.default_rng(0)
    n = 6000
    y = random.random(n) < 0.4
    noise = random.random((n, 20)) < 0.3
    X = sp.csr_array(np.column_stack([y, noise]).astype(float))
    is_positive = y & (random.random(n) < label_frequency)
    hidden = (y & ~is_positive).sum() / (~is_positive).sum()
    assert tice_prior(X, is_positive, random_state=0) == pytest.approx(hidden, abs=0.1)


def test_absence_of_a_term_makes_a_region_as_well():
    X = sp.csr_array(np.repeat([[0.0, 1], [1, 1]], [4000, 6000], axis=0))
    is_positive = np.arange(10_000) < 2000
    assert tice_prior(X, is_positive, random_state=0) == pytest.approx(0.25, abs=0.1)


def test_few_positives_say_nothing():
    random = np.random.default_rng(0)
    X = sp.csr_array((random.random((200, 30)) < 0.2).astype(float))
    assert tice_prior(X, np.arange(200) < 3, random_state=0) > 0.5
