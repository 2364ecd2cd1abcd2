from math import sqrt

import pytest

from core.class_prior.judged_pile import class_prior_of_rest, class_prior_of_unread
from core.class_prior.prior_estimate import PriorEstimate
from core.review.remaining import Remaining


def test_what_was_found_is_subtracted_from_what_the_pile_holds():
    estimate = PriorEstimate(0.3, 0.2, 0.5, 0.6, flags=("wide_interval",))
    rest = class_prior_of_rest(estimate, n_pile=1000, n_found=100, n_left=850)
    assert rest[:4] == pytest.approx((200 / 850, 100 / 850, 400 / 850, 500 / 850))
    assert rest.flags == ("wide_interval",)


def test_more_found_than_expected_leaves_one():
    rest = class_prior_of_rest(PriorEstimate(0.1, 0.05, 0.3), n_pile=100, n_found=20, n_left=50)
    assert rest[:3] == pytest.approx((1 / 50, 1 / 50, 10 / 50))
    assert rest.flags == ("at_bound", "wide_interval")


def test_flags_are_of_what_is_left():
    estimate = PriorEstimate(0.3, 0.29, 0.31, 0.295, flags=("above_admissible",))
    rest = class_prior_of_rest(estimate, n_pile=1000, n_found=285, n_left=700)
    # 15, 5, 25 and 10 of 700 are left.
    assert rest.flags == ("above_admissible", "wide_interval")


@pytest.mark.parametrize("n_left", [1, 2])
def test_of_hardly_any_documents_there_is_no_share(n_left):
    rest = class_prior_of_rest(PriorEstimate(0.1, 0.1, 0.1), n_pile=9, n_found=1, n_left=n_left)
    unread = class_prior_of_unread(rest, Remaining(0, 0, 1), n_left)
    assert rest == unread == PriorEstimate(None, reason="too_few_unlabeled")


def test_that_the_order_leaves_none_is_told():
    nothing = PriorEstimate(None, reason="too_few_positives")
    assert class_prior_of_unread(nothing, Remaining(0, 0, 0), 100).flags == ("at_bound",)
    least, more = PriorEstimate(0.01, 0.01, 0.01), PriorEstimate(0.2, 0.1, 0.3)
    assert "at_bound" in class_prior_of_unread(least, Remaining(0, 0, 0), 100).flags
    assert "at_bound" not in class_prior_of_unread(more, Remaining(0, 0, 0), 100).flags


def test_no_estimate_stays_none():
    estimate = PriorEstimate(None, reason="too_few_positives")
    assert class_prior_of_rest(estimate, n_pile=9, n_found=1, n_left=5) == estimate


def test_what_is_left_lies_between_what_both_estimates_say():
    of_rest, remaining = PriorEstimate(0.09, 0.03, 0.3), Remaining(10, 4, 40)
    unread = class_prior_of_unread(of_rest, remaining, 1000)
    assert unread[:3] == pytest.approx((0.03, sqrt(0.03 * 0.004), sqrt(0.3 * 0.04)))


def test_of_two_estimates_the_surer_one_weighs_more():
    unsure, sure = PriorEstimate(0.09, 0.001, 0.9), PriorEstimate(0.09, 0.08, 0.1)
    shares = [
        class_prior_of_unread(of_rest, Remaining(10, 4, 40), 1000).value
        for of_rest in (unsure, sure)
    ]
    assert 0.01 < shares[0] < 0.03 < shares[1] < 0.09


def test_an_estimate_without_a_width_does_not_decide_alone():
    of_rest = PriorEstimate(0.001, 0.001, 0.001)
    assert class_prior_of_unread(of_rest, Remaining(10, 4, 40), 1000).value > 0.001


def test_of_two_estimates_the_one_that_there_is_holds():
    nothing, of_rest = PriorEstimate(None, reason="too_few_positives"), PriorEstimate(0.2, 0.1, 0.3)
    assert class_prior_of_unread(nothing, Remaining(0, 0, 7), 100)[:3] == (0.01, 0.01, 0.07)
    assert class_prior_of_unread(of_rest, None, 100) == of_rest
