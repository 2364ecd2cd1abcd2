import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import minmax_scale

from core.kernels.features.feature_agent import FeatureAgent

RNG = np.random.default_rng(0)
X = minmax_scale(RNG.normal(size=(100, 12)) + RNG.normal(size=(100, 1)))
IS_POSITIVE = X[:, 9:].sum(axis=1) > 1.8


def agent(n_taken=4, X=X, seed=0):
    random = np.random.default_rng(seed)
    return FeatureAgent(X, IS_POSITIVE, n_taken, learning_rate=0.001, random=random)


@pytest.mark.parametrize("exploration", [0, 0.3, 1])
@pytest.mark.parametrize("n_taken", [1, 4, 12])
def test_walks_take_as_many_features_as_told(n_taken, exploration):
    walker = agent(n_taken)
    for _ in range(20):
        mask, weight, states = walker.walk(exploration, may_stop=False)
        assert mask.sum() == n_taken
        assert weight > 0
        assert len(states) == 12


def test_walks_without_exploration_are_alike():
    walker = agent()
    first, weight, _ = walker.walk(0)
    assert weight == 1
    assert_array_equal(walker.walk(0)[0], first)


def test_full_exploration_takes_each_feature_as_often():
    walker = agent()
    taken = sum(walker.walk(1, may_stop=False)[0].astype(int) for _ in range(600))
    # 200 expected of each, with a standard deviation of 11.5.
    assert np.abs(taken - 200).max() < 5 * 11.5


def test_states_hold_the_correlation_with_what_is_taken():
    mask, _, states = agent().walk(1, may_stop=False)
    correlations = np.abs(np.corrcoef(X.T))
    for i in range(12):
        before = np.flatnonzero(mask[:i])
        overlap = correlations[i, before].mean() if len(before) else 0
        assert_allclose(states[i, -3:], [overlap, i / 12, len(before) / 4], atol=1e-12)


def test_constant_features_have_no_correlation():
    constant = X.copy()
    constant[:, 0] = 0
    walker = agent(X=constant)
    assert not walker.correlations[0].any()
    assert np.isfinite(walker.walk(1, may_stop=False)[2]).all()


def test_what_had_to_be_taken_or_left_is_no_choice_to_learn_from():
    walker = agent(n_taken=2, X=X[:, :4])
    _, weight, states = walker.walk(1, may_stop=False)
    walker.learn(states, np.array([True, False, True, False]), weight, 0.5)
    walker.learn(states, np.array([False, False, True, True]), weight, 0.5)
    ends = [end for _, _, end, _ in walker._memory]
    free, must_leave, must_take = [True, True], [True, False], [False, True]
    assert [is_open.tolist() for _, is_open in ends[:3]] == [free, free, must_leave]
    assert [is_open.tolist() for _, is_open in ends[4:7]] == [free, must_take, must_take]
    assert ends[3] == ends[7] == (None, 0.5)


@pytest.mark.parametrize("seed", range(3))
def test_agent_learns_to_take_what_is_rewarded(seed):
    walker = agent(n_taken=3, seed=seed)
    for exploration in np.linspace(1, 0.1, 400):
        mask, weight, states = walker.walk(exploration)
        if weight:
            walker.learn(states, mask, weight, mask[9:].mean())
    assert walker.walk(0)[0][9:].all()
