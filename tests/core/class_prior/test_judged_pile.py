import numpy as np
import pytest

from core.class_prior.judged_pile import (
    Pile,
    class_prior_of_rest,
    class_prior_of_unread,
    where_few_edges_leave,
)
from core.class_prior.prior_estimate import PriorEstimate
from core.review.expected import Expected
from core.review.reading import Reading
from core.review.remaining import remaining_positives


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
    assert class_prior_of_unread(done, None, 90).flags == ("at_bound",)
    assert "at_bound" not in class_prior_of_unread(Reading([True] * 10, 90), None, 100).flags


def test_no_estimate_stays_none():
    estimate = PriorEstimate(None, reason="too_few_positives")
    assert class_prior_of_rest(estimate, Pile(9, n_found=1, n_left=5)) == estimate


@pytest.mark.parametrize("expected", [None, Expected(30, 20, 45)])
def test_the_share_of_what_has_no_label_is_that_of_the_positives_left(expected):
    reading = Reading([True, True, False, True, False, False], 90)
    # Five more were read and stayed unsure: all of them may be positive, or none.
    left = remaining_positives(*reading, expected=expected, n_unsure=5)
    shares = class_prior_of_unread(reading, expected, 95)[:3]
    assert shares == pytest.approx([max(number, 1) / 95 for number in left])


def test_where_only_unsure_ones_are_left_the_share_is_not_known_for_sure():
    done = Reading([True] * 20 + [False] * 90, 0)
    prior = class_prior_of_unread(done, None, 3)
    assert (prior.low, prior.high) == pytest.approx((1 / 3, 2 / 3))


def test_where_fewer_are_left_than_were_unread_none_is_unsure():
    reading = Reading([True, True, False, True, False, False], [50, 40], [0] * 6)
    left = remaining_positives(*reading)
    shares = class_prior_of_unread(reading, None, 60)[:3]
    assert shares == pytest.approx([min(max(number, 1), 59) / 60 for number in left])


@pytest.mark.parametrize("n_found", [0, 5, 60])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_near_an_estimate_is_what_is_near_it_with_all_that_was_found(n_found, share):
    conductance = np.random.default_rng(n_found).uniform(0.05, 0.6, 80)
    sizes = np.arange(1, 81)
    n_known = min(n_found, 2 * share * 80)
    distances = np.log((sizes + n_known) / (share * 80 + n_known))
    size = sizes[np.argmin(np.log(conductance) + distances**2)]
    estimate = PriorEstimate(share, share - 0.01, share + 0.01)
    moved = where_few_edges_leave(estimate, conductance, Pile(80 + n_found, n_found, 80))
    assert moved.value == pytest.approx(size / 80)
    assert moved.low == min(moved.value, estimate.low)
    assert moved.high == max(moved.value, estimate.high)


def test_beside_many_that_were_found_one_is_not_as_near_as_twenty():
    conductance = np.where(np.arange(1, 101) == 1, 0.45, 0.5)
    twenty = PriorEstimate(0.2, 0.01, 0.9)
    moved = where_few_edges_leave(twenty, conductance, Pile(400, n_found=300, n_left=100))
    assert moved.value == twenty.value


def test_the_graph_may_be_of_a_sample_of_what_is_left():
    conductance = np.where(np.arange(1, 21) == 4, 0.01, 0.5)
    estimate = PriorEstimate(0.5, 0.3, 0.8)
    of_all = where_few_edges_leave(estimate, conductance, Pile(30, n_found=10, n_left=20))
    of_sample = where_few_edges_leave(estimate, conductance, Pile(300, n_found=100, n_left=200))
    assert of_sample[:3] == of_all[:3] == pytest.approx((0.2, 0.2, 0.8))


def test_where_nothing_is_estimated_a_graph_tells_nothing():
    none = PriorEstimate(None, reason="too_few_positives")
    assert where_few_edges_leave(none, np.ones(5), Pile(9, n_found=1, n_left=5)) == none
