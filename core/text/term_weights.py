"""Counts of terms -> weights of chosen terms."""

from contextlib import closing

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from core.kernels.hardware.thread_map import thread_map
from core.kernels.rows.growing_array import GrowingArray
from core.kernels.rows.masks import as_mask
from core.kernels.rows.row_blocks import document_frequencies, row_blocks, rows_of
from core.kernels.rows.scaled_rows import scale_in_place, with_data
from core.options import StrOptions
from core.validation import _fit_context, canonical_csr, forgets


# Sparse, as counts are: no data frame, whatever ``transform_output`` scikit-learn is set to.
class TermWeighting(  # type: ignore[call-arg]  # scikit-learn has no types
    OneToOneFeatureMixin, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None
):
    """Turn counts of terms into what a classifier learns from; the input is never modified.

    Parameters
    ----------
    representation : {"counts", "binary", "tfidf"}, default="tfidf"
        The counts as they are; 1 for each term of a text; or counts times inverse document
        frequency, with the numbers of scikit-learn's ``TfidfTransformer``. The other parameters
        matter for the last one only.
    use_idf : bool, default=True
        Whether to multiply by the inverse document frequency.
    smooth_idf : bool, default=True
        Whether to count one more document that has every term.
    sublinear_tf : bool, default=False
        Whether to replace a count by 1 + log(count).
    norm : {"l1", "l2"}, default="l2"
        The norm each text is scaled to have; None means no scaling.

    Attributes
    ----------
    idf_ : ndarray of shape (n_features,)
        Inverse document frequency, where it is used.
    n_features_in_ : int
        Number of features seen during ``fit``.

    Examples
    --------
    >>> from core.text.term_weights import TermWeighting
    >>> TermWeighting(representation="binary").fit_transform([[2, 0], [1, 3]]).toarray()
    array([[1., 0.],
           [1., 1.]])
    """

    _parameter_constraints: dict = {
        "representation": [StrOptions({"counts", "binary", "tfidf"})],
        "use_idf": ["boolean"],
        "smooth_idf": ["boolean"],
        "sublinear_tf": ["boolean"],
        "norm": [StrOptions({"l1", "l2"}), None],
    }

    def __init__(
        self,
        *,
        representation="tfidf",
        use_idf=True,
        smooth_idf=True,
        sublinear_tf=False,
        norm="l2",
    ):
        self.representation = representation
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf
        self.norm = norm

    @_fit_context(prefer_skip_nested_validation=True)
    @forgets
    def fit(self, X, y=None):
        """Learn the document frequencies of counts X of shape (n_samples, n_features)."""
        self._learn(_checked(self, X, reset=True))
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    @forgets
    def fit_transform(self, X, y=None, *, folder=None):
        """Learn the document frequencies of counts and weigh them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Counts.
        y : None
            Ignored.
        folder : path-like, default=None
            Where the weights are held in a temporary file that has no name and ends with the last
            array on it; None means memory. Weights that are the counts themselves need neither.

        Returns
        -------
        sparse array of shape (n_samples, n_features)
            Weights in CSR format, of the dtype of X.
        """
        X = _checked(self, X, reset=True)
        self._learn(X)
        if self.representation == "counts":
            return X
        parts = thread_map(lambda rows: self.weigh_checked(rows_of(X, rows)).data, row_blocks(X))
        with closing(GrowingArray(X.dtype, folder)) as data:
            for part in parts:
                data.append(part)
            return with_data(X, data.array())

    def _learn(self, X):
        if self.representation == "tfidf" and self.use_idf:
            document_frequency = document_frequencies(X).astype(X.dtype)
            document_frequency += self.smooth_idf
            n_samples = X.dtype.type(X.shape[0] + self.smooth_idf)
            # A term of no text, possible in new texts, is taken as one of one text.
            self.idf_ = np.log(n_samples / np.maximum(document_frequency, 1)) + 1

    def transform(self, X):
        """Return the weights of counts X, in CSR format, of the shape and dtype of X."""
        check_is_fitted(self)
        return self.weigh_checked(_checked(self, X, reset=False))

    def weigh_checked(self, X):
        """Return what ``transform`` does for X that needs no check: counts of a token counter."""
        if self.representation == "counts":
            return X
        if self.representation == "binary":
            return with_data(X, np.ones_like(X.data))
        data = np.log(X.data) + 1 if self.sublinear_tf else X.data.copy()
        if self.use_idf:
            data *= self.idf_[X.indices]
        X = with_data(X, data)
        return X if self.norm is None else scale_in_place(X, self.norm)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _checked(estimator, X, *, reset):
    X = validate_data(
        estimator, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32]
    )
    check_non_negative(X, type(estimator).__name__)
    return canonical_csr(X)


class TermMask(  # type: ignore[call-arg]  # scikit-learn has no types
    SelectorMixin, BaseEstimator, auto_wrap_output_keys=None
):
    """Keep the columns of a mask that was found before.

    Parameters
    ----------
    mask : array-like of bool or of 0 and 1, of shape (n_features,)
        Which features to keep.

    Attributes
    ----------
    n_features_in_ : int
        Number of features seen during ``fit``.

    Examples
    --------
    >>> from core.text.term_weights import TermMask
    >>> TermMask([True, False, True]).fit_transform([[2.0, 0, 3]])
    array([[2., 3.]])
    """

    _parameter_constraints: dict = {"mask": ["array-like"]}

    def __init__(self, mask):
        self.mask = mask

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Check that the mask fits X of shape (n_samples, n_features)."""
        X = validate_data(self, X, accept_sparse="csr")
        if not as_mask(self.mask, "mask", X.shape[1]).any():
            raise ValueError("mask keeps no feature.")
        return self

    def keep_checked(self, X):
        """Return what ``transform`` does for X that needs no check."""
        return X[:, np.flatnonzero(self.mask)]

    def _get_support_mask(self):
        check_is_fitted(self)
        return np.asarray(self.mask, dtype=bool)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
