import pytest

from core.class_prior.judged_pile import class_prior_of_rest
from core.class_prior.prior_estimate import PriorEstimate


def test_what_was_found_is_subtracted_from_what_the_pile_holds():
    estimate = PriorEstimate(0.3, 0.2, 0.5, 0.6, flags=("wide_interval",))
    rest = class_prior_of_rest(estimate, n_pile=1000, n_found=100, n_left=850)
    assert rest[:4] == pytest.approx((200 / 850, 100 / 850, 400 / 850, 500 / 850))
    assert rest.flags == ("wide_interval",)


def test_more_found_than_expected_leaves_one():
    rest = class_prior_of_rest(PriorEstimate(0.1, 0.05, 0.3), n_pile=100, n_found=20, n_left=50)
    assert rest[:3] == pytest.approx((1 / 50, 1 / 50, 10 / 50))
    assert rest.flags == ("at_bound",)


def test_no_estimate_stays_none():
    estimate = PriorEstimate(None, reason="too_few_positives")
    assert class_prior_of_rest(estimate, n_pile=9, n_found=1, n_left=5) == estimate
