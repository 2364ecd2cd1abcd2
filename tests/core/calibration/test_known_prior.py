import numpy as np

from core.calibration.known_prior import given_prior_or_reason

COUNTS = {"n_pile": 100, "n_found": 0, "n_left": 100}


def test_a_number_of_numpy_is_a_number():
    assert given_prior_or_reason(np.float64(0.3), None, None, **COUNTS).flags == ()
    assert given_prior_or_reason(np.float64(0.001), None, None, **COUNTS).flags == ("at_bound",)
