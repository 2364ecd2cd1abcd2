import numpy as np

from core.calibration.prior_of_scores import given_prior


def test_a_number_of_numpy_is_a_number():
    assert given_prior(np.float64(0.3), 100, None).flags == ()
    assert given_prior(np.float64(0.001), 100, None).flags == ("at_bound",)
