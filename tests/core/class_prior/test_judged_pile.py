import pytest

from core.class_prior.judged_pile import Pile, class_prior_of_rest, class_prior_of_unread
from core.class_prior.prior_estimate import PriorEstimate
from core.review.reading import Reading
from core.review.remaining import Expected, remaining_positives


def test_what_was_found_is_subtracted_from_what_the_pile_holds():
    estimate = PriorEstimate(0.3, 0.2, 0.5, 0.6, flags=("wide_interval",))
    rest = class_prior_of_rest(estimate, Pile(1000, n_found=100, n_left=850))
    assert rest[:4] == pytest.approx((200 / 850, 100 / 850, 400 / 850, 500 / 850))
    assert rest.flags == ("wide_interval",)


def test_more_found_than_expected_leaves_one():
    rest = class_prior_of_rest(PriorEstimate(0.1, 0.05, 0.3), Pile(100, n_found=20, n_left=50))
    assert rest[:3] == pytest.approx((1 / 50, 1 / 50, 10 / 50))
    assert rest.flags == ("at_bound", "wide_interval")


def test_flags_are_of_what_is_left():
    estimate = PriorEstimate(0.3, 0.29, 0.31, 0.295, flags=("above_admissible",))
    rest = class_prior_of_rest(estimate, Pile(1000, n_found=285, n_left=700))
    # 15, 5, 25 and 10 of 700 are left.
    assert rest.flags == ("above_admissible", "wide_interval")


@pytest.mark.parametrize("n_left", [1, 2])
def test_of_hardly_any_documents_there_is_no_share(n_left):
    rest = class_prior_of_rest(PriorEstimate(0.1, 0.1, 0.1), Pile(9, n_found=1, n_left=n_left))
    unread = class_prior_of_unread(Reading([True], n_left), None, n_left)
    assert rest == unread == PriorEstimate(None, reason="too_few_unlabeled")


def test_that_the_order_leaves_none_is_told():
    done = Reading([True] * 10 + [False] * 900, 90)
    assert class_prior_of_unread(done, None, 100).flags == ("at_bound",)
    assert "at_bound" not in class_prior_of_unread(Reading([True] * 10, 90), None, 100).flags


def test_no_estimate_stays_none():
    estimate = PriorEstimate(None, reason="too_few_positives")
    assert class_prior_of_rest(estimate, Pile(9, n_found=1, n_left=5)) == estimate


@pytest.mark.parametrize("expected", [None, Expected(30, 20, 45)])
def test_the_share_of_what_has_no_label_is_that_of_the_positives_left(expected):
    reading = Reading([True, True, False, True, False, False], 90)
    left = remaining_positives(*reading, expected=expected)
    # Five more were read and stayed unsure.
    shares = class_prior_of_unread(reading, expected, 95)[:3]
    assert shares == pytest.approx([max(number, 1) / 95 for number in left])
