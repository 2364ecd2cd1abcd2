from functools import partial

import pytest

from core.class_prior.prior_memory import BASE_BYTES, prior_bytes, ranks_bytes
from core.datasets import make_pu_data
from core.kernels.scores.left_out_ranks import MAX_RANKED, left_out_ranks
from core.registry import CLASS_PRIOR_ESTIMATORS
from tests.core.conftest import peak_bytes


@pytest.mark.parametrize("shape", [(300, 300), (1000, 300), (1000, 4000)])
def test_estimates_bound_what_is_taken(shape):
    X, y, _ = make_pu_data(*shape, random_state=0)
    small, labels = X[:200], y[:200] == 1
    left_out_ranks(small, labels, random_state=0)
    known = *X.shape, X.nnz, int((y == 1).sum())
    made = []
    peak = peak_bytes(lambda: made.append(left_out_ranks(X, y == 1, random_state=0)))
    assert peak <= ranks_bytes(*known)
    for name in ("pen_l1", "ted", "tice"):
        estimate = partial(CLASS_PRIOR_ESTIMATORS[name], X, y == 1, ranks=made[0], random_state=0)
        peak = max(peak, peak_bytes(estimate))
    assert peak <= prior_bytes(*known) <= 3 * peak + 4 * BASE_BYTES


def test_more_of_anything_takes_no_less():
    known = 40_000, 100_000, 20_000_000, 100
    for told in (ranks_bytes, prior_bytes):
        for i in range(len(known)):
            assert told(*(n * (1 + (i == j)) for j, n in enumerate(known))) >= told(*known)


def test_of_many_unlabeled_samples_some_are_ranked():
    few, many = ((n, 1000, 20 * n, 100) for n in (5 * MAX_RANKED, 10 * MAX_RANKED))
    assert ranks_bytes(*many) - ranks_bytes(*few) <= 16 * 5 * MAX_RANKED
