"""Bring the database to the schema of this version, or back."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from importlib.resources import files
from sqlite3 import DatabaseError
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect
from sqlalchemy.exc import DBAPIError

from app.command_failed import CommandFailed
from app.database import Database, is_full
from app.settings import Settings

#: Who holds it migrates; another one that is started meanwhile waits and finds it done.
LOCK = 7333323

FOREIGN = (
    "The database of SEEDBED_DATABASE_URL is that of another application: its table "
    "alembic_version names a version that is not Seedbed's, and Seedbed's tables are missing. Set "
    "it to a database for Seedbed alone, then try again."
)


FULL = (
    "The volume of the database has no room for the migration, which may need as much as the "
    "database itself, twice on SQLite. Nothing was changed. Make room, then try again."
)

#: What a look at a database may raise; SQLite's own come of setting up a connection.
ERRORS = (DBAPIError, DatabaseError, OSError)

#: Of PostgreSQL; in any other one, texts of many languages would be refused, one by one.
ENCODING = "UTF8"


def config() -> Config:
    """Return Alembic's configuration: there is no alembic.ini to keep in step."""
    configuration = Config()
    configuration.set_main_option("script_location", str(files("migrations")))
    return configuration


def run(settings: Settings) -> str:
    """Bring the database of the settings to the schema of this version; return what to tell.

    Raises
    ------
    CommandFailed
        If the database cannot be used, or is that of another application.
    """
    try:
        return _run(settings)
    except ERRORS as error:
        if isinstance(error, DBAPIError) and is_full(error):
            raise CommandFailed(FULL) from error
        raise CommandFailed(unusable(error)) from error


def unusable(error: Exception) -> str:
    """Return what is told of one of ``ERRORS``."""
    reason = str(getattr(error, "orig", error)).partition("\n")[0].rstrip(".")
    return (
        f"Cannot use the database of SEEDBED_DATABASE_URL: {reason}. Start it, or correct the "
        "setting or the rights, then try again."
    )


def _run(settings: Settings) -> str:
    timeout = settings.database_timeout_seconds
    database = Database(settings.database_url, timeout_seconds=timeout, name="seedbed migrate")
    with closing(database):
        if is_foreign(database):
            raise CommandFailed(FOREIGN)
        if (encoding := _encoding(database)) != ENCODING:
            raise CommandFailed(
                f"The database of SEEDBED_DATABASE_URL has the encoding {encoding}, which cannot "
                f"hold any text. Make one with CREATE DATABASE name ENCODING '{ENCODING}' TEMPLATE "
                "template0, then try again."
            )
        known, _ = _revisions()
        later = sorted(_heads(database) - known)
        if not later:
            upgrade(database)
    if later:
        return f"The database has the schema of a later version ({later[0]}); nothing to do."
    return "The database has the schema of this version."


def upgrade(database: Database, revision: str = "head") -> None:
    with _transaction(database) as configuration:
        command.upgrade(configuration, revision)


def downgrade(database: Database, revision: str) -> None:
    with _transaction(database) as configuration:
        command.downgrade(configuration, revision)


@contextmanager
def _transaction(database: Database) -> Iterator[Config]:
    """Give the configuration of one transaction on one connection."""
    with database.engine.connect().execution_options(begin="IMMEDIATE") as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        driver: Any = connection.connection.driver_connection
        if is_sqlite:
            # Changing a table means to copy and drop it there, which would delete, by cascade,
            # whatever refers to its rows. The switch has no effect inside a transaction.
            driver.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                if not is_sqlite:
                    # Wait for another migration as long as it takes, for other locks as usual.
                    connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
                    connection.exec_driver_sql("SET LOCAL lock_timeout TO DEFAULT")
                configuration = config()
                configuration.attributes["connection"] = connection
                yield configuration
                if is_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise RuntimeError("The migration would leave rows without what they refer to.")
        finally:
            if is_sqlite:
                driver.execute("PRAGMA foreign_keys=ON")


def is_current(database: Database) -> bool:
    """Tell whether the database has the schema of this version, or that of a later one.

    A later version migrates first; until they are replaced, processes of this one go on.
    """
    heads = _heads(database)
    known, newest = _revisions()
    return bool(heads) and heads.isdisjoint(known - newest)


def is_foreign(database: Database) -> bool:
    """Tell whether another application keeps its versions here, as Alembic does for many."""
    known, _ = _revisions()
    if not _heads(database) - known:
        return False
    return not {"installation", "projects"} <= set(inspect(database.engine).get_table_names())


def _encoding(database: Database) -> str:
    if database.folder is not None:
        return ENCODING
    with database.engine.connect() as connection:
        return str(connection.exec_driver_sql("SHOW server_encoding").scalar())


def _heads(database: Database) -> set[str]:
    with database.engine.connect() as connection:
        return set(MigrationContext.configure(connection).get_current_heads())


@cache
def _revisions() -> tuple[set[str], set[str]]:
    """Return all revisions that this version knows, and the newest."""
    scripts = ScriptDirectory.from_config(config())
    return {script.revision for script in scripts.walk_revisions()}, set(scripts.get_heads())
