"""The class prior of a classifier that needs one, given or not."""

from core.class_prior.clamp import clamp_prior, smallest_prior
from core.class_prior.elkan_noto import elkan_noto_prior
from core.errors import NoUnlabeled
from core.kernels.rows.masks import rows_and_masks


def given_or_estimated_prior(class_prior, X, is_positive, is_negative):
    """Return the class prior to learn with, and where it comes from.

    Parameters
    ----------
    class_prior : float in [0, 1] or None
        The parameter of the classifier; None asks for an estimate.
    X : sparse array of shape (n_samples, n_features)
        Training samples.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled positive.
    is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples were judged not to be; they are left out.

    Returns
    -------
    class_prior : float
        Share of positives among the unlabeled, in [1 / n_U, 1 - 1 / n_U].
    source : {"given", "elkan_noto", "elkan_noto_in_sample", "unknown"}
        "elkan_noto_in_sample" where a single positive could not be left out; "unknown" where the
        estimate is at the edge of what is possible, which from few positives it often is: then
        the class prior is 0.5.

    Raises
    ------
    NoUnlabeled
        If all samples are labeled or judged.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.class_prior.given_or_estimated import given_or_estimated_prior
    >>> is_positive = np.array([True, False, False, False, False])
    >>> given_or_estimated_prior(0.1, sp.csr_array((5, 1)), is_positive, ~is_positive & False)
    (0.25, 'given')
    """
    X, is_positive, is_negative = rows_and_masks(X, is_positive, is_negative=is_negative)
    is_unlabeled = ~(is_positive | is_negative)
    n_unlabeled = int(is_unlabeled.sum())
    if not n_unlabeled:
        raise NoUnlabeled("all samples are labeled positive or judged negative: none is unlabeled.")
    if class_prior is not None:
        return clamp_prior(class_prior, n_unlabeled), "given"
    source = "elkan_noto" if is_positive.sum() > 1 else "elkan_noto_in_sample"
    if is_negative.any():
        X, is_positive = X[~is_negative], is_positive[~is_negative]
    estimate, edge = elkan_noto_prior(X, is_positive), smallest_prior(n_unlabeled)
    return (estimate, source) if edge < estimate < 1 - edge else (0.5, "unknown")
