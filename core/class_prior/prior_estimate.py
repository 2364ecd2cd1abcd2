"""What an estimator of the class prior returns."""

from typing import NamedTuple


class PriorEstimate(NamedTuple):
    """An estimate of the share of positives among the unlabeled samples.

    Attributes
    ----------
    value : float or None
        In [1 / n_U, 1 - 1 / n_U]; None where there is no estimate.
    low, high : float or None
        Interval that holds ``value``; the estimator says what it covers.
    largest_admissible : float or None
        The largest class prior that the positives allow: see
        :func:`~core.class_prior.largest_admissible.largest_admissible_prior`.
    reason : str or None
        Why there is no estimate: ``too_few_positives`` that differ, ``too_few_unlabeled``,
        ``no_features`` where all samples are empty, or ``nothing_shared`` where no unlabeled sample
        has a feature of a positive one.
    flags : tuple of str
        What to know about the estimate: ``at_bound`` (it leaves no positive or no negative),
        ``above_admissible``, ``wide_interval`` (the interval spans more than a factor of two).
    details : dict
        What the estimator found on the way, of plain numbers.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    largest_admissible: float | None = None
    reason: str | None = None
    flags: tuple[str, ...] = ()
    details: dict | None = None
