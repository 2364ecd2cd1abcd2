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
        "ID,Label \n7,positive\nb,unsure\nc,\nb,unsure\n",
    ],
    ids=["commas", "semicolons", "capitals, and a row twice"],
)
def test_labels_are_read_in_their_order(tmp_path: Path, content: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text(content, encoding="utf-8", newline="")

    labels, n_blank = read_labels(file)

    assert labels == [{"id": "7", "label": "positive"}, {"id": "b", "label": "unsure"}]
    assert n_blank == 1


@pytest.mark.parametrize(
    ("head", "ranks", "expected"),
    [
        ("id,label,rank", ("10", " 9", "2"), "cba"),
        ("id,label,Rank ", ("1", "3", "2"), "acb"),
        ("id,label,place", ("3", "2", "1"), "abc"),
        ("id,label,rank", ("3", "", "1"), "abc"),
        ("id,label,rank", ("3", "2.5", "1"), "abc"),
        # Of two models: their ranks say nothing of each other.
        ("id,label,rank", ("3", "1", "1"), "abc"),
    ],
    ids=["numbers", "capitals", "no ranks", "a blank", "no number", "a rank twice"],
)
def test_labels_are_in_the_order_of_the_ranks_where_all_have_one(
    tmp_path: Path, head: str, ranks: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "round.csv"
    rows = [f"{id_},positive,{rank}" for id_, rank in zip("abc", ranks, strict=True)]
    file.write_text("\n".join([head, *rows, "d,,"]))

    labels, n_blank = read_labels(file)

    assert ([label["id"] for label in labels], n_blank) == (list(expected), 1)


def test_ids_are_those_before_a_round_protected_them(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\n'-5,positive\n''q,positive\n'r,positive\n-6,positive\n")

    assert [label["id"] for label in read_labels(file)[0]] == ["-5", "'q", "'r", "-6"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"id,text\na,b\n", "needs the columns id and label; its first line has 'id', 'text'."),
        (b"", "needs the columns id and label; its first line has nothing."),
        (b"label,id\npositive\n", "Line 2 of round.csv has a label and no id"),
        (b"id,label\na,\nb,yes\n", "Line 3 of round.csv: 'yes' is no label; write positive, neg"),
        (b"id,label\n\xe4,positive\n", "round.csv is not in UTF-8. Save it as CSV in UTF-8, or"),
        (
            b"id,label\na,positive\nb,negative\na,unsure\n",
            "Line 4 of round.csv labels 'a' unsure, and line 2 positive.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "round.csv"
    file.write_bytes(content)

    with pytest.raises(ServiceFailed, match=reason):
        read_labels(file)


@pytest.mark.parametrize("charset", ["cp1252", "utf-16", "UTF8"])
def test_a_file_in_another_encoding_is_read(tmp_path: Path, charset: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\nStraße,unlabeled\n", encoding=charset)

    assert read_labels(file, charset) == ([{"id": "Straße", "label": "unlabeled"}], 0)


def test_an_encoding_that_there_is_not_is_told(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\n")

    with pytest.raises(ServiceFailed, match="There is no encoding 'cp1525'; try cp1252"):
        read_labels(file, "cp1525")
