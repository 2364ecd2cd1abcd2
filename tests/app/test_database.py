"""Locks, connections and room of both databases, as the API meets them."""

import re
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import event, select, text
from structlog.testing import capture_logs

from app import migrate
from app.database import FREE_BYTES, REQUEST_THREADS, UPLOAD_THREADS, Database
from app.job_kinds import JobKind
from app.main import create_app
from app.orm import Model, Project
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.settings import Settings
from tests.app.databases import create_tables
from tests.app.processes import ROOT, eventually

FILE = {"key": "models/one", "size": 1, "sha256": "0"}


@pytest.fixture
def impatient_client(
    settings: Settings, any_database: Database, any_database_url: str
) -> Iterator[TestClient]:
    """Return a client of an API that hardly waits for locks, on each database in turn."""
    changes = {"database_url": any_database_url, "database_timeout_seconds": 0.2}
    with TestClient(create_app(settings.model_copy(update=changes))) as client:
        yield client


def test_what_is_read_together_is_of_one_moment(any_database: Database) -> None:
    with any_database.writing.begin() as session:
        project_id = ProjectRepository(session).add(Project(name="floods")).id
    with any_database.reading() as reader:
        assert ProjectRepository(reader).page(after=None, limit=9)
        with any_database.writing.begin() as session:
            ProjectRepository(session).delete(project_id)
        reader.expire_all()
        assert ProjectRepository(reader).page(after=None, limit=9)
    with any_database.reading() as reader:
        assert not ProjectRepository(reader).page(after=None, limit=9)


def test_locked_database_is_told_in_time(
    impatient_client: TestClient, any_database: Database
) -> None:
    project_id = impatient_client.post("/projects", json={"name": "floods"}).json()["id"]

    def add() -> Response:
        return impatient_client.post(
            f"/projects/{project_id}/positives", json={"documents": [{"text": "a flood"}]}
        )

    # On SQLite BEGIN IMMEDIATE locks, on PostgreSQL SELECT ... FOR UPDATE.
    with any_database.writing.begin() as session:
        session.execute(select(Project).where(Project.id == project_id).with_for_update())
        started = time.monotonic()
        refused = add()
        seconds = time.monotonic() - started

    assert refused.status_code == 503
    assert refused.json()["code"] == "database_unavailable"
    assert int(refused.headers["retry-after"]) > 0
    assert 0.2 <= seconds < 30
    assert add().json()["inserted"] == 1


def test_options_of_a_postgresql_url_are_kept(postgresql_url: str) -> None:
    joint = "&" if "?" in postgresql_url else "?"
    url = f"{postgresql_url}{joint}options=-c%20work_mem%3D1MB"
    database = Database(url, timeout_seconds=1.5)

    with database.engine.connect() as connection:
        shown = [connection.scalar(text(f"SHOW {name}")) for name in ("work_mem", "lock_timeout")]
    database.close()

    assert shown == ["1MB", "1500ms"]


@pytest.mark.parametrize(
    "setting", ["datestyle = 'SQL, DMY'", "default_transaction_isolation = 'serializable'"]
)
def test_settings_of_a_postgresql_database_do_not_reach_the_service(
    empty_postgresql_url: str, setting: str
) -> None:
    database = Database(empty_postgresql_url)
    name = database.engine.url.database
    with database.engine.begin() as connection:
        connection.execute(text(f"ALTER DATABASE {name} SET {setting}"))
    database.close()

    database = Database(empty_postgresql_url)
    with database.writing() as session:
        assert session.scalar(text("SELECT now()")).tzinfo is not None
        assert session.scalar(text("SHOW transaction_isolation")) == "read committed"
    with database.reading() as session:
        assert session.scalar(text("SHOW transaction_isolation")) == "repeatable read"
    database.close()


@pytest.mark.parametrize(
    ("query", "retry_seconds", "waits"),
    [
        ("", 0, ["1500", "1", "1"]),
        ("", 60, ["60000", "20", "20"]),
        ("tcp_user_timeout=7000&keepalives_idle=9", 0, ["7000", "9", "1"]),
    ],
)
def test_a_server_that_is_gone_without_a_word_is_given_up(
    postgresql_url: str, query: str, retry_seconds: float, waits: list[str]
) -> None:
    url = f"{postgresql_url}{'&' if '?' in postgresql_url else '?'}{query}"
    database = Database(url, timeout_seconds=1.5, retry_seconds=retry_seconds)
    with database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        asked = driver.info.get_parameters()
    database.close()

    names = ("tcp_user_timeout", "keepalives_idle", "keepalives_interval")
    assert [asked[name] for name in names] == waits


@pytest.mark.parametrize(
    ("query", "name"), [("", "seedbed api"), ("application_name=floods", "floods")]
)
def test_postgresql_knows_whose_a_connection_is(
    settings: Settings, postgresql_url: str, query: str, name: str
) -> None:
    url = f"{postgresql_url}{'&' if '?' in postgresql_url else '?'}{query}"
    app = create_app(settings.model_copy(update={"database_url": url}))
    with TestClient(app), app.state.database.engine.connect() as connection:
        assert connection.scalar(text("SHOW application_name")) == name


def test_there_is_a_connection_for_each_thread(any_database_url: str) -> None:
    database = Database(any_database_url)
    n_threads = REQUEST_THREADS + 2 * UPLOAD_THREADS + 2

    with ExitStack() as stack:
        for _ in range(n_threads):
            stack.enter_context(database.engine.connect())
        n_connections = database.engine.pool.checkedout()  # type: ignore[attr-defined]  # of QueuePool
    database.close()

    assert n_connections == n_threads


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql+psycopg://user:secret@127.0.0.1:1/name", "Start it, or correct the setting"),
        ("sqlite:///{folder}/new.db", "run `seedbed migrate`"),
        ("sqlite:///{folder}/text.db", "file is not a database"),
        ("sqlite:////proc/none/seedbed.db", "unable to open database file"),
    ],
)
def test_the_log_tells_of_a_database_that_cannot_be_used_when_the_api_starts(
    settings: Settings, tmp_path: Path, url: str, reason: str
) -> None:
    (tmp_path / "text.db").write_text("no database " * 1000)
    app = create_app(settings.model_copy(update={"database_url": url.format(folder=tmp_path)}))
    with capture_logs() as logs, TestClient(app):
        pass

    (line,) = logs
    assert (line["log_level"], line["event"]) == ("error", "database cannot be used")
    assert reason in line["reason"]
    assert "secret" not in str(line)


def test_the_log_tells_of_a_database_that_hangs_when_the_api_starts(
    settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    monkeypatch.setattr("app.http.probes.SECONDS", 0.05)
    monkeypatch.setattr("app.http.probes.takes_changes", lambda _: go_on.wait(60))
    with capture_logs() as logs, TestClient(create_app(settings)):
        go_on.set()

    assert ["did not answer" in line["reason"] for line in logs] == [True]


def test_full_database_is_told(client: TestClient, project_id: str) -> None:
    app = client.app
    assert isinstance(app, FastAPI)
    engine = app.state.database.engine
    # No more pages than there are now; new connections only.
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count = 1").close())
    engine.dispose()

    response = client.post(
        f"/projects/{project_id}/unlabeled", json={"documents": [{"text": "water " * 50_000}]}
    )

    assert response.status_code == 507
    assert response.json()["code"] == "storage_full"
    assert "Enlarge its volume" in response.json()["detail"]
    assert client.get(f"/projects/{project_id}").json()["counts"]["total"] == 0


@pytest.fixture
def on_postgresql(
    settings: Settings, empty_postgresql_url: str
) -> Iterator[tuple[TestClient, Database]]:
    database = Database(empty_postgresql_url)
    create_tables(database)
    changed = settings.model_copy(update={"database_url": empty_postgresql_url})
    with TestClient(create_app(changed)) as client:
        yield client, database
    database.close()


def test_a_standby_is_told(on_postgresql: tuple[TestClient, Database]) -> None:
    client, database = on_postgresql
    app = client.app
    assert isinstance(app, FastAPI)
    with database.writing.begin() as session:
        name = database.engine.url.database
        session.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    app.state.database.engine.dispose()

    assert_read_only_is_told(client)


@pytest.mark.parametrize(("role", "reads"), [("pg_monitor", False), ("pg_read_all_data", True)])
def test_a_user_of_postgresql_without_rights_is_told(
    on_postgresql: tuple[TestClient, Database], role: str, reads: bool
) -> None:
    client, database = on_postgresql
    app = client.app
    assert isinstance(app, FastAPI)
    with database.writing.begin() as session:
        session.execute(text(f"ALTER DATABASE {database.engine.url.database} SET role = {role}"))
    app.state.database.engine.dispose()

    refused = client.post("/projects", json={"name": "floods"})
    probed = client.get("/readyz")

    for answer in (refused, probed):
        assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
        assert "has not the rights" in answer.json()["detail"]
        assert "retry-after" not in answer.headers
    assert client.get("/projects").is_success == reads


def test_a_read_only_file_is_told(client: TestClient) -> None:
    app = client.app
    assert isinstance(app, FastAPI)
    engine = app.state.database.engine
    # As a file does that others may write to; new connections only.
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only = on").close())
    engine.dispose()

    assert_read_only_is_told(client)


def test_a_damaged_file_is_told(client: TestClient, database: Database, project_id: str) -> None:
    with database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        root = connection.scalar(text("SELECT rootpage FROM sqlite_master WHERE name = 'projects'"))
        size = connection.scalar(text("PRAGMA page_size"))
    client.app.state.database.engine.dispose()  # type: ignore[attr-defined]  # of FastAPI
    with Path(str(database.engine.url.database)).open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)

    read = client.get(f"/projects/{project_id}")
    upload = client.post(f"/projects/{project_id}/unlabeled", json=["a text"])

    for answer in (read, upload):
        assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
        assert "restore a backup" in answer.json()["detail"]
        assert "retry-after" not in answer.headers


def test_a_quota_that_is_used_up_is_told(
    client: TestClient, database: Database, project_id: str
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = Path(str(database.engine.url.database)).stat().st_size
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        answer = client.post(f"/projects/{project_id}/unlabeled", json=["water " * size])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    assert "quotas" in answer.json()["detail"]
    assert "retry-after" not in answer.headers


def assert_read_only_is_told(client: TestClient) -> None:
    refused = client.post("/projects", json={"name": "floods"})
    probed = client.get("/readyz")

    assert refused.status_code == probed.status_code == 503
    assert refused.json()["code"] == "database_unavailable"
    assert probed.json()["code"] == "not_ready"
    assert "is read-only" in refused.json()["detail"]
    assert refused.json()["detail"] == probed.json()["detail"]
    assert "retry-after" not in refused.headers
    assert client.get("/projects").is_success


def test_who_holds_the_lock_does_not_make_the_service_unready(
    impatient_client: TestClient, any_database: Database
) -> None:
    with any_database.writing.begin() as session:
        session.execute(select(Project).with_for_update())
        assert impatient_client.get("/readyz").is_success
    assert impatient_client.post("/projects", json={"name": "floods"}).is_success


@pytest.mark.parametrize("schema", ["none", "of an earlier version"])
def test_a_database_that_was_not_migrated_is_told(
    settings: Settings, empty_database_url: str, schema: str
) -> None:
    database = Database(empty_database_url)
    if schema != "none":
        migrate.upgrade(database, "0001")
    database.close()
    changed = settings.model_copy(update={"database_url": empty_database_url})
    with TestClient(create_app(changed)) as client:
        requests = [
            client.get("/projects"),
            client.post("/projects", json={"name": "floods"}),
            client.post("/projects/p/unlabeled", json=["a text"]),
            client.get("/readyz"),
        ]

    for response in requests:
        assert response.status_code == 503
        assert response.json()["code"] == "not_ready"
        assert "run `seedbed migrate`" in response.json()["detail"]


def add_model(database: Database) -> tuple[str, str]:
    """Return the ids of a new project and of its model."""
    with database.writing.begin() as session:
        project_id = ProjectRepository(session).add(Project(name="floods")).id
        job = JobRepository(session).add(project_id, JobKind.TRAIN, {})
        model = Model(
            project_id=project_id,
            job_id=job.id,
            algorithm="prototype",
            card={},
            file=FILE,
            ranking_file=FILE,
        )
        return project_id, ModelRepository(session).add(model).id


def train(client: TestClient, project_id: str, _model_id: str) -> Response:
    body = {"project_id": project_id, "algorithm": "prototype"}
    return client.post("/train", json=body)


def select_features(client: TestClient, project_id: str, _model_id: str) -> Response:
    body = {"project_id": project_id, "method": "k_best", "n_features": 5}
    return client.post("/feature-selection", json=body)


def change(client: TestClient, project_id: str, _model_id: str) -> Response:
    return client.patch(f"/projects/{project_id}", json={"name": "other"})


def choose(client: TestClient, project_id: str, model_id: str) -> Response:
    return client.put(f"/projects/{project_id}/champion", json={"model_id": model_id})


def delete_model(client: TestClient, _project_id: str, model_id: str) -> Response:
    return client.delete(f"/models/{model_id}")


@pytest.mark.parametrize("request_it", [train, select_features, change, choose, delete_model])
def test_request_finds_no_project_that_is_deleted_at_the_same_moment(
    on_postgresql: tuple[TestClient, Database], request_it: Callable[..., Response]
) -> None:
    client, database = on_postgresql
    project_id, model_id = add_model(database)
    for kind in ("positives", "unlabeled"):
        documents: dict[str, Any] = {"documents": [{"text": f"{kind} {i}"} for i in range(3)]}
        assert client.post(f"/projects/{project_id}/{kind}", json=documents).is_success

    def is_waiting() -> bool:
        query = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        with database.reading() as session:
            return bool(session.scalar(query))

    with ThreadPoolExecutor(1) as pool, database.writing.begin() as session:
        repository = ProjectRepository(session)
        repository.lock(project_id)
        repository.delete(project_id)
        session.flush()
        response = pool.submit(request_it, client, project_id, model_id)
        eventually(is_waiting, "the request waits for the deletion")

    assert response.result().status_code == 404
    assert response.result().json()["code"] == "project_not_found"


def test_room_is_kept_to_delete(
    client: TestClient, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=FREE_BYTES - 1)
    monkeypatch.setattr("app.database.shutil.disk_usage", lambda _: usage)

    for query in ("", "?atomic=true"):
        answer = client.post(
            f"/projects/{project_id}/unlabeled{query}", json={"documents": ["water"]}
        )
        assert (answer.status_code, answer.json()["code"]) == (507, "storage_full")
        told = answer.json()["detail"]
        assert "kept for deletions, which do not make the file smaller" in told
        assert "VACUUM" in told
    columns = {"label_column": "kind", "positive": "a"}
    headers = {"content-type": "text/csv"}
    table = client.post("/tables", params=columns, content="kind,x\na,1\nb,2\n", headers=headers)
    assert (table.status_code, table.json()["code"]) == (507, "storage_full")
    assert client.delete(f"/projects/{project_id}").status_code == 204


def test_what_came_in_while_the_folder_was_moved_is_there_when_it_is_back(
    client: TestClient, database: Database, project_id: str
) -> None:
    assert database.folder is not None
    moved = database.folder.rename(f"{database.folder}-moved")
    try:
        sent = client.post(f"/projects/{project_id}/unlabeled", json=[{"id": "a", "text": "text"}])
    finally:
        moved.rename(database.folder)
    # The connection goes on in the file that it has open.
    assert sent.status_code == 200
    assert client.get(f"/projects/{project_id}/documents/a").status_code == 200


def test_the_log_of_sqlite_gives_back_what_a_large_change_took(tmp_path: Path) -> None:
    log, mib = tmp_path / "x.db-wal", 2**20
    with closing(Database(f"sqlite:///{tmp_path}/x.db")) as database:
        with database.writing.begin() as session:
            session.execute(text("CREATE TABLE t (x BLOB)"))
            for _ in range(80):
                session.execute(text("INSERT INTO t VALUES (randomblob(1048576))"))
        assert log.stat().st_size > 80 * mib
        with database.writing.begin() as session:
            session.execute(text("INSERT INTO t VALUES ('little')"))
        assert log.stat().st_size <= 64 * mib


def test_what_stands_in_the_log_of_sqlite_takes_room_until_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, mib = tmp_path / "x.db-wal", 2**20
    usage = shutil.disk_usage("/")._replace(free=FREE_BYTES + mib)
    monkeypatch.setattr("app.database.shutil.disk_usage", lambda _: usage)
    with closing(Database(f"sqlite:///{tmp_path}/x.db")) as database:
        with database.writing.begin() as session:
            session.execute(text("CREATE TABLE t (x BLOB)"))
        with database.reading() as reader:
            reader.execute(text("SELECT x FROM t")).all()
            with database.writing.begin() as session:
                session.execute(text("INSERT INTO t VALUES (randomblob(2097152))"))
            assert not database.has_room()
            assert log.stat().st_size > 2 * mib
        assert database.has_room()
        assert log.stat().st_size == 0


def test_a_file_that_was_deleted_takes_no_more(
    client: TestClient, database: Database, project_id: str
) -> None:
    assert client.get("/readyz").is_success
    path = Path(str(database.engine.url.database))
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()

    upload = client.post(f"/projects/{project_id}/unlabeled", json=["a text"])
    change = client.patch(f"/projects/{project_id}", json={"name": "other"})
    probed = client.get("/readyz")

    for answer in (upload, change, probed):
        assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
        assert "was deleted while the service ran" in answer.json()["detail"]
        assert "retry-after" not in answer.headers
    assert client.get(f"/projects/{project_id}").json()["name"] == "floods"
    assert not path.exists()


def test_the_documented_copy_is_of_one_moment_while_the_service_writes(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operations = (ROOT / "docs/operations.md").read_text()
    (documented,) = re.findall(r'`sqlite3 seedbed\.db "(.+?)"`', operations)
    monkeypatch.chdir(tmp_path)
    ended = Event()

    def write_pairs() -> int:
        n_pairs = 0
        while not ended.is_set():
            with database.writing.begin() as session:
                for _ in range(2):
                    ProjectRepository(session).add(Project(name="floods"))
            n_pairs += 1
        return n_pairs

    def has_pairs() -> bool:
        with database.reading() as session:
            return bool(ProjectRepository(session).page(after=None, limit=1))

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(write_pairs)
        try:
            eventually(has_pairs, "the service writes")
            with closing(sqlite3.connect("seedbed.db")) as other:
                other.execute(documented)
        finally:
            ended.set()

    with closing(sqlite3.connect("copy.db")) as copy:
        (n_copied,) = copy.execute("SELECT count(*) FROM projects").fetchone()
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert 2 <= n_copied <= 2 * writer.result()
    assert n_copied % 2 == 0
