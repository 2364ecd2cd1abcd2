"""Files that commands write."""

from pathlib import Path

from app.commands.spreadsheet_file import replaced


def test_no_other_file_is_touched_and_none_is_left(tmp_path: Path) -> None:
    (tmp_path / "found.csv.part").write_text("mine")
    with replaced(tmp_path / "found.csv") as first, replaced(tmp_path / "found.csv") as second:
        first.write("first")
        second.write("second")

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "found.csv": "first",
        "found.csv.part": "mine",
    }
