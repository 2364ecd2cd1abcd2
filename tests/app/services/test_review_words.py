from app.services.review_words import why
from core.review.remaining import Progress, Recall, Remaining


def progress(n_found: int, most_left: int, p_value: float, target: float = 0.95) -> Progress:
    low = n_found / (n_found + most_left)
    remaining = Remaining(0, 0, most_left)
    return Progress(Recall(1.0, low, 1.0), remaining, p_value, low >= target and p_value < 0.5)


def test_what_the_interval_leaves_open_is_told_in_positives() -> None:
    told = why(progress(80, 20, 0.3), 0.95)
    assert told.startswith("Up to 20 positives may be left, so that as few as 80% of them may be")
    assert "p-value" not in told
    assert told.endswith("Read on.")


def test_a_share_that_falls_short_does_not_look_like_what_is_wanted() -> None:
    # 18 / 19 = 0.947...
    assert "as few as 94% of them may be found, and 95% are wanted" in why(
        progress(18, 1, 0.3), 0.95
    )


def test_where_the_interval_suffices_the_p_value_is_told() -> None:
    told = why(progress(55, 0, 0.79), 0.95)
    assert "too few to exclude that more positives are left than 0" in told
    assert "the p-value is 0.79, and less than 0.5 is wanted. Read on." in told
    assert "%" not in told


def test_to_stop_both_must_suffice() -> None:
    told = why(progress(19, 1, 0.49), 0.95)
    assert told.startswith("Even with 1 positives left")
    assert "95% of them are found" in told
