"""The file of a round as people and spreadsheets give it back."""

import csv
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands import judge as judge_command
from app.commands import ranking as ranking_command
from app.commands.client import ServiceFailed
from app.commands.label_file import RANKING_COLUMNS, as_labels, read_lines
from app.commands.next import COLUMNS
from tests.app.parquet import parquet_of
from tests.app.workbooks import bytes_of, workbook


def labels_of(file: Path, charset: str = "utf-8") -> tuple[list[tuple[str, str]], int]:
    """Return ids with their labels, in order, and how many rows have none."""
    found = read_lines(file, charset)
    return [(id_, line.label) for id_, line in found.lines.items()], found.n_blank


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffid,label,text\r\n7,Positive,a\r\nb, unsure ,\r\nc,,\r\n",
        'id;note;label\n7;x;positive\nb;"y;\nz";unsure\nc;;\n',
        'id,label,"a;b;c",d;e\n7,positive,x,\nb,unsure,y,\nc,,z,\n',
        'id;label;"a,b,c";d,e\n7;positive;x;\nb;unsure;y;\nc;;z;\n',
        "ID,Label \n7,positive\nb,unsure\nc,\nb,unsure\n",
        "\nid,label,note\n 7 ,positive\n\nb,unsure,x,y\nc\n",
        "sep=;\nid;label\n7;positive\nb;unsure\nc;\n",
        "id,label,note\r7,positive,x;y\rb,unsure,\rc,,",
    ],
    ids=[
        "commas",
        "semicolons",
        "commas, and semicolons in names",
        "semicolons, and commas in names",
        "capitals, and a row twice",
        "blanks, and rows too short or long",
        "a line of Excel before it",
        "line ends of old",
    ],
)
def test_labels_are_read_in_their_order(tmp_path: Path, content: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text(content, encoding="utf-8", newline="")

    assert labels_of(file) == ([("7", "positive"), ("b", "unsure")], 1)


def test_labels_are_read_from_a_workbook(tmp_path: Path) -> None:
    file = tmp_path / "round.xlsx"
    rows = [["id", "rank", "label", "text"], [7, 2, "Positive", "a"], ["b", 1, " unsure "], ["c"]]
    file.write_bytes(bytes_of(workbook(*rows)))
    assert labels_of(file) == ([("b", "unsure"), ("7", "positive")], 1)


def test_labels_are_read_from_parquet(tmp_path: Path) -> None:
    file = tmp_path / "labels.parquet"
    columns = {"id": [7, 8, 9], "label": [True, None, False], "vector": [[1.0], [2.0], [3.0]]}
    file.write_bytes(parquet_of(columns))
    assert labels_of(file) == ([("7", "positive"), ("9", "negative")], 1)

    file.write_bytes(parquet_of({"id": ["a"], "label": ["maybe"]}))
    with pytest.raises(ServiceFailed, match=r"Row 1 of labels\.parquet: 'maybe' is no label"):
        read_lines(file)

    file.write_bytes(parquet_of({"id": ["a"]}))
    with pytest.raises(ServiceFailed, match="needs the columns id and label; its columns are 'id'"):
        read_lines(file)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ServiceFailed, match="is no Parquet, or is incomplete or damaged"):
        read_lines(file)


def test_labels_of_other_programs_are_read(tmp_path: Path) -> None:
    file = tmp_path / "asreview.csv"
    file.write_text("record_id,DOI,included,label\n1,a,1,x\n2,b,0,y\n3,c,,z\n4,d,Relevant,\n")
    found = read_lines(file, id="doi", label="Included")
    assert as_labels(found.lines) == [
        {"id": "a", "label": "positive"},
        {"id": "b", "label": "negative"},
        {"id": "d", "label": "positive"},
    ]
    assert found.n_blank == 1
    with pytest.raises(ServiceFailed, match=r"needs the columns id and label; .* --label-column"):
        read_lines(file)


@pytest.mark.parametrize(
    ("positive", "labels"),
    [
        ("fraud", ["positive", "positive", "negative", "unsure", "unlabeled", "negative"]),
        ("Other", ["negative", "positive", "negative", "unsure", "unlabeled", "negative"]),
        ("NEGATIVE", ["negative", "negative", "negative", "unsure", "unlabeled", "positive"]),
        ("1", ["negative", "negative", "positive", "unsure", "unlabeled", "negative"]),
    ],
)
def test_labels_may_have_names_of_their_own(
    tmp_path: Path, positive: str, labels: list[str]
) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(
        "id,label\na,Fraud\nb,other | fraud\nc,1\nd,unsure\ne,unlabeled\nf,negative\ng,\n"
    )
    found = read_lines(file, positive=positive)
    assert [line.label for line in found.lines.values()] == labels
    assert found.n_blank == 1


def test_a_positive_label_that_no_row_has_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("id,label\na,fraud\nb,other\n")
    with pytest.raises(ServiceFailed, match=r"'frau'\. Labels are: 'fraud', 'other'\. Nothing was"):
        read_lines(file, positive="frau")
    file.write_text("id,label\na,positive\nb,negative\n")
    with pytest.raises(ServiceFailed, match=r"'fraud'\. Labels are: 'positive', 'negative'\."):
        read_lines(file, positive="fraud")


def test_positive_beside_another_label_that_is_would_be_a_guess(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("label,id\nneutral,a\nPositive,b\nnegative,c\n")
    with pytest.raises(
        ServiceFailed, match=r"rows called 'positive' beside 'neutral'\. .* changed"
    ):
        read_lines(file, positive="neutral")
    lines = read_lines(file, positive="positive").lines
    assert [line.label for line in lines.values()] == ["negative", "positive", "negative"]

    # In a ranking it is a label of the project, unless another column is asked for.
    file.write_text(
        "label,id,rank,text,tone\n"
        "neutral,a,1,t,neutral\npositive,b,2,t,positive\nnegative,c,3,t,negative\n"
    )
    lines = read_lines(file, positive="neutral").lines
    assert [line.label for line in lines.values()] == ["positive", "positive", "negative"]
    with pytest.raises(ServiceFailed, match="beside 'neutral'"):
        read_lines(file, positive="neutral", label="tone")


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

    assert labels_of(file) == ([(id_, "positive") for id_ in expected], 1)


def test_ids_are_those_before_a_round_protected_them(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\n'-5,positive\n''q,positive\n'r,positive\n-6,positive\n")

    assert list(read_lines(file).lines) == ["-5", "'q", "'r", "-6"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"id,text\na,b\n", "needs the columns id and label; its columns are 'id', 'text'."),
        (b"", "needs the columns id and label; it is empty."),
        (b"label,id\npositive\n", "Line 2 of round.csv has a label and no id"),
        (
            b"id,label\na,\nb,maybe\n",
            "Line 3 of round.csv: 'maybe' is no label. Write positive",
        ),
        (b"id,label\na,neg\n", r"'neg' is no label. Did you mean 'negative'\? Write positive, "),
        (b"id,label\na,Postive\n", r"is no label. Did you mean 'positive'\? Write positive, "),
        (b"id,label\n\xe4,positive\n", "round.csv is not in UTF-8. Save it as CSV in UTF-8, or"),
        (b"id,label,Label\na,positive,negative\n", "2 columns of round.csv are called label: rena"),
        (b"rank,id,label,rank\n1,a,,2\n", "2 columns of round.csv are called rank: rename all but"),
        # Else the rest of the file would be one row, and its labels lost.
        (
            b'id,label,text\na,positive,"say\nb,negative,c\n',
            "Line 2 of round.csv: Lines 2 to 3, read as one row, are not CSV: a quotation mark ",
        ),
        (
            b"PK\x03\x04\x14\x00",
            "round.csv: The body is no Excel workbook .* as CSV in UTF-8",
        ),
        (b'id,"label\na,positive\n', "round.csv: The header of the CSV is not CSV: a quotation "),
        (
            b"id,label\na,positive\nb,negative\na,unsure\n",
            "Line 4 of round.csv labels 'a' unsure, but line 2 labels it positive.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "round.csv"
    file.write_bytes(content)

    with pytest.raises(ServiceFailed, match=reason):
        read_lines(file)


@pytest.mark.parametrize("charset", ["cp1252", "utf-16", "UTF8"])
def test_a_file_in_another_encoding_is_read(tmp_path: Path, charset: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\nStraße,unlabeled\n", encoding=charset)

    assert labels_of(file, charset) == ([("Straße", "unlabeled")], 0)


@pytest.mark.parametrize("charset", ["cp1252", "latin-1", "mac-roman", "utf-8-sig", "utf-16"])
def test_a_file_needs_no_encoding_where_ids_are_ascii(tmp_path: Path, charset: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id;label;text\nR1;positive;Übersicht\nR2;;é\n", encoding=charset)

    assert labels_of(file) == ([("R1", "positive")], 1)


@pytest.mark.usefixtures("commands_here")
def test_a_ranking_takes_no_label_back_that_was_given_meanwhile(
    client: TestClient, model: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, file = model["project_id"], tmp_path / "ranking.csv"
    ranking_command.run("", model["id"], None, file)
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    meanwhile, judged, *others = rows
    label = {"id": meanwhile["id"], "label": "negative"}
    assert client.put(f"/projects/{project}/labels", json=[label]).is_success
    with pytest.raises(ServiceFailed, match=r"a label of yours: write positive or .* or unsure\.$"):
        judge_command.run("", project, file, "utf-8")
    judged["label"] = "Positive"
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    capsys.readouterr()

    judge_command.run("", project, file, "utf-8")

    told = capsys.readouterr().out
    assert "1 positive; 1 changed. Rows without a label: 0.\n" in told
    assert f"shows as unlabeled, left as they are: {1 + len(others)}.\n" in told
    documents = client.get(f"/projects/{project}/documents").json()["documents"]
    labels = {document["id"]: document["label"] for document in documents}
    assert (labels[meanwhile["id"]], labels[judged["id"]]) == ("negative", "positive")
    assert {labels[row["id"]] for row in others} == {"unlabeled"}


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("id,label,text", {"a": "positive", "b": "negative", "c": "unlabeled"}),
        ("id,label,rank,score,predicted", {"a": "positive", "b": "negative", "c": "negative"}),
    ],
    ids=["a round", "a ranking"],
)
@pytest.mark.usefixtures("commands_here")
def test_rows_that_nobody_labeled_get_the_label_of_the_rest(
    client: TestClient, tmp_path: Path, head: str, expected: dict[str, str]
) -> None:
    project = client.post("/projects", json={"name": "floods"}).json()["id"]
    documents = [{"id": id_, "text": f"text {id_}"} for id_ in expected]
    assert client.post(f"/projects/{project}/positives", json=documents).is_success
    file = tmp_path / "round.csv"
    # The last row is one that a spreadsheet left empty.
    file.write_text(f"{head}\na,positive,1,2,x\nb,,2,1,x\nc,unlabeled,3,0,x\n,,,,\n")

    judge_command.run("", project, file, "utf-8", "negative")

    listed = client.get(f"/projects/{project}/documents").json()["documents"]
    assert {document["id"]: document["label"] for document in listed} == expected


@pytest.mark.usefixtures("commands_here")
def test_the_rest_of_a_round_that_was_sent_before_was_read_in_between(
    client: TestClient, model: dict[str, Any], tmp_path: Path
) -> None:
    """Else all positives of the round would come first, and no more would seem to be left."""
    project = model["project_id"]
    asked = client.get(f"/projects/{project}/next", params={"n": 6}).json()["documents"]
    file = tmp_path / "round.csv"
    label_of = {1: "positive", 4: "positive"}

    def write(labels: dict[int, str]) -> None:
        with file.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "label", "rank"])
            writer.writerows(
                [one["id"], labels.get(place, ""), one["rank"]] for place, one in enumerate(asked)
            )

    sent: list[Any] = []
    for labels, rest in ((label_of, None), (label_of, "negative")):
        write(labels)
        judge_command.run("", project, file, "utf-8", rest)
        sent.append(client.get(f"/projects/{project}/review").json())
    assert [review["n_judged"] for review in sent] == [2, 6]

    back = [{"id": one["id"], "label": "unlabeled"} for one in asked]
    assert client.put(f"/projects/{project}/labels", json=back).is_success
    judge_command.run("", project, file, "utf-8", "negative")
    assert client.get(f"/projects/{project}/review").json() == sent[1]


@pytest.mark.parametrize("head", ["id,label", ",".join(COLUMNS)], ids=["labels", "a round"])
@pytest.mark.usefixtures("commands_here")
def test_of_other_files_unlabeled_takes_a_label_back(
    client: TestClient, model: dict[str, Any], tmp_path: Path, head: str
) -> None:
    assert not RANKING_COLUMNS.issubset(head.split(","))
    project, file = model["project_id"], tmp_path / "back.csv"
    path = f"/projects/{project}/documents"
    id_ = client.get(path, params={"label": "unlabeled"}).json()["documents"][0]["id"]
    label = {"id": id_, "label": "negative"}
    assert client.put(f"/projects/{project}/labels", json=[label]).is_success
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, head.split(","))
        writer.writeheader()
        writer.writerow({"id": id_, "label": "unlabeled"})

    judge_command.run("", project, file, "utf-8")

    unlabeled = client.get(path, params={"label": "unlabeled"}).json()["documents"]
    assert id_ in [document["id"] for document in unlabeled]


def test_json_is_told_to_be_no_csv(tmp_path: Path) -> None:
    file = tmp_path / "ranking.ndjson"
    file.write_text('{"id": "a", "label": "positive", "text": "' + "water, " * 500 + '"}\n')

    with pytest.raises(ServiceFailed, match="it looks like JSON") as refused:
        read_lines(file)
    assert len(str(refused.value)) < 200
