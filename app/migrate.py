"""Bring the database to the schema of this version, or back."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.database import Database
from app.settings import Settings


def config() -> Config:
    """Return Alembic's configuration: there is no alembic.ini to keep in step."""
    configuration = Config()
    configuration.set_main_option("script_location", str(files("migrations")))
    return configuration


def run(settings: Settings) -> None:
    """Bring the database of the settings to the schema of this version."""
    database = Database(settings.database_url, timeout_seconds=settings.database_timeout_seconds)
    upgrade(database)
    database.close()


def upgrade(database: Database, revision: str = "head") -> None:
    with _transaction(database) as configuration:
        command.upgrade(configuration, revision)


def downgrade(database: Database, revision: str) -> None:
    with _transaction(database) as configuration:
        command.downgrade(configuration, revision)


@contextmanager
def _transaction(database: Database) -> Iterator[Config]:
    """Give the configuration of one transaction on one connection."""
    with database.engine.connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        driver: Any = connection.connection.driver_connection
        if is_sqlite:
            # Changing a table means to copy and drop it there, which would delete, by cascade,
            # whatever refers to its rows. The switch has no effect inside a transaction.
            driver.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                configuration = config()
                configuration.attributes["connection"] = connection
                yield configuration
                if is_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise RuntimeError("The migration would leave rows without what they refer to.")
        finally:
            if is_sqlite:
                driver.execute("PRAGMA foreign_keys=ON")


def is_at_head(database: Database) -> bool:
    """Tell whether the database has exactly the schema of this version."""
    with database.engine.connect() as connection:
        heads = MigrationContext.configure(connection).get_current_heads()
    return set(heads) == _heads_of_this_version()


@cache
def _heads_of_this_version() -> set[str]:
    return set(ScriptDirectory.from_config(config()).get_heads())
