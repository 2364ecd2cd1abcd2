import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.doctor import accepted_space as module
from core.doctor.accepted_space import DIMENSIONS, accepted_space
from core.kernels.rows.unit_rows import unit_rows
from tests.core.doctor.spaces import space

RANDOM = np.random.default_rng(0)
NONE = np.zeros(30, dtype=bool)
OWN, OTHERS = RANDOM.normal(size=(20, 10)), RANDOM.normal(size=(30, 10))


def test_the_shift_is_what_its_definition_says():
    both = np.vstack([OWN, OTHERS])
    ratios = []
    for d in DIMENSIONS:
        distance = np.linalg.norm(OWN[:, :d].mean(axis=0) - OTHERS[:, :d].mean(axis=0))
        ratios.append(distance**2 / ((both - both.mean(axis=0)) ** 2)[:, :d].sum() * len(both))
    assert_allclose(space(OWN, OTHERS).shift(), np.prod(ratios) ** (1 / len(ratios)))


def test_the_shift_of_random_splits_is_as_large_as_said():
    both = np.vstack([OWN, OTHERS])
    splits = [RANDOM.permutation(len(both)) for _ in range(2000)]
    squares = [
        ((both[order[:20]].mean(axis=0) - both[order[20:]].mean(axis=0)) ** 2).sum()
        for order in splits
    ]
    expected = space(OWN, OTHERS).variances()[-1] * (1 / 20 + 1 / 30)
    # The variance with one degree of freedom less makes it exact; 2000 splits are within 5 %.
    assert_allclose(np.mean(squares), expected * 50 / 49, rtol=0.05)


def test_the_shift_does_not_depend_on_where_the_origin_or_the_unit_is():
    moved = space(3 * OWN + 7, 3 * OTHERS + 7)
    assert_allclose(moved.shift(), space(OWN, OTHERS).shift())


def test_samples_without_a_direction_have_no_shift():
    rows = np.arange(8)
    empty = accepted_space(
        sp.csr_array((8, 3)),
        rows < 3,
        (rows >= 3) & (rows < 6),
        rows >= 6,
        np.random.RandomState(0),
    )
    assert empty.shift() == 0


def test_equal_samples_have_no_shift():
    assert space(np.ones((4, 3)), np.ones((5, 3))).shift() == 0


def test_of_many_samples_some_are_compared(monkeypatch):
    monkeypatch.setattr(module, "MAX_COMPARED", 5)
    Z = unit_rows(sp.csr_array(RANDOM.random((30, 4))))
    is_positive = np.arange(30) < 12
    drawn = accepted_space(
        Z, is_positive, ~is_positive, NONE[: Z.shape[0]], np.random.RandomState(0)
    )
    assert len(drawn.positives) == len(drawn.accepted) == 5
    assert is_positive[drawn.positives].all()
    assert not is_positive[drawn.accepted].any()


def test_projections_keep_products_of_rows_where_there_are_few_terms():
    Z = unit_rows(sp.csr_array(RANDOM.random((12, 4))))
    is_positive = np.arange(12) < 6
    drawn = accepted_space(
        Z, is_positive, ~is_positive, NONE[: Z.shape[0]], np.random.RandomState(0)
    )
    points = np.vstack([drawn.own, drawn.others])
    assert_allclose(points @ points.T, (Z @ Z.T).toarray(), atol=1e-5)
    assert_array_equal(np.sort(drawn.least_like_positives()), np.arange(6, 12))


def test_the_way_to_rejected_samples_is_taken_out():
    Z = unit_rows(sp.csr_array(RANDOM.random((30, 4))))
    rows = np.arange(30)
    is_positive, is_accepted, is_rejected = rows < 8, (rows >= 8) & (rows < 20), rows >= 20
    kinds = is_positive, is_accepted, is_rejected
    space = accepted_space(Z, *kinds, np.random.RandomState(0))
    # With as many directions as terms the projections are the rows, turned: a slow twin.
    dense = Z.toarray()
    away = dense[is_rejected].mean(axis=0) - dense[is_positive].mean(axis=0)
    left = dense - np.outer(dense @ away, away) / (away @ away)
    points = np.vstack([space.own, space.others])
    assert_allclose(points @ points.T, (left @ left.T)[:20, :20], atol=1e-5)
