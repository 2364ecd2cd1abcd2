import numpy as np
import pytest

from core.doctor.random_labeling import MAX_SHOWN, MIN_ACCEPTED, MIN_POSITIVES
from core.doctor.random_labeling import check_random_labeling as check
from tests.core.doctor.spaces import space

RANDOM = np.random.default_rng(0)


def points(n, sorts):
    """Return points around the centers of some of four sorts."""
    centers = np.eye(10)[np.asarray(sorts)[RANDOM.integers(len(sorts), size=n)]]
    return centers + 0.1 * RANDOM.normal(size=(n, 10))


def test_warns_where_half_of_the_sorts_were_never_labeled():
    finding = check(space(points(30, [0, 1]), points(100, [0, 1, 2, 3])))
    assert finding.level == "warning"
    assert finding.numbers["shift"] > finding.numbers["warning_from"]


def test_shows_accepted_documents_of_the_sort_that_was_never_labeled():
    others = np.vstack([points(60, [0, 1]), points(40, [2, 3])])
    finding = check(space(points(30, [0, 1]), others))
    assert len(finding.rows) == MAX_SHOWN
    assert min(finding.rows) >= 30 + 60


def test_seldom_warns_where_all_were_labeled_alike():
    levels = [check(space(points(30, range(4)), points(100, range(4)))).level for _ in range(40)]
    # By chance the shift is 0.043 on average, with ten directions of which four count.
    assert levels.count("warning") <= 4


@pytest.mark.parametrize(
    ("n_positive", "n_accepted", "reason"),
    [
        (MIN_POSITIVES - 1, 50, "too_few_positives"),
        (MIN_POSITIVES, MIN_ACCEPTED - 1, "too_few_accepted"),
        (MIN_POSITIVES, 0, "too_few_accepted"),
    ],
)
def test_says_why_it_cannot_tell(n_positive, n_accepted, reason):
    finding = check(space(points(n_positive, range(4)), points(n_accepted, range(4))))
    assert (finding.level, finding.reason, finding.rows) == (None, reason, [])
