"""Files of text as documents."""

import json
from pathlib import Path

from app.commands.text_files import left_out_warning, rows_of


def test_a_name_gives_the_same_id_whichever_system_wrote_it(tmp_path: Path) -> None:
    written = [tmp_path / "U\u0308bung.txt", tmp_path / "\u00dcbung.txt"]
    for file in written:
        file.write_text("a flood")

    ids = [json.loads(row)["id"] for row in b"".join(rows_of(written, "utf-8")).splitlines()]
    assert ids == ["\u00dcbung"] * 2


def test_what_is_left_out_of_a_folder_is_told(tmp_path: Path) -> None:
    for name in ("a.txt", "b.TXT", ".DS_Store"):
        (tmp_path / name).touch()
    assert left_out_warning(tmp_path) is None

    (tmp_path / "older").mkdir()
    for name in ("e.pdf", "d.docx", "c.docx", "f"):
        (tmp_path / name).touch()
    told = left_out_warning(tmp_path)
    assert told is not None
    assert told.endswith(": c.docx, d.docx, e.pdf and 2 more.")
