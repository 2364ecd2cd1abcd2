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
    n_trainings = len(outcome.n_hidden)

    def ranks(numbered):
        number, (hidden, unlabeled) = numbered
        ascending = np.sort(unlabeled)
        # Of T trainings each gives a T-th of the unlabeled samples, all together every rank.
        own = ascending[number::n_trainings]
        return shares_below(hidden, ascending), shares_below(own, ascending)

    positive, unlabeled = zip(*thread_map(ranks, enumerate(outcome.pairs())), strict=True)
    return PairedRanks(np.concatenate(positive), np.sort(np.concatenate(unlabeled)))
