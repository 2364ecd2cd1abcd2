"""Whether positives that were hidden from the algorithm rank higher than chance has them."""

import numpy as np

from core.doctor.finding import CAUTION, FINE, WARNING, Finding
from core.doctor.model_state import ENOUGH_TO_ESTIMATE

CODE = "no_better_than_chance"
#: With fewer, many a good ranking looks like chance.
MIN_HIDDEN = 5
#: Standard deviations above one half that the mean rank by chance exceeds one time in twenty.
N_DEVIATIONS = 1.64


def check_hidden_ranks(ranks):
    """Compare the mean rank of hidden positives with that of samples drawn from the pile.

    Ranks of a draw are uniform, so that the mean of n has a standard deviation of 1 / sqrt(12 n),
    and is close to normal from a few on.

    Parameters
    ----------
    ranks : ndarray of shape (n_hidden,) or None
        Share of the unlabeled samples that rank below each, in (0, 1):
        ``core.calibration.hidden_ranks.hidden_ranks(outcome).positive``. None where nothing was
        hidden.

    Returns
    -------
    Finding
        "no_better_than_chance": a caution where the mean is no higher than chance alone has it one
        time in twenty; a warning from ten positives on, as rankings that know something hardly ever
        come to that. No level for the reasons "nothing_hidden" and "too_few_positives".

    Examples
    --------
    >>> import numpy as np
    >>> from core.doctor.better_than_chance import check_hidden_ranks
    >>> high, all_over = np.linspace(0.6, 0.99, 10), np.linspace(0.1, 0.95, 10)
    >>> check_hidden_ranks(high).level, check_hidden_ranks(all_over).level
    ('fine', 'warning')
    """
    if ranks is None:
        return Finding(CODE, None, reason="nothing_hidden")
    n_hidden = len(ranks)
    numbers = {"n_hidden": n_hidden, "n_needed": MIN_HIDDEN}
    if n_hidden < MIN_HIDDEN:
        return Finding(CODE, None, numbers, reason="too_few_positives")
    mean, least = float(np.mean(ranks)), 0.5 + N_DEVIATIONS / (12 * n_hidden) ** 0.5
    grave = CAUTION if n_hidden < ENOUGH_TO_ESTIMATE else WARNING
    numbers = {"n_hidden": n_hidden, "mean_rank": mean, "least_expected": least}
    return Finding(CODE, FINE if mean > least else grave, numbers)
