import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from core.datasets import make_pu_data
from core.kernels.linear.expansion_draw import expansion_draw
from core.kernels.rows.unit_rows import unit_rows
from core.validation import canonical_csr

X, Y, _ = make_pu_data(600, 80, class_prior=0.1, random_state=0)
X = canonical_csr(sp.vstack([X, sp.csr_array((30, 80))], format="csr"))
IS_POSITIVE = np.append(Y == 1, np.zeros(30, dtype=bool))
IS_NEGATIVE = ~IS_POSITIVE & (np.arange(630) % 50 == 0) & (np.diff(X.indptr) > 0)
IS_PILE = ~(IS_POSITIVE | IS_NEGATIVE) & (np.diff(X.indptr) > 0)


def drawn(n_most, rows=slice(None)):
    random = np.random.RandomState(0)
    return expansion_draw(X[rows], IS_POSITIVE[rows], IS_NEGATIVE[rows], n_most, 1.0, random)


@pytest.mark.parametrize("n_most", [None, 600])
def test_of_a_small_pile_all_are_drawn(n_most):
    rows, weight, is_random = drawn(n_most)
    assert_array_equal(np.sort(rows), np.arange(630))
    assert (weight == 1).all()
    assert is_random.all()


@pytest.mark.parametrize("n_most", [1, 2, 51, 200])
def test_what_is_drawn_stands_for_the_whole_pile(n_most):
    rows, weight, is_random = drawn(n_most)
    assert len(np.unique(rows)) == len(rows)
    is_known = (IS_POSITIVE | IS_NEGATIVE)[rows]
    assert is_known.sum() == (IS_POSITIVE | IS_NEGATIVE).sum()
    assert is_random[is_known].all()
    assert (weight[is_known] == 1).all()
    assert IS_PILE[rows[~is_known]].all()
    assert (is_random & ~is_known).sum() == n_most - n_most // 2
    assert (~is_known).sum() <= n_most
    assert weight[~is_known].sum() == IS_PILE.sum()


def test_half_is_what_a_regression_ranks_first_in_the_whole_pile():
    rows, weight, is_random = drawn(200)
    known = rows[is_random]
    model = LogisticRegression(class_weight="balanced", tol=1e-8, max_iter=10_000)
    unit = unit_rows(X)
    model.fit(unit[known], IS_POSITIVE[known])
    pile = np.flatnonzero(IS_PILE)
    first = pile[np.argsort(-model.decision_function(unit[pile]))[:100]]
    # Ranked first, a sample of the random draw stands for itself alone, too.
    stands_alone = rows[weight == 1]
    assert set(rows[~is_random]) <= set(first) <= set(stands_alone)
    others = weight[~np.isin(rows, first) & IS_PILE[rows]]
    assert others.min() >= (IS_PILE.sum() - 100) // len(others)
    assert others.max() - others.min() <= 1


def test_the_draw_goes_by_contents_not_by_places():
    order = np.random.default_rng(0).permutation(630)
    expected, moved = drawn(100), drawn(100, order)
    assert_array_equal(X[order][moved.rows].toarray(), X[expected.rows].toarray())
    assert_array_equal(moved.weight, expected.weight)
    assert_array_equal(moved.is_random, expected.is_random)


def test_length_does_not_matter():
    longer = sp.csr_array(X.multiply(np.random.default_rng(0).integers(1, 9, 630)[:, None]))
    random = np.random.RandomState(0)
    known = IS_POSITIVE | IS_NEGATIVE
    at_random = expansion_draw(longer, IS_POSITIVE, IS_NEGATIVE, 100, 1.0, random)
    chosen = at_random.rows[at_random.is_random & ~known[at_random.rows]]
    model = LogisticRegression(class_weight="balanced", tol=1e-8, max_iter=10_000)
    unit = unit_rows(X)
    rows = np.append(np.flatnonzero(known), chosen)
    scores = model.fit(unit[rows], IS_POSITIVE[rows]).decision_function(unit)
    first = at_random.rows[~at_random.is_random]
    pile = np.flatnonzero(IS_PILE)
    assert scores[first].min() >= np.sort(scores[pile])[-50] - 1e-3
    assert_allclose(at_random.weight.sum(), 600)


def test_of_copies_the_same_may_be_drawn_at_random_and_rank_first():
    rows, is_positive = X[np.flatnonzero(IS_PILE)[[0, 1, 1, 1]]], np.arange(4) < 1
    none, seeds = np.zeros(4, dtype=bool), map(np.random.RandomState, range(20))
    drawn = [expansion_draw(rows, is_positive, none, 2, 1.0, random) for random in seeds]
    # The labeled one, and two that stand for three, or one twice.
    assert {tuple(np.sort(each.weight)) for each in drawn} == {(1, 1, 2), (1, 1)}
