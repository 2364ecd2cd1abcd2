"""Maps from scores to probabilities: the best guess, and the ends of intervals around it."""

from core.calibration.score_calibration import ScoreCalibration
from core.kernels.hardware.thread_map import thread_map

#: Quantiles of the slope that are the ends of an interval at 90 %.
END_QUANTILES = 0.05, 0.95


def calibration_curves(prior, scores, hidden, seen, *, is_given):
    """Return three maps to probabilities: the best guess, and the ends of intervals around it.

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
        Whether the class prior is given: then the ends are those of the slope.

    Returns
    -------
    list of three ScoreCalibration
    """
    ends = prior.low, prior.high
    if is_given:
        quantiles = (None, *END_QUANTILES)
        maps = [ScoreCalibration(prior.value, slope_quantile=end) for end in quantiles]
    else:
        # In a review, a mean over the possible class priors is worse than the likeliest one.
        interval = ends if seen is None else None
        maps = [ScoreCalibration(prior.value, interval=interval), *map(ScoreCalibration, ends)]

    def fitted(curve):
        if seen is not None:
            return curve.fit_judged(scores, seen)
        return curve.fit(scores, hidden.positive)

    return list(thread_map(fitted, maps))
