"""Checks of boolean masks, before anything is computed with them."""

import numpy as np
import scipy.sparse as sp


def as_mask(mask, name, n_samples):
    """Return a mask as an array, which numbers or another length would not be.

    Of 0 and 1 NumPy takes the rows 0 and 1, and ``~`` of them is -1 and -2; a pandas Series picks
    by its index. Either would give wrong figures without a word.

    Parameters
    ----------
    mask : array-like of bool of shape (n_samples,)
        Which samples.
    name : str
        Of the parameter, for the message.
    n_samples : int
        How many there are.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        An array is not copied.

    Raises
    ------
    ValueError
        If the mask is not boolean, or has another shape.

    Examples
    --------
    >>> from core.kernels.masks import as_mask
    >>> as_mask([False, True], "is_positive", 2).tolist()
    [False, True]
    """
    mask = np.asarray(mask)
    if mask.shape != (n_samples,) or mask.dtype != bool:
        hint = " Make one of 0 and 1 by .astype(bool)." if mask.dtype.kind in "iu" else ""
        raise ValueError(
            f"{name} must be a boolean mask of shape ({n_samples},), "
            f"got {mask.dtype} of shape {mask.shape}.{hint}"
        )
    return mask


def mask_of_rows(mask, name, X):
    """Return a mask of the rows of a sparse matrix as an array.

    Parameters
    ----------
    mask, name
        As of :func:`as_mask`.
    X : sparse array of shape (n_samples, n_features)
        The matrix.

    Returns
    -------
    ndarray of bool of shape (n_samples,)

    Raises
    ------
    ValueError
        If X is not sparse, such as texts, or the mask is no mask of its rows.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.masks import mask_of_rows
    >>> mask_of_rows(np.array([True, False]), "is_positive", sp.eye_array(2)).tolist()
    [True, False]
    """
    if not sp.issparse(X):
        raise ValueError(
            f"samples must be a sparse matrix, not a {type(X).__name__}: of texts "
            "TokenCounter().fit_transform(texts) makes one, of a table scipy.sparse.csr_array."
        )
    return as_mask(mask, name, X.shape[0])
