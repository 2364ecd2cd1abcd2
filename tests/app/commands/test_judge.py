"""The file of a round as people and spreadsheets give it back."""

from pathlib import Path

import pytest

from app.commands.client import ServiceFailed
from app.commands.judge import read_labels


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffid,label,text\r\n7,Positive,a\r\nb, unsure ,\r\nc,,\r\n",
        'id;note;label\n7;x;positive\nb;"y;\nz";unsure\nc;;\n',
    ],
    ids=["commas", "semicolons"],
)
def test_labels_are_read_in_their_order(tmp_path: Path, content: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text(content, encoding="utf-8", newline="")

    labels, n_blank = read_labels(file)

    assert labels == [{"id": "7", "label": "positive"}, {"id": "b", "label": "unsure"}]
    assert n_blank == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"id,text\na,b\n", "needs the columns id and label"),
        (b"", "needs the columns id and label"),
        (b"id,label\na,\nb,yes\n", "Line 3 of round.csv: 'yes' is no label; write positive, neg"),
        (b"id,label\n\xe4,positive\n", "as CSV in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "round.csv"
    file.write_bytes(content)

    with pytest.raises(ServiceFailed, match=reason):
        read_labels(file)
