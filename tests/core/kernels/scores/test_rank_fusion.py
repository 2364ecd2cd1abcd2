import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.kernels.scores.rank_fusion import first_share, fused_ranks

SCORES = np.array([0.2, 0.9, 0.5, 0.5, 0.1])
EVERYTHING = np.ones(5, dtype=bool)


def test_ranks_are_added_as_reciprocals():
    other = -SCORES
    fused = fused_ranks([SCORES, other], EVERYTHING)
    # The two in the middle share the ranks 2 and 3, and 3 and 4.
    expected = [1 / 24 + 1 / 22, 1 / 21 + 1 / 25, 1 / 22.5 + 1 / 23.5, 1 / 22.5 + 1 / 23.5]
    assert_allclose(fused, [*expected, 1 / 25 + 1 / 21])


def test_samples_that_are_not_ranked_take_no_place():
    is_ranked = SCORES != 0.9
    fused = fused_ranks([SCORES], is_ranked)
    assert fused[1] == 0
    assert_allclose(fused[is_ranked], fused_ranks([SCORES[is_ranked]], EVERYTHING[:4]))


@pytest.mark.parametrize("n_first", range(7))
def test_places_are_shared_among_ties(n_first):
    share = first_share(SCORES, EVERYTHING, n_first)
    assert_allclose(share.sum(), min(n_first, 5))
    assert share[2] == share[3]
    assert (np.diff(share[np.argsort(SCORES)]) >= 0).all()


def test_no_sample_to_rank_leaves_all_at_zero():
    assert first_share(SCORES, ~EVERYTHING, 3).tolist() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("n_first", range(13))
def test_a_sample_takes_as_many_places_as_it_weighs(n_first):
    weight = np.array([1, 4, 2, 1, 3])
    share = first_share(SCORES, EVERYTHING, n_first, weight)
    copies = first_share(np.repeat(SCORES, weight), np.ones(11, dtype=bool), n_first)
    ends = np.cumsum(weight)
    of_each = [copies[end - n : end].mean() for end, n in zip(ends, weight, strict=True)]
    assert_allclose(share, of_each)
