import pytest

from app.services.review.percent import percent


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.95, "95%"),
        # Neither what is wanted, nor less by a rounding error, nor nothing.
        (0.9499, "94%"),
        (0.29, "29%"),
        (0.0071, "0.7%"),
        (0.0003, "0.03%"),
    ],
)
def test_a_share_looks_like_no_other(share: float, written: str) -> None:
    assert percent(share) == written
