"""What labeled positives have more of than the pile, beside what a model has learned."""

import numpy as np

from core.kernels.rows.row_blocks import mean_row, row_products, transposed_product

#: How far scores by the contrast spread, as a share of how far those of the model do: so many over
#: the number of hidden positives, and at most this.
FEW, MOST = 4, 0.5
#: Scores by the contrast, differences of cosines, that deviate by less do so by rounding alone.
ROUNDING = 1e-7


def with_contrast(model, features, is_positive, weight, n_hidden):
    """Return a model that also goes by how far samples resemble the labeled positives themselves.

    Where hardly any unlabeled sample is positive, most that a seed expansion learns from as if
    labeled are not, and what it learns drifts away from the positives. Their mean cannot.

    Parameters
    ----------
    model : ndarray of shape (n_features + n_components + 1,)
        Weights of terms and of latent directions, and the intercept.
    features : WideRows of shape (n_samples, n_features + n_components)
        Rows of unit length, and their latent directions.
    is_positive : ndarray of bool of shape (n_samples,)
        The labeled positives.
    weight : ndarray of int of shape (n_samples,)
        How many samples of the pile each stands for; 0 for those that are not of it.
    n_hidden : float in [0, inf)
        About how many positives the pile holds.

    Returns
    -------
    ndarray of the shape of ``model``
        Terms weigh more by a multiple of the mean of the positives less that of the pile. Over the
        pile this adds nothing to the mean of the scores, and to each score what deviates by a share
        of the deviation of the scores by ``model``: half of it where at most eight are hidden, a
        twenty-fifth where a hundred are. Where the contrast tells nothing of the pile apart, this
        is ``model``.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.linear.contrast import with_contrast
    >>> from core.kernels.linear.wide_rows import wide_rows
    >>> features = wide_rows(sp.csr_array([[1.0, 0], [1, 0], [0, 1]]))
    >>> with_contrast(np.array([0.0, -2, 0]), features, np.arange(3) < 1, np.arange(3) > 0, 40.0)
    array([ 0.1, -2.1,  0. ])
    """
    Z = features.sparse
    pile = transposed_product(Z, weight.astype(float)) / weight.sum()
    contrast = mean_row(Z, is_positive) - pile
    mean, deviation = _moments(row_products(Z, contrast), weight)
    if deviation < ROUNDING:
        return model
    _, deviation_by_model = _moments(features.products(model[:-1]), weight)
    factor = FEW / max(FEW / MOST, n_hidden) * deviation_by_model / deviation
    added = np.zeros_like(model)
    added[: len(contrast)], added[-1] = factor * contrast, -factor * mean
    return model + added


def _moments(values, weight):
    """Return mean and standard deviation."""
    mean = np.average(values, weights=weight)
    return mean, np.sqrt(np.average((values - mean) ** 2, weights=weight))
