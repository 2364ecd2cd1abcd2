"""Probabilities of being positive, from scores, without negatives."""

import numpy as np
from scipy.special import expit
from scipy.stats import norm
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_is_fitted

from core.calibration.slopes import (
    SLOPES,
    intercepts,
    mean_height,
    nodes_of,
    nodes_of_all,
    weights_by_judged,
    weights_by_positives,
)
from core.class_prior.clamp import clamp_prior
from core.errors import NoUnlabeled
from core.kernels.scores.left_out_ranks import shares_below
from core.options import INNER_SHARE
from core.validation import _fit_context

#: An uncertain class prior is replaced by equally likely ones, so many standard deviations away.
#: The ends of its interval are taken for the first and the last percentile: it is meant to hold
#: nine in ten, but holds 98 of 100 in docs/auto.md.
DEVIATIONS = norm.ppf([0.1, 0.3, 0.5, 0.7, 0.9])
END_DEVIATIONS = norm.ppf(0.99)
#: Scores that are kept with their probabilities, besides those that many samples have.
N_KNOTS = 400
#: Scores that differ by a smaller share of the largest differ by rounding alone.
ROUNDING = 1e-12


class ScoreCalibration(BaseEstimator):
    """Map from the scores of a classifier to the probability of being positive.

    Where positives are labeled at random, a positive hidden from a classifier ranks as those do
    that nobody has labeled. The density of such ranks, times the class prior, is the probability of
    being positive at a rank, as the ranks of all unlabeled samples are uniform. The density is
    taken from a family of logistic curves in the log-odds of ranks: one number, the slope, is
    weighed by its likelihood; the other follows from the class prior. Where positives rank all
    over, the curve is flat: each probability is the class prior.

    Of an uncertain class prior the probability is the mean over what it may be: a sample that is
    almost surely positive if positives are frequent is not so if nobody knows whether they are.

    Where samples were judged, :meth:`fit_judged` takes the slope from these.

    Parameters
    ----------
    class_prior : float in (0, 1), default=0.5
        Share of positives among the unlabeled samples.
    interval : tuple of two floats in (0, 1), default=None
        What the class prior may be at least and at most; it is then taken to be normal on a scale
        of logarithms to either side. None where it is known.
    slope_quantile : float in (0, 1), default=None
        Take the one slope below which this share of the belief lies, for an interval of what
        follows from the probabilities; None weighs all.

    Attributes
    ----------
    scores_ : ndarray of shape (n_knots,)
        Scores, ascending.
    probabilities_ : ndarray of shape (n_knots,)
        Their probabilities, ascending; between two, straight lines.
    alternatives_ : ndarray of shape (n_priors, n_knots)
        The same at each of the class priors that were taken to be equally likely, one where it is
        known.
    slope_ : float
        Mean slope; the larger, the sharper positives are told from negatives.

    References
    ----------
    The identity of densities: C. Elkan and K. Noto, "Learning classifiers from only positive and
    unlabeled data", KDD 2008. The family and its prior are ours.

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.score_calibration import ScoreCalibration
    >>> scores = np.linspace(-1, 1, 200)
    >>> calibration = ScoreCalibration(0.25).fit(scores, np.array([0.95, 0.9, 0.85, 0.8, 0.99]))
    >>> calibration.predict(np.array([-1.0, 0, 1])).round(2).tolist()
    [0.0, 0.03, 1.0]
    """

    _parameter_constraints: dict = {
        "class_prior": [INNER_SHARE],
        "interval": [tuple, None],
        "slope_quantile": [INNER_SHARE, None],
    }

    def __init__(self, class_prior=0.5, *, interval=None, slope_quantile=None):
        self.class_prior = class_prior
        self.interval = interval
        self.slope_quantile = slope_quantile

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, scores, positive_ranks):
        """Learn from the scores of the unlabeled samples and the ranks of hidden positives.

        Parameters
        ----------
        scores : ndarray of shape (n_unlabeled,)
            By the classifier that is calibrated.
        positive_ranks : ndarray of shape (n_positive,)
            Shares of the unlabeled samples that rank below positives hidden among them, in (0, 1):
            see :func:`~core.calibration.hidden_ranks.hidden_ranks`.

        Returns
        -------
        self : object
            The fitted map. Its mean over ``scores`` is the class prior, but for rounding; with an
            interval, the mean of what it may be.

        Raises
        ------
        ValueError
            If the interval does not hold the class prior, or has an end outside (0, 1); if scores
            are not finite or there is none, or a rank is outside (0, 1).
        """
        scores, positive_ranks = _checked(scores), np.asarray(positive_ranks)
        if not ((positive_ranks > 0) & (positive_ranks < 1)).all():
            raise ValueError("positive_ranks must be shares in (0, 1).")
        return self._fit(
            scores,
            len(scores),
            nodes_of_all(len(scores)),
            lambda prior, lowered: weights_by_positives(positive_ranks, lowered, prior),
        )

    def fit_judged(self, scores, judged):
        """Learn from samples that were judged, on one scale with the unlabeled ones.

        Ranks are then among both together. A slope is as likely as it makes the judgements, and the
        class prior still is that of the unlabeled samples.

        Parameters
        ----------
        scores : ndarray of shape (n_unlabeled,)
            Scores of the unlabeled samples.
        judged : Judged
            Of :meth:`~core.evaluation.hide_judgements.HiddenJudgements.beside`.

        Returns
        -------
        self : object
            The fitted map. Its mean over ``scores`` is the class prior, but for rounding.

        Raises
        ------
        ValueError
            If scores are not finite or there is none.

        References
        ----------
        docs/decisions/0019-what-was-judged-calibrates.md

        Examples
        --------
        >>> import numpy as np
        >>> from core.calibration.score_calibration import ScoreCalibration
        >>> from core.evaluation.hide_judgements import Judged
        >>> scores = np.linspace(-1, 1, 200)
        >>> judged = Judged(np.linspace(0.5, 1.5, 40), np.arange(40) >= 20)
        >>> calibration = ScoreCalibration(0.05).fit_judged(scores, judged)
        >>> round(calibration.predict(scores).mean(), 3)
        np.float64(0.05)
        """
        scores = _checked(scores)
        pool = np.concatenate([scores, _checked(judged.scores)])
        ascending = np.sort(pool)
        of_judged = shares_below(judged.scores, ascending)
        return self._fit(
            pool,
            len(scores),
            nodes_of(_shares_of_ranks(scores, pool)),
            lambda _, lowered: weights_by_judged(of_judged, judged.is_positive, lowered),
        )

    def _fit(self, pool, n_unlabeled, nodes, weights_of):
        """Fit to the ranks of a pool; the mean over the nodes is the class prior."""
        distinct, counts = _distinct(pool)
        kept = _knots(counts)
        ends = np.cumsum(counts)[kept]
        places = list(zip((ends - counts[kept]).tolist(), ends.tolist(), strict=True))
        slopes, heights = [], []
        for class_prior in self._class_priors(n_unlabeled):
            lowered = intercepts(class_prior, *nodes)
            weights = self._of_quantile(weights_of(class_prior, lowered))
            slopes.append(weights @ SLOPES)
            # Equal scores have one probability, the mean of their ranks'.
            heights.append([mean_height(*place, len(pool), lowered, weights) for place in places])
        self.slope_ = float(np.mean(slopes))
        self.scores_ = distinct[kept].astype(np.float64)
        self.alternatives_ = np.maximum.accumulate(np.clip(heights, 0, 1), axis=1)
        self.probabilities_ = self.alternatives_.mean(axis=0)
        return self

    def _class_priors(self, n_unlabeled):
        if self.interval is None:
            return [self.class_prior]
        low, high = self.interval
        if not 0 < low <= self.class_prior <= high < 1:
            raise ValueError(
                f"interval must be two numbers in (0, 1) around class_prior={self.class_prior}; "
                f"it is {self.interval}."
            )
        below, above = np.abs(np.log(np.array([low, high]) / self.class_prior)) / END_DEVIATIONS
        steps = DEVIATIONS * np.where(DEVIATIONS < 0, below, above)
        return [clamp_prior(share, n_unlabeled) for share in self.class_prior * np.exp(steps)]

    def _of_quantile(self, weights):
        if self.slope_quantile is None:
            return weights
        slope = np.searchsorted(np.cumsum(weights), self.slope_quantile)
        return (np.arange(len(SLOPES)) == slope).astype(float)

    def predict(self, scores):
        """Return the probability of being positive at each score, of shape (n_samples,)."""
        check_is_fitted(self)
        return np.interp(scores, self.scores_, self.probabilities_)

    def expected_f1(self, scores):
        """Return the F1 to expect where so many samples are accepted as have at least that score.

        Parameters
        ----------
        scores : ndarray of shape (n_samples,)
            Scores of all unlabeled samples, descending.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of the first sample, the first two, and so on: the mean over the class priors.
        """
        check_is_fitted(self)
        n_accepted, total = np.arange(1, len(scores) + 1), np.zeros(len(scores))
        for probabilities in self.alternatives_:
            n_found = np.cumsum(np.interp(scores, self.scores_, probabilities))
            total += 2 * n_found / (n_accepted + n_found[-1])
        return total / len(self.alternatives_)


def _checked(scores):
    scores = np.asarray(scores)
    assert_all_finite(scores, input_name="scores")
    if not len(scores):
        raise NoUnlabeled("there is no score of an unlabeled sample.")
    return scores


def _distinct(scores):
    """Return scores that differ by more than rounding, ascending, and how many have each."""
    distinct, counts = np.unique(scores, return_counts=True)
    rounding = ROUNDING * np.abs(distinct[[0, -1]]).max()
    first = np.flatnonzero(np.diff(distinct, prepend=-np.inf) > rounding)
    return distinct[first], np.add.reduceat(counts, first)


def _shares_of_ranks(scores, pool):
    """Return how much each rank of a pool counts for some of its scores; equal ones share it."""
    distinct, counts = _distinct(pool)
    places = np.searchsorted(distinct, scores, side="right") - 1
    n_each = np.bincount(places, minlength=len(distinct))
    return np.repeat(n_each / counts / len(scores), counts)


def _knots(counts):
    """Return the places of the knots among distinct scores; ``counts`` are the samples of each.

    They are dense at both ends, where probabilities bend most, and around each score of many
    samples: a straight line past it would move the mean of all.
    """
    last = len(counts) - 1
    if last < N_KNOTS:
        return np.arange(len(counts))
    reach = np.log(2 * len(counts))
    places = expit(np.linspace(-reach, reach, N_KNOTS)) * last
    frequent = np.flatnonzero(counts > counts.sum() / N_KNOTS)
    around = np.add.outer([-1, 0, 1], frequent).clip(0, last).ravel()
    return np.unique(np.concatenate([[0], places.round().astype(int), around, [last]]))
