"""Maps from scores to probabilities: the best guess, and the ends of intervals around it."""

from core.calibration.score_calibration import ScoreCalibration
from core.kernels.hardware.thread_map import thread_map

#: Quantiles of the slope that are the ends of an interval at 90 %.
END_QUANTILES = 0.05, 0.95


def calibration_curves(prior, scores, hidden, seen, *, is_given):
    """Return maps to probabilities: the best guess, and the ends of intervals around it.

    Parameters
    ----------
    prior : PriorEstimate
        With a value.
    scores : ndarray of shape (n_unlabeled,)
        Of the unlabeled samples.
    hidden : PairedRanks or None
        Of :func:`~core.calibration.hidden_ranks.hidden_ranks`; needed without ``seen``.
    seen : Judged or None
        Samples that were judged, where these tell the probabilities.
    is_given : bool
        Whether the class prior is given: then it has no ends.

    Returns
    -------
    list of ScoreCalibration
        The best guess, then those for the ends of the class prior, if it has any, and for those of
        the slope.

    References
    ----------
    docs/decisions/0040-intervals-know-how-sharply-scores-tell.md
    """
    maps = [ScoreCalibration(prior.value, slope_quantile=end) for end in END_QUANTILES]
    if is_given:
        maps = [ScoreCalibration(prior.value), *maps]
    else:
        ends = prior.low, prior.high
        # In a review, a mean over the possible class priors is worse than the likeliest one.
        interval = ends if seen is None else None
        best = ScoreCalibration(prior.value, interval=interval)
        maps = [best, *map(ScoreCalibration, ends), *maps]

    def fitted(curve):
        if seen is not None:
            return curve.fit_judged(scores, seen)
        return curve.fit(scores, hidden.positive)

    return list(thread_map(fitted, maps))
