import numpy as np
import pytest

from core.doctor.accepted_space import AcceptedSpace
from core.doctor.narrow_positives import MIN_ACCEPTED, MIN_POSITIVES
from core.doctor.narrow_positives import check_narrow_positives as check

RANDOM = np.random.default_rng(0)


def space(own, others):
    rows = np.arange(len(own) + len(others))
    return AcceptedSpace(rows[: len(own)], rows[len(own) :], own, others)


@pytest.mark.parametrize(("scale", "level"), [(1, "fine"), (0.6, "warning"), (0.78, "caution")])
def test_the_level_follows_the_variance_of_the_positives(scale, level):
    others = RANDOM.normal(size=(40, 5))
    finding = check(space(scale * others, others))
    assert finding.level == level
    assert abs(finding.numbers["spread"] - scale**2) < 1e-12


@pytest.mark.parametrize(
    ("n_positive", "n_accepted", "reason"),
    [
        (MIN_POSITIVES - 1, 50, "too_few_positives"),
        (MIN_POSITIVES, MIN_ACCEPTED - 1, "too_few_accepted"),
        (MIN_POSITIVES, 0, "too_few_accepted"),
    ],
)
def test_says_why_it_cannot_tell(n_positive, n_accepted, reason):
    sizes = (n_positive, 5), (n_accepted, 5)
    finding = check(space(*(RANDOM.normal(size=size) for size in sizes)))
    assert (finding.level, finding.reason) == (None, reason)


def test_equal_accepted_documents_have_no_spread_to_compare_with():
    finding = check(space(RANDOM.normal(size=(20, 5)), np.ones((20, 5))))
    assert (finding.level, finding.reason) == (None, "too_few_accepted")
