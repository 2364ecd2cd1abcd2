import re
from pathlib import Path

import core.feature_selection
from app.services.feature_selection.selection_card import WARNINGS, warnings
from core.kernels.features.compact_ga import STOP_FLAGS


def test_warnings_are_sentences_of_flags_and_counts() -> None:
    report = {"flags": ["out_of_time"], "n_constant": 2, "n_duplicates": 1, "n_candidates": 7}

    found = warnings(report, 10)

    assert found[0] == WARNINGS["out_of_time"]
    assert [sentence.split()[:6] for sentence in found[1:]] == [
        ["Features", "of", "one", "value", "only:", "2."],
        ["Features", "equal", "to", "an", "earlier", "one:"],
        ["The", "method", "looked", "at", "7", "of"],
    ]


def test_nothing_to_warn_of_is_no_warning() -> None:
    assert warnings({"flags": [], "n_constant": 0, "n_duplicates": 0}, 10) == []


def test_each_flag_of_the_selectors_has_a_sentence() -> None:
    sources = Path(core.feature_selection.__file__).parent.glob("*.py")
    flags = {f for path in sources for f in re.findall(r'_flag\("(\w+)"\)', path.read_text())}

    assert "not_converged" in flags
    assert (flags | set(STOP_FLAGS.values())) <= set(WARNINGS)


def test_flag_without_a_sentence_is_shown_as_it_is() -> None:
    report = {"flags": ["odd"], "n_constant": 0, "n_duplicates": 0}
    assert warnings(report, 10) == ["The method reports: odd."]


def test_stability_is_advised_in_words_that_hold_where_it_was_asked_for() -> None:
    advice = [sentence for sentence in WARNINGS.values() if "stability" in sentence]
    assert len(advice) == 2
    assert not any("ask for the stability" in sentence for sentence in advice)
