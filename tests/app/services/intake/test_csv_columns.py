import pytest

from app.errors import InvalidRequest
from app.services.intake.csv_columns import find_columns


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (["b" * 999], "its columns are: 'b{40}'[.]"),
        ([str(i) for i in range(999)], "'28', '29'[.]"),
        (['{"id": "a"', ' "text": "b"}'], "looks like JSON.* end the file name in .ndjson"),
    ],
)
def test_refusals_are_short_whatever_the_header(header: list[str], message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        find_columns(header, [], None, "comma")
