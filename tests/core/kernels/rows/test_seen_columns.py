import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.kernels.rows.seen_columns import in_columns, seen_columns

X = sp.random_array((30, 50), density=0.03, format="csr", rng=np.random.default_rng(0))


def test_columns_are_seen_that_have_an_entry():
    assert_array_equal(seen_columns(X), X.toarray().any(axis=0))
    assert not seen_columns(X[:0]).any()


def test_entries_in_other_columns_go_and_x_stays():
    is_kept, before = np.arange(50) % 2 == 0, X.toarray()
    kept = in_columns(X, is_kept)
    assert_array_equal(kept.toarray(), before * is_kept)
    assert kept.data.all()
    assert_array_equal(X.toarray(), before)


def test_nothing_is_copied_where_all_entries_stay():
    assert in_columns(X, seen_columns(X)) is X
