"""Specification A1, the decision."""

import numpy as np

from core.kernels.factors.largest_topic import largest_topic_cut


def test_cut_agrees_with_the_largest_topic_as_far_as_a_cut_can():
    rng = np.random.default_rng(0)
    W = rng.random((300, 4))
    shares, is_first = W[:, 0] / W.sum(axis=1), W.argmax(axis=1) == 0
    cut = largest_topic_cut(shares, is_first, 4)
    n_wrong = np.sum((shares >= cut) != is_first)
    assert 1 / 4 <= cut <= 1 / 2
    assert n_wrong == min(np.sum((shares >= other) != is_first) for other in [*shares, 0, 2])
