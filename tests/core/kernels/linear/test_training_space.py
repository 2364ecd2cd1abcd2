import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.linear.training_space import training_space

X = sp.csr_array([[0.0, 30, 0, 40], [0, 0, 0, 0], [0, 0, 0, 50]], dtype=np.float32)


def test_rows_get_unit_length_and_unused_features_go():
    space = training_space(X)
    assert_allclose(space.Z.toarray(), [[0.6, 0.8], [0, 0], [0, 1]])
    assert space.unit == 50


def test_rows_of_unit_length_stay():
    unit_rows = sp.csr_array([[0.6, 0.8], [1, 0]], dtype=np.float32)
    space = training_space(unit_rows)
    assert np.shares_memory(space.Z.data, unit_rows.data)
    assert np.shares_memory(space.Z.indices, unit_rows.indices)
    assert space.unit == 1


def test_weights_give_the_same_scores_on_the_features():
    space = training_space(X)
    weights = np.array([[1.0, 2], [3, 4]])
    assert_allclose(X @ space.to_features(weights), space.Z @ weights)
    assert_array_equal(space.to_features(weights)[[0, 2]], 0)
