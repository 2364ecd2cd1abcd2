import ast
import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.commands.client import ServiceFailed
from app.commands.shell_words import in_shell
from app.errors import InvalidRequest, UnreadableBody
from app.job_kinds import JobKind
from app.media_types import PLAIN
from app.services.intake import csv_columns
from app.services.intake.decoding import decoded
from app.services.intake.text_language import TextLanguage
from app.services.jobs import limit_words
from core.doctor.finding import Finding
from core.doctor.words import words_of

SERVICES = Path(csv_columns.__file__).parents[1]
#: In messages that no command shows: the shell neither evaluates nor tests.
NOT_SHOWN = {
    "POST /models/7a/evaluation",
    "POST /models/7a/test",
    "POST /projects/7a/class-prior",
}


def routes_in_messages() -> set[str]:
    """Return what messages of the services tell a client to send, with 7a for each id."""
    found: set[str] = set()
    for path in SERVICES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant | ast.JoinedStr):
                told = re.sub(r"\{[^{}]+\}", "7a", ast.unparse(node))
                if not told.startswith(("'''", '"""')):
                    found |= set(re.findall(r"(?:GET|POST|PUT|DELETE) /[\w/-]++(?<!/)", told))
    return found


def test_every_route_that_a_command_may_show_has_a_command() -> None:
    routes = routes_in_messages()
    assert routes > NOT_SHOWN
    for route in routes - NOT_SHOWN:
        told = in_shell(f"{route} of the project")
        assert re.match("`seedbed (upload|train|ranking|champion|next|judge|review) ", told), route


def test_the_models_of_a_project_are_listed_by_a_command() -> None:
    told = in_shell("The project has no such model. GET /models?project_id=7a lists those it has.")
    assert told == "The project has no such model. `seedbed models 7a` lists those it has."


def test_the_project_is_named_as_it_was_typed() -> None:
    told = in_shell("Train one with POST /train and wait for its job.", r"'the \1 floods'")
    assert told == r"Train one with `seedbed train 'the \1 floods'` and wait for its job."
    assert str(ServiceFailed("Train: POST /train.")) == "Train: `seedbed train PROJECT`."


@pytest.mark.parametrize(
    ("header", "advice"),
    [
        (["id", "body"], ". Add --text-column NAME. If "),
        (["id;text"], ". Add --delimiter semicolon."),
    ],
)
def test_columns_are_named_by_options(header: list[str], advice: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        csv_columns.find_columns(header, [], None, "comma")
    told = in_shell(raised.value.detail)
    assert advice in told
    assert "seedbed upload" not in told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"cut": "best"}, "--cut: must be own"),
        ({"class_prior": 2}, "--class-prior: Input should be less"),
        ({"time_budget": 0}, "--time-budget: Input should be greater"),
        ({"params": 1, "vectorizer": 1}, r"--param: Input .*; --vectorizer: Input "),
        ({"params": {"C": 1}}, "--param belongs to an algorithm: name it with --algorithm."),
        (
            {"algorithm": "upu", "class_prior": 0.3, "params": {"class_prior": 0.2}},
            "--class-prior is 0.3, and 0.2 by --param.",
        ),
        (
            {"algorithm": "pnb", "cut": "f1", "calibrate": False},
            "The cut f1 does not go with --no-calibrate.",
        ),
        (
            {"calibrate": False},
            "auto rests on hidden positives: --no-calibrate needs --algorithm.",
        ),
    ],
)
def test_fields_of_a_training_are_named_by_options(
    client: TestClient, filled_project_id: str, asked: dict[str, Any], told: str
) -> None:
    problem = client.post("/train", json={"project_id": filled_project_id, **asked}).json()
    assert re.match(told, in_shell(problem["detail"]))


@pytest.mark.parametrize(
    ("field", "option"),
    [({"name": "a\tb"}, "The name of the project"), ({"language": "x"}, "--language")],
)
def test_fields_of_a_project_are_named_by_options(
    client: TestClient, field: dict[str, str], option: str
) -> None:
    problem = client.post("/projects", json={"name": "a", **field}).json()
    assert in_shell(problem["detail"]).startswith(f"{option}: ")


def test_advice_of_the_doctor_is_told_with_options() -> None:
    own, isolated = (
        in_shell(words_of(Finding(code, "warning"))) for code in ("own_words", "isolated_positives")
    )
    assert """leave them out (--vectorizer 'extra_stop_words=["WORD"]'), or take""" in own
    assert "train with --vectorizer analyzer=char_wb --vectorizer 'ngram_range=[2, 4]'" in isolated


def test_limits_are_told_with_options() -> None:
    assert "--no-calibrate or, for auto, a smaller --time-budget" in in_shell(
        limit_words.less_time(JobKind.TRAIN)
    )
    assert "fewer terms (--vectorizer with n_features, " in in_shell(
        limit_words.less_memory(JobKind.TRAIN)
    )


def test_encodings_are_named_by_the_option() -> None:
    told = in_shell(csv_columns.TO_UTF8)
    assert told == f"Save the file as UTF-8, or add --encoding {csv_columns.WINDOWS}."
    told = in_shell(csv_columns.AS_IN_UTF16)
    assert told.endswith("Save the file as UTF-8, or add --encoding utf-16.")
    # Cp1252 decodes Polish, too, to other letters: an advice of it alone would spoil texts.
    page = SERVICES.parent / "web" / "page" / "file_columns.js"
    offered = re.findall(r'"windows-(\d+)"', page.read_text())
    for words in (csv_columns.WINDOWS, csv_columns.AS_UTF8):
        assert re.findall(r"\bcp(\d+)", words) == offered
    body = iter(["a".encode("utf-16")])
    with pytest.raises(UnreadableBody) as raised:
        list(decoded(body, media_type=PLAIN, encoding="identity", max_bytes=9))
    told = in_shell(raised.value.detail)
    assert told == "The body is UTF-16: save the file as UTF-8, or add --encoding utf-16."


@pytest.mark.parametrize(
    ("content", "encoding", "told"),
    [
        (gzip.compress(b"a", mtime=0), "identity", "The body is gzip: end the file name in .gz."),
        (b"a,b", "gzip", "what is not compressed without .gz at the end of the file name."),
    ],
)
def test_compressed_files_go_by_their_names(content: bytes, encoding: str, told: str) -> None:
    with pytest.raises(UnreadableBody) as raised:
        list(decoded(iter([content]), media_type=PLAIN, encoding=encoding, max_bytes=99))
    assert in_shell(raised.value.detail).endswith(told)
    assert "for the command" not in in_shell(raised.value.detail)


def test_other_formats_go_by_their_names() -> None:
    with pytest.raises(InvalidRequest) as raised:
        csv_columns.find_columns(['{"text": "a"}'], [], None, "comma")
    told = "This is no CSV; it looks like JSON. End the file name in .ndjson or .json."
    assert in_shell(raised.value.detail) == told


def test_a_column_that_looks_like_ids_is_named_by_the_option() -> None:
    told = in_shell(csv_columns.unnamed_id(["text", "Nr ID"]) or "")
    assert "ids, add --id-column 'Nr ID', into a new project" in told


def test_a_language_is_changed_by_a_command() -> None:
    language = TextLanguage("english")
    language.look_at("Hochwasser steigt und " * 40)
    told = in_shell(language.warning("7a") or "")
    assert told.endswith("leave out. If so, run `seedbed change 7a --language german`.")
