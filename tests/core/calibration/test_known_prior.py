import numpy as np

from core.calibration.known_prior import known_prior


def test_a_number_of_numpy_is_a_number():
    assert known_prior(np.float64(0.3), None, None, 100, 0, 100).flags == ()
    assert known_prior(np.float64(0.001), None, None, 100, 0, 100).flags == ("at_bound",)
