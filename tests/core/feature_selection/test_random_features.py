import numpy as np

from core.feature_selection.random_features import RandomFeatures

X = np.random.default_rng(0).random((20, 30))
Y = np.arange(20) < 10


def test_seeds_choose_different_features():
    first, second = (RandomFeatures(5, random_state=seed).fit(X, Y) for seed in (0, 1))
    assert first.get_support().sum() == second.get_support().sum() == 5
    assert not np.array_equal(first.get_support(), second.get_support())


def test_each_feature_is_as_likely():
    chosen = sum(RandomFeatures(10, random_state=seed).fit(X, Y).support_ for seed in range(300))
    # 100 expected of each, with a standard deviation of 8.2.
    assert np.abs(chosen - 100).max() < 5 * 8.2


def test_scores_do_not_depend_on_the_data():
    scores = RandomFeatures(5, random_state=0).fit(X, Y).scores_
    assert np.array_equal(
        RandomFeatures(5, random_state=0).fit(X[:12] ** 2, Y[:12]).scores_, scores
    )
