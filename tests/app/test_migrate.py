"""The history of the schema leads to exactly the tables, and back."""

from collections.abc import Iterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from app import migrate
from app.database import Database
from app.tables import Base


@pytest.fixture
def empty_database(any_database_url: str) -> Iterator[Database]:
    database = Database(any_database_url)
    yield database
    database.close()


def test_upgrade_from_empty_leaves_no_difference_to_the_tables(empty_database: Database) -> None:
    migrate.upgrade(empty_database)

    with empty_database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    assert migrate.is_at_head(empty_database)


def test_upgrade_twice_changes_nothing(empty_database: Database) -> None:
    migrate.upgrade(empty_database)
    migrate.upgrade(empty_database)

    assert migrate.is_at_head(empty_database)


def test_downgrade_to_base_leaves_nothing(empty_database: Database) -> None:
    migrate.upgrade(empty_database)
    migrate.downgrade(empty_database, "base")

    assert set(inspect(empty_database.engine).get_table_names()) <= {"alembic_version"}
