import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.kernels.graphs.largest_products import _nth, largest_products
from core.kernels.rows.row_blocks import unsigned


def parts(X):
    return X.indptr, unsigned(X.indices), X.data


def slow(products, n_largest, first):
    """Return the largest positive products of each row by sorting all of them."""
    kept = np.zeros_like(products)
    for i, row in enumerate(products):
        columns = [j for j in range(len(row)) if row[j] > 0 and not (first >= 0 and j == first + i)]
        best = sorted(columns, key=lambda j: (-row[j], j))[:n_largest]
        kept[i, best] = row[best]
    return kept


@pytest.mark.parametrize("density", [0.05, 0.9])  # sums are remembered, or all looked at
@pytest.mark.parametrize(
    ("n_rows", "n_largest"),
    [(30, 1), (30, 4), (30, 50), (200, 70), (200, 100), (200, 10**6)],  # of the last, all
)
@pytest.mark.parametrize("first", [-1, 0, 7])
def test_they_are_those_of_all_products_sorted(density, n_rows, n_largest, first):
    random = np.random.default_rng(0)
    # Small whole numbers, some of them negative: many ties, and sums that pass through 0.
    signs = random.choice([-1, 1, 1, 2], (n_rows, 12)) * (random.random((n_rows, 12)) < density)
    Z = signs.astype(float)  # as unit rows are: another type takes seconds to compile
    Q = Z[7:20]
    own = np.arange(len(Q)) + first if first >= 0 else np.full(len(Q), -1)
    indptr, indices, data = largest_products(
        parts(sp.csr_array(Q)), parts(sp.csr_array(Z.T)), len(Z), n_largest, own, None
    )
    found = sp.csr_array((data, indices, indptr), shape=(len(Q), len(Z)))
    assert data.dtype == Z.dtype
    assert found.has_canonical_format
    assert_array_equal(found.toarray(), slow(Q @ Z.T, n_largest, first))


class Counted(float):
    """A number that counts how often any of its kind is compared."""

    n_comparisons = 0

    def __lt__(self, other):
        Counted.n_comparisons += 1
        return float(self) < other

    def __gt__(self, other):
        Counted.n_comparisons += 1
        return float(self) > other


def test_no_usual_order_makes_the_choice_quadratic():
    n = 1000
    order, worst = np.arange(n), np.empty(n)
    for step in range(n):  # the middle of what is left, where pivots often stand, is the least
        middle = (step + n - 1) // 2
        worst[order[middle]] = step
        order[[step, middle]] = order[[middle, step]]
    ascending = np.arange(n)
    for numbers in (worst, ascending, ascending[::-1], np.minimum(ascending, 1)):
        for place in (0, n // 2, n - 1):
            Counted.n_comparisons = 0
            values = np.array([Counted(number) for number in numbers], dtype=object)
            assert _nth.py_func(values, place) == np.sort(numbers)[place]
            assert Counted.n_comparisons < 20 * n
