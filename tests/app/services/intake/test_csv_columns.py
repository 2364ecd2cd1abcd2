import pytest

from app.errors import InvalidRequest
from app.services.intake.csv_columns import find_columns, unnamed_id


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (["b" * 999], "its columns are: 'b{40}'[.]"),
        ([str(i) for i in range(999)], "'28', '29' and 969 more[.]"),
        (["c" * 999] * 2, "2 columns of the CSV are called 'c{40}': rename all but one"),
        (["", "", "text"], "2 columns of the CSV have no name: give them names, or take"),
        (['{"id": "a"', ' "text": "b"}'], "looks like JSON.* end the file name in .ndjson"),
    ],
)
def test_refusals_are_short_whatever_the_header(header: list[str], message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        find_columns(header, [], None, "comma")


def test_only_a_name_that_is_nearly_right_is_a_guess() -> None:
    header = ["Key", "Title", "Abstract Note", "Extra"]
    with pytest.raises(InvalidRequest) as unlike:
        find_columns(header, [], None, "comma")
    assert "Did you mean" not in unlike.value.detail
    assert "If texts stand in several columns, name each." in unlike.value.detail
    with pytest.raises(InvalidRequest, match="Did you mean 'Abstract Note'"):
        find_columns(header, ["Title", "abstract"], None, "comma")


def test_an_empty_name_is_no_usual_one() -> None:
    with pytest.raises(InvalidRequest, match="no column ''; its columns are: 'id', 'text'"):
        find_columns(["id", "text"], [], "", "comma")


@pytest.mark.parametrize("header", [["id"], ["ID", "label"]])
def test_ids_without_texts_lead_to_labels(header: list[str]) -> None:
    with pytest.raises(InvalidRequest, match="take seedbed judge"):
        find_columns(header, [], None, "comma")


@pytest.mark.parametrize("name", ["Ticketnummer", "Vorgangs-Nr.", "TicketNr", "ticketNumber"])
def test_numbers_of_documents_look_like_ids(name: str) -> None:
    assert (unnamed_id(["Text", name]) or "").startswith(f"{name!r} was kept as metadata")


@pytest.mark.parametrize("name", ["Telefonnummer", "Hausnr.", "phoneNumber", "Heft-Nr.", "number"])
def test_numbers_of_other_things_do_not_look_like_ids(name: str) -> None:
    assert unnamed_id(["Text", name]) is None
