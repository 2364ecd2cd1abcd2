"""What to expect of a cut, from probabilities of being positive."""

from typing import NamedTuple

import numpy as np

from core.kernels.rows.masks import as_mask


class ExpectedFigures(NamedTuple):
    """Figures over the unlabeled samples that are expected at a cut.

    Attributes
    ----------
    n_accepted : int
        Unlabeled samples above the cut.
    n_found : tuple of three floats
        Positives among them: expected, lower end, upper end.
    n_hidden : tuple of three floats
        Positives among all unlabeled samples.
    precision, recall, f1 : tuple of three floats, or None
        Precision and F1 are None where nothing is accepted.
    """

    n_accepted: int
    n_found: tuple[float, float, float]
    n_hidden: tuple[float, float, float]
    precision: tuple[float, float, float] | None
    recall: tuple[float, float, float]
    f1: tuple[float, float, float] | None


#: Half the width of an interval at 90 % of a sum of independent events, in standard deviations.
N_DEVIATIONS = 1.64


def expected_figures(probabilities, is_accepted):
    """Return the figures to expect by the probabilities of samples.

    Parameters
    ----------
    probabilities : list of ndarrays of shape (n_unlabeled,)
        Of being positive: the best guess, and those at the ends of what they rest on.
    is_accepted : ndarray of bool of shape (n_unlabeled,)
        Which samples are above the cut.

    Returns
    -------
    ExpectedFigures
        Ends hold those of all of these, and chance (1.64 standard deviations of so many
        independent samples).

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.expected_figures import expected_figures
    >>> probabilities = np.array([1.0, 1, 0, 0])
    >>> figures = expected_figures([probabilities] * 3, np.array([True, False, True, False]))
    >>> figures.precision, figures.recall, figures.n_hidden
    ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (2.0, 2.0, 2.0))
    """
    is_accepted = as_mask(is_accepted, "is_accepted", len(probabilities[0]))
    n_accepted = int(is_accepted.sum())
    sums = [(_sum(p[is_accepted]), _sum(p[~is_accepted]), _sum(p)) for p in probabilities]
    found, missed, hidden = zip(*sums, strict=True)
    pairs = _pairs(found, missed)
    precision = f1 = None
    if n_accepted:
        precision = _ends([np.array(f) / n_accepted for f in found], most=1)
        f1 = _ends([2 * f / (n_accepted + f + m) for f, m in pairs], most=1)
    return ExpectedFigures(
        n_accepted,
        _ends(found, most=n_accepted),
        _ends(hidden, most=len(is_accepted)),
        precision,
        _ends([f / (f + m) if f + m > 0 else 0.0 for f, m in pairs], most=1),
        f1,
    )


def _sum(probabilities):
    """Return the expected number of positives and the ends of its interval by chance."""
    probabilities = probabilities.astype(np.float64)
    total = float(probabilities.sum())
    deviation = N_DEVIATIONS * float(np.sqrt((probabilities * (1 - probabilities)).sum()))
    return total, max(0.0, total - deviation), total + deviation


def _pairs(found, missed):
    """Return numbers of positives that may be found and missed together, the expected first.

    For each map these are the expected numbers, then more of one and fewer of the other, as chance
    may have it. The maps differ in the class prior, which moves both numbers the same way. How
    sharply scores tell positives moves them apart: one may be at its best end while the other is as
    expected.
    """
    pairs = []
    for f, m in zip(found, missed, strict=True):
        pairs += [(f[0], m[0]), (f[1], m[2]), (f[2], m[1])]
    most_found, least_missed = max(f[2] for f in found), min(m[1] for m in missed)
    return [*pairs, (most_found, missed[0][0]), (found[0][0], least_missed)]


def _ends(values, *, most):
    """Return the first value, the least and the greatest one."""
    ends = np.ravel(values).astype(float)
    low, high = ends.min(), min(float(most), ends.max())
    return float(min(max(ends[0], low), high)), float(low), float(high)
