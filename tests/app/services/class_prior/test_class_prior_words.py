import pytest

from app.services.class_prior.class_prior_words import summary, warnings
from core.class_prior.prior_estimate import PriorEstimate


def test_estimate_is_told_as_numbers_of_documents() -> None:
    told = summary(PriorEstimate(0.044, 0.012, 0.084, 0.096), 10, 5000)

    for part in ["About 220 of the 5,000", "(4.4 %)", "between 60 and 420", "more than 480"]:
        assert part in told
    assert "10 positives were labeled at random" in told


def test_one_document_is_told_of_as_one() -> None:
    told = summary(PriorEstimate(0.04, 0.04, 0.2, 0.2), 10, 25)
    assert told.startswith("About 1 of the 25 unlabeled documents is positive (4 %),")


def test_estimates_that_contradict_each_other_are_told_as_that() -> None:
    estimate = PriorEstimate(0.967, 0.033, 0.967, 0.3, flags=("above_admissible", "wide_interval"))
    told = summary(estimate, 2, 30)

    for part in ["contradict each other", "about 29 of the 30", "at most 9", "Label more"]:
        assert part in told
    assert "between" not in told
    # The ends of an interval that holds what is not admissible are nothing to plan with.
    assert not any("interval" in warning for warning in warnings(estimate, 5))


def test_estimates_that_differ_by_less_than_a_document_do_not_contradict_each_other() -> None:
    told = summary(PriorEstimate(0.3001, 0.1, 0.3001, 0.3), 5, 30)

    assert "About 9 of the 30" in told
    assert "contradict" not in told


def test_an_estimate_a_little_above_what_positives_allow_is_no_contradiction() -> None:
    flags = ("above_admissible", "wide_interval")
    estimate = PriorEstimate(0.093, 0.04, 0.093, 0.0912, flags=flags)
    told = summary(estimate, 200, 5000)

    assert told.startswith("About 465 of the 5,000 unlabeled documents are positive (9.3 %),")
    assert "between 200 and 465; more would hardly fit the positives" in told
    (warning,) = warnings(estimate, 200)
    assert warning.startswith("The ends of the interval are more than a factor of two apart.")


@pytest.mark.parametrize(
    ("reason", "next_step"),
    [
        ("too_few_positives", "Label at least two positives that differ and have a word"),
        ("too_few_unlabeled", "Add unlabeled documents"),
    ],
)
def test_no_number_is_told_where_there_is_no_estimate(reason: str, next_step: str) -> None:
    estimate = PriorEstimate(None, reason=reason)
    told = summary(estimate, 1, 5000)

    assert "is unknown" in told
    assert next_step in told
    assert warnings(estimate, 1) == []


def test_each_flag_and_few_positives_are_warned_of() -> None:
    above = PriorEstimate(0.1, 0.01, 0.5, 0.05, flags=("above_admissible",))
    flagged = PriorEstimate(0.1, 0.01, 0.5, 0.6, flags=("at_bound", "wide_interval"))

    assert len(warnings(above, 5)) == 1
    assert len(warnings(flagged, 5)) == 2
    assert len(warnings(flagged, 4)) == 3
    assert "fewer than 5 positives" in warnings(flagged, 4)[0]
    assert warnings(PriorEstimate(0.1, 0.08, 0.12, 0.2), 5) == []
