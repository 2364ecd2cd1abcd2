"""Specification E2; the numbers are those of its toy example."""

import heapq

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.class_prior.tice import failure_probability, lower_bound, tice_prior
from core.kernels.rows.row_hash import content_order


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


def slow_fold(B, s, tree, rest, c):
    """Return the best bound of a fold, over terms and sides one by one."""
    d = failure_probability(rest.sum())
    variance = c * (1 - c) * (1 - d) / d
    best = lower_bound(s[rest].sum(), rest.sum(), c, d)
    queue, n_seen = [(-best, 0, tree, rest, [])], 0
    while queue:
        _, _, in_tree, in_rest, used = heapq.heappop(queue)
        densities = []
        for term, has in enumerate(B.T):
            sides = in_tree & has, in_tree & ~has
            is_split = term not in used and all(side.any() for side in sides)
            of_sides = [s[side].sum() / (side.sum() + 5) for side in sides]
            densities.append(max(of_sides) if is_split else -1)
        term = int(np.argmax(densities))
        if densities[term] < 0:
            continue
        for has in (B[:, term], ~B[:, term]):
            child, judged = in_tree & has, in_rest & has
            if judged.sum() >= 10:
                best = max(best, lower_bound(s[judged].sum(), judged.sum(), c, d))
            if child.sum() > 10 and s[child].sum() > variance / max(1e-9, 1 - best) ** 2:
                n_seen += 1
                bound = lower_bound(s[child].sum(), child.sum(), c, d)
                heapq.heappush(queue, (-bound, n_seen, child, judged, [*used, term]))
    return best


def test_estimate_is_that_of_the_definition():
    random = np.random.default_rng(0)
    y = random.random(1500) < 0.4
    B = random.random((1500, 6)) < np.where(y[:, None], [0.8, 0.7, 0.3, 0.3, 0.3, 0.3], 0.2)
    s = y & (random.random(1500) < 0.5)
    X, fold = sp.csr_array(B.astype(float)), np.empty(1500, dtype=int)
    fold[content_order(X, s)] = np.random.RandomState(0).permutation(np.arange(1500) % 5)
    c = 0.5
    for _ in range(2):
        c = np.mean([slow_fold(B, s, fold == k, fold != k, c) for k in range(5)])
    expected = s.sum() / (~s).sum() * (1 - c) / c
    assert_allclose(tice_prior(X, s, random_state=0), expected)
