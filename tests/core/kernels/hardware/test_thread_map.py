import threading

import pytest
from joblib import parallel_config

from core.kernels.hardware.thread_map import N_AHEAD, thread_each, thread_map


def test_things_are_taken_by_the_caller_and_only_so_many_ahead():
    taken, is_open = [], threading.Event()

    def things():
        for thing in range(50):
            taken.append(threading.get_ident())
            if len(taken) > 2 * N_AHEAD:
                is_open.set()
            yield thing

    def wait(thing):
        is_open.wait(60)
        return thing

    with parallel_config("threading", n_jobs=2):
        results = thread_map(wait, things())
        assert next(results) == 0
        assert len(taken) == 2 * N_AHEAD + 1
        assert list(results) == list(range(1, 50))
    assert set(taken) == {threading.get_ident()}


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("run", [lambda *given: list(thread_map(*given)), thread_each])
def test_an_error_reaches_the_caller(run, n_jobs):
    with parallel_config("threading", n_jobs=n_jobs), pytest.raises(ZeroDivisionError):
        run(lambda thing: 1 // thing, [1, 0, 1])
