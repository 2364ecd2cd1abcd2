"""What is sent for a prediction, and what is printed of the answer."""

import json
import os
from pathlib import Path

import pytest

from app.commands import predict as predict_command
from app.commands.client import ServiceFailed


def sent(texts: list[str], file: Path | None = None) -> list[dict[str, str]]:
    _, content = predict_command._request(texts, file)
    return [json.loads(line) for line in b"".join(content).split(b"\n") if line]


def test_texts_have_their_numbers_as_ids() -> None:
    assert sent(["a", " ", "b\nc"]) == [{"id": "1", "text": "a"}, {"id": "3", "text": "b\nc"}]


def test_lines_have_theirs_and_what_else_ends_lines_is_part_of_texts(tmp_path: Path) -> None:
    file = tmp_path / "new.TXT"
    file.write_bytes("a\u2028b\r\n\n\u00fc".encode())

    assert sent([], file) == [{"id": "1", "text": "a\u2028b"}, {"id": "3", "text": "\u00fc"}]


def test_any_number_of_lines_is_sent_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predict_command, "READ_BYTES", 1000)
    file = tmp_path / "new.txt"
    file.write_text("a long line\n" * 2500)
    _, content = predict_command._request([], file)
    blocks = list(content)

    assert max(block.count(b"\n") for block in blocks) <= 1000 / len("a long line")
    found = [json.loads(line) for line in b"".join(blocks).splitlines()]
    assert found == [{"id": str(n), "text": "a long line"} for n in range(1, 2501)]


def test_a_slow_pipe_is_sent_as_it_comes_and_kept_alive_where_it_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(predict_command, "PAUSE_SECONDS", 0)
    reads, writes = os.pipe()
    with open(reads, "rb") as pipe, open(writes, "wb", buffering=0) as producer:
        content = predict_command._numbered(predict_command._lines(pipe))
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


def test_ndjson_is_sent_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "new.ndjson.zst"
    file.write_bytes(b"compressed")
    headers, content = predict_command._request([], file)

    assert headers == {"content-type": "application/x-ndjson", "content-encoding": "zstd"}
    assert b"".join(content) == b"compressed"


@pytest.mark.parametrize("name", ["new.csv", "new.json", "new.txt.gz"])
def test_what_cannot_be_sent_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ServiceFailed, match=f"{name} is of no format .* one text a line, or"):
        predict_command._request([], tmp_path / name)


def test_texts_and_a_file_are_too_much(tmp_path: Path) -> None:
    with pytest.raises(ServiceFailed, match="Give either texts or, with --file"):
        predict_command._request(["a"], tmp_path / "new.txt")


def test_a_line_in_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_bytes(b"a\n\xff\n")
    with pytest.raises(ServiceFailed, match=r"Line 2 is not in UTF-8\."):
        sent([], tmp_path / "new.txt")


def test_a_model_without_probabilities_has_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    line = {"id": None, "label": "negative", "score": -1.5, "probability": None}
    predict_command._print(json.dumps(line).encode(), "text")

    assert capsys.readouterr().out == "negative\t-1.500\t-\t-\n"


@pytest.mark.parametrize("form", ["text", "ndjson"])
def test_an_answer_that_ends_early_is_a_failure(form: str) -> None:
    line = {"error": {"code": "artifact_unavailable", "reason": "The file is gone."}}
    with pytest.raises(ServiceFailed, match=r"The file is gone\."):
        predict_command._print(json.dumps(line).encode(), form)


def test_ndjson_is_printed_as_the_service_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = ['{"id":"\u00fc\u2028","label":"positive"}\n', '{"error": {"line": 2, "reason": "x"}}\n']
    for line in told:
        predict_command._print(line.encode(), "ndjson")

    assert capsys.readouterr().out == "".join(told)
