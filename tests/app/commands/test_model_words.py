from collections.abc import Sequence
from typing import Any

from app.commands.model_words import (
    cautions,
    cautions_again,
    expected_of_cut,
    other_cut,
    warned,
)


def test_what_was_not_asked_is_no_failure() -> None:
    cut = {"rule": "own", "precision": None, "recall": None, "n_hidden": None}
    told = expected_of_cut({"cuts": [cut], "used": "own", "reason": "not_asked"})
    assert told == "With --no-calibrate nothing tells what to expect of the cut."
    told = expected_of_cut({"cuts": [cut], "used": "own", "reason": "found_by_reading"})
    assert told.startswith("Most positives were found by reading")


def test_warnings_and_cautions_name_the_first_documents() -> None:
    findings = [
        finding("warning", "Odd ones.", [*"abcdef"]),
        finding("caution", "Few."),
        finding("caution", "Copies.", ["g"], n_found=1),
        # It lists the first hundred alone.
        finding("caution", "Bare.", [*"ijklmno"], n_found=1234),
        finding("fine", "Fine.", ["h"]),
        finding(None, "Not made."),
    ]
    model = {"warnings": ["Unused.", "Odd ones."], "doctor": findings}
    assert list(cautions(model)) == [
        "Warning: Unused.",
        "Warning: Odd ones. Documents: a, b, c, d, e and 1 more",
        "Caution: Few.",
        "Caution: Copies. Documents: g",
        "Caution: Bare. Documents: i, j, k, l, m and 1,229 more",
    ]


def finding(
    level: str | None, message: str, documents: Sequence[str] = (), **numbers: Any
) -> dict[str, Any]:
    told = {"code": message, "level": level, "message": message, "documents": documents}
    return {**told, "numbers": numbers}


def test_cautions_that_a_model_had_before_are_left_out_unless_of_other_documents() -> None:
    first = {
        "warnings": ["Few."],
        "doctor": [
            finding("caution", "Few."),
            finding("caution", "Copies.", ["a", "b"]),
            finding("caution", "Odd.", ["c"]),
            finding("caution", "Grave."),
        ],
    }
    second = {
        "warnings": ["Few.", "Grave."],
        "doctor": [
            finding("warning", "Grave."),
            finding("caution", "Few."),
            finding("caution", "Copies.", ["a"]),
            finding("caution", "Odd.", ["c", "d"]),
            finding("caution", "New."),
        ],
    }
    again = cautions_again(second, first)
    assert again == ["Few.", "Copies."]
    assert list(cautions(second, but=again)) == [
        "Warning: Grave.",
        "Caution: Odd. Documents: c, d",
        "Caution: New.",
    ]


def test_a_cut_by_another_rule_than_was_asked_for_is_told() -> None:
    cuts = {"cuts": [{"rule": "lee_liu", "reason": "found_by_reading"}]}
    given = {"cut": {"rule": "prior", "asked": "lee_liu"}}
    assert other_cut(given, cuts) == (
        "A cut by lee_liu was asked for, but there is none (most positives were found by reading, "
        "and the cut for that is prior): this one is by prior."
    )
    assert other_cut({"cut": {"rule": "prior", "asked": "prior"}}, cuts) == ""
    assert other_cut({"cut": {"rule": "own", "asked": "mixture"}}, cuts).endswith(
        "there is none: this one is by own."
    )


def test_the_usual_cut_was_not_asked_for() -> None:
    cuts = {"cuts": [{"rule": "f1", "reason": "found_by_reading"}]}
    assert other_cut({"cut": {"rule": "prior", "asked": "f1"}}, cuts) == ""


def test_who_reads_a_ranking_is_reminded_of_the_warnings() -> None:
    findings = [
        {"level": "warning", "code": "no_better_than_chance"},
        {"level": "caution", "code": "prior_uncertain"},
    ]
    model = {"id": "m1", "warnings": ["Do not rely on it.", "Nor on that."], "doctor": findings}
    assert warned(model, "seedbed show m1") == (
        "Mind the warnings of its training (no_better_than_chance): seedbed show m1"
    )
    assert warned(model | {"warnings": []}, "seedbed show m1") is None
