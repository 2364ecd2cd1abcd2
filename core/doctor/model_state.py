"""What the fitted model itself gives away: its flags, its scores, its number of positives."""

import numpy as np

from core.class_prior.largest_admissible import MAX_RATIO, is_far_above
from core.doctor.finding import CAUTION, FINE, WARNING, Finding

#: Flags of classifiers that make it a warning: neither ranking nor cut can be relied on.
GRAVE_FLAGS = frozenset(
    {
        "all_negative",
        "all_positive",
        "katz_divergent",
        "no_negative_evidence",
        "nothing_shared",
        "unreliable",
    }
)
#: With fewer, what is estimated from positives is little more than a guess.
ENOUGH_TO_ESTIMATE = 10
#: Share of the scores that differ from the most frequent one, at least, in a ranking.
MIN_DISTINCT = 0.1
#: The upper end of an estimated class prior over the lower one is four at best and less than ten
#: mostly; beyond these factors little or nothing is known.
UNCERTAIN, UNKNOWN = 10, 100


def flag_findings(flags):
    """Return a finding without numbers for each flag of a classifier.

    Examples
    --------
    >>> from core.doctor.model_state import flag_findings
    >>> [(finding.code, finding.level) for finding in flag_findings(["grid_edge", "unreliable"])]
    [('grid_edge', 'caution'), ('unreliable', 'warning')]
    """
    if "nothing_shared" in flags:
        flags = ["nothing_shared"]  # what the others say follows from it
    return [Finding(flag, WARNING if flag in GRAVE_FLAGS else CAUTION) for flag in flags]


def flags_to_act_on(flags):
    """Return the flags of a classifier that a race chose: nobody set what it tried.

    Examples
    --------
    >>> from core.doctor.model_state import flags_to_act_on
    >>> flags_to_act_on(["grid_edge", "unreliable"])
    ['unreliable']
    """
    return [flag for flag in flags if flag != "grid_edge"]


def check_number_of_positives(n_positive):
    """Return whether there are enough positives to estimate anything from, "few_positives".

    Examples
    --------
    >>> from core.doctor.model_state import check_number_of_positives
    >>> [check_number_of_positives(n).level for n in (3, 20)]
    ['caution', 'fine']
    """
    level = CAUTION if n_positive < ENOUGH_TO_ESTIMATE else FINE
    numbers = {"n_positive": int(n_positive), "n_wanted": ENOUGH_TO_ESTIMATE}
    return Finding("few_positives", level, numbers)


def check_scores(scores):
    """Return whether the scores of the unlabeled samples tell them apart, "equal_scores".

    Parameters
    ----------
    scores : ndarray of shape (n_unlabeled,)
        Maybe none.

    Returns
    -------
    Finding
        A warning where nearly all scores are equal: the ranking is then mostly chance. No level
        where there are less than two, for the reason "too_few_unlabeled".

    Examples
    --------
    >>> import numpy as np
    >>> from core.doctor.model_state import check_scores
    >>> check_scores(np.zeros(40)).level, check_scores(np.arange(40)).level
    ('warning', 'fine')
    """
    if len(scores) < 2:
        return Finding("equal_scores", None, reason="too_few_unlabeled")
    _, counts = np.unique(scores, return_counts=True)
    largest = float(counts.max() / len(scores))
    level = WARNING if largest > 1 - MIN_DISTINCT else FINE
    numbers = {"largest_share_of_equal_scores": largest, "most_expected": 1 - MIN_DISTINCT}
    return Finding("equal_scores", level, numbers)


def class_prior_findings(class_prior):
    """Return whether positives speak against the class prior, and whether it says anything.

    Parameters
    ----------
    class_prior : PriorEstimate or None
        Share of positives among the unlabeled samples.

    Returns
    -------
    list of three Finding
        "prior_above_admissible", a caution where one that was given is larger than the positives
        allow, a warning where any has half more positives, or a third fewer negatives: the largest
        share they allow is an estimate, too;
        "estimate_at_bound", a warning where it leaves no positive or no negative;
        "prior_uncertain", a caution where its ends are more than a factor of ten apart, a warning
        where that is a hundred. No level where there is nothing to compare, for the reason
        "no_class_prior", or "no_bound" where none is known.

    Examples
    --------
    >>> from core.class_prior import PriorEstimate
    >>> from core.doctor.model_state import class_prior_findings
    >>> given = PriorEstimate(0.9, 0.9, 0.9, 0.3, flags=("above_admissible",))
    >>> [finding.level for finding in class_prior_findings(given)]
    ['warning', 'fine', 'fine']
    """
    if class_prior is None or class_prior.value is None:
        codes = ("prior_above_admissible", "estimate_at_bound", "prior_uncertain")
        return [Finding(code, None, reason="no_class_prior") for code in codes]
    is_given = "given" in (class_prior.details or {})
    numbers = {"class_prior": class_prior.value, "is_given": is_given}
    bounded = numbers | {"largest_admissible": class_prior.largest_admissible}
    above = FINE
    if "above_admissible" in class_prior.flags:
        is_far = is_far_above(class_prior.value, class_prior.largest_admissible)
        above = WARNING if is_far else CAUTION if is_given else FINE
    ratio = class_prior.high / class_prior.low
    uncertain = WARNING if ratio > UNKNOWN else CAUTION if ratio > UNCERTAIN else FINE
    ends = {"low": class_prior.low, "high": class_prior.high, "most_expected": UNCERTAIN}
    is_bounded = class_prior.largest_admissible is not None
    return [
        Finding("prior_above_admissible", above, bounded)
        if is_bounded
        else Finding("prior_above_admissible", None, bounded, reason="no_bound"),
        Finding("estimate_at_bound", WARNING if "at_bound" in class_prior.flags else FINE, numbers),
        Finding("prior_uncertain", uncertain, ends),
    ]


def says_the_same(flag, findings):
    """Tell whether findings warn already of what a flag says: that a given class prior was moved.

    Examples
    --------
    >>> from core.class_prior import PriorEstimate
    >>> from core.doctor.model_state import class_prior_findings, says_the_same
    >>> given = {"given": 0.0}
    >>> moved = PriorEstimate(0.1, 0.1, 0.1, flags=("at_bound",), details=given)
    >>> says_the_same("prior_clamped", class_prior_findings(moved))
    True
    """
    is_told = any(
        finding.code == "estimate_at_bound"
        and finding.level == WARNING
        and finding.numbers["is_given"]
        for finding in findings
    )
    return is_told and flag == "prior_clamped"


def check_accepted(is_accepted, class_prior):
    """Return whether more is accepted than is positive by the class prior, "accepts_too_many".

    Parameters
    ----------
    is_accepted : ndarray of bool of shape (n_unlabeled,)
        Which unlabeled samples are.
    class_prior : PriorEstimate or None
        Share of positives among them.

    Returns
    -------
    Finding
        A warning where the share accepted is above the upper end, and above the class prior by
        more than half of it. No level where there is no class prior, for the reason
        "no_class_prior", or no unlabeled sample, for "too_few_unlabeled".

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior import PriorEstimate
    >>> from core.doctor.model_state import check_accepted
    >>> estimate = PriorEstimate(0.1, 0.05, 0.2)
    >>> [check_accepted(np.arange(100) < n, estimate).level for n in (20, 21)]
    ['fine', 'warning']
    """
    if class_prior is None or class_prior.value is None:
        return Finding("accepts_too_many", None, reason="no_class_prior")
    if not len(is_accepted):
        return Finding("accepts_too_many", None, reason="too_few_unlabeled")
    accepted = float(is_accepted.mean())
    most = min(1.0, max(class_prior.high, MAX_RATIO * class_prior.value))
    level = WARNING if accepted > most else FINE
    numbers = {"share_accepted": accepted, "most_expected": float(most)}
    return Finding("accepts_too_many", level, numbers)
