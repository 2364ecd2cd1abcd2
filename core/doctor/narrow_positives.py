"""Positives that are all about one part of what the model takes for positive."""

from core.doctor.finding import CAUTION, FINE, WARNING, Finding

CODE = "narrow_positives"
MIN_POSITIVES, MIN_ACCEPTED = 5, 10
#: Variances of the positives, in units of that of the accepted samples, below which it is so.
CAUTION_SPREAD, WARNING_SPREAD = 0.7, 0.5
#: Documents that are shown.
MAX_SHOWN = 10


def check_narrow_positives(space):
    """Compare how much the positives differ among each other with what the model accepts.

    Parameters
    ----------
    space : AcceptedSpace
        Positives and accepted samples.

    Returns
    -------
    Finding
        "narrow_positives" with the ``spread``, the variance of the positives in units of that of
        the accepted samples. Its documents are accepted ones far from the positives. No level for
        the reasons "too_few_positives" and "too_few_accepted".

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.doctor.accepted_space import accepted_space
    >>> from core.doctor.narrow_positives import check_narrow_positives
    >>> Z = sp.csr_array(np.repeat(np.eye(4), 20, axis=0))
    >>> rows, random = np.arange(80), np.random.RandomState(0)
    >>> check_narrow_positives(accepted_space(Z, rows < 20, rows >= 20, random)).level
    'warning'
    """
    n_positives, n_accepted = len(space.positives), len(space.accepted)
    numbers = {"n_positive": n_positives, "n_accepted": n_accepted}
    if n_positives < MIN_POSITIVES:
        return Finding(
            CODE, None, numbers | {"n_needed": MIN_POSITIVES}, reason="too_few_positives"
        )
    spread = space.spread() if n_accepted >= MIN_ACCEPTED else None
    if spread is None:
        return Finding(CODE, None, numbers | {"n_needed": MIN_ACCEPTED}, reason="too_few_accepted")
    level = WARNING if spread < WARNING_SPREAD else CAUTION if spread < CAUTION_SPREAD else FINE
    numbers |= {
        "spread": spread,
        "caution_below": CAUTION_SPREAD,
        "warning_below": WARNING_SPREAD,
    }
    shown = [] if level == FINE else space.least_like_positives()[:MAX_SHOWN].tolist()
    return Finding(CODE, level, numbers, shown)
