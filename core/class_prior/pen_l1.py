"""The class prior at which two densities differ least, where they may not fall short (pen-L1)."""

import numpy as np
from scipy.spatial.distance import pdist

from core.class_prior.checked_scores import checked_scores
from core.class_prior.clamp import clamp_prior
from core.errors import Refused
from core.kernels.scores.binned_density import log_odds_of_ranks
from core.kernels.scores.thinned import thinned

#: Most centres of the Gaussian basis: evenly thinned unlabeled samples, as well as positives that
#: score beyond all of them.
MAX_CENTRES = 300
#: Widths of the basis over the median distance of the samples, and penalties that are tried.
WIDTHS = (0.1, 0.3, 1.0, 3.0)
PENALTIES = (1e-3, 1e-2, 1e-1, 1.0)
N_FOLDS = 5
#: Class priors that are tried.
GRID = np.arange(1, 100) / 100


def pen_l1_prior(positive_scores, unlabeled_scores):
    """Return the share of positives among the unlabeled at which their densities fit best.

    The distance is the L1 norm of prior times density of the positives less density of all, with
    an infinite penalty where it is above 0: there is no room for negatives. Width and penalty of
    the basis are chosen by cross-validation for each prior.

    Parameters
    ----------
    positive_scores : ndarray of shape (n_positive,)
        Scores in [0, 1] of positives by a model that did not see them; at least two.
    unlabeled_scores : ndarray of shape (n_unlabeled,)
        Scores in [0, 1] of unlabeled samples by a model that did not see them; at least two.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        A multiple of 0.01 within these bounds.

    Raises
    ------
    ValueError
        If there are fewer than two scores of either, or they are not in [0, 1].

    References
    ----------
    M. C. du Plessis, G. Niu and M. Sugiyama, "Class-prior estimation for learning from positive
    and unlabeled data", ACML 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import pen_l1_prior
    >>> random = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([random.beta(20, 2, 300), random.beta(2, 20, 700)])
    >>> round(pen_l1_prior(random.beta(20, 2, 500), unlabeled), 1)
    0.3
    """
    positive_scores, unlabeled_scores = checked_scores(
        positive_scores, unlabeled_scores, are_shares=True
    )
    n_positive, n_unlabeled = len(positive_scores), len(unlabeled_scores)
    if min(n_positive, n_unlabeled) < 2:
        raise Refused(
            "cross-validation needs two scores of positives and two of unlabeled samples, got "
            f"{n_positive} and {n_unlabeled}."
        )
    sides = [
        np.sort(log_odds_of_ranks(s, n_unlabeled)) for s in (positive_scores, unlabeled_scores)
    ]
    centres = thinned(sides[1], MAX_CENTRES)
    unit = np.median(pdist(centres[:, None]))
    # Where positives alone score, a basis of unlabeled samples would see none of them.
    is_beyond = (sides[0] < sides[1][0]) | (sides[0] > sides[1][-1])
    centres = np.concatenate([centres, thinned(sides[0][is_beyond], MAX_CENTRES)])
    # Always the same shuffle: the estimate is a function of the scores.
    shuffle = np.random.default_rng(0).permutation
    n_folds = min(N_FOLDS, *map(len, sides))
    folds = [shuffle(np.arange(len(side)) % n_folds) for side in sides]
    best = np.full(len(GRID), np.inf)
    curve = np.zeros(len(GRID))
    for width in WIDTHS:
        means = [
            _fold_means(side, fold, centres, max(width * unit, 1e-6))
            for side, fold in zip(sides, folds, strict=True)
        ]
        for penalty in PENALTIES:
            error, value = _validated(means, penalty)
            is_better = error < best
            best, curve = np.where(is_better, error, best), np.where(is_better, value, curve)
    return clamp_prior(float(GRID[curve.argmin()]), n_unlabeled)


def pen_l1(class_prior, positive_means, unlabeled_means, penalty):
    """Return the penalised L1 distance for a class prior.

    Parameters
    ----------
    class_prior : float or ndarray of shape (n_priors,)
        In [0, 1].
    positive_means, unlabeled_means : ndarray of shape (n_centres,)
        Mean of each basis function over either sample.
    penalty : float in (0, inf)
        Of the squares of the weights; lambda in the paper.

    Returns
    -------
    float or ndarray of shape (n_priors,)
        ``sum_l max(0, beta_l) beta_l / lambda - class_prior + 1`` with ``beta = class_prior
        positive_means - unlabeled_means``.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.pen_l1 import pen_l1
    >>> round(float(pen_l1(0.569444, np.array([0.6, 0.2]), np.array([0.3, 0.5]), 0.05)), 6)
    0.465278
    """
    excess = np.multiply.outer(class_prior, positive_means) - unlabeled_means
    return (np.maximum(excess, 0) * excess).sum(axis=-1) / penalty - class_prior + 1


def _validated(means, penalty):
    """Return, for each prior, the error of the left out folds, and the distance."""
    (positive, positive_out), (unlabeled, unlabeled_out) = means
    error = np.zeros(len(GRID))
    for k in range(len(positive_out)):
        weights = np.maximum(np.multiply.outer(GRID, positive[k]) - unlabeled[k], 0) / penalty
        excess = np.multiply.outer(GRID, positive_out[k]) - unlabeled_out[k]
        error -= (weights * excess).sum(axis=1)
    return error, pen_l1(GRID, positive[-1], unlabeled[-1], penalty)


def _fold_means(scores, fold, centres, width):
    """Return means of the basis without each fold, the last over all; and means in each fold."""
    basis = np.exp(-((scores[:, None] - centres) ** 2) / (2 * width**2))
    sums = np.array([basis[fold == k].sum(axis=0) for k in range(fold.max() + 1)])
    counts = np.bincount(fold)[:, None]
    total = sums.sum(axis=0)
    training = (total - sums) / (len(scores) - counts)
    return np.vstack([training, total / len(scores)]), sums / counts
