"""Rocchio prototypes of positives and negatives."""

import numpy as np


def rocchio_cosines(Z, positive_mean, negative_means, *, alpha, beta):
    """Return the cosines of rows with negative and with positive prototypes.

    For each negative mean ``u`` and the positive mean ``p``, the positive prototype is
    ``alpha p - beta u`` and the negative one ``alpha u - beta p``. Only the proportion of alpha
    and beta matters, and exchanging them exchanges the prototypes and their signs: what is nearer
    to the negative one stays so.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format.
    positive_mean : ndarray of shape (n_features,)
        Mean of the unit rows of the positives.
    negative_means : ndarray of shape (n_features, n_groups)
        Means of the unit rows of groups of negatives.
    alpha : float in (0, inf)
        Weight of the own class.
    beta : float in [0, inf)
        Weight of the other class.

    Returns
    -------
    negative : ndarray of shape (n_samples, n_groups)
        Cosines with the negative prototypes; 0 where a prototype vanishes.
    positive : ndarray of shape (n_samples, n_groups)
        Cosines with the positive prototypes.

    References
    ----------
    X. Li and B. Liu, "Learning to classify texts using positive and unlabeled data", IJCAI 2003,
    section 3.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.kernels.two_step.rocchio import rocchio_cosines
    >>> Z = sp.csr_array([[1.0, 0], [0, 1]])
    >>> negative, positive = rocchio_cosines(
    ...     Z, np.array([1.0, 0]), np.array([[0.0], [1]]), alpha=4, beta=3
    ... )
    >>> negative.ravel().tolist(), positive.ravel().tolist()
    ([-0.6, 0.8], [0.8, -0.6])
    """
    # Their squares stay finite.
    alpha, beta = alpha / max(alpha, beta), beta / max(alpha, beta)
    # Prototypes are not formed: products and lengths follow from those of the means.
    to_positive = (Z @ positive_mean)[:, None]
    to_negative = Z @ negative_means
    p_p = positive_mean @ positive_mean
    p_n = positive_mean @ negative_means
    n_n = np.einsum("ij,ij->j", negative_means, negative_means)
    negative = _cosines(to_negative, to_positive, n_n, p_n, p_p, alpha, beta)
    positive = _cosines(to_positive, to_negative, p_p, p_n, n_n, alpha, beta)
    return negative, positive


def _cosines(to_own, to_other, own_own, own_other, other_other, alpha, beta):
    products = alpha * to_own - beta * to_other
    scale = alpha**2 * own_own + beta**2 * other_other
    squares = scale - 2 * alpha * beta * own_other
    # What is left of two equal means is rounding, not a direction.
    exists = squares > 1e-12 * scale
    return np.where(exists, products / np.sqrt(np.where(exists, squares, 1)), 0)
