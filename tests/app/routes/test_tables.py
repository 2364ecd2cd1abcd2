import gzip
import io
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from app.artifacts import Artifacts
from app.database import Database
from app.main import create_app
from app.schemas.tables import CSV_EXAMPLE, EXAMPLE
from app.settings import Settings
from tests.app.conftest import run_oldest_job
from tests.app.databases import on_sqlite

CSV = {"content-type": "text/csv"}
PARQUET = {"content-type": "application/vnd.apache.parquet"}
QUERY = {"label_column": "kind", "positive": "attack", "exclude": "row", "categorical": "one_hot"}


@pytest.fixture
def client(any_client: TestClient) -> TestClient:
    return any_client


def post(
    client: TestClient, body: str | bytes = CSV_EXAMPLE, headers: dict[str, str] = CSV, **query: Any
) -> Any:
    parameters = {name: value for name, value in {**QUERY, **query}.items() if value is not None}
    return client.post("/tables", params=parameters, content=body, headers=headers)


def keys(artifacts: Artifacts) -> list[str]:
    return [key for key, _ in artifacts.list()]


def test_table_is_kept_with_its_schema_and_digest(client: TestClient, artifacts: Artifacts) -> None:
    answer = post(client, name=" devices ")
    table = answer.json()

    assert answer.status_code == 201
    assert answer.headers["location"] == f"/tables/{table['id']}"
    assert table["name"] == "devices"
    assert (table["n_rows"], table["n_positive"], table["n_unlabeled"]) == (6, 2, 4)
    assert [(c["name"], c["kind"]) for c in table["columns"]] == [
        ("duration", "numeric"),
        ("packets", "numeric"),
        ("sender=inside", "one_hot"),
        ("sender=outside", "one_hot"),
    ]
    assert client.get(answer.headers["location"]).json() == table
    assert keys(artifacts) == [f"tables/{table['id']}"]


@on_sqlite
def test_a_name_that_is_too_long_is_told_in_characters(client: TestClient) -> None:
    problem = post(client, name=201 * "x").json()
    assert problem["detail"] == "?name: String should have at most 200 characters"


@on_sqlite
def test_the_example_is_what_comes_of_the_example(client: TestClient) -> None:
    table = post(client, name="devices").json()
    some = {name: value for name, value in table.items() if name in EXAMPLE}
    some |= {name: EXAMPLE[name] for name in ("id", "created_at", "digest")}
    assert {**some, "columns": some["columns"][:1]} == EXAMPLE


@on_sqlite
def test_parquet_gives_the_same_table_as_csv(client: TestClient) -> None:
    lines = [line.split(",") for line in CSV_EXAMPLE.splitlines()]
    columns: dict[str, list[Any]] = dict(zip(lines[0], zip(*lines[1:], strict=True), strict=True))
    for name in ("duration", "packets"):
        columns[name] = [float(value) for value in columns[name]]
    sink = io.BytesIO()
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), sink)

    digests = {
        post(client).json()["digest"],
        post(client, sink.getvalue(), PARQUET).json()["digest"],
    }

    assert len(digests) == 1


@on_sqlite
def test_compressed_upload_is_unpacked(client: TestClient) -> None:
    body = gzip.compress(CSV_EXAMPLE.encode())
    assert post(client, body, {**CSV, "content-encoding": "gzip"}).status_code == 201


def test_kept_answers_go_with_their_table(client: TestClient) -> None:
    headers = {**CSV, "idempotency-key": "k1"}
    first = post(client, headers=headers).json()["id"]
    assert post(client, headers=headers).json()["id"] == first
    assert client.delete(f"/tables/{first}").status_code == 204

    again = post(client, headers=headers)
    assert again.status_code == 201
    assert client.get(again.headers["location"]).status_code == 200


def test_tables_are_listed_the_newest_first(client: TestClient) -> None:
    ids = [post(client).json()["id"] for _ in range(3)]

    first = client.get("/tables", params={"page_size": 2}).json()
    token = first["next_page_token"]
    second = client.get("/tables", params={"page_size": 2, "page_token": token}).json()

    assert [table["id"] for table in first["tables"] + second["tables"]] == ids[::-1]
    assert second["next_page_token"] is None
    assert "columns" not in first["tables"][0]


@on_sqlite
@pytest.mark.parametrize(
    ("body", "query", "code", "pointer"),
    [
        (CSV_EXAMPLE, {"categorical": None}, "text_column", "/rows/1/columns/sender"),
        (CSV_EXAMPLE.replace("0.7", "NaN"), {}, "missing_value", "/rows/3/columns/duration"),
        (CSV_EXAMPLE.replace("0.7", "nan"), {}, "missing_value", "/rows/3/columns/duration"),
        (CSV_EXAMPLE.replace("0.7", "inf"), {}, "not_finite", "/rows/3/columns/duration"),
        (CSV_EXAMPLE.replace("0.7,4", "0.7"), {}, "ragged_row", "/rows/3"),
        (CSV_EXAMPLE.replace("packets", "duration"), {}, "duplicate_column", "/columns/duration"),
        (CSV_EXAMPLE + CSV_EXAMPLE, {}, "repeated_header", "/rows/7"),
        (CSV_EXAMPLE.partition("\n")[0], {}, "no_rows", ""),
        (CSV_EXAMPLE, {"label_column": "sort"}, "unknown_column", "?label_column"),
        (CSV_EXAMPLE, {"positive": "atack"}, "unknown_label", "?positive"),
        (CSV_EXAMPLE, {"positive": ["attack", "normal"]}, "no_unlabeled", ""),
        (
            CSV_EXAMPLE.replace("12", "").replace("11", ""),
            {"missing": "drop_rows"},
            "no_positives",
            "",
        ),
    ],
)
def test_faults_are_told_with_their_place_and_nothing_is_kept(
    client: TestClient,
    artifacts: Artifacts,
    body: str,
    query: dict[str, Any],
    code: str,
    pointer: str,
) -> None:
    answer = post(client, body, **query)
    problem = answer.json()

    assert (answer.status_code, problem["code"]) == (422, "invalid_table")
    assert answer.headers["content-type"] == "application/problem+json"
    assert (problem["errors"][0]["code"], problem["errors"][0]["pointer"]) == (code, pointer)
    assert problem["detail"].startswith(problem["errors"][0]["detail"])
    assert ("line" in problem["errors"][0]) == (code == "ragged_row")
    assert keys(artifacts) == []
    assert client.get("/tables").json()["tables"] == []


@on_sqlite
def test_delimiter_and_mark_of_missing_values_are_taken(client: TestClient) -> None:
    body = "a;b;kind\n1;7;yes\n-;7;no\n3;7;no\n"
    query = {"positive": "yes", "exclude": None, "categorical": None}
    said = {"delimiter": "semicolon", "missing_marker": "-", "missing": "mean"}
    problem = post(client, body, **query).json()
    table = post(client, body, **query, **said).json()

    assert problem["errors"][0]["pointer"] == "?delimiter"
    assert [column["missing"] for column in table["columns"]] == [1, 0]
    assert (table["delimiter"], table["missing_marker"]) == ("semicolon", ["-"])
    assert len(table["warnings"]) == 1
    assert client.get(f"/tables/{table['id']}").json() == table


@on_sqlite
@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"no parquet", PARQUET, 400, "unreadable_body"),
        (b"a,kind\n1,\xff\n", CSV, 422, "invalid_table"),
        (b"{}", {"content-type": "application/json"}, 415, "unsupported_media_type"),
        (b"x", {"content-type": "text/csv; charset=utf-16"}, 415, "unsupported_media_type"),
        (b"x", {**CSV, "content-encoding": "br"}, 415, "unsupported_media_type"),
    ],
)
def test_other_bodies_are_refused(
    client: TestClient, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    answer = post(client, body, headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@on_sqlite
def test_label_and_positives_are_required(client: TestClient) -> None:
    problem = client.post("/tables", content=CSV_EXAMPLE, headers=CSV).json()

    assert problem["code"] == "invalid_request"
    assert [error["pointer"] for error in problem["errors"]] == ["?label_column", "?positive"]


@on_sqlite
def test_ten_thousand_columns_are_taken(client: TestClient) -> None:
    names = ",".join(f"c{i}" for i in range(10_000))
    rows = "".join(f"{','.join([str(i % 7)] * 10_000)},{i}\n" for i in range(3))
    answer = post(client, f"{names},kind\n{rows}", positive="0", exclude=None, categorical=None)

    assert answer.status_code == 201
    assert answer.json()["n_features"] == 10_000


def test_limits_of_the_settings_hold(settings: Settings) -> None:
    for limits in ({"max_table_columns": 4}, {"max_table_bytes": 100}):
        app = create_app(settings.model_copy(update=limits))
        with TestClient(app) as client:
            answer = post(client)
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_too_large_a_table_is_refused_by_its_length(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"max_table_bytes": 100}))
    # Its first byte has not come yet.
    headers = {**CSV, "content-length": "101"}
    with TestClient(app) as client:
        answer = client.post("/tables?label_column=a&positive=1", content=b"", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert "Raise SEEDBED_MAX_TABLE_BYTES." in answer.json()["detail"]


def test_repeated_upload_is_one_table(client: TestClient, artifacts: Artifacts) -> None:
    headers = {**CSV, "idempotency-key": "k"}
    answers = [post(client, headers=headers) for _ in range(2)]

    assert answers[0].json() == answers[1].json()
    assert [a.status_code for a in answers] == [201, 201]
    assert answers[1].headers["location"] == answers[0].headers["location"]
    assert len(client.get("/tables").json()["tables"]) == len(keys(artifacts)) == 1
    other = post(client, CSV_EXAMPLE.replace("12", "13"), headers)
    assert other.json()["code"] == "idempotency_key_reused"


@pytest.mark.parametrize("headers", [CSV, {**CSV, "idempotency-key": "k"}])
def test_a_table_that_finds_the_database_full_leaves_no_file(
    settings: Settings, database: Database, artifacts: Artifacts, headers: dict[str, str]
) -> None:
    names = ",".join(f"x{i}" for i in range(2000))
    table = f"{names},kind\n{'1,' * 2000}a\n{'2,' * 2000}b\n"
    app = create_app(settings)
    with TestClient(app) as client:
        engine = app.state.database.engine
        # No more pages than there are now; new connections only.
        event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count = 1"))
        engine.dispose()
        answer = post(client, table, headers, positive="a", exclude=None)

    assert (answer.status_code, answer.json()["code"]) == (507, "storage_full")
    assert keys(artifacts) == []


def test_a_table_whose_commit_had_no_answer_keeps_its_file(
    client: TestClient,
    any_database: Database,
    artifacts: Artifacts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialect = any_database.engine.dialect
    commit = dialect.do_commit

    def commit_and_fall_silent(connection: Any) -> None:
        commit(connection)
        raise dialect.loaded_dbapi.OperationalError("the connection was lost")

    with monkeypatch.context() as patched:
        patched.setattr(dialect, "do_commit", commit_and_fall_silent)
        answer = post(client)

    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    (table,) = client.get("/tables").json()["tables"]
    assert keys(artifacts) == [f"tables/{table['id']}"]


def test_table_is_deleted_with_what_was_made_of_it(
    client: TestClient, any_database: Database, artifacts: Artifacts
) -> None:
    table, other = (post(client).json()["id"] for _ in range(2))
    job = client.post("/feature-selection", json={"table_id": table, "method": "k_best"}).json()
    run_oldest_job(any_database, artifacts)
    selection = client.get(f"/jobs/{job['id']}").json()["result"]["feature_selection_id"]

    assert client.delete(f"/tables/{table}").status_code == 204

    for path in (f"/tables/{table}", f"/jobs/{job['id']}", f"/feature-selections/{selection}"):
        assert client.get(path).status_code == 404
    assert keys(artifacts) == [f"tables/{other}"]


@pytest.mark.parametrize("method", ["get", "delete"])
def test_unknown_table_is_not_found(client: TestClient, method: str) -> None:
    answer = getattr(client, method)("/tables/nobody")
    assert (answer.status_code, answer.json()["code"]) == (404, "table_not_found")


def test_deletion_during_a_job_publishes_nothing(
    client: TestClient,
    any_database: Database,
    artifacts: Artifacts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = post(client).json()["id"]
    client.post("/feature-selection", json={"table_id": table, "method": "k_best"})
    save: Callable[..., dict[str, Any]] = artifacts.save

    def delete_then_save(*arguments: Any) -> dict[str, Any]:
        client.delete(f"/tables/{table}")
        return save(*arguments)

    monkeypatch.setattr(artifacts, "save", delete_then_save)
    run_oldest_job(any_database, artifacts)

    assert keys(artifacts) == []
