"""Files of text as documents."""

import json
from pathlib import Path

from app.commands.text_files import rows_of


def test_a_name_gives_the_same_id_whichever_system_wrote_it(tmp_path: Path) -> None:
    written = [tmp_path / "U\u0308bung.txt", tmp_path / "\u00dcbung.txt"]
    for file in written:
        file.write_text("a flood")

    ids = [json.loads(row)["id"] for row in b"".join(rows_of(written, "utf-8")).splitlines()]
    assert ids == ["\u00dcbung"] * 2
