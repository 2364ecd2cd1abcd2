"""Bring the database to the schema of this version, or back."""

from importlib.resources import files

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
    with database.engine.begin() as connection:
        configuration = config()
        configuration.attributes["connection"] = connection
        command.upgrade(configuration, revision)


def downgrade(database: Database, revision: str) -> None:
    with database.engine.begin() as connection:
        configuration = config()
        configuration.attributes["connection"] = connection
        command.downgrade(configuration, revision)


def is_at_head(database: Database) -> bool:
    """Tell whether the database has exactly the schema of this version."""
    with database.engine.connect() as connection:
        heads = MigrationContext.configure(connection).get_current_heads()
    return set(heads) == set(ScriptDirectory.from_config(config()).get_heads())
