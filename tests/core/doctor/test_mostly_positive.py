import re

import numpy as np
import pytest
import scipy.sparse as sp

from core.class_prior.prior_estimate import PriorEstimate
from core.doctor.examine import examine
from core.doctor.finding import Finding
from core.doctor.mostly_positive import is_mostly_positive
from core.doctor.words import is_of_the_pile
from core.validation import canonical_csr

# All documents are of one kind: each has words of its own draw, the last those of the first.
COUNTS = np.random.default_rng(0).random((300, 40)) < 0.3
COUNTS[-1] = COUNTS[0]
GIVEN, LOW, UNSURE = (PriorEstimate(*ends) for ends in ((0.9,) * 3, (0.1,) * 3, (0.9, 0.1, 0.99)))


@pytest.mark.parametrize(
    ("n_positive", "class_prior", "expected"),
    [
        (101, None, True),
        (100, None, False),
        (10, GIVEN, True),
        (10, LOW, False),
        (10, PriorEstimate(0.51, 0.51, 0.51), True),
        (10, PriorEstimate(0.5, 0.5, 0.5), False),
        (10, UNSURE, False),
        (10, PriorEstimate(None, reason="too_few_positives"), False),
    ],
)
def test_the_numbers_or_a_given_class_prior_tell(n_positive, class_prior, expected):
    assert is_mostly_positive(n_positive, 100, class_prior) == expected


def test_other_findings_are_none_of_it():
    levels = {
        "no_better_than_chance": {"caution", "warning"},
        "odd_positives": {"warning"},
        "repeated_positives": set(),
    }
    for code, expected in levels.items():
        found = {
            level
            for level in ("fine", "caution", "warning")
            if is_of_the_pile(Finding(code, level))
        }
        assert found == expected


@pytest.mark.parametrize(
    ("n_positive", "class_prior", "level"),
    [(200, None, None), (60, GIVEN, None), (60, UNSURE, "warning")],
)
def test_positives_like_all_of_the_pile_are_not_warned_of(n_positive, class_prior, level):
    is_positive = np.arange(300) < n_positive
    findings = examine(
        canonical_csr(sp.csr_array(COUNTS.astype(float))),
        is_positive,
        np.zeros(300, dtype=bool),
        np.random.default_rng(1).random(300),
        0.5,
        ["nearly_all_positive"],
        positive_ranks=np.linspace(0.05, 0.95, 30),
        class_prior=class_prior,
        random_state=0,
    )
    found = {finding.code: finding for finding in findings}
    for code in ("odd_positives", "no_better_than_chance"):
        assert found[code].level == level
        assert found[code].reason == (None if level else "mostly_positive")
    assert bool(found["odd_positives"].rows) == bool(level)
    if level:  # nobody knows the class prior: none to be made up is named
        assert "Give class_prior only if you know it" in found["odd_positives"].message
        assert not re.search(r"class_prior[^.]*\d", found["odd_positives"].message)
    copies = found["unlabeled_copies"]
    assert copies.level == (level and "caution")
    assert (299 in copies.rows) == bool(level)
    accepted = found["nearly_all_positive"]
    assert accepted.level == (level and "caution")
    assert accepted.message.startswith(
        "The model takes nearly every" if level else "Positives rank"
    )


@pytest.mark.parametrize(
    ("n_positive", "class_prior", "level"),
    [(151, None, None), (150, None, "caution"), (100, GIVEN, "caution")],
)
def test_a_pile_smaller_than_what_is_known_need_not_have_a_word_of_each(
    n_positive, class_prior, level
):
    counts = np.column_stack([COUNTS.astype(float), np.zeros(300)])
    counts[0] = np.arange(41) == 40  # a word that no other document has
    is_positive = np.arange(300) < n_positive
    findings = examine(
        canonical_csr(sp.csr_array(counts)),
        is_positive,
        None,
        np.linspace(1, 0, 300),
        0.5,
        class_prior=class_prior,
        random_state=0,
    )
    (isolated,) = [finding for finding in findings if finding.code == "isolated_positives"]
    assert (isolated.level, isolated.rows) == (level, [0] if level else [])
    assert isolated.reason == (None if level else "mostly_positive")
