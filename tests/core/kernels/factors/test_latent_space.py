import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from threadpoolctl import threadpool_limits

from core.kernels.factors.latent_space import MIN_ROWS, latent_space

RANDOM = np.random.default_rng(0)
X = sp.csr_array((RANDOM.random((40, 12)) < 0.4) * RANDOM.random((40, 12)))


def space(rows, n_components=3):
    return latent_space(rows, n_components, np.random.RandomState(0))


def test_directions_are_singular_vectors():
    expected = np.linalg.svd(X.toarray())[2][:3]
    cosines = np.abs(expected @ space(X).components)
    assert_allclose(cosines, np.eye(3), atol=1e-5)


def test_the_number_of_threads_is_irrelevant():
    many = sp.random_array((3000, 800), density=0.02, rng=np.random.default_rng(0)).tocsr()
    with threadpool_limits(1):
        expected = space(many, 50).components
    with threadpool_limits(2):
        assert_array_equal(space(many, 50).components, expected)


def test_rows_have_unit_length_and_empty_ones_stay():
    with_empty = sp.vstack([X, sp.csr_array((1, 12))], format="csr")
    lengths = np.linalg.norm(space(X).rows(with_empty), axis=1)
    assert_allclose(lengths, np.diff(with_empty.indptr) > 0, atol=1e-6)


def test_terms_of_few_rows_are_no_part_of_it():
    rare = sp.csr_array(np.r_[np.ones(MIN_ROWS - 1), np.zeros(41 - MIN_ROWS)][:, None])
    found = space(sp.hstack([rare, X], format="csr"))
    assert_array_equal(found.columns, np.arange(1, 13))
    assert_allclose(np.abs(found.components), np.abs(space(X).components), atol=1e-5)


def test_weights_of_directions_are_weights_of_terms():
    found, weights = space(X), np.array([1.0, -2, 3])
    columns, of_terms = found.to_features(weights)
    assert_allclose(X[:, columns] @ of_terms, found.projections(X) @ weights, atol=1e-5)


def test_products_are_those_of_the_rows_and_do_not_depend_on_other_rows():
    found, weights = space(X), np.array([1.0, -2, 3])
    with_empty = sp.vstack([X, sp.csr_array((1, 12))], format="csr")
    products = found.products(with_empty, weights)
    assert_allclose(products, found.rows(with_empty) @ weights, atol=1e-12)
    assert [found.products(with_empty[[i]], weights)[0] for i in range(41)] == products.tolist()


@pytest.mark.parametrize(("rows", "n_components"), [(X[:2], 5), (X, 0)])
def test_nothing_to_find_leaves_no_direction(rows, n_components):
    found = space(rows, n_components)
    assert found.rows(rows).shape == (rows.shape[0], 0)
