import numpy as np
import pytest

from core.review.from_top import FIRST, is_from_top

N_PILE = 4000


def test_the_first_of_a_ranking_are_from_its_top():
    likeness = np.random.default_rng(0).normal(size=N_PILE)
    # Those of another ranking that has little in common with this one.
    other = likeness + 3 * np.random.default_rng(1).normal(size=N_PILE)
    assert is_from_top(likeness, np.argsort(-likeness))
    assert is_from_top(likeness, np.argsort(-other))
    assert not is_from_top(likeness, np.argsort(likeness))


@pytest.mark.parametrize("n_judged", [4, FIRST, 500])
def test_of_random_samples_hardly_any_is(n_judged):
    random = np.random.default_rng(0)
    likeness = random.normal(size=N_PILE)
    samples = [random.choice(N_PILE, n_judged, replace=False) for _ in range(1000)]
    # One of a hundred, and three standard errors of that share.
    assert np.mean([is_from_top(likeness, sample) for sample in samples]) < 0.019


def test_what_follows_the_first_is_not_asked():
    likeness = np.arange(N_PILE)
    top = np.arange(N_PILE - FIRST, N_PILE)
    assert is_from_top(likeness, [*top, *range(1000)])
    assert not is_from_top(likeness, [*range(1000), *top])


@pytest.mark.parametrize("first", [[], [N_PILE - 1]])
def test_one_or_none_tells_nothing(first):
    assert not is_from_top(np.arange(N_PILE), first)


def test_nor_does_a_pile_that_is_all_alike():
    assert not is_from_top(np.zeros(N_PILE), range(20))
