"""Whether positives were labeled at random, or some sorts of them never."""

from core.doctor.finding import CAUTION, FINE, WARNING, Finding

CODE = "random_labeling"
#: With fewer, chance alone moves the means as far as sorts that were never labeled do.
MIN_POSITIVES, MIN_ACCEPTED = 15, 10
#: Shifts from which it is a caution, and a warning; docs/doctor.md says how often they are wrong.
CAUTION_SHIFT, WARNING_SHIFT = 0.08, 0.13
#: Documents that are shown.
MAX_SHOWN = 10


def check_random_labeling(space):
    """Compare the positives with the unlabeled samples that the model accepts.

    Where positives were labeled completely at random, both are draws from the same kind, and their
    means differ by chance alone. They differ by more where the model accepts sorts of positives
    that were never labeled, but also where it accepts samples of another kind: somebody has to read
    some. This is no exact test, for what is accepted was chosen with the positives at hand. The
    bounds were set on collections where the truth is known.

    Parameters
    ----------
    space : AcceptedSpace
        Positives and accepted samples.

    Returns
    -------
    Finding
        "random_labeling" with the ``shift`` between the means and what it is by chance,
        ``by_chance``. Its rows are accepted ones that are least like the positives: to read,
        and to label if they are of the kind. No level for the reasons "too_few_positives" and
        "too_few_accepted".

    References
    ----------
    A. Gretton et al., "A kernel two-sample test", Journal of Machine Learning Research 13, 2012:
    the distance between means, here with a linear kernel.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.doctor.accepted_space import accepted_space
    >>> from core.doctor.random_labeling import check_random_labeling
    >>> Z = sp.csr_array(np.repeat(np.eye(4), 20, axis=0))
    >>> rows, random = np.arange(80), np.random.RandomState(0)
    >>> check_random_labeling(accepted_space(Z, rows < 20, rows >= 20, rows < 0, random)).level
    'warning'
    >>> even = rows % 2 == 0
    >>> check_random_labeling(accepted_space(Z, even, ~even, rows < 0, random)).level
    'fine'
    """
    n_positives, n_accepted = len(space.positives), len(space.accepted)
    numbers = {"n_positive": n_positives, "n_accepted": n_accepted}
    if n_positives < MIN_POSITIVES:
        return Finding(
            CODE, None, numbers | {"n_needed": MIN_POSITIVES}, reason="too_few_positives"
        )
    if n_accepted < MIN_ACCEPTED:
        return Finding(CODE, None, numbers | {"n_needed": MIN_ACCEPTED}, reason="too_few_accepted")
    shift = space.shift()
    level = WARNING if shift >= WARNING_SHIFT else CAUTION if shift >= CAUTION_SHIFT else FINE
    numbers |= {
        "shift": shift,
        "by_chance": 1 / n_positives + 1 / n_accepted,
        "caution_from": CAUTION_SHIFT,
        "warning_from": WARNING_SHIFT,
    }
    shown = [] if level == FINE else space.least_like_positives()[:MAX_SHOWN].tolist()
    return Finding(CODE, level, numbers, shown)
