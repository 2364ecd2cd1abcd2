import re
from pathlib import Path

import pytest

from app.services.training.doctor_words import message
from core.doctor import examine
from core.doctor.finding import Finding
from core.doctor.flag_words import FLAG_WORDS
from core.doctor.model_state import GRAVE_FLAGS

SOURCE = "\n".join(path.read_text() for path in Path(examine.__file__).parent.glob("*.py"))
CODES = {
    *re.findall(r'CODE = "(\w+)"', SOURCE),
    *re.findall(r'(?:Finding|_finding)\(\s*"(\w+)"', SOURCE),
}
DOCUMENT = Path(__file__).parents[4] / "docs" / "doctor.md"
REASONS = set(re.findall(r'reason="(\w+)"', SOURCE))


@pytest.mark.parametrize("level", ["fine", "caution"])
def test_each_check_has_its_words(level: str) -> None:
    assert {"random_labeling", "unlabeled_copies", "equal_scores"} <= CODES
    messages = [message(Finding(code, level), "p") for code in CODES]
    assert not any(told.startswith("The algorithm reports") for told in messages)
    assert len(set(messages)) == len(CODES)


def test_each_check_is_described() -> None:
    rows = [row for row in DOCUMENT.read_text().splitlines() if row.startswith("| `")]
    described = set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows)))
    assert described == CODES


def test_each_reason_has_its_words() -> None:
    assert "too_few_positives" in REASONS
    for reason in REASONS:
        assert "this check" in message(Finding("random_labeling", None, reason=reason), "p")


def test_what_a_review_contradicts_names_the_review() -> None:
    told = message(Finding("prior_uncertain", None, reason="found_by_reading"), "p")
    assert "GET /projects/p/review tells how many may be left" in told


def test_in_a_review_nothing_shared_is_its_end() -> None:
    finding = Finding("nothing_shared", "warning")
    assert "Add positives in the words" in message(finding, "p")
    told = message(finding, "p", is_review=True)
    assert "GET /projects/p/review tells when to stop" in told


def test_a_flag_has_the_words_of_the_card() -> None:
    assert set(FLAG_WORDS) >= GRAVE_FLAGS
    assert message(Finding("grid_edge", "caution"), "p") == FLAG_WORDS["grid_edge"]


def test_the_words_on_a_review_name_the_project() -> None:
    found = Finding("random_labeling", "caution", {"n_found": 3, "n_positive": 9})
    assert "GET /projects/p/review tells" in message(found, "p")


@pytest.mark.parametrize(("level", "is_said"), [("caution", False), ("warning", True)])
def test_a_warning_of_odd_positives_says_when_it_means_nothing(level: str, is_said: bool) -> None:
    assert ("good all the same" in message(Finding("odd_positives", level), "p")) == is_said
