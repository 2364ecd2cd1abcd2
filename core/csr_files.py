"""CSR arrays <-> arrays that a file can hold, mapped where the file is."""

import scipy.sparse as sp


def csr_to_arrays(X):
    """Return the arrays of a CSR array and its shape, for :func:`~core.persistence.dump_arrays`."""
    return {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}


def csr_from_arrays(arrays):
    """Return the CSR array on the arrays that ``csr_to_arrays`` gave, without copying them.

    Raises
    ------
    ValueError
        If they make no CSR array of that shape.
    """
    (n_rows, n_columns), indptr = arrays["shape"], arrays["indptr"]
    if len(indptr) != n_rows + 1:
        raise ValueError(f"{n_rows} rows need {n_rows + 1} ends, not {len(indptr)}")
    X = sp.csr_array((n_rows, n_columns), dtype=arrays["data"].dtype)
    # Set one by one, and indices checked here: SciPy would copy them where indptr has 64 bits.
    X.data, X.indices, X.indptr = arrays["data"], arrays["indices"], indptr
    X.check_format(full_check=False)
    is_within = not X.nnz or (X.indices.min() >= 0 and X.indices.max() < n_columns)
    if not is_within or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"there are entries beyond the {n_rows} rows and {n_columns} columns")
    return X
