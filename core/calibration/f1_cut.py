"""The cut of the largest F1 to expect, where few edges of a graph leave what is accepted."""

import numpy as np

from core.calibration.cuts import Cut
from core.calibration.prior_cut import cut_below

#: Power of the share of edges that stay within what is accepted, beside the expected F1.
STAYING = 0.35
#: The least such share that counts, so that the expected F1 decides where none stays.
LEAST_STAYING = 1e-3


def f1_cut(scores, calibration, conductance=None):
    """Return the cut with the largest expected F1, over what the class prior may be.

    With a graph of neighbors, few of its edges are to leave what is accepted, too: the largest
    product of the expected F1 and a power of one less the conductance.

    Parameters
    ----------
    scores : ndarray of shape (n_unlabeled,)
        Scores of the unlabeled samples.
    calibration : ScoreCalibration
        Fitted on them.
    conductance : ndarray of shape (n_candidates,), default=None
        Of :func:`~core.kernels.graphs.conductance.candidate_conductance`: of the unlabeled samples,
        or a sample of them.

    Returns
    -------
    Cut
        None with the reason ``accepts_all`` where accepting all has the largest expected F1, as it
        has where half are positive and the ranking tells little.

    References
    ----------
    docs/decisions/0013-the-cut-of-largest-expected-f1.md,
    docs/decisions/0039-few-edges-leave-the-cut-of-the-largest-f1.md

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.f1_cut import f1_cut
    >>> from core.calibration.score_calibration import ScoreCalibration
    >>> scores, ranks = np.arange(10.0), np.array([0.95, 0.85])
    >>> f1_cut(scores, ScoreCalibration(0.2).fit(scores, ranks)).offset
    7.5
    """
    descending = np.sort(scores)[::-1]
    expected = calibration.expected_f1(descending)
    # Equal scores are accepted together.
    is_last = np.append(descending[1:] < descending[:-1], True)
    if np.argmax(np.where(is_last, expected, -np.inf)) == len(scores) - 1:
        return Cut(None, "accepts_all")
    if conductance is not None:
        places = [(np.arange(n) + 1) / n for n in (len(scores), len(conductance))]
        staying = np.maximum(1 - np.interp(*places, conductance), LEAST_STAYING)
        expected = expected * staying**STAYING
    best = np.argmax(np.where(is_last, expected, -np.inf))
    return Cut(cut_below(scores, descending[best]))
