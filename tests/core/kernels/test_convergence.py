from concurrent.futures import ThreadPoolExecutor

import pytest
from sklearn.exceptions import ConvergenceWarning

from core.kernels.convergence import tell_not_converged, unconverged


def test_what_nobody_gathers_is_warned_of():
    with unconverged():
        pass
    with pytest.warns(ConvergenceWarning, match="the solver stopped"):
        tell_not_converged("the solver stopped.")


def test_the_nearest_fit_is_told():
    with unconverged() as outer:
        with unconverged() as inner:
            tell_not_converged("a step")
        tell_not_converged("the fit")
    assert (outer, inner) == (["the fit"], ["a step"])


def test_fits_of_several_threads_do_not_mix():
    def fit(number):
        with unconverged() as messages:
            for step in range(3):
                tell_not_converged(f"{number}.{step}")
        return messages

    with ThreadPoolExecutor(4) as workers:
        found = list(workers.map(fit, range(100)))
    assert found == [[f"{number}.{step}" for step in range(3)] for number in range(100)]
