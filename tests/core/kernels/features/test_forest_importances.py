import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from core.kernels.features.forest_importances import forest_importances

RNG = np.random.default_rng(0)
X = RNG.random((150, 8))
IS_POSITIVE = (X[:, 0] + X[:, 3] > 1.3) & (RNG.random(150) < 0.7)


@pytest.mark.parametrize("class_weight", [None, "balanced", "balanced_subsample"])
@pytest.mark.parametrize("n_drawn", [None, 60])
def test_importances_are_those_of_scikit_learn(class_weight, n_drawn):
    forest = RandomForestClassifier(
        20, min_samples_leaf=3, max_samples=n_drawn, class_weight=class_weight, random_state=5
    )
    importances = forest_importances(
        X,
        IS_POSITIVE,
        n_estimators=20,
        min_samples_leaf=3,
        n_drawn=n_drawn,
        class_weight=class_weight,
        random_state=5,
    )
    assert_allclose(importances, forest.fit(X, IS_POSITIVE).feature_importances_, rtol=1e-12)


def test_number_of_threads_does_not_matter():
    expected = forest_importances(X, IS_POSITIVE, n_estimators=20, random_state=0)
    with parallel_config(n_jobs=2):
        actual = forest_importances(X, IS_POSITIVE, n_estimators=20, random_state=0)
    assert_array_equal(actual, expected)


def test_no_feature_is_important_where_nothing_can_be_told_apart():
    assert not forest_importances(np.ones((20, 3)), np.arange(20) < 5, random_state=0).any()
