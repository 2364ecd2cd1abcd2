import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.graphs.largest_products import largest_products
from core.kernels.graphs.product_bounds import RARE_SHARE, product_bounds, put
from core.kernels.rows.row_blocks import unsigned
from core.kernels.rows.unit_rows import unit_rows


def parts(X):
    return X.indptr, unsigned(X.indices), X.data


def texts(n_texts=600, n_terms=400, seed=0):
    """Return unit rows in which few terms are in most rows and most in few, some rows equal."""
    random = np.random.default_rng(seed)
    shares = np.minimum(0.9, 3 / np.arange(1, n_terms + 1))
    X = (random.random((n_texts, n_terms)) < shares) * random.integers(1, 4, (n_texts, n_terms))
    X[100:120], X[300] = X[99], 0
    idf = np.log((1 + n_texts) / (1 + (X > 0).sum(axis=0)))
    return unit_rows(sp.csr_array(X * idf))


def found(Q, Z, n_largest, first, bounds):
    own = np.arange(Q.shape[0]) + first if first >= 0 else np.full(Q.shape[0], -1)
    columns = parts(sp.csr_array(Z.T))
    return largest_products(parts(Q), columns, Z.shape[0], n_largest, own, bounds)


@pytest.mark.parametrize("n_largest", [1, 5, 64, 65])  # of more than 64, all are made
@pytest.mark.parametrize("first", [-1, 0, 90])
def test_bounded_products_are_those_of_all_to_the_last_bit(n_largest, first):
    Z = texts()
    bounds = product_bounds(Z, sp.csr_array(Z.T))
    Q = Z[max(first, 0) :]
    for with_bounds, without in zip(
        found(Q, Z, n_largest, first, bounds), found(Q, Z, n_largest, first, None), strict=True
    ):
        assert_array_equal(with_bounds, without)
        assert with_bounds.dtype == without.dtype


def test_most_products_are_never_made():
    Z = texts()
    bounds = product_bounds(Z, sp.csr_array(Z.T))
    expected = found(Z[:1], Z, 3, 0, bounds)
    # A product of such a sample would be the largest if it were made.
    near = [0, *found(Z[:1], Z, 100, 0, None)[1]]
    large = sp.diags_array(np.where(np.isin(np.arange(Z.shape[0]), near), 1, 1e6)) @ Z
    for same, result in zip(
        found(Z[:1], Z, 3, 0, bounds._replace(data=large.data)), expected, strict=True
    ):
        assert_array_equal(same, result)


def test_rows_that_bounds_say_nothing_of_are_compared_with_all():
    # Rows of terms that are all about as common: what is left out could be anything.
    random = np.random.default_rng(0)
    Z = unit_rows(sp.csr_array((random.random((300, 40)) < 0.3).astype(float)))
    bounds = product_bounds(Z, sp.csr_array(Z.T))
    for with_bounds, without in zip(
        found(Z, Z, 5, 0, bounds), found(Z, Z, 5, 0, None), strict=True
    ):
        assert_array_equal(with_bounds, without)


def test_where_products_are_too_large_for_a_number_no_row_is_listed_twice():
    random = np.random.default_rng(0)
    has_term = random.random((300, 5)) < [0.9, 0.9, 0.9, 0.75, 0.6]
    Z = sp.csr_array(has_term * 1e200)
    bounds = product_bounds(Z, sp.csr_array(Z.T))
    expected = found(Z, Z, 5, 0, None)
    assert np.isinf(expected[2]).all()
    for with_bounds, without in zip(found(Z, Z, 5, 0, bounds), expected, strict=True):
        assert_array_equal(with_bounds, without)


def test_the_most_common_terms_are_left_out_and_their_lengths_kept():
    Z = texts()
    bounds = product_bounds(Z, sp.csr_array(Z.T))
    dense = Z.toarray()
    frequencies = (dense > 0).sum(axis=0).astype(float)
    is_common = bounds.is_common
    assert frequencies[is_common].min() > frequencies[~is_common].max()
    work = frequencies**2
    assert work[~is_common].sum() <= RARE_SHARE * work.sum()
    # Of the next frequency as well, it would be more.
    next_ones = frequencies <= frequencies[is_common].min()
    assert work[next_ones].sum() > RARE_SHARE * work.sum()
    lengths = np.sqrt((dense[:, is_common].astype(float) ** 2).sum(axis=1))
    assert_allclose(bounds.rests, lengths, rtol=1e-6)


@pytest.mark.parametrize(
    "Z", [[[1.0, -1], [1, 0]], [[1.0, 2], [3, 4]], [[0.0, 0], [0, 0]]], ids=str
)
def test_there_are_no_bounds_of_negative_entries_or_of_terms_of_one_frequency(Z):
    Z = sp.csr_array(Z)
    assert product_bounds(Z, sp.csr_array(Z.T)) is None


def test_the_largest_come_first_and_of_equal_ones_the_first_column():
    best, products = np.empty(3, dtype=np.int64), np.empty(3)
    n_best = 0
    for column, product in [(4, 1.0), (2, 1.0), (7, 3.0), (1, 1.0), (0, 0.5), (9, 3.0)]:
        n_best = put(column, product, best, products, n_best)
    assert (n_best, best.tolist(), products.tolist()) == (3, [7, 9, 1], [3.0, 3.0, 1.0])
