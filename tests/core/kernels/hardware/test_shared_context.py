from contextlib import contextmanager

from core.kernels.hardware.shared_context import SharedContext


def test_the_first_in_enters_and_the_last_out_leaves():
    told = []

    @contextmanager
    def context():
        told.append("in")
        yield
        told.append("out")

    shared = SharedContext(context)
    for _ in range(2):
        shared.__enter__()
        shared.__enter__()
        shared.__exit__(None, None, None)
        assert told == ["in"]
        shared.__exit__(None, None, None)
        assert told == ["in", "out"]
        told.clear()
