"""What is sent for a prediction, and what is printed of the answer."""

import gzip
import io
import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli import start
from app.commands import predict as predict_command
from app.commands import prediction_rows
from app.commands.client import ServiceFailed
from app.commands.predict import Answers
from app.commands.prediction_rows import Refused
from app.commands.refused_rows import RefusedRows
from app.services.intake.spreadsheet_cells import CELL_LENGTH
from tests.app.parquet import parquet_of
from tests.app.seedbed_command import seedbed
from tests.app.workbooks import bytes_of, workbook


def request(
    texts: list[str],
    file: Path | None = None,
    *,
    stdin: str = "txt",
    charset: str = "utf-8",
    **columns: object,
) -> tuple[Iterator[bytes], Refused]:
    return predict_command.content_of(
        texts, file=file, stdin=stdin, columns=columns, charset=charset
    )


def sent(texts: list[str], file: Path | None = None, **options: Any) -> list[dict[str, str]]:
    content, _ = request(texts, file, **options)
    return [json.loads(line) for line in b"".join(content).split(b"\n") if line]


def test_texts_have_their_numbers_as_ids() -> None:
    assert sent(["a", " ", "b\nc"]) == [{"id": "1", "text": "a"}, {"id": "3", "text": "b\nc"}]


def test_empty_ones_among_texts_are_told_at_their_places() -> None:
    content, refused = request(["a", "", "b", " \t"])

    assert b"".join(content).count(b"text") == 2
    assert [(n_before, number, row.code) for n_before, number, row in refused] == [
        (1, 2, "empty_text"),
        (2, 4, "empty_text"),
    ]


def test_lines_have_theirs_and_what_else_ends_lines_is_part_of_texts(tmp_path: Path) -> None:
    file = tmp_path / "new.TXT"
    file.write_bytes("a\u2028b\r\n\n\u00fc".encode())

    assert sent([], file) == [{"id": "1", "text": "a\u2028b"}, {"id": "3", "text": "\u00fc"}]


def test_any_number_of_lines_is_sent_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction_rows, "BLOCK_BYTES", 1000)
    file = tmp_path / "new.txt"
    file.write_text("a long line\n" * 2500)
    blocks = list(request([], file)[0])

    assert 500 < max(map(len, blocks)) < 1100
    found = [json.loads(line) for line in b"".join(blocks).splitlines()]
    assert found == [{"id": str(n), "text": "a long line"} for n in range(1, 2501)]


def test_a_slow_pipe_is_sent_as_it_comes_and_kept_alive_where_it_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(predict_command, "PAUSE_SECONDS", 0)
    reads, writes = os.pipe()
    with open(reads) as pipe, open(writes, "wb", buffering=0) as producer:
        monkeypatch.setattr(sys, "stdin", pipe)
        content, _ = request([])
        assert next(content) == b" "
        producer.write(b"a\nb")
        assert json.loads(next(content)) == {"id": "1", "text": "a"}
        assert next(content) == b" "
        producer.write(b"c\n\nd")
        assert [line and json.loads(line) for line in next(content).splitlines()] == [
            {"id": "2", "text": "bc"},
            b"",
        ]
        producer.close()
        assert [json.loads(block) for block in content] == [{"id": "4", "text": "d"}]


CSV = 'key;title;n;body\nk1;a;1;"b\nc"\n;d;2;\n'
ROWS = [{"id": "k1", "text": "a\nb\nc"}, {"id": "4", "text": "d"}]
NAMED = {"text_column": ["title", "body"], "id_column": "key"}


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("new.csv", CSV.encode(), {"delimiter": "semicolon"}),
        ("new.csv", CSV.encode("utf-16"), {"delimiter": "semicolon", "charset": "utf-16"}),
        ("new.tsv.gz", gzip.compress(CSV.replace(";", "\t").encode()), {}),
        (
            "new.jsonl",
            b'{"key": "k1", "title": "a", "body": "b\\nc"}\n\n\n{"key": null, "title": "d"}',
            {},
        ),
    ],
    ids=["csv", "utf-16", "tsv.gz", "jsonl"],
)
def test_files_are_read_as_an_upload_reads_them(
    tmp_path: Path, name: str, content: bytes, options: dict[str, Any]
) -> None:
    (tmp_path / name).write_bytes(content)
    assert sent([], tmp_path / name, **NAMED, **options) == ROWS


def test_a_workbook_is_read_as_an_upload_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "new.xlsx"
    rows = [["key", "title", "n", "body"], ["k1", "a", 1, "b\nc"], [None, "d", 2]]
    file.write_bytes(bytes_of(workbook(*rows)))
    assert sent([], file, **NAMED) == [ROWS[0], {"id": "3", "text": "d"}]


def test_parquet_is_read_with_its_vectors(tmp_path: Path) -> None:
    file = tmp_path / "new.parquet"
    columns = {"key": ["k1", None], "title": ["a", "d"], "body": ["b\nc", None]}
    file.write_bytes(parquet_of({**columns, "vector": [[0.5, 1.0], None]}))
    assert sent([], file, **NAMED) == [{**ROWS[0], "vector": [0.5, 1.0]}, {"id": "2", "text": "d"}]


def test_an_export_of_a_ranking_is_read_as_it_was_before_cells_protected_it(
    tmp_path: Path,
) -> None:
    cut = "x" * (CELL_LENGTH - 1) + "…"
    file = tmp_path / "ranking.csv"
    file.write_text(f"rank,id,label,text\n1,'-5,,'@a\n2,b,,{cut}\n3,'q,,'q\n")
    content, refused = request([], file)

    found = [json.loads(line) for line in b"".join(content).split(b"\n") if line]
    assert found == [{"id": "-5", "text": "@a"}, {"id": "'q", "text": "'q"}]
    assert [(number, row.code) for _, number, row in refused] == [(3, "cut_text")]


def test_a_list_of_json_is_numbered_from_one(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text('[{"id": "a", "text": "b", "more": 1}, "c"]')
    assert sent([], tmp_path / "new.json") == [{"id": "a", "text": "b"}, {"id": "2", "text": "c"}]


def test_vectors_are_sent_with_their_texts(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "b", "vector": [0.5, -1.0]}, {"id": "c", "text": "d"}]
    (tmp_path / "new.ndjson").write_text("\n".join(map(json.dumps, rows)))
    assert sent([], tmp_path / "new.ndjson") == rows


def test_documents_named_by_their_ids_have_no_text_to_predict(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text('{"ids": ["a", "b"]}')
    content, refused = request([], tmp_path / "new.json")

    assert b"".join(content) == b""
    assert [(n, number, row.code) for n, number, row in refused] == [
        (0, 1, "missing_text"),
        (0, 2, "missing_text"),
    ]


def test_a_pipe_can_hold_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pipe").write_bytes(b"id,text\na,b\n")
    with (tmp_path / "pipe").open() as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        assert sent([], stdin="csv") == [{"id": "a", "text": "b"}]


def test_what_is_refused_is_told_at_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new.csv"
    file.write_text("id,text\n,\na,b\nc,d,e\nf,g\nh,\n")
    content, refused = request([], file)
    # The line of a row is that of the file, so that the service tells that, too.
    assert b"".join(content) == b'\n\n{"id":"a","text":"b"}\n\n{"id":"f","text":"g"}\n'
    answers = Answers("ndjson", refused, RefusedRows())
    sent_back = [json.dumps({"id": id_}).encode() + b"\n" for id_ in "af"]
    assert list(answers.shown(sent_back)) == sent_back
    # Nothing is lost of a row without a text.
    assert answers.n_lost == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shown = [line.get("id") or (line["error"]["line"], line["error"]["code"]) for line in lines]
    assert shown == [(2, "empty_text"), "a", (4, "invalid_csv"), "f", (6, "empty_text")]


@pytest.mark.parametrize(
    ("name", "content", "columns", "reason"),
    [
        ("new.xls", b"", {}, "does not tell a format"),
        ("new.txt", b"", {"id_column": "id"}, "are not for .txt"),
        ("new.csv", b"id,body\n1,a\n", {}, "^new.csv: The CSV has no .* Add --text-column NAME"),
        ("new.json", b"no", {}, "^new.json: The body is not JSON"),
        ("new.txt.gz", b"no", {}, "^new.txt.gz: The body is not gzip"),
    ],
)
def test_what_cannot_be_sent_is_refused(
    tmp_path: Path, name: str, content: bytes, columns: dict[str, Any], reason: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ServiceFailed, match=reason):
        sent([], tmp_path / name, **columns)


def test_texts_and_a_file_are_too_much(tmp_path: Path) -> None:
    with pytest.raises(ServiceFailed, match="Give either texts or, with --file"):
        request(["a"], tmp_path / "new.txt")


@pytest.mark.parametrize("source", ["texts", "file", "pipe"])
def test_a_line_in_another_encoding_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    file = tmp_path / "new.txt"
    file.write_bytes(b"a\n\xff\nb\n")
    texts = ["a", os.fsdecode(b"\xff"), "b"] if source == "texts" else []
    with file.open() as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        content, refused = request(texts, file if source == "file" else None)
        found = [json.loads(line) for line in b"".join(content).split(b"\n") if line]
    assert found == [{"id": "1", "text": "a"}, {"id": "3", "text": "b"}]
    assert [(n, number, row.code) for n, number, row in refused] == [(1, 2, "invalid_unicode")]


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("source", ["file", "pipe"])
def test_lines_are_read_in_the_encoding_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, charset: str
) -> None:
    file = tmp_path / "new.txt"
    file.write_text("Überschwemmung\nStraße", encoding=charset)
    named = "utf-8" if charset == "utf-8-sig" else charset  # that a mark is there need not be said
    with file.open() as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        told = sent([], file if source == "file" else None, charset=named)
    assert told == [{"id": "1", "text": "Überschwemmung"}, {"id": "2", "text": "Straße"}]


def test_a_model_without_probabilities_has_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    line = {"id": None, "label": "negative", "score": -1.5, "probability": None}
    Answers("text", deque(), RefusedRows()).show(json.dumps(line).encode())

    assert capsys.readouterr().out == "negative\t-1.500\t-\t-\n"


@pytest.mark.parametrize("form", ["text", "ndjson"])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_ids_do_not_tell_a_terminal_what_to_do(
    monkeypatch: pytest.MonkeyPatch, form: str, is_terminal: bool
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stdout", screen)
    line = {"id": "\x9b2J", "label": "positive", "score": 1.0, "probability": None}
    told = json.dumps(line, ensure_ascii=False)

    Answers(form, deque(), RefusedRows()).show(told.encode() + b"\n")

    assert ("\x9b" in screen.getvalue()) == (not is_terminal)
    assert "2J" in screen.getvalue()
    assert screen.getvalue().endswith("\n")


@pytest.mark.parametrize("form", ["text", "ndjson"])
def test_an_answer_that_ends_early_is_a_failure(form: str) -> None:
    line = {"error": {"code": "artifact_unavailable", "reason": "The file is gone."}}
    with pytest.raises(ServiceFailed, match=r"The file is gone\."):
        Answers(form, deque(), RefusedRows()).show(json.dumps(line).encode())


def test_ndjson_is_printed_as_the_service_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = [
        '{"id":"\u00fc\u2028","label":"positive"}\n',
        '{"error": {"line": 2, "code": "text_too_long"}}\n',
    ]

    answers = Answers("ndjson", deque(), RefusedRows())
    for line in told:
        answers.show(line.encode())
    assert answers.n_lost == 1
    assert capsys.readouterr().out == "".join(told)


@pytest.mark.parametrize(
    ("form", "shown"), [("text", rb"\xe9\u2603"), ("ndjson", rb"\u00e9\u2603")]
)
def test_a_terminal_that_lacks_signs_gets_their_escapes(
    monkeypatch: pytest.MonkeyPatch, form: str, shown: bytes
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    start()
    answer = {"id": "\u00e9\u2603", "label": "positive", "score": 1.0, "probability": None}

    Answers(form, deque(), RefusedRows()).show(json.dumps(answer).encode() + b"\n")
    sys.stdout.flush()

    assert shown in written.getvalue()
    assert form == "text" or json.loads(written.getvalue()) == answer


def test_without_standard_input_texts_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ServiceFailed, match="Give texts, or --file"):
        request([])


def test_the_name_of_a_file_among_texts_leads_to_the_option(tmp_path: Path) -> None:
    file = tmp_path / "new.csv"
    file.write_text("id,text\n1,flood\n")
    texts = (str(file), "flood " * 1000)

    finished = seedbed("predict", "floods", *texts, "--url", "http://127.0.0.1:1")

    told, *_ = finished.stderr.splitlines()
    assert told.startswith(f"{file} is a file, but is taken for a text here.")
    assert finished.stderr.count("is a file") == 1
