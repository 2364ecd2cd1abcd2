import numpy as np
import pytest

from core.class_prior.prior_estimate import PriorEstimate
from core.doctor.model_state import (
    check_accepted,
    check_number_of_positives,
    check_scores,
    class_prior_findings,
    flag_findings,
    says_the_same,
)

GIVEN = {"given": 0.4}


def test_what_follows_from_nothing_shared_is_left_out():
    assert [f.code for f in flag_findings(["all_negative", "nothing_shared"])] == ["nothing_shared"]


def test_no_flags_no_findings():
    assert flag_findings([]) == []


@pytest.mark.parametrize(
    ("n_positive", "level"),
    [(1, "caution"), (9, "caution"), (10, "fine")],
)
def test_few_positives_are_told(n_positive, level):
    assert check_number_of_positives(n_positive).level == level


def test_a_ranking_with_a_few_ties_is_fine():
    assert check_scores(np.r_[np.zeros(50), np.arange(50)]).level == "fine"


def test_a_ranking_of_ties_is_not():
    finding = check_scores(np.r_[np.zeros(95), 1.0, 2.0, 3.0, 4.0, 5.0])
    assert finding.level == "warning"
    assert finding.numbers["largest_share_of_equal_scores"] == 0.95


@pytest.mark.parametrize("n_unlabeled", [0, 1])
def test_less_than_two_documents_make_no_ranking(n_unlabeled):
    finding = check_scores(np.zeros(n_unlabeled))
    assert (finding.level, finding.reason) == (None, "too_few_unlabeled")


@pytest.mark.parametrize(
    ("n_accepted", "low", "high", "level"),
    [
        (0, 0.1, 0.5, "fine"),
        (50, 0.1, 0.5, "fine"),
        (51, 0.1, 0.5, "warning"),
        # A class prior that was given is its own interval.
        (30, 0.2, 0.2, "fine"),
        (31, 0.2, 0.2, "warning"),
    ],
)
def test_more_than_the_class_prior_allows_is_told(n_accepted, low, high, level):
    is_accepted = np.arange(100) < n_accepted
    finding = check_accepted(is_accepted, PriorEstimate(0.2, low, high))
    assert finding.level == level
    assert finding.numbers["share_accepted"] == n_accepted / 100


def test_no_more_than_all_is_expected():
    # 1.5 times the class prior would be 1.05.
    finding = check_accepted(np.ones(9, dtype=bool), PriorEstimate(0.7, 0.6, 0.8))
    assert (finding.level, finding.numbers["most_expected"]) == ("fine", 1)


def test_where_nothing_is_unlabeled_nothing_is_accepted():
    finding = check_accepted(np.zeros(0, dtype=bool), PriorEstimate(0.2, 0.1, 0.5))
    assert (finding.level, finding.reason) == (None, "too_few_unlabeled")


@pytest.mark.parametrize("estimate", [None, PriorEstimate(None, reason="too_few_positives")])
def test_without_a_class_prior_any_number_may_be_accepted(estimate):
    finding = check_accepted(np.ones(3, dtype=bool), estimate)
    assert (finding.level, finding.reason) == (None, "no_class_prior")


@pytest.mark.parametrize(
    ("largest", "flags", "levels"),
    [
        (0.5, (), ["fine", "fine", "fine"]),
        (0.3, ("above_admissible", "prior_uncertain"), ["fine", "fine", "fine"]),
        (0.26, ("above_admissible", "prior_uncertain"), ["warning", "fine", "fine"]),
        (0.5, ("at_bound",), ["fine", "warning", "fine"]),
    ],
)
def test_a_class_prior_that_cannot_be_is_told(largest, flags, levels):
    findings = class_prior_findings(PriorEstimate(0.4, 0.2, 0.5, largest, flags=flags))
    codes = ["prior_above_admissible", "estimate_at_bound", "prior_uncertain"]
    assert [finding.code for finding in findings] == codes
    assert [finding.level for finding in findings] == levels
    numbers = {"class_prior": 0.4, "is_given": False, "largest_admissible": largest}
    assert findings[0].numbers == numbers


@pytest.mark.parametrize(("largest", "level"), [(0.5, "fine"), (0.3, "caution"), (0.26, "warning")])
def test_a_class_prior_that_was_given_must_not_be_above_what_positives_allow(largest, level):
    flags = ("above_admissible",) if largest < 0.4 else ()
    finding = class_prior_findings(
        PriorEstimate(0.4, 0.4, 0.4, largest, flags=flags, details=GIVEN)
    )[0]
    assert finding.level == level
    assert ("that you gave" in finding.message) == (level != "fine")


def test_an_estimate_without_a_width_was_not_given():
    finding = class_prior_findings(PriorEstimate(0.01, 0.01, 0.01, flags=("at_bound",)))[1]
    assert (finding.level, "estimated" in finding.message) == ("warning", True)


def test_a_class_prior_that_leaves_too_few_negatives_is_a_warning():
    # 1.5 x 0.784 is more than any share; 0.01 of negatives is far less than 0.216.
    given = PriorEstimate(0.99, 0.99, 0.99, 0.784, flags=("above_admissible",), details=GIVEN)
    assert class_prior_findings(given)[0].level == "warning"


def test_without_a_class_prior_there_is_nothing_to_compare():
    for estimate in (None, PriorEstimate(None, reason="too_few_positives")):
        reasons = {finding.reason for finding in class_prior_findings(estimate)}
        assert reasons == {"no_class_prior"}


@pytest.mark.parametrize(
    ("low", "level"), [(0.08, "fine"), (0.07, "caution"), (0.008, "caution"), (0.007, "warning")]
)
def test_a_class_prior_that_may_be_anything_is_told(low, level):
    estimate = PriorEstimate(0.25, low, 0.75, 0.9, flags=("prior_uncertain",))
    finding = class_prior_findings(estimate)[2]
    assert (finding.code, finding.level) == ("prior_uncertain", level)


def test_where_no_bound_is_known_nothing_is_said_of_it():
    finding, *_ = class_prior_findings(PriorEstimate(0.3, 0.2, 0.4))
    assert (finding.level, finding.reason) == (None, "no_bound")


def test_a_given_class_prior_that_was_moved_is_told_once():
    moved = PriorEstimate(0.1, 0.1, 0.1, flags=("at_bound",), details=GIVEN)
    told = {
        flag: says_the_same(flag, class_prior_findings(moved))
        for flag in ("prior_clamped", "unreliable")
    }
    assert told == {"prior_clamped": True, "unreliable": False}
    for estimate in (moved._replace(details=None), moved._replace(flags=()), None):
        assert not says_the_same("prior_clamped", class_prior_findings(estimate))
