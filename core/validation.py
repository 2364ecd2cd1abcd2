"""Checks of X and y; all private names of scikit-learn come here, to ``options`` or ``labels``."""

from contextlib import contextmanager
from functools import wraps

import numpy as np
import scipy.sparse as sp
from sklearn.base import _fit_context
from sklearn.utils._param_validation import RealNotInt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative, validate_data

from core.errors import NoPositives, NoUnlabeled, Refused, TooFewPositives
from core.kernels.rows.dense_rows import csr_of_dense
from core.kernels.rows.masks import optional_mask
from core.kernels.tokens.counts import OF_SIGNS
from core.labels import check_labels, ordered_classes, typed_labels
from core.short_indices import is_short, shortened

__all__ = [
    "RealNotInt",
    "_fit_context",
    "canonical_csr",
    "check_is_negative",
    "check_n_positive",
    "check_samples",
    "forgets",
    "refusals",
    "validate_X",
    "validate_training_set",
]


def check_n_positive(classifier, n_positive):
    """Check that there are as many positives as a classifier needs.

    Parameters
    ----------
    classifier : BasePUClassifier
        Its ``min_positives`` is read.
    n_positive : int
        Labeled positives that are not empty.

    Raises
    ------
    TooFewPositives
        If there are fewer; the message names algorithms that do with one.
    """
    if n_positive < classifier.min_positives:
        raise TooFewPositives(
            f"{type(classifier).__name__} needs at least {classifier.min_positives} positives that "
            f"are not empty, got {n_positive}: label more, or take seed_expansion, prototype, "
            "lp_pul or nmfpul."
        )


def check_samples(classifier, is_positive, is_negative, is_empty):
    """Check that a classifier has the samples to learn from.

    Parameters
    ----------
    classifier : BasePUClassifier
        Its ``requires_unlabeled``, ``requires_unjudged`` and ``min_positives`` are read.
    is_positive, is_negative : ndarray of bool of shape (n_samples,)
        Which samples are labeled positive, and which were judged not to be.
    is_empty : ndarray of bool of shape (n_samples,)
        Which samples have no feature.

    Raises
    ------
    NoPositives, NoUnlabeled, TooFewPositives
        If there are fewer than it needs.
    """
    if classifier.requires_unlabeled and is_positive.all():
        raise NoUnlabeled(
            f"{type(classifier).__name__} needs unlabeled samples besides the positives: y holds "
            "one class only."
        )
    n_positive = int((is_positive & ~is_empty).sum())
    if not n_positive:
        raise NoPositives(
            "every positive sample is empty: no feature is left to learn from. If they are texts, "
            "none of their words was counted: look at token_pattern, stop_words, extra_stop_words, "
            f"min_df, max_df and max_features; {OF_SIGNS}."
        )
    if classifier.requires_unlabeled and (is_positive | is_empty).all():
        raise NoUnlabeled(
            "every unlabeled sample is empty: there is nothing to compare with. If they are texts, "
            "none of their words was counted: look at token_pattern, stop_words, extra_stop_words, "
            "min_df, max_df and max_features. For a script whose words marks cut apart, such as "
            "Hindi's, set marks=True."
        )
    if classifier.requires_unjudged and (is_positive | is_negative | is_empty).all():
        raise NoUnlabeled("every unlabeled sample is empty or was judged negative: none is left.")
    check_n_positive(classifier, n_positive)


def canonical_csr(X):
    """Return X as a CSR array with sorted indices and no stored zeros.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Left untouched; arrays that are already canonical are shared, not copied.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        In CSR format, with 32-bit indices where they fit.
    """
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in (np.float64, np.float32):
        return csr_of_dense(X)
    X = sp.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.nnz and not X.data.all():
        X = X.copy()
        X.eliminate_zeros()
    # One index type for all inputs: kernels compile once and agree to the last bit.
    return shortened(X) if is_short(X) else X


def forgets(fit):
    """Let a method ``fit`` forget what was learned before, and what it learns where it fails.

    What an earlier fit left would predict beside what a failed one did, such as its labels.
    """

    @wraps(fit)
    def forgetting(estimator, *args, **kwargs):
        _forget(estimator)
        try:
            return fit(estimator, *args, **kwargs)
        except BaseException:
            _forget(estimator)
            raise

    return forgetting


def _forget(estimator):
    for name in list(vars(estimator)):
        if name.endswith("_") and not name.startswith("_"):
            delattr(estimator, name)


@contextmanager
def refusals():
    """Raise what scikit-learn refuses of samples or labels as what is refused on purpose.

    Examples
    --------
    >>> from sklearn.utils import check_array
    >>> from core.validation import refusals
    >>> with refusals():
    ...     check_array([[1.0, float("inf")]], input_name="X")
    Traceback (most recent call last):
    core.errors.Refused: Input X contains infinity or a value too large for dtype('float64').
    """
    try:
        yield
    except ValueError as error:
        told, _, advice = str(error).partition("\n")
        # scikit-learn's advice is to take another classifier, which needs negatives.
        is_of_nan = "missing values encoded as NaN" in advice
        raise Refused(f"{told} Fill it, say by 0." if is_of_nan else str(error)) from None


def validate_X(estimator, X):
    """Check samples against a fitted estimator.

    Parameters
    ----------
    estimator : BasePUClassifier or BaseFeatureSelector
        Its ``n_features_in_`` and ``requires_non_negative`` are read.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples.

    Returns
    -------
    sparse array of shape (n_samples, n_features)
        Canonical CSR array of float64 or float32.

    Raises
    ------
    ValueError
        If X has another number of features, NaN or infinity, or negative values that the
        estimator cannot take.

    Examples
    --------
    >>> from core.classifiers import Prototype
    >>> from core.validation import validate_X
    >>> classifier = Prototype().fit([[1, 0], [0, 1]], [1, 0])
    >>> validate_X(classifier, [[0, 2]]).indices.tolist()
    [1]
    """
    _check_no_texts(X)
    with refusals():
        X = validate_data(
            estimator, X, reset=False, accept_sparse="csr", dtype=[np.float64, np.float32]
        )
    return _checked_csr(estimator, X)


def validate_training_set(estimator, X, y):
    """Check a training set and record ``n_features_in_``.

    Parameters
    ----------
    estimator : BasePUClassifier or BaseFeatureSelector
        Its ``pos_label`` and ``requires_non_negative`` are read.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels.

    Returns
    -------
    X : sparse array of shape (n_samples, n_features)
        Canonical CSR array of float64 or float32.
    classes : ndarray of shape (2,)
        The label of the unlabeled, then the label of the positives.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled positive.

    Raises
    ------
    NoPositives
        If y has no positives.
    ValueError
        If X or y is not usable.
    """
    check_labels(y)
    _check_no_texts(X)
    with refusals():
        X, y = validate_data(estimator, X, y, accept_sparse="csr", dtype=[np.float64, np.float32])
        y = typed_labels(y)
        check_classification_targets(y)
    classes = ordered_classes(y, estimator.pos_label)
    return _checked_csr(estimator, X), classes, y == classes[1]


def _check_no_texts(X):
    if sp.issparse(X):
        return
    # Arrays and columns of data frames have one dimension; the frame itself would name its columns.
    is_list = isinstance(X, list | tuple) or getattr(X, "ndim", 2) == 1
    if is_list and isinstance(next(iter(X), None), str | bytes):
        raise Refused(
            "X holds texts: make_text_classifier(...) makes a classifier that takes them, "
            "TokenCounter().fit_transform(texts) a matrix of them."
        )


def _checked_csr(estimator, X):
    if estimator.requires_non_negative:
        try:
            check_non_negative(X, type(estimator).__name__)
        except ValueError as error:
            raise Refused(
                f"{error.args[0].rstrip('.')}. Scale each feature to [0, 1], or take a method that "
                "needs no counts: semi_jmi for features, prototype for samples."
            ) from None
    return canonical_csr(X)


def check_is_negative(is_negative, is_positive):
    """Return the mask of judged negatives, all False where none is given.

    Parameters
    ----------
    is_negative : array-like of bool or of 0 and 1, of shape (n_samples,) or None
        Which samples were judged not to be positive.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are labeled positive.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        The mask.

    Raises
    ------
    ValueError
        If the mask has another length, is not boolean, or names a positive sample.

    Examples
    --------
    >>> import numpy as np
    >>> from core.validation import check_is_negative
    >>> check_is_negative([False, True], np.array([True, False])).tolist()
    [False, True]
    """
    is_negative = optional_mask(is_negative, "is_negative", len(is_positive))
    if (is_negative & is_positive).any():
        first = int(np.flatnonzero(is_negative & is_positive)[0])
        raise Refused(f"sample {first} is labeled positive and judged negative at once.")
    return is_negative
