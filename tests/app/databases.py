"""Databases of the tests: made, emptied and removed; none of them outlives the run."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, event, insert, make_url, text
from sqlalchemy.pool import Pool

from app import migrate
from app.database import Database
from app.orm import Base, Installation

#: For tests of what knows nothing of the database, in modules that run on both.
on_sqlite = pytest.mark.parametrize("any_database_url", ["sqlite"], indirect=True)

#: Whatever a test has left connected would make the next wait.
END_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""

RESTART_COUNTS = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"


@event.listens_for(Pool, "checkout")
def _leave_the_disk_alone(connection: Any, _record: Any, _proxy: Any) -> None:
    """Wait for no disk: what these databases hold need not outlive a loss of power."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=OFF").close()


def outlive_no_crash(server: str) -> None:
    """Tell a PostgreSQL server the same."""
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(text(f"ALTER SYSTEM SET {name} = off"))
        connection.execute(text("SELECT pg_reload_conf()"))
    engine.dispose()


def create_tables(database: Database) -> None:
    """Make in one transaction what the migrations make, for workers may look meanwhile."""
    with database.engine.execution_options(begin="IMMEDIATE").begin() as connection:
        Base.metadata.create_all(connection)
        scripts = ScriptDirectory.from_config(migrate.config())
        MigrationContext.configure(connection).stamp(scripts, "head")
        connection.execute(insert(Installation))


@contextmanager
def new_postgresql(server: str, options: str = "") -> Iterator[str]:
    """Give the URL of a new PostgreSQL database without tables."""
    name = f"test_{uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0 {options}"))
    yield str(make_url(server).set(database=name).render_as_string(False))
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@contextmanager
def without_connections(server: str, name: str | None) -> Iterator[None]:
    """End the connections to a PostgreSQL database and refuse others, as where it is down."""
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"),
            {"name": name},
        )
        yield
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    engine.dispose()


def empty_tables(database: Database) -> None:
    """Leave a PostgreSQL database as ``create_tables`` does."""
    # To truncate tables makes new files of all: for a few rows that takes three times as long.
    tables = reversed(Base.metadata.sorted_tables)
    with database.engine.begin() as connection:
        connection.execute(text(END_OTHERS))
        connection.execute(text("; ".join(f"DELETE FROM {table.name}" for table in tables)))
        connection.execute(text(RESTART_COUNTS))
        connection.execute(insert(Installation))
