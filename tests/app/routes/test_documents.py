import asyncio
import gzip
import json
from collections.abc import Callable
from typing import Any
from unicodedata import normalize
from urllib.parse import quote

import pytest
from anyio import Semaphore
from fastapi import FastAPI
from hypothesis import HealthCheck, given
from hypothesis import settings as configured
from hypothesis import strategies as st
from sqlalchemy import event, text
from starlette.testclient import TestClient
from starlette.types import Message, Receive
from structlog.testing import capture_logs

from app.commands.shell_words import in_shell
from app.database import Database
from app.http import page_tokens
from app.main import create_app
from app.media_types import PARQUET, XLSX
from app.orm import Label, Project
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.documents import CHUNK_BYTES, CHUNK_ROWS
from app.services.intake.decoding import zstd
from app.services.ranking.exports import ndjson_lines
from app.services.ranking.ranking import RankedDocument
from app.settings import Settings
from tests.app.conftest import api_on
from tests.app.databases import on_sqlite
from tests.app.parquet import parquet_of
from tests.app.processes import eventually
from tests.app.workbooks import bytes_of, workbook

NDJSON = {"content-type": "application/x-ndjson"}
ODD_ID = 'a/b "c"/\U0001f600 é?#%&+'
MIB = 2**20


@pytest.fixture
def api(any_database: Database, settings: Settings) -> FastAPI:
    return make_api(any_database, settings)


@pytest.fixture
def project(any_database: Database) -> str:
    return make_project(any_database)


def make_api(
    database: Database, settings: Settings, make: Callable[[Settings], FastAPI] = api_on
) -> FastAPI:
    limits = {"max_upload_bytes": 32 * MIB, "max_document_bytes": 6 * MIB}
    api = make(settings.model_copy(update=limits))
    api.state.database = database
    api.state.write_turns = Semaphore(1)
    return api


@pytest.fixture
def client(api: FastAPI) -> TestClient:
    return TestClient(api)


def make_project(database: Database) -> str:
    """Return the path of a new project."""
    with database.writing.begin() as session:
        return "/projects/" + ProjectRepository(session).add(Project(name="a project")).id


def listed(client: TestClient, project: str, **parameters: Any) -> list[dict[str, Any]]:
    answer = client.get(f"{project}/documents", params={"page_size": 1000, **parameters})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["documents"]
    return found


def ids(client: TestClient, project: str, **parameters: Any) -> list[str]:
    return [document["id"] for document in listed(client, project, **parameters)]


def assert_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    return problem


def test_documents_are_added_and_reported(client: TestClient, project: str) -> None:
    body = [{"id": "a", "text": "one", "metadata": {"n": 1}}, "two", {"text": " "}]
    answer = client.post(f"{project}/unlabeled", json={"documents": body})
    assert answer.status_code == 200
    report = answer.json()
    assert report.pop("documents_per_second") * (report.pop("seconds") + 0.001) > 3 * 0.5
    assert report == {
        "received": 3,
        "inserted": 2,
        "replaced": 0,
        "unchanged": 0,
        "relabeled": 0,
        "repeated": 0,
        "rejected": 1,
        "blank": 1,
        "errors": [{"index": 2, "code": "empty_text", "reason": "The text is empty."}],
        "warnings": [],
    }
    first, second = listed(client, project)
    known = {"id": "a", "text": "one", "label": "unlabeled", "metadata": {"n": 1}}
    assert first == {**known, "vector_size": None}
    assert (second["text"], second["metadata"]) == ("two", None)


@on_sqlite
def test_ids_that_come_again_in_one_upload_are_told(client: TestClient, project: str) -> None:
    body = "id,text\n1,one\n2,two\n1,three\n1,four\n"
    answer = client.post(f"{project}/unlabeled", content=body, headers={"content-type": "text/csv"})
    report = answer.json()
    assert (report["received"], report["inserted"], report["repeated"]) == (4, 2, 2)
    (warning,) = report["warnings"]
    assert warning.startswith("2 of 4 rows have the id of an earlier row")
    assert warning.endswith("For example: 1.")


@on_sqlite
def test_ids_that_a_spreadsheet_rounded_are_named_so(client: TestClient, project: str) -> None:
    body = "id,text\n2.62559E+17,one\n2.62559E+17,two\n"
    answer = client.post(f"{project}/unlabeled", content=body, headers={"content-type": "text/csv"})
    (warning,) = answer.json()["warnings"]
    assert "rounded by a spreadsheet: format their column as text" in warning


def test_labeled_documents_that_come_with_another_text_are_told(
    client: TestClient, project: str
) -> None:
    labeled = [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}, {"id": "c", "text": "three"}]
    client.post(f"{project}/positives", json={"documents": labeled})
    again = [
        {"id": "a", "text": "1"},
        labeled[1],
        {"id": "c", "text": "3"},
        {"id": "d", "text": "4"},
    ]
    report = client.post(f"{project}/unlabeled", json={"documents": again}).json()
    assert (report["inserted"], report["replaced"], report["unchanged"]) == (1, 2, 1)
    (warning,) = report["warnings"]
    assert warning.startswith("2 of 4 rows gave a labeled document another text; ")
    assert warning.endswith("For example: a, c.")

    # The unlabeled have no label to lose, and who sends positives means them.
    for route, document in (("unlabeled", again[3]), ("positives", again[0])):
        changed = {**document, "text": "new"}
        report = client.post(f"{project}/{route}", json={"documents": [changed]}).json()
        assert (report["replaced"], report["warnings"]) == (1, [])


def test_a_pile_that_is_mostly_labeled_already_is_told(client: TestClient, project: str) -> None:
    texts = [f"text {i}" for i in range(5)]
    client.post(f"{project}/positives", json={"documents": texts[:3]})
    (warning,) = client.post(f"{project}/unlabeled", json={"documents": texts}).json()["warnings"]
    assert warning.startswith("3 of 5 rows name a labeled document, which keeps its label")
    # Some seeds stand in a pile.
    more = [*texts, "text 5"]
    assert client.post(f"{project}/unlabeled", json={"documents": more}).json()["warnings"] == []


@on_sqlite
def test_tags_of_html_are_told(client: TestClient, project: str) -> None:
    texts = ["a < b and b > c", "<flood> in <river>", '<div class="news">flood</div>', "line<br/>"]
    (warning,) = client.post(f"{project}/unlabeled", json={"documents": texts}).json()["warnings"]
    assert warning.startswith('2 of 4 texts have HTML tags such as <div class="news">, whose names')
    words = [
        "<I still haven't been able to compile xdvi, not now>",
        "<A good one> says <b >she</b>",
    ]
    (warning,) = client.post(f"{project}/unlabeled", json={"documents": words}).json()["warnings"]
    assert warning.startswith("1 of 2 texts have HTML tags such as <b >, whose names")


def test_ids_of_labeled_documents_among_the_unlabeled_are_told(
    client: TestClient, project: str
) -> None:
    client.post(f"{project}/positives", json=[{"id": "a", "text": "one"}])
    client.post(f"{project}/unlabeled", json=[{"id": "b", "text": "two"}])
    report = client.post(f"{project}/unlabeled", json={"ids": ["a", "b", "a"]}).json()
    assert report["unchanged"] == 3
    (warning,) = report["warnings"]
    assert warning.startswith("2 of 3 rows name a labeled document, which keeps its label")
    assert f"PUT {project}/labels" in warning
    assert warning.endswith("For example: a.")

    # Who sends positives means the label they have.
    assert client.post(f"{project}/positives", json={"ids": ["a"]}).json()["warnings"] == []


@on_sqlite
def test_entities_of_html_are_told(client: TestClient, project: str) -> None:
    texts = ["it&#x27;s a &amp; b", "c &lt; d", "R&D; AT&T", "plain"]
    report = client.post(f"{project}/unlabeled", json={"documents": texts}).json()
    (warning,) = report["warnings"]
    assert warning.startswith("2 of 4 texts have HTML entities such as &#x27;, ")
    assert "html.unescape" in warning
    report = client.post(f"{project}/unlabeled", json={"documents": texts[2:]}).json()
    assert (report["unchanged"], report["warnings"]) == (2, [])


@on_sqlite
def test_texts_in_another_language_than_that_of_the_project_are_told(
    client: TestClient, project: str
) -> None:
    texts = [f"Hochwasser und Regen sind im Tal {i}" for i in range(40)]

    def warnings() -> list[str]:
        found: list[str] = client.post(f"{project}/unlabeled", json=texts).json()["warnings"]
        return found

    (warning,) = warnings()
    assert warning.startswith("The texts look German: ")
    # Who says what is left out knows the language.
    assert client.patch(project, json={"vectorizer": {"stop_words": None}}).status_code == 200
    assert warnings() == []
    assert client.patch(project, json={"vectorizer": {}}).status_code == 200
    assert len(warnings()) == 1
    assert client.patch(project, json={"language": "german"}).status_code == 200
    assert warnings() == []


@on_sqlite
@pytest.mark.parametrize("name", ["doc_id", "tweet id", "ID", "docId", "Key", "Nr", "Ticket No."])
def test_a_column_that_looks_like_ids_and_was_not_named_is_told(
    client: TestClient, project: str, name: str
) -> None:
    body, headers = f"{name},covid,text\n1,2,one\n", {"content-type": "text/csv"}
    report = client.post(f"{project}/unlabeled", content=body, headers=headers).json()
    (warning,) = report["warnings"]
    assert warning.startswith(f"{name!r} was kept as metadata")
    asked = {"id_column": name}
    report = client.post(f"{project}/unlabeled", params=asked, content=body, headers=headers).json()
    assert (report["inserted"], report["warnings"]) == (1, [])


@on_sqlite
def test_texts_that_are_there_under_other_ids_are_told(client: TestClient, project: str) -> None:
    rows = [{"key": f"k{i}", "text": f"text {i}"} for i in range(20)]
    body = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    asked: dict[str, Any] = {"params": {"id_column": "key"}, "content": body, "headers": NDJSON}
    for _ in range(2):
        report = client.post(f"{project}/unlabeled", **asked).json()
        assert report["warnings"] == []
    few = {"documents": [row["text"] for row in rows[:4]]}
    assert client.post(f"{project}/positives", json=few).json()["warnings"] == []

    texts = [row["text"] for row in rows[4:]]
    new = [f"new {i}" for i in range(9)]
    report = client.post(f"{project}/unlabeled", json={"documents": texts[:1] + new}).json()
    assert report["warnings"] == []
    # What another project has between is none of this one.
    other = client.post("/projects", json={"name": "other"}).json()["id"]
    client.post(f"/projects/{other}/unlabeled", json={"documents": new})
    warning = client.post(f"{project}/unlabeled", json={"documents": texts}).json()["warnings"][-1]

    assert warning.startswith("Nearly all of the 15 documents that came in have the text of one")
    assert "Add --id-column NAME. What" in in_shell(warning)


@on_sqlite
def test_a_field_that_looks_like_ids_and_was_not_named_is_told(
    client: TestClient, project: str
) -> None:
    body = b'{"tweet_id": "1", "full": "one"}\n{"tweet_id": "2", "full": "two"}\n'
    asked = {"text_column": "full"}
    sent = {"content": body, "headers": NDJSON}
    (warning,) = client.post(f"{project}/unlabeled", params=asked, **sent).json()["warnings"]
    assert warning.startswith("'tweet_id' was kept as metadata")
    asked |= {"id_column": "tweet_id"}
    report = client.post(f"{project}/unlabeled", params=asked, **sent).json()
    assert (report["inserted"], report["warnings"]) == (2, [])


@on_sqlite
@pytest.mark.parametrize(
    ("row", "query"),
    [
        ('{"id": "1", "user_id": 2, "text": "a"}', {}),
        ('"a user_id"', {}),
        ('{"id": null, "text": "a"}', {}),
        ('{"key": null, "text": "a"}', {"id_column": "key"}),
        ('{"key": "a"}', {"text_column": "key"}),
        ('{"text": "a", "metadata": {"user_id": 2}}', {}),
    ],
)
def test_ids_are_missed_only_where_there_are_none(
    client: TestClient, project: str, row: str, query: dict[str, str]
) -> None:
    asked = {"extra_fields": "metadata", **query}
    sent = {"content": row, "headers": NDJSON}
    assert client.post(f"{project}/unlabeled", params=asked, **sent).json()["warnings"] == []


@on_sqlite
def test_an_upload_without_a_valid_row_is_refused_with_its_report(
    client: TestClient, project: str
) -> None:
    answer = client.post(f"{project}/unlabeled", json=[{"txt": "one"}, " "])
    problem = assert_problem(answer, 422, "rows_rejected")
    assert problem["detail"].startswith(
        "2 of 2 rows were rejected, so none was kept. The first, index 0: The row has no field"
    )
    assert [e["code"] for e in problem["report"]["errors"]] == ["missing_text", "empty_text"]


def test_rejected_rows_are_told_in_their_order(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": "a", "text": "text"}])
    rejected = client.post(f"{project}/positives", json={"ids": ["b", "", "a", "c", *[""] * 100]})
    errors = rejected.json()["errors"]
    assert [error["index"] for error in errors] == [0, 1, *range(3, 101)]
    assert [error["code"] for error in errors[:3]] == ["unknown_id", "invalid_id", "unknown_id"]


def test_positives_are_added_or_named(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": "a", "text": "one"}, {"id": "b", "text": "2"}])
    answer = client.post(f"{project}/positives", json={"ids": ["a", "unknown"]})
    report = answer.json()
    assert (report["replaced"], report["rejected"]) == (1, 1)
    assert report["errors"][0]["code"] == "unknown_id"
    client.post(f"{project}/positives", content="three", headers={"content-type": "text/plain"})
    assert [d["text"] for d in listed(client, project, label="positive")] == ["one", "three"]


@configured(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(
    texts=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
            str.strip
        ),
        min_size=1,
    ),
    media_type=st.sampled_from(["application/json", "application/x-ndjson"]),
    encoding=st.sampled_from(["identity", "gzip", "zstd"]),
)
def test_any_text_comes_back_as_it_was_sent(
    client: TestClient, project: str, texts: list[str], media_type: str, encoding: str
) -> None:
    compress: dict[str, Callable[[bytes], bytes]] = {
        "identity": bytes,
        "gzip": gzip.compress,
        "zstd": zstd.compress,
    }
    rows = [json.dumps({"text": text}) for text in texts]
    body = "\n".join(rows) if media_type.endswith("ndjson") else f"[{','.join(rows)}]"
    headers = {"content-type": media_type, "content-encoding": encoding}
    content = compress[encoding](body.encode())
    answer = client.post(f"{project}/unlabeled", content=content, headers=headers)
    assert answer.json()["rejected"] == 0
    composed = {normalize("NFC", text) for text in texts}
    assert composed <= {document["text"] for document in listed(client, project)}


def test_a_hundred_thousand_lines_with_ten_bad_ones(database: Database, settings: Settings) -> None:
    client, project = TestClient(make_api(database, settings)), make_project(database)
    lines = [f'{{"id": "{i}", "text": "text number {i}"}}' for i in range(100_000)]
    bad = list(range(5000, 100_000, 10_000))
    for i in bad:
        lines[i] = '{"id": "half of an obj'
    body = gzip.compress("\n".join(lines).encode(), 1)
    headers = {**NDJSON, "content-encoding": "gzip"}
    report = client.post(f"{project}/unlabeled", content=body, headers=headers).json()
    assert (report["received"], report["inserted"], report["rejected"]) == (100_000, 99_990, 10)
    assert [error["line"] for error in report["errors"]] == [i + 1 for i in bad]


def test_an_odd_id_is_stored_labelled_and_deleted(client: TestClient, project: str) -> None:
    documents = [{"id": id_, "text": "text"} for id_ in (ODD_ID, "a", "/a", "a/", "a/..b")]
    assert client.post(f"{project}/unlabeled", json=documents).json()["inserted"] == 5
    labels = [{"id": ODD_ID, "label": "negative"}]
    assert client.put(f"{project}/labels", json=labels).json() == {"changed": 1, "unchanged": 0}
    assert ids(client, project, label="negative") == [ODD_ID]
    for id_ in (ODD_ID, "/a", "a/..b"):
        path = f"{project}/documents/{quote(id_, safe='/')}"
        assert client.get(path).json()["id"] == id_
        assert client.delete(path).status_code == 204
        assert_problem(client.delete(path), 404, "document_not_found")
        assert_problem(client.get(path), 404, "document_not_found")
    assert ids(client, project) == ["a", "a/"]


def test_a_document_is_read_as_it_is_listed(client: TestClient, project: str) -> None:
    document = {"id": "a", "text": "text", "metadata": {"n": 1}}
    client.post(f"{project}/positives", json=[document])
    expected = {**document, "label": "positive", "vector_size": None}
    assert client.get(f"{project}/documents/a").json() == expected
    assert listed(client, project) == [expected]


@on_sqlite
@pytest.mark.parametrize("id_", [".", "..", "../a", "a/.", "a/../b"])
def test_steps_that_lead_elsewhere_are_no_document(
    client: TestClient, project: str, id_: str
) -> None:
    # Escaped, or else the client would shorten them before it sends anything.
    path = f"{project}/documents/{id_.replace('.', '%2E')}"
    for answer in (client.get(path), client.delete(path)):
        problem = assert_problem(answer, 422, "invalid_request")
        assert problem["errors"][0]["detail"].startswith("It has . or .. as a step")


@on_sqlite
@pytest.mark.parametrize("id_", [".a", "..a", "...", "a.", "a/..b/.c", "//", "a/...", "a b"])
def test_dots_beside_others_are_part_of_an_id(client: TestClient, project: str, id_: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": id_, "text": "text"}])
    assert client.get(f"{project}/documents/{quote(id_)}").json()["id"] == id_


@on_sqlite
def test_a_slash_too_many_deletes_no_project(client: TestClient, project: str) -> None:
    # What clients make of the document "..", of which they shorten the path.
    assert_problem(client.delete(f"{project}/"), 404, "not_found")
    assert client.get(project).status_code == 200


def test_an_atomic_upload_with_a_bad_row_keeps_nothing(client: TestClient, project: str) -> None:
    body = "first\n\0\nlast"
    headers = {"content-type": "text/plain"}
    answer = client.post(f"{project}/unlabeled?atomic=true", content=body, headers=headers)
    report = assert_problem(answer, 422, "rows_rejected")["report"]
    assert (report["received"], report["inserted"], report["rejected"]) == (3, 0, 1)
    assert [(error["line"], error["code"]) for error in report["errors"]] == [(2, "nul_character")]
    assert ids(client, project) == []


def test_a_conflict_is_refused_on_demand(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": "a", "text": "old"}])
    path, body = f"{project}/unlabeled?on_conflict=error", [{"id": "a", "text": "new"}]
    problem = assert_problem(client.post(path, json=body), 422, "rows_rejected")
    assert problem["report"]["errors"][0]["code"] == "conflict"
    assert listed(client, project)[0]["text"] == "old"


def test_a_truncated_upload_says_what_was_kept(client: TestClient, project: str) -> None:
    lines = "".join(f'{{"id": "{i}", "text": "text {i * 7919}"}}\n' for i in range(1000))
    for compress, name in ((gzip.compress, "gzip"), (zstd.compress, "zstd")):
        body = compress(lines.encode())
        headers = {**NDJSON, "content-encoding": name}
        answer = client.post(
            f"{project}/unlabeled", content=body[: len(body) // 2], headers=headers
        )
        report = assert_problem(answer, 400, "unreadable_body")["report"]
        assert report["rejected"] == 0
        assert report["received"] == report["inserted"] + report["unchanged"] < 1000
        assert len(ids(client, project)) >= report["received"]


@pytest.mark.parametrize(
    ("end", "status", "code"),
    [
        ('], "x": 1}', 422, "invalid_request"),
        ('], "documents": ["three"]}', 422, "invalid_request"),
        ("", 400, "unreadable_body"),
    ],
)
def test_an_upload_that_breaks_off_says_that_rows_were_kept(
    client: TestClient, project: str, end: str, status: int, code: str
) -> None:
    body, headers = '{"documents": ["one", "two", ""', {"content-type": "application/json"}
    answer = client.post(f"{project}/unlabeled", content=body + end, headers=headers)
    problem = assert_problem(answer, status, code)
    assert "Rows kept from before that: 2. They stay" in problem["detail"]
    assert len(ids(client, project)) == problem["report"]["inserted"] == 2

    atomic = client.post(f"{project}/unlabeled?atomic=true", content=body + end, headers=headers)
    assert "kept" not in assert_problem(atomic, status, code)["detail"]


@on_sqlite
def test_a_bomb_of_a_few_kilobytes_is_too_large(client: TestClient, project: str) -> None:
    bomb = zstd.compress(b"a line of text\n" + bytes(64 * MIB))
    assert len(bomb) < 8000
    headers = {"content-type": "text/plain", "content-encoding": "zstd"}
    answer = client.post(f"{project}/unlabeled", content=bomb, headers=headers)
    problem = assert_problem(answer, 413, "body_too_large")
    assert "Send it in parts, or raise SEEDBED_MAX_UPLOAD_BYTES." in problem["detail"]


@on_sqlite
@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({}, f"application/json, application/x-ndjson, text/csv, {XLSX}, {PARQUET}, text/plain"),
        ({"content-type": "application/xml"}, "application/json"),
        ({**NDJSON, "content-encoding": "br"}, "gzip, zstd"),
    ],
)
def test_other_media_types_and_encodings_are_not_supported(
    client: TestClient, project: str, headers: dict[str, str], message: str
) -> None:
    answer = client.post(f"{project}/unlabeled", content=b'{"text": "a"}', headers=headers)
    assert message in assert_problem(answer, 415, "unsupported_media_type")["detail"]


@on_sqlite
def test_a_csv_without_the_column_is_not_valid(client: TestClient, project: str) -> None:
    headers = {"content-type": "text/csv"}
    for query, pointer in (
        ("", "?delimiter"),
        ("?delimiter=semicolon", "?text_column"),
        ("?delimiter=semicolon&text_column=body&id_column=id", "?id_column"),
    ):
        path = f"{project}/unlabeled{query}"
        answer = client.post(path, content=b"key;body\n1;2\n", headers=headers)
        problem = assert_problem(answer, 422, "invalid_request")
        assert "'key" in problem["detail"]
        assert [error["pointer"] for error in problem["errors"]] == [pointer]
    answer = client.post(
        f"{project}/unlabeled?text_column=title&text_column=body&id_column=key",
        content=b"key,title,body\n1,2,3\n",
        headers=headers,
    )
    assert answer.json()["inserted"] == 1
    assert [(d["id"], d["text"]) for d in listed(client, project)] == [("1", "2\n3")]


@on_sqlite
@pytest.mark.parametrize(
    "media_type", ["text/csv", "application/json", "application/x-ndjson", "text/plain"]
)
@pytest.mark.parametrize(
    ("query", "pointer"),
    [("id_column=", "?id_column"), ("text_column=text&text_column=", "?text_column/1")],
)
def test_an_empty_name_of_a_column_is_refused(
    client: TestClient, project: str, media_type: str, query: str, pointer: str
) -> None:
    body = "id,text\na,b\n" if media_type == "text/csv" else '[{"id": "a", "text": "b"}]'
    asked: dict[str, Any] = {"content": body, "headers": {"content-type": media_type}}
    problem = assert_problem(
        client.post(f"{project}/unlabeled?{query}", **asked), 422, "invalid_request"
    )
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("media_type", "query", "pointers"),
    [
        ("text/plain", "text_column=body&id_column=key", ["?text_column", "?id_column"]),
        ("text/plain", "delimiter=tab", ["?delimiter"]),
        ("application/nbib", "text_column=title&delimiter=tab", ["?delimiter"]),
        ("application/x-ndjson", "delimiter=semicolon", ["?delimiter"]),
        ("application/json", "delimiter=pipe", ["?delimiter"]),
        # Each is what is done anyway.
        ("text/plain", "delimiter=comma&extra_fields=metadata", []),
        ("text/csv", "extra_fields=metadata", []),
    ],
)
def test_what_the_format_has_no_use_for_is_refused_before_anything_is_read(
    client: TestClient, project: str, media_type: str, query: str, pointers: list[str]
) -> None:
    path, headers = f"{project}/unlabeled?{query}", {"content-type": media_type}
    answer = client.post(path, content=b"text\na text\n", headers=headers)
    if not pointers:
        assert answer.status_code == 200
        return
    problem = assert_problem(answer, 422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert "leave it out, or send the rows as" in problem["detail"]
    assert not listed(client, project)


def test_what_belongs_to_no_project_is_not_found(client: TestClient) -> None:
    for answer in (
        client.post("/projects/none/unlabeled", json=["text"]),
        client.get("/projects/none/documents"),
        client.put("/projects/none/labels", json=[]),
        client.get("/projects/none/documents/a"),
        client.delete("/projects/none/documents/a"),
    ):
        assert_problem(answer, 404, "project_not_found")


def test_pages_follow_one_another(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": f"{i}", "text": "text"} for i in range(5)])
    seen, parameters = [], {"page_size": "2"}
    while True:
        page = client.get(f"{project}/documents", params=parameters).json()
        seen.append([document["id"] for document in page["documents"]])
        if page["next_page_token"] is None:
            break
        parameters["page_token"] = page["next_page_token"]
    assert seen == [["0", "1"], ["2", "3"], ["4"]]


def test_a_page_of_other_documents_is_not_empty_but_refused(
    client: TestClient, project: str
) -> None:
    client.post(f"{project}/positives", json=["water"])
    client.post(f"{project}/unlabeled", json=["goal", "match", "team"])
    asked = {"label": "unlabeled", "page_size": "2"}
    token = client.get(f"{project}/documents", params=asked).json()["next_page_token"]
    for other in ({"label": "positive"}, {}, {"label": "unlabeled", "q": "a"}):
        answer = client.get(f"{project}/documents", params={**other, "page_token": token})
        assert "with other parameters" in assert_problem(answer, 422, "invalid_request")["detail"]


def test_documents_are_found_by_a_part_of_their_text(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=["Die HÖHE", "100% wool", "other"])
    assert [d["text"] for d in listed(client, project, q="höhe")] == ["Die HÖHE"]
    assert [d["text"] for d in listed(client, project, q="ho\u0308he")] == ["Die HÖHE"]
    assert [d["text"] for d in listed(client, project, q="0%")] == ["100% wool"]


@on_sqlite
@pytest.mark.parametrize(
    "query", ["page_size=0", "page_size=1001", "page_token=x", "label=none", "q=%00", "unknown=1"]
)
def test_parameters_that_are_not_valid_are_refused(
    client: TestClient, project: str, query: str
) -> None:
    assert_problem(client.get(f"{project}/documents?{query}"), 422, "invalid_request")


def test_labels_are_all_set_or_none(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": "a", "text": "text"}])
    decisions = [{"id": "a", "label": "positive"}, {"id": "b", "label": "positive"}]
    problem = assert_problem(
        client.put(f"{project}/labels", json=decisions), 404, "document_not_found"
    )
    assert problem["errors"][0]["pointer"] == "/1/id"
    assert ids(client, project, label="positive") == []


def test_labels_that_contradict_each_other_are_refused(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": id_, "text": "text"} for id_ in "ab"])
    labels = [("a", "positive"), ("b", "negative"), ("a", "positive"), ("b", "positive")]
    decisions = [{"id": id_, "label": label} for id_, label in labels]
    answer = client.put(f"{project}/labels", json=decisions)
    problem = assert_problem(answer, 422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == ["/3/label"]
    assert problem["detail"].startswith("1 of the labels contradicts another label")
    assert ids(client, project, label="positive") == []

    answer = client.put(f"{project}/labels", json=decisions[:3])
    assert answer.json() == {"changed": 2, "unchanged": 0}


def test_integers_are_ids_in_labels_as_in_uploads(client: TestClient, project: str) -> None:
    client.post(f"{project}/unlabeled", json=[{"id": 7, "text": "text"}])
    client.put(f"{project}/labels", json=[{"id": 7, "label": "positive"}])
    assert ids(client, project, label="positive") == ["7"]


@on_sqlite
@pytest.mark.parametrize(
    "decision",
    [
        {"id": "a", "label": "maybe"},
        {"id": "a"},
        {"id": "", "label": "positive"},
        {"id": "a\0", "label": "positive"},
        {"id": True, "label": "positive"},
        {"id": 5.0, "label": "positive"},
        {"id": "a", "label": "positive", "note": "unknown field"},
    ],
)
def test_label_decisions_that_are_not_valid_are_refused(
    client: TestClient, project: str, decision: dict[str, Any]
) -> None:
    answer = client.put(f"{project}/labels", json=[decision])
    assert_problem(answer, 422, "invalid_request")


def test_an_upload_that_comes_again_with_its_key_is_answered_again(
    client: TestClient, project: str
) -> None:
    headers = {"idempotency-key": "one", "content-type": "text/plain"}
    first = client.post(f"{project}/unlabeled", content="a\nb", headers=headers)
    again = client.post(f"{project}/unlabeled", content="a\nb", headers=headers)
    assert first.json()["inserted"] == 2
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    for content, changed in (
        ("c", {}),
        ("a\nb", {"content-type": "text/csv"}),
        ("a\nb", {"content-encoding": "identity"}),
    ):
        other = client.post(f"{project}/unlabeled", content=content, headers={**headers, **changed})
        assert_problem(other, 422, "idempotency_key_reused")
    assert len(ids(client, project)) == 2


@pytest.mark.parametrize("atomic", [False, True])
def test_an_upload_that_finds_no_room_tells_what_is_stored(
    database: Database, settings: Settings, atomic: bool
) -> None:
    client = TestClient(make_api(database, settings))
    project = make_project(database)
    client.post(f"{project}/unlabeled", json=[{"id": "0", "text": "text 0"}])
    with database.reading() as session:
        n_pages = session.execute(text("PRAGMA page_count")).scalar_one()

    def limit(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {n_pages + 3000}")  # 12 MB

    event.listen(database.engine, "checkout", limit)
    body = [{"id": str(i), "text": f"text {i}" + i * 100_000 * " long"} for i in range(9)]
    with capture_logs():  # to render the error takes seconds
        answer = client.post(f"{project}/unlabeled", params={"atomic": atomic}, json=body)
    report = assert_problem(answer, 507, "storage_full")["report"]
    with database.reading() as session:
        counts = DocumentRepository(session).counts(project.removeprefix("/projects/"))
    assert counts["total"] == 1 + report["inserted"]
    assert report["unchanged"] == (not atomic)
    assert (report["inserted"] > 0) == (not atomic)


async def posted(
    api: FastAPI, path: str, receive: Receive, encoding: str = "identity"
) -> list[Message]:
    """Return what is sent to a client whose body comes by ``receive``."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [
            (b"content-type", b"application/x-ndjson"),
            (b"content-encoding", encoding.encode()),
        ],
    }
    await api(scope, receive, send)
    return sent


def test_an_upload_that_stalls_is_given_up_with_its_report(
    database: Database, settings: Settings
) -> None:
    impatient = settings.model_copy(update={"body_timeout_seconds": 0.2})
    api = make_api(database, impatient, create_app)
    project = make_project(database)
    messages = [{"type": "http.request", "body": b'"one"\n"two', "more_body": True}]

    async def receive() -> Message:
        return messages.pop() if messages else await asyncio.Event().wait()

    start, body = asyncio.run(posted(api, f"{project}/unlabeled", receive))
    problem = json.loads(body["body"])
    assert (start["status"], problem["code"]) == (408, "body_stalled")
    assert (problem["report"]["received"], problem["report"]["inserted"]) == (1, 1)
    assert len(listed(TestClient(api), project)) == 1


def n_documents(database: Database) -> int:
    with database.reading() as session:
        return int(session.execute(text("SELECT count(*) FROM documents")).scalar_one())


def test_of_a_project_deleted_during_an_upload_no_row_is_kept(
    database: Database, settings: Settings
) -> None:
    api, project = make_api(database, settings), make_project(database)
    large = [b'"%s"\n' % (letter * (CHUNK_BYTES * 2 // 3)) for letter in (b"a", b"b")]
    messages = [
        {"type": "http.request", "body": b"".join(large), "more_body": True},
        {"type": "http.request", "body": b'"the last"\n', "more_body": False},
    ]

    async def receive() -> Message:
        if len(messages) == 1:
            eventually(lambda: n_documents(database), "documents of the first chunk")
            with database.writing.begin() as session:
                ProjectRepository(session).delete(project.removeprefix("/projects/"))
        return messages.pop(0)

    start, body = asyncio.run(posted(api, f"{project}/unlabeled", receive))
    problem = json.loads(body["body"])
    assert (start["status"], problem["code"]) == (404, "project_not_found")
    assert (problem["report"]["received"], problem["report"]["inserted"]) == (3, 0)
    assert "kept" not in problem["detail"]


def test_a_compressed_upload_ends_when_its_client_is_gone(
    database: Database, settings: Settings
) -> None:
    api, project = make_api(database, settings), make_project(database)
    body = gzip.compress(b"".join(b'"text %d"\n' % i for i in range(10)))
    messages = [
        {"type": "http.request", "body": body[:20], "more_body": True},
        {"type": "http.request", "body": body[20:], "more_body": False},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return messages.pop(0)

    assert asyncio.run(posted(api, f"{project}/unlabeled", receive, "gzip")) == []
    # The last message says that it is gone; before it was asked for, some rows were read.
    assert len(listed(TestClient(api), project)) < 10


def test_rows_that_were_read_stay_when_the_client_goes_away(
    any_database: Database, api: FastAPI, project: str
) -> None:
    line = b'{"id": "%d", "text": "text"}\n'
    body = b"".join(line % i for i in range(CHUNK_ROWS + 10)) + b'{"id": "half'
    messages = [
        {"type": "http.request", "body": body, "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return messages.pop(0)

    asyncio.run(posted(api, f"{project}/unlabeled", receive))
    with any_database.reading() as session:
        counts = DocumentRepository(session).counts(project.removeprefix("/projects/"))
    assert counts["total"] == CHUNK_ROWS + 10


@on_sqlite
def test_an_upload_without_a_row_is_told(client: TestClient, project: str) -> None:
    for content, headers in ((b"\n\n", NDJSON), (b"[]", {"content-type": "application/json"})):
        answer = client.post(f"{project}/unlabeled", content=content, headers=headers)
        assert answer.status_code == 200
        assert answer.json()["warnings"] == ["The body holds no document: nothing was added."]


@on_sqlite
def test_a_ranking_comes_back_without_what_the_model_found(
    client: TestClient, project: str
) -> None:
    metadata = {"year": 1953, "rank": 7}
    ranked = [
        RankedDocument(i, f"d{i}", 1.0 - i, None, True, Label.NEGATIVE, i, f"water {i}", metadata)
        for i in (1, 2)
    ]
    content = b"".join(ndjson_lines(iter(ranked)))
    for params in ({}, {"extra_fields": "metadata"}):
        answer = client.post(
            f"{project}/unlabeled", content=content, headers=NDJSON, params=params
        ).json()
        assert (answer["received"], answer["rejected"]) == (2, 0)
        (warning,) = answer["warnings"]
        names = "rank, score, probability, predicted, label, judgement"
        assert f"of its fields, {names} were left out" in warning
        document = client.get(f"{project}/documents").json()["documents"][0]
        assert (document["text"], document["metadata"]) == ("water 1", metadata)


def test_a_positive_that_was_judged_negative_is_told(client: TestClient, project: str) -> None:
    texts = {"documents": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]}
    client.post(f"{project}/unlabeled", json=texts)
    client.put(f"{project}/labels", json=[{"id": "a", "label": "negative"}])

    (warning,) = client.post(f"{project}/positives", json=texts).json()["warnings"]

    assert warning.startswith("1 of 2 rows made a document positive that was judged negative.")
    assert warning.endswith(f"PUT {project}/labels. For example: a.")
    assert client.post(f"{project}/positives", json=texts).json()["warnings"] == []


def test_documents_that_become_positive_are_counted(client: TestClient, project: str) -> None:
    texts = {"documents": ["x", "y", "y"]}
    client.post(f"{project}/positives", json={"documents": ["x"]})
    client.post(f"{project}/unlabeled", json=texts)

    mistaken, again = (client.post(f"{project}/positives", json=texts).json() for _ in range(2))

    # x was positive, and the second y found the first one positive already.
    assert (mistaken["relabeled"], mistaken["unchanged"]) == (1, 2)
    assert (again["relabeled"], again["unchanged"]) == (0, 3)


@pytest.mark.parametrize("n_words", [(15, 0), (0, 15)])
def test_a_page_of_large_documents_ends_early(
    client: TestClient, project: str, monkeypatch: pytest.MonkeyPatch, n_words: tuple[int, int]
) -> None:
    monkeypatch.setattr(page_tokens, "PAGE_CHARACTERS", 100)
    text, note = ("long " * n for n in n_words)
    texts = [f"{i} {text}" for i in range(5)]
    documents = [{"text": text, "metadata": {"note": note}} for text in texts]
    assert client.post(f"{project}/unlabeled", json=documents).is_success
    found: list[str] = []
    asked: dict[str, Any] = {"page_size": 4}
    while True:
        page = client.get(f"{project}/documents", params=asked).json()
        assert len(page["documents"]) <= 2
        found += [document["text"] for document in page["documents"]]
        if page["next_page_token"] is None:
            break
        asked["page_token"] = page["next_page_token"]
    assert found == texts


@pytest.mark.parametrize(
    ("content", "media_type", "position", "told"),
    [
        ('{"id": "a", "text": ""}\n"b"', "x-ndjson", {"line": 1}, {"id": "a"}),
        ('{"id": 7, "text": 1}\n"b"', "x-ndjson", {"line": 1}, {"id": "7"}),
        ('[{"id": "a", "text": "b", "vector": [0]}, "b"]', "json", {"index": 0}, {"id": "a"}),
        ('[{"id": "a", "text": "b", "place": 1}, "b"]', "json", {"index": 0}, {"id": "a"}),
        ('["", "b"]', "json", {"index": 0}, {}),
        ('{"id": "\\ud800", "text": 5}\n"b"', "x-ndjson", {"line": 1}, {}),
        ('[{"id": "../a", "text": ""}, "b"]', "json", {"index": 0}, {}),
    ],
)
def test_a_refused_document_is_named_by_its_id_where_it_can_be_read(
    client: TestClient,
    project_id: str,
    content: str,
    media_type: str,
    position: dict[str, int],
    told: dict[str, str],
) -> None:
    headers = {"content-type": f"application/{media_type}"}
    report = client.post(f"/projects/{project_id}/unlabeled", content=content, headers=headers)
    (error,) = report.json()["errors"]
    assert error == {**position, **told, "code": error["code"], "reason": error["reason"]}


def test_many_documents_are_removed_at_once(client: TestClient, filled_project_id: str) -> None:
    path = f"/projects/{filled_project_id}"
    before = client.get(path).json()
    report = client.post(f"{path}/deletions", json={"ids": ["u0", "p1", "x", "u0", 7]}).json()
    assert report == {"deleted": 2, "unknown": 2, "unknown_ids": ["x", "7"]}
    after = client.get(path).json()
    assert after["counts"]["total"] == before["counts"]["total"] - 2
    assert after["counts"]["positive"] == before["counts"]["positive"] - 1

    again = client.post(f"{path}/deletions", json={"ids": ["u0"]}).json()
    assert again == {"deleted": 0, "unknown": 1, "unknown_ids": ["u0"]}


@pytest.mark.parametrize("ids", [[], [""], ["a\0"], [True], "a", None])
def test_deletions_without_ids_are_refused(client: TestClient, project_id: str, ids: Any) -> None:
    answer = client.post(f"/projects/{project_id}/deletions", json={"ids": ids})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert client.post("/projects/none/deletions", json={"ids": ["a"]}).status_code == 404


def test_rows_that_look_like_one_text_are_warned_of(client: TestClient, project_id: str) -> None:
    rows = [f"{i},text {i}" for i in range(30)]
    content = "\n".join(["id,text", "a,fine", 'b,"open', *rows, 'c,closed"', "d,fine"])
    headers = {"content-type": "text/csv"}
    report = client.post(f"/projects/{project_id}/unlabeled", content=content, headers=headers)
    (warning,) = report.json()["warnings"]
    assert warning.startswith("The row at line 3 has 32 lines, nearly all of which look like rows")
    assert report.json()["inserted"] == 3


@pytest.mark.parametrize(
    ("doi", "n_warnings"),
    [
        ("10.1000/abc", 0),
        ("10.1000/ABC", 1),
        ("10.1000/abc.", 1),
        ("https://doi.org/10.1000/abc", 1),
        ("DOI: 10.1000/ABC", 1),
        ("none", 0),
        ("Table 2 of 10.1000/ABC", 0),
        ("https://example.com/doi/10.1000/ABC", 0),
    ],
)
@pytest.mark.parametrize("column", ["DOI", "paper", "id"])
def test_dois_unlike_those_of_references_are_warned_of(
    client: TestClient, project_id: str, column: str, doi: str, n_warnings: int
) -> None:
    content = f"{column},text\n{doi},seed\n{doi}9,bed"
    report = client.post(
        f"/projects/{project_id}/unlabeled",
        params={"id_column": column},
        content=content,
        headers={"content-type": "text/csv"},
    ).json()
    assert (report["inserted"], len(report["warnings"])) == (2, n_warnings)
    told = ("capitals, an address, or a full stop", "a paper would be there twice")
    assert all(part in warning for part in told for warning in report["warnings"])


def test_a_workbook_is_an_upload(client: TestClient, project: str) -> None:
    rows = [["Nr", "Text", "team"], [1, "water in the houses", "a"], [2, None, "b"]]
    sheet, path = bytes_of(workbook(*rows)), f"{project}/unlabeled"
    columns = {"text_column": "Text", "id_column": "Nr"}
    packed = {"content-type": XLSX, "content-encoding": "gzip"}
    report = client.post(path, params=columns, content=gzip.compress(sheet), headers=packed).json()
    assert (report["inserted"], report["blank"]) == (1, 1)
    (error,) = report["errors"]
    assert (error["line"], error["id"], error["code"]) == (3, "2", "empty_text")
    found = client.get(f"{project}/documents/1").json()
    assert (found["text"], found["metadata"]) == ("water in the houses", {"team": "a"})


def test_parquet_is_an_upload_with_its_vectors(client: TestClient, project: str) -> None:
    columns = {"Nr": [1, 2, 3], "Text": ["water in the houses", None, "a goal"]}
    body = parquet_of({**columns, "vector": [[0.5, 1.0], None, [1.0]], "tags": [["x"]] * 3})
    path, params = f"{project}/unlabeled", {"text_column": "Text", "id_column": "Nr"}
    is_parquet = {"content-type": PARQUET}
    report = client.post(path, params=params, content=body, headers=is_parquet).json()
    assert (report["inserted"], report["blank"], report["rejected"]) == (1, 1, 2)
    told = [(error["line"], error["code"]) for error in report["errors"]]
    assert told == [(2, "empty_text"), (3, "invalid_vector")]
    assert ["'tags'" in warning for warning in report["warnings"]] == [True]
    assert client.get(f"{project}/documents/1").json()["vector_size"] == 2
    told = client.post(path, content=body, headers={"content-type": "text/csv"})
    assert PARQUET in assert_problem(told, 400, "unreadable_body")["detail"]
    assert_problem(client.post(path, content=b"a", headers=is_parquet), 400, "unreadable_body")


@on_sqlite
def test_a_workbook_is_sent_as_one(client: TestClient, project: str) -> None:
    sheet, path = bytes_of(workbook(["text"], ["a"])), f"{project}/unlabeled"
    told = client.post(path, content=sheet, headers={"content-type": "text/csv"})
    assert XLSX in assert_problem(told, 400, "unreadable_body")["detail"]
    is_xlsx = {"content-type": XLSX}
    assert_problem(client.post(path, content=b"text\na\n", headers=is_xlsx), 400, "unreadable_body")
    refused = client.post(path, params={"delimiter": "tab"}, content=sheet, headers=is_xlsx)
    assert refused.json()["errors"][0]["pointer"] == "?delimiter"
