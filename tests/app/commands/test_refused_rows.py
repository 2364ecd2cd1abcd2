from typing import Any

from app.commands.refused_rows import RefusedRows, rejections


def errors(reason: str, *lines: int, code: str = "odd_row") -> list[dict[str, Any]]:
    return [{"line": line, "code": code, "reason": reason} for line in lines]


def test_equal_reasons_are_told_once_and_all_rejected_rows_are_counted() -> None:
    told = errors("Empty.", *range(2, 9)) + errors("Long.", 9) + errors("Empty.", 10)
    report = {"errors": told, "rejected": 9}
    first = "line 2, line 3, line 4, line 5, line 6 and 3 more: Empty."
    assert list(rejections(report)) == [first, "line 9: Long."]


def test_behind_the_first_reasons_kinds_and_places_are_told() -> None:
    told = [error for line in range(1, 8) for error in errors(f"Odd {line}.", line)]
    told += errors("Too long.", 8, code="text_too_long") + errors("Odd 1.", 9)

    first, *_, fifth, last = rejections({"errors": told, "rejected": 1_234})

    assert first == "line 1, line 9: Odd 1."
    assert fifth == "line 5: Odd 5."
    kinds = "odd row: line 6, line 7; text too long: line 8; not listed: 1,225"
    assert last == f"Also rejected: 1,228 ({kinds})."


def test_what_has_no_line_has_an_index() -> None:
    refused = RefusedRows()
    refused.add({"index": 3, "code": "empty_text", "reason": "The text is empty."})
    assert list(refused.lines()) == ["index 3: The text is empty."]


def test_rows_that_have_names_are_told_by_these() -> None:
    report = {"errors": errors("The text is empty.", 1, 3), "rejected": 2}
    assert list(rejections(report, ["a.txt", "b.txt", "c.txt"])) == [
        "a.txt, c.txt: The text is empty."
    ]
