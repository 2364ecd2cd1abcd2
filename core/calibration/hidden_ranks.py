"""Where positives rank that were hidden among the unlabeled samples, on one scale."""

import numpy as np

from core.kernels.hardware.thread_map import thread_map
from core.kernels.scores.left_out_ranks import PairedRanks, shares_below


def hidden_ranks(outcome):
    """Return the ranks of hidden positives, each among the unlabeled samples of its training.

    Scores of different trainings need not be on one scale; ranks are. They are no points of a
    curve: those are :func:`~core.evaluation.pu_curve.hidden_places`.

    Parameters
    ----------
    outcome : HiddenPositives
        Of :func:`~core.evaluation.hide_positives.hide_positives`.

    Returns
    -------
    PairedRanks
        Shares of the unlabeled samples that score lower, half of the equal ones included, at least
        half a sample from either end; those of the unlabeled samples are their own, evenly from all
        trainings and ascending. Equal scores have equal ranks among both: where many are as high as
        a positive, none of them ranks below it.

    Examples
    --------
    >>> import numpy as np
    >>> from core.evaluation.hide_positives import HiddenPositives
    >>> from core.calibration.hidden_ranks import hidden_ranks
    >>> scores = np.array([3.0, 1, 2, 0, 0, 0])
    >>> ranks = hidden_ranks(HiddenPositives([scores], [scores > 1], [2]))
    >>> ranks.positive.tolist(), ranks.unlabeled.tolist()
    ([0.875, 0.75], [0.375, 0.375, 0.375, 0.875])
    """
    positive, unlabeled = zip(*thread_map(_ranks, outcome.pairs()), strict=True)
    n_trainings = len(unlabeled)
    of_all = np.sort(np.concatenate(unlabeled))
    return PairedRanks(np.concatenate(positive), of_all[n_trainings // 2 :: n_trainings])


def _ranks(pair):
    hidden, ascending = pair[0], np.sort(pair[1])
    return shares_below(hidden, ascending), shares_below(ascending, ascending)
