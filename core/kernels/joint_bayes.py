"""A sparse Bayesian logistic model that weighs features and pseudo-labeled rows together."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit

from core.progress import report

#: Steepness of the sigmoid that keeps the weights of rows from falling below 0, beta.
STEEPNESS = 5.0
#: Precision that features and rows start with, and the most they may have.
FIRST_PRECISION, MAX_PRECISION = 1e-3, 1e8
#: Smaller weights are taken for 0; a change below this ends the rounds.
TOLERANCE = 1e-3
#: Halvings of a step before it is given up.
MAX_HALVINGS = 30


class JointModel(NamedTuple):
    """Weights of features and rows, and how the rounds went."""

    #: Of shape (n_features,); 0 for features that were dropped.
    coef: np.ndarray
    #: The round in which each feature was dropped; 0 for those that were not.
    dropped_in: np.ndarray
    #: Of the pseudo-labeled rows, each in [0, inf).
    row_weights: np.ndarray
    #: Precision of each feature, of shape (n_features,).
    precision: np.ndarray
    #: Logarithm of the posterior after each round, but for a constant.
    objective: list[float]
    is_converged: bool


def log_posterior(data, coef, row_weights, precision, row_precision, smoothness):
    """Return the logarithm of the posterior and its gradients.

    Parameters
    ----------
    data : tuple
        ``(X, y, is_labeled, trust)``: rows of shape (n_samples, n_features), classes 0 and 1 of
        them, which of these are labels and not pseudo-labels, and how much the others count.
    coef : ndarray of shape (n_features,)
        Weights of the features, w.
    row_weights : ndarray of shape (n_pseudo_labeled,)
        Weights of the pseudo-labeled rows, lambda, which multiply their scores.
    precision, row_precision : ndarrays of shapes (n_features,) and (n_pseudo_labeled,)
        Precisions of the normal priors of both, alpha and c.
    smoothness : ndarray of shape (n_features, n_features)
        Laplacian of the graph of rows, seen by the features, B.

    Returns
    -------
    value : float
        Q, without what does not depend on the weights.
    coef_slopes, row_slopes : ndarrays of shapes (n_features,) and (n_pseudo_labeled,)
        The gradients.
    """
    X, y, is_labeled, trust = data
    scale, counted = _scales(is_labeled, row_weights, trust)
    raw = X @ coef
    scores = scale * raw
    pull = precision * coef + smoothness @ coef
    value = counted @ (y * scores - np.logaddexp(0, scores)) - coef @ pull / 2
    value += log_expit(STEEPNESS * row_weights).sum() - row_precision @ row_weights**2 / 2
    residual = counted * (y - expit(scores))
    row_slopes = (residual * raw)[~is_labeled] - row_precision * row_weights
    row_slopes += STEEPNESS * expit(-STEEPNESS * row_weights)
    return value, X.T @ (scale * residual) - pull, row_slopes


def fit_joint_model(X, y, is_labeled, smoothness, *, trust=0.9, max_iter=50):
    """Fit weights of features and of pseudo-labeled rows in turn, and learn their precisions.

    A round is a Newton step for the features, shortened until it improves, one for each row, and
    an update of all precisions from the curvature (Laplace's approximation). Weights near 0 are
    dropped for good.

    Parameters
    ----------
    X, y, is_labeled, smoothness, trust
        As ``data`` and ``smoothness`` of :func:`log_posterior`.
    max_iter : int in [1, inf), default=50
        Most rounds.

    Returns
    -------
    JointModel

    References
    ----------
    B. Jiang, X. Wu, K. Yu and H. Chen, "Joint semi-supervised feature selection and
    classification through Bayesian approach", AAAI 2019; the updates are derived anew.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.joint_bayes import fit_joint_model
    >>> X = np.array([[-2.0, 1], [-1, -1], [1, 1], [2, -1]] * 5)
    >>> model = fit_joint_model(X, X[:, 0] > 0, np.full(20, True), np.zeros((2, 2)))
    >>> bool(abs(model.coef[0]) > abs(model.coef[1]))
    True
    """
    data = X, y.astype(np.float64), is_labeled, trust
    n_features, n_pseudo = X.shape[1], int((~is_labeled).sum())
    coef, row_weights = np.full(n_features, 0.5), np.full(n_pseudo, 0.5)
    precision = np.full(n_features, FIRST_PRECISION)
    row_precision = np.full(n_pseudo, FIRST_PRECISION)
    dropped_in, objective, is_converged = np.zeros(n_features, dtype=int), [], False
    for iteration in range(1, max_iter + 1):
        kept = np.flatnonzero(dropped_in == 0)
        before = coef.copy()
        state = row_weights, precision, row_precision, smoothness
        coef, variances = _stepped_features(data, coef, kept, *state)
        row_weights, row_bends = _stepped_rows(data, coef, row_weights, row_precision)
        precision[kept] = _precision(coef[kept], variances, precision[kept], smoothness, kept)
        row_precision = np.minimum(1 / (row_weights**2 + 1 / row_bends), MAX_PRECISION)
        dropped_in[kept[np.abs(coef[kept]) < TOLERANCE]] = iteration
        coef[dropped_in > 0] = 0
        row_weights[row_weights < TOLERANCE] = 0
        state = row_weights, precision, row_precision, smoothness
        objective.append(float(log_posterior(data, coef, *state)[0]))
        report("fit", iteration / max_iter)
        is_converged = np.abs(coef - before).max() < TOLERANCE
        if is_converged:
            break
    return JointModel(coef, dropped_in, row_weights, precision, objective, bool(is_converged))


def _scales(is_labeled, row_weights, trust):
    """Return what multiplies the score of each row, and how much the row counts."""
    scale, counted = np.ones(len(is_labeled)), np.where(is_labeled, 1.0, trust)
    scale[~is_labeled] = row_weights
    return scale, counted


def _stepped_features(data, coef, kept, row_weights, precision, row_precision, smoothness):
    """Return the coefficients after a step that improves, and the variances of those kept."""
    X, _, is_labeled, trust = data
    state = row_weights, precision, row_precision, smoothness
    scale, counted = _scales(is_labeled, row_weights, trust)
    value, slopes, _ = log_posterior(data, coef, *state)
    shares = expit(scale * (X @ coef))
    used = np.flatnonzero(scale)
    Z = X[np.ix_(used, kept)]
    bends = (counted * scale**2 * shares * (1 - shares))[used]
    curvature = (Z.T * bends) @ Z + smoothness[np.ix_(kept, kept)]
    curvature[np.diag_indices(len(kept))] += precision[kept]
    covariance = np.linalg.inv(curvature)
    step = np.zeros_like(coef)
    step[kept] = covariance @ slopes[kept]
    for halvings in range(MAX_HALVINGS):
        candidate = coef + step / 2**halvings
        if log_posterior(data, candidate, *state)[0] >= value:
            return candidate, np.diag(covariance)
    return coef, np.diag(covariance)


def _stepped_rows(data, coef, row_weights, row_precision):
    """Return the weights of pseudo-labeled rows after a step each, and their curvatures."""
    X, y, is_labeled, trust = data
    raw = X[~is_labeled] @ coef
    shares = expit(row_weights * raw)
    barrier = expit(STEEPNESS * row_weights)
    slopes = trust * raw * (y[~is_labeled] - shares) - row_precision * row_weights
    slopes += STEEPNESS * (1 - barrier)
    bends = trust * raw**2 * shares * (1 - shares) + row_precision
    bends += STEEPNESS**2 * barrier * (1 - barrier)
    step = np.clip(slopes / bends, -1, 1)
    # A row that was dropped stays dropped.
    return np.where(row_weights > 0, np.maximum(row_weights + step, 0), 0), bends


def _precision(coef, variances, precision, smoothness, kept):
    """Return the precisions that make the evidence stationary for given weights."""
    both = smoothness[np.ix_(kept, kept)] + np.diag(precision)
    excess = 1 / precision - np.diag(np.linalg.inv(both))
    return np.minimum(1 / (coef**2 + variances + np.maximum(excess, 0)), MAX_PRECISION)
