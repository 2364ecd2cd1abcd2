"""Whether most of the pile is of the kind, and which findings say nothing then."""

from dataclasses import replace

from core.doctor.finding import CAUTION, WARNING
from core.doctor.words import is_of_the_pile

#: Why a finding has no level.
MOSTLY_POSITIVE = "mostly_positive"


def is_mostly_positive(n_positive, n_unlabeled, class_prior):
    """Return whether somebody is after what does *not* belong to the positives.

    A class prior that was estimated hardly tells: positives that have nothing in common are spread
    over the pile just as those of a pile that is of their kind.

    Parameters
    ----------
    n_positive, n_unlabeled : int
        Number of samples.
    class_prior : PriorEstimate or None
        Share of positives among the unlabeled samples.

    Returns
    -------
    bool
        Whether there are more positives than unlabeled samples, or the class prior is above one
        half for sure, as one that was given.

    Examples
    --------
    >>> from core.class_prior import PriorEstimate
    >>> from core.doctor.mostly_positive import is_mostly_positive
    >>> given, estimated = PriorEstimate(0.9, 0.9, 0.9), PriorEstimate(0.9, 0.1, 0.99)
    >>> [is_mostly_positive(300, 500, prior) for prior in (given, estimated)]
    [True, False]
    >>> is_mostly_positive(3000, 500, estimated)
    True
    """
    is_sure = class_prior is not None and (class_prior.low or 0) > 0.5
    return n_positive > n_unlabeled or is_sure


def is_void(finding, *, is_small_pile):
    """Return whether a finding says nothing where most of the pile is of the kind.

    An estimate of nearly all is easily above what the few others allow, by chance alone, a model is
    right to accept nearly all, and it is no wonder that much says the same as a positive.

    Parameters
    ----------
    finding : Finding
    is_small_pile : bool
        Whether there are more positives than unlabeled samples, which need not have a word of each.

    Examples
    --------
    >>> from core.doctor.finding import Finding
    >>> from core.doctor.mostly_positive import is_void
    >>> estimated = Finding("prior_above_admissible", "warning")
    >>> given = Finding("prior_above_admissible", "warning", {"is_given": True})
    >>> [is_void(finding, is_small_pile=False) for finding in (estimated, given)]
    [True, False]
    """
    is_high = finding.code == "prior_above_admissible" and finding.level == WARNING
    is_high_estimate = is_high and not finding.numbers.get("is_given")
    is_alike = finding.code == "unlabeled_copies" and finding.level == CAUTION
    is_common = is_alike or finding.code == "nearly_all_positive"
    is_isolated = finding.code == "isolated_positives" and finding.level == CAUTION
    is_expected = is_common or (is_isolated and is_small_pile)
    return is_of_the_pile(finding) or is_high_estimate or is_expected


def without_level(finding):
    """Return a finding without its level and rows: the check could not be made.

    Examples
    --------
    >>> from core.doctor.finding import Finding
    >>> from core.doctor.mostly_positive import without_level
    >>> without_level(Finding("odd_positives", "warning", rows=[3, 5])).reason
    'mostly_positive'
    """
    return replace(finding, level=None, rows=[], reason=MOSTLY_POSITIVE)
