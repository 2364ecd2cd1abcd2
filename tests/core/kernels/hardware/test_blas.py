from threadpoolctl import ThreadpoolController

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
