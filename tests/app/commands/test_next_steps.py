import gzip
from pathlib import Path

import pytest

from app.commands.next_steps import judging
from app.services.intake.csv_columns import COLUMNS_LEFT_OUT


@pytest.mark.parametrize(
    ("name", "body", "command"),
    [
        ("round.csv", b"id,text,label\na,one,positive\n", "judge floods {}"),
        ("round.csv", b"id,text,label\na,one,\n", None),
        ("round.csv.gz", gzip.compress(b"id,text,label\na,one,positive\n"), None),
        ("-", None, None),  # standard input, which has been read
    ],
    ids=["labels", "none", "packed", "standard input"],
)
def test_labels_are_sent_of_files_that_can_be_read_again(
    tmp_path: Path, name: str, body: bytes | None, command: str | None
) -> None:
    file = tmp_path / name
    if body is not None:
        file.write_bytes(body)
    told = judging(file, "utf-8", [f"{COLUMNS_LEFT_OUT} label"], "floods")
    assert told == (command and command.format(file))
