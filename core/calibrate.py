"""What hidden positives tell of a trained classifier: class prior, probabilities, cuts."""

from typing import NamedTuple

import numpy as np

from core.class_prior.clamp import clamp_prior
from core.class_prior.consensus import consensus_prior
from core.class_prior.hidden_positives import hidden_positives_prior
from core.class_prior.judged_pile import class_prior_of_rest
from core.class_prior.prior_estimate import PriorEstimate
from core.cuts import (
    Cut,
    class_prior_cut,
    conductance_cut,
    f1_cut,
    lee_liu_cut,
    mixture_cut,
)
from core.hidden_ranks import hidden_ranks
from core.score_calibration import ScoreCalibration

#: Of the belief in slopes, those that make an interval for nine of ten.
END_QUANTILES = 0.05, 0.95
#: Why nothing can be said that needs hidden positives.
NO_HIDDEN = "too_few_positives"


class Calibrated(NamedTuple):
    """What can be said of the scores of a classifier without negatives.

    Attributes
    ----------
    class_prior : PriorEstimate
        Share of positives among the unlabeled samples; given ones are their own interval.
    curves : list of three ScoreCalibration, or None
        Probabilities over what the class prior may be, and at its lower and upper end; where it is
        given, at it, and at the ends of how sharply the scores tell positives from negatives. None
        where no positive could be hidden.
    cuts : dict of Cut
        ``own``, ``f1``, ``prior``, ``lee_liu``, ``conductance`` and ``mixture``.
    """

    class_prior: PriorEstimate
    curves: list[ScoreCalibration] | None
    cuts: dict[str, Cut]


def calibrate(
    classifier,
    scores,
    is_positive,
    is_negative,
    *,
    outcome=None,
    left_out=None,
    n_found=0,
    class_prior=None,
    graph=None,
    random_state=None,
):
    """Say what can be said of a classifier's scores from positives that were hidden from it.

    Parameters
    ----------
    classifier : BasePUClassifier
        Fitted.
    scores : ndarray of shape (n_samples,)
        Its scores of all samples.
    is_positive, is_negative : ndarray of bool of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive; at least one is
        neither.
    outcome : HiddenPositives, default=None
        Of :func:`~core.evaluation.hide_positives`; None where there are too few positives.
    left_out : HiddenRanks, default=None
        Of :func:`~core.kernels.left_out_ranks.left_out_ranks`; needed with ``outcome``, unless the
        class prior is given. Where positives were found by reading, of the others alone, with all
        that was judged among the unlabeled.
    n_found : int in [0, inf), default=0
        Positives that were found by reading a ranking, so that they are no random draw.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, where it is known.
    graph : sparse array of shape (n_samples, n_samples), default=None
        Of nearest neighbors, for the cut by conductance.
    random_state : int, RandomState instance or None, default=None
        For the cut by a mixture.

    Returns
    -------
    Calibrated

    Examples
    --------
    >>> from core.calibrate import calibrate
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation import hide_positives
    >>> from core.kernels.left_out_ranks import left_out_ranks
    >>> from core.registry import ALGORITHMS
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> marks = y == 1, y == 2
    >>> classifier = ALGORITHMS["prototype"]().fit(X, y)
    >>> found = calibrate(
    ...     classifier,
    ...     classifier.score_samples(X),
    ...     *marks,
    ...     outcome=hide_positives(classifier, X, *marks, random_state=0),
    ...     left_out=left_out_ranks(X, y == 1, random_state=0),
    ...     random_state=0,
    ... )
    >>> bool(found.class_prior.low <= y_true[y == 0].mean() <= found.class_prior.high)
    True
    >>> {name: cut.reason for name, cut in found.cuts.items() if cut.offset is None}
    {'conductance': 'no_graph'}
    """
    is_unlabeled = ~(is_positive | is_negative)
    unlabeled = scores[is_unlabeled]
    hidden = None if outcome is None else hidden_ranks(outcome)
    prior = _known_prior(class_prior, hidden, left_out, len(unlabeled))
    if prior is None and n_found:
        n_pile = len(scores) - int(is_positive.sum()) + n_found
        prior = class_prior_of_rest(
            consensus_prior(None, None, scores=left_out, random_state=random_state),
            n_pile=n_pile,
            n_found=n_found,
            n_left=len(unlabeled),
        )
    elif prior is None:
        prior = _estimated_prior(classifier, outcome, hidden, left_out)
    curves = None
    if hidden is not None and prior.value is not None:
        maps = _maps(prior, is_given=class_prior is not None)
        curves = [curve.fit(unlabeled, hidden.positive) for curve in maps]
    cuts = {
        "own": Cut(float(classifier.offset_)),
        "f1": f1_cut(unlabeled, curves[0]) if curves else Cut(None, prior.reason or NO_HIDDEN),
        "prior": class_prior_cut(unlabeled, prior.value),
        "lee_liu": lee_liu_cut(unlabeled, None if hidden is None else hidden.positive),
        "conductance": conductance_cut(
            scores, is_positive, is_unlabeled, graph, class_prior=prior.value
        ),
        "mixture": mixture_cut(unlabeled, random_state=random_state),
    }
    return Calibrated(prior, curves, cuts)


def _maps(prior, *, is_given):
    """Return the maps to probabilities: the best one, and those for the ends of what follows."""
    if is_given:
        quantiles = (None, *END_QUANTILES)
        return [ScoreCalibration(prior.value, slope_quantile=end) for end in quantiles]
    ends = prior.low, prior.high
    return [ScoreCalibration(prior.value, interval=ends), *map(ScoreCalibration, ends)]


def _known_prior(class_prior, hidden, left_out, n_unlabeled):
    """Return the class prior that is given, or why none can be estimated; None where one can."""
    if n_unlabeled < 2:
        return PriorEstimate(None, reason="too_few_unlabeled")
    if class_prior is not None:
        share = clamp_prior(class_prior, n_unlabeled)
        return PriorEstimate(share, share, share)
    if hidden is None or left_out is None:
        return PriorEstimate(None, reason=NO_HIDDEN)
    return None


def _estimated_prior(classifier, outcome, hidden, left_out):
    accepted = None
    if classifier.cuts_at_estimate:
        shares = zip(outcome.is_accepted, outcome.n_hidden, strict=True)
        accepted = float(np.mean([is_accepted[n:].mean() for is_accepted, n in shares]))
    return hidden_positives_prior(left_out, hidden, accepted=accepted)
