from threadpoolctl import ThreadpoolController, threadpool_limits

from core.kernels.hardware.blas import one_thread


def n_threads(user_api):
    libraries = ThreadpoolController().select(user_api=user_api)
    return [library["num_threads"] for library in libraries.info()]


def test_linear_algebra_has_one_thread_inside_and_what_it_had_behind():
    before = n_threads("blas"), n_threads("openmp")
    with one_thread():
        assert set(n_threads("blas")) == {1}
        assert n_threads("openmp") == before[1]
    with one_thread(None):
        assert set(n_threads("blas") + n_threads("openmp")) == {1}
    assert (n_threads("blas"), n_threads("openmp")) == before


def test_those_inside_at_once_leave_what_was_before_them():
    """As of threads: one that entered last took the limit of the first for what there had been."""
    with threadpool_limits(2, user_api="blas"):
        before = n_threads("blas")
        first, second = one_thread(), one_thread()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert set(n_threads("blas")) == {1}
        second.__exit__(None, None, None)
        assert n_threads("blas") == before
