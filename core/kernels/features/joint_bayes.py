"""A sparse Bayesian logistic model that weighs features and pseudo-labeled rows together."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit

from core.progress import report

#: Steepness of the sigmoid that keeps the weights of rows from falling below 0, beta.
STEEPNESS = 5.0
#: Precision that features and rows start with, and the most they may have.
FIRST_PRECISION, MAX_PRECISION = 1e-3, 1e8
#: Weights below this are taken for 0, and changes below it end the rounds.
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


class Data(NamedTuple):
    """What a model is fitted to."""

    #: Rows, of shape (n_samples, n_features).
    X: np.ndarray
    #: Their classes, 0.0 or 1.0, and which of these are labels and not pseudo-labels.
    y: np.ndarray
    is_labeled: np.ndarray
    #: Laplacian of the graph of rows, seen by the features, of shape (n_features, n_features), B.
    smoothness: np.ndarray
    #: How much a row with a pseudo-label counts, in [0, 1].
    trust: float


class State(NamedTuple):
    """What is learned besides the weights of the features."""

    #: Weights of the pseudo-labeled rows, lambda, which multiply their scores.
    row_weights: np.ndarray
    #: Precisions of the normal priors of features and of pseudo-labeled rows, alpha and c.
    precision: np.ndarray
    row_precision: np.ndarray


def log_posterior(data, coef, state):
    """Return the logarithm of the posterior and its gradients.

    Parameters
    ----------
    data : Data
        Rows and their classes.
    coef : ndarray of shape (n_features,)
        Weights of the features, w.
    state : State
        Weights of the pseudo-labeled rows, and the precisions.

    Returns
    -------
    value : float
        Q, without what does not depend on the weights.
    coef_slopes, row_slopes : ndarrays of shapes (n_features,) and (n_pseudo_labeled,)
        The gradients.
    """
    row_weights, precision, row_precision = state
    scale, counted = _scales(data, row_weights)
    raw = data.X @ coef
    scores = scale * raw
    pull = precision * coef + data.smoothness @ coef
    value = counted @ (data.y * scores - np.logaddexp(0, scores)) - coef @ pull / 2
    value += log_expit(STEEPNESS * row_weights).sum() - row_precision @ row_weights**2 / 2
    residual = counted * (data.y - expit(scores))
    row_slopes = (residual * raw)[~data.is_labeled] - row_precision * row_weights
    row_slopes += STEEPNESS * expit(-STEEPNESS * row_weights)
    return value, data.X.T @ (scale * residual) - pull, row_slopes


def fit_joint_model(X, y, is_labeled, smoothness, *, trust=0.9, max_iter=50):
    """Fit weights of features and of pseudo-labeled rows in turn, and learn their precisions.

    A round is a Newton step for the features, shortened until it improves, one for each row, and
    an update of all precisions from the curvature (Laplace's approximation). Weights near 0 are
    dropped for good.

    Parameters
    ----------
    X, y, is_labeled, smoothness, trust
        As of :class:`Data`.
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
    >>> from core.kernels.features.joint_bayes import fit_joint_model
    >>> X = np.array([[-2.0, 1], [-1, -1], [1, 1], [2, -1]] * 5)
    >>> model = fit_joint_model(X, X[:, 0] > 0, np.full(20, True), np.zeros((2, 2)))
    >>> bool(abs(model.coef[0]) > abs(model.coef[1]))
    True
    """
    data = Data(X, y.astype(np.float64), is_labeled, smoothness, trust)
    n_features, n_pseudo = X.shape[1], int((~is_labeled).sum())
    coef, first = np.full(n_features, 0.5), np.full(n_pseudo, FIRST_PRECISION)
    state = State(np.full(n_pseudo, 0.5), np.full(n_features, FIRST_PRECISION), first)
    dropped_in, objective, is_converged = np.zeros(n_features, dtype=int), [], False
    for iteration in range(1, max_iter + 1):
        kept = np.flatnonzero(dropped_in == 0)
        before = coef.copy()
        coef, variances = _stepped_features(data, coef, kept, state)
        row_weights, row_bends = _stepped_rows(data, coef, state)
        precision = state.precision.copy()
        precision[kept] = _precision(coef[kept], variances, precision[kept], smoothness, kept)
        row_precision = np.minimum(1 / (row_weights**2 + 1 / row_bends), MAX_PRECISION)
        dropped_in[kept[np.abs(coef[kept]) < TOLERANCE]] = iteration
        coef[dropped_in > 0] = 0
        row_weights[row_weights < TOLERANCE] = 0
        state = State(row_weights, precision, row_precision)
        objective.append(float(log_posterior(data, coef, state)[0]))
        report("fit", iteration / max_iter)
        is_converged = np.abs(coef - before).max() < TOLERANCE
        if is_converged:
            break
    return JointModel(
        coef, dropped_in, state.row_weights, state.precision, objective, bool(is_converged)
    )


def _scales(data, row_weights):
    """Return what multiplies the score of each row, and how much the row counts."""
    scale, counted = np.ones(len(data.y)), np.where(data.is_labeled, 1.0, data.trust)
    scale[~data.is_labeled] = row_weights
    return scale, counted


def _stepped_features(data, coef, kept, state):
    """Return the coefficients after a step that improves, and the variances of those kept."""
    scale, counted = _scales(data, state.row_weights)
    value, slopes, _ = log_posterior(data, coef, state)
    shares = expit(scale * (data.X @ coef))
    used = np.flatnonzero(scale)
    Z = data.X[np.ix_(used, kept)]
    bends = (counted * scale**2 * shares * (1 - shares))[used]
    curvature = (Z.T * bends) @ Z + data.smoothness[np.ix_(kept, kept)]
    curvature[np.diag_indices(len(kept))] += state.precision[kept]
    covariance = np.linalg.inv(curvature)
    step = np.zeros_like(coef)
    step[kept] = covariance @ slopes[kept]
    for halvings in range(MAX_HALVINGS):
        candidate = coef + step / 2**halvings
        if log_posterior(data, candidate, state)[0] >= value:
            return candidate, np.diag(covariance)
    return coef, np.diag(covariance)


def _stepped_rows(data, coef, state):
    """Return the weights of pseudo-labeled rows after a step each, and their curvatures."""
    row_weights, is_pseudo = state.row_weights, ~data.is_labeled
    raw = data.X[is_pseudo] @ coef
    shares = expit(row_weights * raw)
    barrier = expit(STEEPNESS * row_weights)
    slopes = data.trust * raw * (data.y[is_pseudo] - shares) - state.row_precision * row_weights
    slopes += STEEPNESS * (1 - barrier)
    bends = data.trust * raw**2 * shares * (1 - shares) + state.row_precision
    bends += STEEPNESS**2 * barrier * (1 - barrier)
    step = np.clip(slopes / bends, -1, 1)
    # A row that was dropped stays dropped.
    return np.where(row_weights > 0, np.maximum(row_weights + step, 0), 0), bends


def _precision(coef, variances, precision, smoothness, kept):
    """Return the precisions that make the evidence stationary for given weights."""
    both = smoothness[np.ix_(kept, kept)] + np.diag(precision)
    excess = 1 / precision - np.diag(np.linalg.inv(both))
    return np.minimum(1 / (coef**2 + variances + np.maximum(excess, 0)), MAX_PRECISION)
