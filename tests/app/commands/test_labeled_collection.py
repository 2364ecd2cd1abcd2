import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.command_failed import CommandFailed
from app.commands.collection_file import CollectionFile, LabeledDocument, UnusableCollection
from app.commands.labeled_collection import draw_seeds, read_collection, texts_to_count
from core.text import vector_words
from tests.app.parquet import parquet_of
from tests.app.workbooks import bytes_of, workbook


def written(tmp_path: Path, *lines: str) -> CollectionFile:
    path = tmp_path / "collection.ndjson"
    path.write_text("".join(f"{line}\n" for line in lines))
    return CollectionFile(path)


def row(**fields: object) -> str:
    return json.dumps({"id": "a", "text": "flood river", "label": "flood"} | fields)


def test_documents_whose_ids_repeat_are_all_kept_with_their_labels(tmp_path: Path) -> None:
    ids = ["a", "a", "a#2", "b", "a", "a#2"]
    labels = ["flood", "sport", "flood", "flood", "flood", "sport"]
    path = written(
        tmp_path, *(row(id=i, label=label) for i, label in zip(ids, labels, strict=True))
    )

    documents, _ = read_collection(path, "flood")
    truth, seeds = draw_seeds(documents, "flood", 3, 0)

    assert [document.label for document in documents] == labels
    assert [document.id for document in documents] == ["a", "a#3", "a#2", "b", "a#4", "a#2#2"]
    assert [truth[document.id] for document in documents] == [label == "flood" for label in labels]
    assert len(seeds) == 3


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1"), (2.5, "2.5"), (True, "true"), ("a b", "a b")]
)
def test_numbers_and_booleans_are_ids_and_labels_as_their_text(
    tmp_path: Path, value: object, text: str
) -> None:
    (document,), positive = read_collection(written(tmp_path, row(id=value, label=value)), text)

    assert (document.id, document.label, positive) == (text, text, text)


def test_blank_lines_are_no_documents(tmp_path: Path) -> None:
    path = written(tmp_path, "", row(), "  ", row(id="b"), "")

    documents, _ = read_collection(path, "flood")

    assert [document.id for document in documents] == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (row(label=None), "line 3 has no usable label: .* delete the line"),
        (row(label=["flood", "fire"]), r"line 3 has no usable label: .* with \| between"),
        (row(id=None), "line 3 has no usable id"),
        (row(text=1), "line 3 has no usable text: .* delete the line"),
        (row(vector=[0, 0]), "line 3 has no usable vector: A vector is 0 throughout"),
        *(
            (row(vector=vector), "line 3 has no usable vector: it must be a list of numbers")
            for vector in ("12", {"a": 1}, 5, True, ["1", "2"], [True, 2], [[1, 2]], [1, None])
        ),
        (json.dumps({"text": "flood", "label": "flood"}), "line 3 has no usable id"),
        ('["a", "flood", "flood"]', "line 3 must be a JSON object with id, text and label"),
        ('{"id": "a"', "line 3 is not JSON"),
    ],
)
def test_what_is_no_document_is_refused_with_its_line(
    tmp_path: Path, line: str, reason: str
) -> None:
    with pytest.raises(UnusableCollection, match=reason):
        read_collection(written(tmp_path, row(id="b"), "", line), "flood")


def test_vectors_of_two_lengths_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, row(id="a", vector=[1, 2]), row(id="b", vector=[1, 2, 3]))
    with pytest.raises(UnusableCollection, match="have 2 and 3 numbers: make all by one model"):
        read_collection(path, "flood")


def test_words_of_vectors_stand_behind_texts(tmp_path: Path) -> None:
    path = written(tmp_path, row(id="a", vector=[1, -2.5]), row(id="b"))
    documents, _ = read_collection(path, "flood")

    with_vector, without = texts_to_count(documents)

    assert with_vector == f"{without}\n{vector_words([[1, -2.5]])[0]}"


@pytest.mark.parametrize(
    "content",
    [
        row().encode("utf-16"),
        gzip.compress(b"\n".join([row().encode()] * 99))[:40],
        parquet_of({"id": ["a"], "text": ["flood river"], "label": ["flood"]}),
        b"id,text,label\na,flood river,flood\n",
    ],
    # The time of day is in gzip's header, so two processes would have two names for one test.
    ids=["UTF-16", "cut short", "Parquet", "CSV"],
)
def test_a_file_in_another_format_or_cut_short_is_refused_with_what_to_do(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "collection"
    path.write_bytes(content)

    with pytest.raises(
        UnusableCollection, match=r"is a .csv, .* or NDJSON in UTF-8 with these fields"
    ) as refused:
        read_collection(CollectionFile(path), "flood")
    # An error of the codec has all that was read.
    assert "\\x" not in str(refused.value)


@pytest.mark.parametrize("is_gzipped", [False, True])
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path, is_gzipped: bool) -> None:
    content = row().encode("utf-8-sig")
    path = tmp_path / "collection"
    path.write_bytes(gzip.compress(content) if is_gzipped else content)

    assert len(read_collection(CollectionFile(path), "flood")[0]) == 1


FLOOD = LabeledDocument("a1", "flood\nriver", "1")
SPORT = LabeledDocument("b", "goal", "0")
COLUMNS = {"label_column": "included", "text_columns": ["title", "abstract"], "id_column": "key"}


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        (
            "review.csv",
            b"key,title,abstract,included\na1,flood,river,1\nb,goal,,0\n",
            {},
        ),
        (
            "review.tsv",
            b"key\ttitle\tabstract\tincluded\na1\tflood\triver\t1 \nb\tgoal\t \t0\n",
            {},
        ),
        (
            "review.csv.gz",
            gzip.compress(b"key;title;abstract;included\na1;flood;river;1\nb;goal;;0\n", mtime=0),
            {"delimiter": "semicolon"},
        ),
        (
            "review.xlsx",
            bytes_of(
                workbook(
                    ["key", "title", "abstract", "included"],
                    ["a1", "flood", "river", 1],
                    ["b", "goal", None, 0],
                )
            ),
            {},
        ),
        (
            "review.parquet",
            parquet_of(
                {
                    "key": ["a1", "b"],
                    "title": ["flood", "goal"],
                    "abstract": ["river", None],
                    "included": [1, 0],
                }
            ),
            {},
        ),
        (
            "review.ndjson",
            b'{"key": "a1", "title": "flood", "abstract": "river", "included": 1}\n'
            b'{"key": "b", "title": "goal", "included": 0}\n',
            {},
        ),
    ],
    ids=["CSV", "TSV", "gzipped", "workbook", "Parquet", "NDJSON"],
)
def test_a_finished_review_is_read_from_the_columns_that_are_named(
    tmp_path: Path, name: str, content: bytes, options: dict[str, Any]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    documents, _ = read_collection(CollectionFile(path, **COLUMNS, **options), "1")

    assert documents == [FLOOD, SPORT]


def test_a_table_keeps_vectors_of_parquet_and_rows_of_one_text(tmp_path: Path) -> None:
    path = tmp_path / "collection.parquet"
    path.write_bytes(
        parquet_of({"text": ["flood"] * 2, "label": ["a", "b"], "vector": [[1.0, 2.0], [2.0, 1.0]]})
    )

    (first, second), _ = read_collection(CollectionFile(path), "a")

    assert (first.vector, second.vector) == ([1, 2], [2, 1])
    assert first.id != second.id


def test_rows_of_a_table_without_text_or_label_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "collection.csv"
    path.write_text("text,label\nflood,1\n ,1\n,0\ngoal,\n")

    documents, _ = read_collection(CollectionFile(path), "1")

    assert [document.text for document in documents] == ["flood"]
    assert capsys.readouterr().err == "Left out: rows without a text (2), without a label (1).\n"


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        ("text,kind\nflood,1\n", {}, r"no column 'label'; .* 'kind'.* \(--label-column\)"),
        ("title,label\nflood,1\n", {}, "no column 'text'; .* Add --text-column NAME"),
        ("text,label\nflood,1,2\n", {}, "collection.csv, line 2: The row has 3 fields"),
        ("text,label\n,1\n", {}, "There are no documents with labels in .*collection.csv"),
        ("text,label\nflood,1\n", {"charset": "utf-16"}, "The texts are not in utf-16"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_what_to_do(
    tmp_path: Path, content: str, options: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "collection.csv"
    path.write_text(content)

    with pytest.raises(CommandFailed, match=reason):
        read_collection(CollectionFile(path, **options), "1")


def test_a_line_that_nests_too_deep_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, '{"text": ' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(UnusableCollection, match=r"line 1 is not JSON"):
        read_collection(path, "flood")


@pytest.mark.parametrize(
    ("lines", "positive", "told"),
    [
        ([], None, "There are no documents with labels in .*collection.ndjson."),
        ([], "flood", "There are no documents with labels in .*collection.ndjson."),
        ([row()], None, r"Name a label with --positive\. Labels: flood \(1\)\."),
        ([row()], "fire", r"Name a label with --positive; fire is not one\. Labels: flood \(1\)\."),
    ],
)
def test_labels_that_may_be_named_are_told(
    tmp_path: Path, lines: list[str], positive: str | None, told: str
) -> None:
    with pytest.raises(UnusableCollection) as raised:
        read_collection(written(tmp_path, *lines), positive)

    assert re.fullmatch(told, str(raised.value))
