import pytest

from app.services.intake.spreadsheet_cells import FORMULA_STARTS, protected, unprotected

STARTS = [*FORMULA_STARTS, "'"]


@pytest.mark.parametrize("start", [*STARTS, "''", "'=", "='", "", "q", "q'"])
def test_what_is_protected_can_be_undone(start: str) -> None:
    text = f"{start}1+1"

    cell = protected(text)

    assert not cell.startswith(FORMULA_STARTS)
    assert unprotected(cell) == text


@pytest.mark.parametrize("text", ["", "'", "'q", "q", "-5"])
def test_what_was_never_protected_stays(text: str) -> None:
    assert unprotected(text) == text
