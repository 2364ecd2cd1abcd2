"""Checks of masks, before anything is computed with them."""

import numpy as np
import scipy.sparse as sp

from core.errors import Refused
from core.kernels.rows.dense_rows import csr_of_dense

#: Types of values that are taken as they are, and kinds of those that are made such.
FLOATS, NUMBERS = (np.float64, np.float32), "biuf"


def as_mask(mask, name, n_samples):
    """Return a mask, of booleans or of 0 and 1, as an array of booleans.

    Of 0 and 1 themselves NumPy takes the rows 0 and 1, and ``~`` of them is -1 and -2; a pandas
    Series picks by its index. Either would give wrong figures without a word.

    Parameters
    ----------
    mask : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples.
    name : str
        Of the parameter, for the message.
    n_samples : int
        How many there are.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        An array of booleans is not copied.

    Raises
    ------
    ValueError
        If the mask has another shape, or other values: words, objects, or numbers such as 1.0,
        -1 or 2.

    Examples
    --------
    >>> from core.kernels.rows.masks import as_mask
    >>> as_mask([False, True], "is_positive", 2).tolist()
    [False, True]
    >>> as_mask([0, 1], "is_positive", 2).tolist()
    [False, True]
    """
    mask = np.asarray(mask)
    others = mask[(mask != 0) & (mask != 1)] if mask.dtype.kind in "iu" else mask.ravel()[:0]
    if mask.shape != (n_samples,) or mask.dtype.kind not in "biu" or len(others):
        values = f" with the value {others[0]}" if len(others) else ""
        # Columns of pandas where something is missing.
        to_do = f" Compare, and fill what is missing, as by ({name} == 1).fillna(False)."
        raise ValueError(
            f"{name} must be a mask of shape ({n_samples},), of booleans or of 0 and 1, "
            f"got {mask.dtype} of shape {mask.shape}{values}."
            f"{to_do if mask.dtype.kind in 'fO' else ''}"
        )
    return mask.astype(bool, copy=False)


def optional_mask(mask, name, n_samples):
    """Return :func:`as_mask` of a mask, and for None the mask of no sample.

    Examples
    --------
    >>> from core.kernels.rows.masks import optional_mask
    >>> optional_mask(None, "is_negative", 2).tolist()
    [False, False]
    """
    if mask is None:
        return np.zeros(n_samples, dtype=bool)
    return as_mask(mask, name, n_samples)


def rows_and_masks(X, is_positive, **masks):
    """Return samples as every function of a matrix and masks reads them, and the masks as arrays.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Numbers, in any format; left untouched. A canonical CSR array without zeros is given back.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled.
    **masks : array-like of bool or of 0 and 1, of shape (n_samples,) or None
        Others, by their names; None means none of the samples.

    Returns
    -------
    X : sparse array of shape (n_samples, n_features)
        In CSR format, of floats, with sorted indices and no stored zeros.
    is_positive, *masks : ndarrays of bool of shape (n_samples,)

    Raises
    ------
    ValueError
        If X holds texts or what is not finite, or a mask is no mask of its rows.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.rows.masks import rows_and_masks
    >>> X = sp.eye_array(2, format="coo")
    >>> X, is_positive, is_negative = rows_and_masks(X, [True, False], is_negative=None)
    >>> X.format, is_positive.tolist(), is_negative.tolist()
    ('csr', [True, False], [False, False])
    """
    X = X if sp.issparse(X) else _rows_of_dense(X)
    if X.dtype not in FLOATS and X.dtype.kind in NUMBERS:
        X = X.astype(np.float64)
    is_positive = as_mask(is_positive, "is_positive", X.shape[0])
    others = [optional_mask(mask, name, X.shape[0]) for name, mask in masks.items()]
    rows = X if isinstance(X, sp.csr_array) else sp.csr_array(X)
    if not np.isfinite(rows.data).all():
        raise Refused("samples hold NaN or infinite values: leave these rows out, or fill them.")
    if not rows.has_canonical_format or not rows.data.all():
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return rows, is_positive, *others


def _rows_of_dense(X):
    # A list may well be one of texts, which NumPy would copy into an array.
    dense = np.asarray(X) if hasattr(X, "__array__") else np.empty(0)
    if dense.ndim != 2 or dense.dtype.kind not in NUMBERS:
        raise ValueError(
            f"samples must be a matrix of numbers, dense or sparse, not a {type(X).__name__}. "
            "TokenCounter().fit_transform(texts) makes one of texts, numpy.array of lists."
        )
    return csr_of_dense(dense if dense.dtype in FLOATS else dense.astype(np.float64))
