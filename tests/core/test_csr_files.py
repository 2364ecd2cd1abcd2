import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.csr_files import csr_from_arrays, csr_to_arrays
from core.persistence import dump_arrays, load_arrays
from tests.core.test_persistence import is_mapped


@pytest.mark.parametrize("indptr_dtype", [np.int32, np.int64])
def test_a_csr_array_is_mapped_and_not_copied(indptr_dtype, tmp_path):
    X = sp.csr_array(np.array([[0, 1, 2], [0, 0, 0], [3, 0, 0]], dtype=np.float32))
    # Of 64 bits beyond 2**31 entries, beside indices of 32 bits.
    X.indptr = X.indptr.astype(indptr_dtype)
    dump_arrays(csr_to_arrays(X), tmp_path / "file")
    arrays = load_arrays(tmp_path / "file")
    loaded = csr_from_arrays(arrays)
    assert_array_equal(loaded.toarray(), X.toarray(), strict=True)
    for name in ("data", "indices", "indptr"):
        assert np.shares_memory(getattr(loaded, name), arrays[name])
        assert is_mapped(getattr(loaded, name))
        assert not getattr(loaded, name).flags.writeable
        assert getattr(loaded, name).dtype == getattr(X, name).dtype
    assert_array_equal((loaded @ np.ones(3)), [3, 0, 3])


@pytest.mark.parametrize(
    "change",
    [
        {"shape": (2**60, 3)},
        {"shape": (2,)},
        {"data": np.ones(1)},
        {"indices": np.zeros((2, 1), dtype=np.int32)},
        {"indptr": np.array([1, 2, 2], dtype=np.int32)},
        {"indptr": np.array([0, 1, 3], dtype=np.int32)},
        # Compiled code would follow these wherever they lead.
        {"indices": np.array([0, 3], dtype=np.int32)},
        {"indices": np.array([-1, 1], dtype=np.int32)},
        {"indptr": np.array([0, 3, 2], dtype=np.int32)},
    ],
)
def test_arrays_that_make_no_csr_array_are_refused(change):
    with pytest.raises(ValueError, match=r".+"):
        csr_from_arrays(csr_to_arrays(sp.csr_array(np.eye(2, 3))) | change)
