"""Files that commands write."""

import tempfile
from pathlib import Path

import pytest

from app.commands.spreadsheet_file import BYTE_ORDER_MARK, replaced, write_rows
from app.services.intake.csv_columns import Delimiter


def test_no_other_file_is_touched_and_none_is_left(tmp_path: Path) -> None:
    (tmp_path / "found.csv.part").write_text("mine")
    with replaced(tmp_path / "found.csv") as first, replaced(tmp_path / "found.csv") as second:
        first.write("first")
        second.write("second")

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "found.csv": "first",
        "found.csv.part": "mine",
    }


@pytest.mark.parametrize(
    ("delimiter", "header", "row"),
    [
        (
            "semicolon",
            "id;score;text;metadata.price;metadata.size;metadata.version;metadata",
            'v1.2;6,453;1.5 m of water;2,5;[1.5];3.1;"{""price"": 2.5, ',
        ),
        (
            "tab",
            "id\tscore\ttext\tmetadata.price\tmetadata.size\tmetadata.version\tmetadata",
            'v1.2\t6.453\t1.5 m of water\t2.5\t[1.5]\t3.1\t"{""price"": 2.5, ',
        ),
    ],
)
def test_between_semicolons_numbers_have_a_comma(
    tmp_path: Path, delimiter: Delimiter, header: str, row: str
) -> None:
    metadata = {"price": 2.5, "size": [1.5], "version": "3.1"}
    # As the service sends it, or a number.
    with (tmp_path / "found.csv").open("w+", encoding="utf-8") as file:
        for score in ("6.453", 6.453):
            rows = [(["v1.2", score, "1.5 m of water"], metadata)]
            assert write_rows(file, ["id", "score", "text"], rows, delimiter) == (1, 0)
        file.seek(0)
        lines = file.read().replace(BYTE_ORDER_MARK, "").splitlines()

    assert lines[::2] == [header] * 2
    assert lines[1] == lines[3]
    assert lines[1].startswith(row)


def test_only_the_place_of_the_file_needs_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null/full")
    with replaced(tmp_path / "found.csv") as file:
        assert write_rows(file, ["id"], [(["a"], None)]) == (1, 0)

    assert [path.name for path in tmp_path.iterdir()] == ["found.csv"]
