from app.services.review.review_words import ALL_READ, disagreement, why
from core.review.expected import Remaining
from core.review.stopping import Progress, Recall


def told(
    n_found: int, most_left: int, p_value: float, *, n_left: int = 9, n_unsure: int = 0
) -> str:
    """Return why, where so many may be left, unsure ones among them, and 0.95 are wanted."""
    low = n_found / (n_found + most_left)
    is_enough = low >= 0.95 and p_value < 0.5
    found = Progress(Recall(1.0, low, 1.0), Remaining(0, 0, most_left), p_value, is_enough)
    return why(found, n_found, n_left, n_unsure, 0.95)


def test_what_the_interval_leaves_open_is_told_in_positives() -> None:
    words = told(80, 20, 0.7)
    assert words.startswith(
        "Up to 20 positives may be left. Then only 80% of all positives are found"
    )
    assert "p-value" not in words
    assert words.endswith("Read on.")


def test_a_share_that_falls_short_does_not_look_like_what_is_wanted() -> None:
    # 18 / 19 = 0.947...
    assert "Then only 94% of all positives are found, and 95% are wanted" in told(18, 1, 0.3)


def test_where_the_interval_suffices_the_p_value_is_told() -> None:
    words = told(55, 0, 0.79)
    assert "too few to rule out that more than 0 positives are left" in words
    assert "the p-value is 0.79, and less than 0.5 is wanted. Read on." in words
    assert "%" not in words


def test_where_unsure_documents_decide_they_are_to_be_judged_again() -> None:
    # 38 / 40 are enough, 38 / 42 = 0.904... are not.
    words = told(38, 4, 0.3, n_unsure=2)
    assert words.startswith(
        "If all 2 unsure documents are positive, 90% of the positives are found"
    )
    assert "Judge unsure ones again, as positive or negative: GET /documents of the" in words
    one = told(38, 3, 0.3, n_unsure=1)
    assert one.startswith("If the unsure document is positive, 92% of the positives are found")
    assert "Read on" not in words

    both = told(38, 4, 0.6, n_unsure=2)
    assert "p-value is 0.60" in both
    assert both.endswith(words)


def test_where_the_interval_alone_falls_short_reading_on_comes_first() -> None:
    words = told(38, 5, 0.3, n_unsure=2)
    assert words.startswith("Up to 5 positives may be left, counting all 2 unsure documents. Then")
    assert words.endswith("Read on.")


def test_to_stop_both_must_suffice() -> None:
    words = told(19, 1, 0.49)
    assert words.startswith("Up to 1 positive may be left. Even then")
    assert "95% of all positives are found" in words


def test_where_none_should_be_left_no_number_is_told() -> None:
    expected = "No positive should be left: 100% of all positives are found, and 95% are wanted."
    assert told(19, 0, 0.3) == expected


def test_that_all_is_read_is_told_where_nothing_is_unsure() -> None:
    assert told(5, 0, 0.0, n_left=0) == ALL_READ
    assert told(38, 2, 0.0, n_left=0, n_unsure=2) != ALL_READ


def test_intervals_without_a_common_number_are_told() -> None:
    order, seeds = Remaining(54, 4, 818), Remaining(1296, 1200, 1390)
    told = disagreement(order, seeds)
    assert "alone, 4 to 818 positives are left; by the positives given at the start, 1,200" in told
    assert disagreement(seeds, order) != ""
    assert disagreement(order, Remaining(900, 818, 1000)) == disagreement(order, None) == ""
