"""Checks of X and y, and the one door to scikit-learn's private names."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import _fit_context
from sklearn.utils._param_validation import (
    HasMethods,
    Hidden,
    Interval,
    MissingValues,
    Options,
    RealNotInt,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_non_negative, column_or_1d, validate_data

__all__ = [
    "HasMethods",
    "Hidden",
    "Interval",
    "MissingValues",
    "Options",
    "RealNotInt",
    "StrOptions",
    "_fit_context",
    "canonical_csr",
    "check_is_negative",
    "ordered_classes",
    "validate_X",
    "validate_X_y",
    "validate_parameter_constraints",
]


def canonical_csr(X):
    """Return X as a CSR array with sorted indices and no stored zeros.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Left untouched; arrays that are already canonical are shared, not copied.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        In CSR format.
    """
    X = sp.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.nnz and not X.data.all():
        X = X.copy()
        X.eliminate_zeros()
    return X


def validate_X(estimator, X, *, reset, non_negative=False):
    """Check X and return it as a canonical CSR array of float64 or float32.

    ``reset=True`` records ``n_features_in_``; ``reset=False`` compares against it.
    """
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
    )
    if non_negative:
        check_non_negative(X, type(estimator).__name__)
    return canonical_csr(X)


def validate_X_y(estimator, X, y, *, non_negative=False):
    """Check a training set; return the canonical CSR array and the 1-d labels."""
    X, y = validate_data(
        estimator,
        X,
        y,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
    )
    if non_negative:
        check_non_negative(X, type(estimator).__name__)
    check_classification_targets(y)
    return canonical_csr(X), column_or_1d(y)


def ordered_classes(y, pos_label=None):
    """Return the two labels as [unlabeled, positive].

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Labels with one or two distinct values.
    pos_label : int, str, bool or None, default=None
        The label of the positives; None means the greater of two values.

    Returns
    -------
    ndarray of shape (2,)
        The label of the unlabeled, then the label of the positives. Where y holds positives
        only, the first is made up: 0, False or ``"unlabeled"``.

    Raises
    ------
    ValueError
        If y has more than two values, one value and no ``pos_label``, or no positives.
    """
    values = np.unique(y)
    if len(values) > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is "
            f"{type_of_target(y)}."
        )
    if pos_label is None:
        if len(values) == 1:
            raise ValueError(
                f"y holds one class only, {values[0]!r}; pass pos_label to say that it is the "
                "positive one, or add unlabeled samples."
            )
        return values
    if pos_label not in values:
        raise ValueError(f"no sample of the positive class: y has no value {pos_label!r}.")
    others = values[values != pos_label]
    other = others[0] if len(others) else _made_up_label(values, pos_label)
    return np.array([other, pos_label], dtype=np.result_type(values, np.asarray(other)))


def _made_up_label(values, pos_label):
    if values.dtype.kind in "US":
        return "unlabeled"
    return values.dtype.type(0 if pos_label else -1)


def check_is_negative(is_negative, is_positive):
    """Return the mask of judged negatives, all False where none is given.

    Raises
    ------
    ValueError
        If the mask has another length, is not boolean, or names a positive sample.
    """
    if is_negative is None:
        return np.zeros(len(is_positive), dtype=bool)
    is_negative = np.asarray(is_negative)
    if is_negative.shape != is_positive.shape or is_negative.dtype != bool:
        raise ValueError(
            f"is_negative must be a boolean mask of shape {is_positive.shape}, "
            f"got {is_negative.dtype} of shape {is_negative.shape}."
        )
    if (is_negative & is_positive).any():
        first = int(np.flatnonzero(is_negative & is_positive)[0])
        raise ValueError(f"sample {first} is labeled positive and judged negative at once.")
    return is_negative
