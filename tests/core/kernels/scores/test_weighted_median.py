import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.kernels.scores.weighted_median import weighted_median


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 4)), min_size=1))
def test_it_is_the_median_of_values_repeated_by_their_weights(pairs):
    values, weights = np.array(pairs, dtype=float).T
    if weights.any():
        repeated = np.repeat(values, weights.astype(int))
        # Weights may be of any scale.
        for scale in (1, 0.1, 1e-9):
            assert_allclose(weighted_median(values, scale * weights), np.median(repeated))
