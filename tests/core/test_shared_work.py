from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Barrier

import numpy as np
import pytest

from core.datasets import make_pu_data
from core.registry import ALGORITHMS
from core.shared_work import made, shared, sharing


class Counter:
    def __init__(self):
        self.n_made = 0

    def make(self, *arguments):
        self.n_made += 1
        return arguments


def test_nothing_is_kept_outside():
    counter = Counter()
    for _ in range(2):
        shared(counter.make, 1)
    with sharing():
        shared(counter.make, 1)
    with sharing():
        shared(counter.make, 1)
    assert counter.n_made == 4


def test_other_arguments_are_made_anew():
    counter = Counter()
    with sharing():
        assert shared(counter.make, np.arange(3))[0].tolist() == [0, 1, 2]
        assert shared(counter.make, np.arange(4))[0].tolist() == [0, 1, 2, 3]
    assert counter.n_made == 2


def test_what_is_made_can_be_asked_for():
    counter = Counter()
    assert made(counter.make, 1) is None
    with sharing():
        assert made(counter.make, 1) is None
        first = shared(counter.make, 1)
        assert made(counter.make, 1) is first
        assert made(counter.make, 2) is None
    assert counter.n_made == 1


def test_inner_sharing_is_part_of_the_outer():
    counter = Counter()
    with sharing():
        with sharing():
            shared(counter.make, 1)
        shared(counter.make, 1)
    assert counter.n_made == 1


def test_threads_of_the_context_make_it_once():
    counter, both = Counter(), Barrier(2)

    def work():
        both.wait()
        return shared(counter.make, 1)

    with sharing(), ThreadPoolExecutor(2) as threads:
        futures = [threads.submit(copy_context().run, work) for _ in range(2)]
        assert [future.result() for future in futures] == [(1,), (1,)]
    assert counter.n_made == 1


@pytest.mark.parametrize("name", ["seed_expansion", "lp_pul"])
def test_fits_that_share_are_those_that_do_not(name):
    X, y, _ = make_pu_data(random_state=0)
    alone = ALGORITHMS[name](random_state=0).fit(X, y).score_samples(X)
    with sharing():
        for _ in range(2):
            scores = ALGORITHMS[name](random_state=0).fit(X, y).score_samples(X)
            assert scores.tolist() == alone.tolist()
