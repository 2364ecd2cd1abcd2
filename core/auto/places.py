"""Where hidden positives rank among the unlabeled samples: what a race is judged by."""

import numpy as np

from core.calibration.hidden_ranks import hidden_ranks


def log_places(outcome, is_counted):
    """Return the logarithm of the share of the unlabeled samples above each hidden positive.

    Of those that are counted, or of all where none is.
    """
    if is_counted.any():
        scores = [
            np.concatenate([hidden, unlabeled[is_counted]]) for hidden, unlabeled in outcome.pairs()
        ]
        outcome = outcome._replace(scores=scores)
    return np.log(1 - hidden_ranks(outcome).positive)


def counted(groups, is_labeled):
    """Return which unlabeled samples count: the first of equal ones, none like a labeled one."""
    is_first = groups == np.arange(len(groups))
    has_labeled = np.isin(groups, groups[is_labeled])
    return (is_first & ~has_labeled)[~is_labeled]
