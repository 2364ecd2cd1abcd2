"""The history of the schema leads to exactly the tables, and back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import event, func, inspect, select, text
from sqlalchemy.pool import Pool

from app import migrate
from app.command_failed import CommandFailed
from app.database import Database
from app.job_kinds import JobKind
from app.main import create_app
from app.orm import Base, DataTable, FeatureSelection
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.settings import Settings
from tests.app.databases import new_postgresql
from tests.app.processes import eventually


@pytest.fixture
def empty_database(empty_database_url: str) -> Iterator[Database]:
    database = Database(empty_database_url)
    yield database
    database.close()


def test_upgrade_from_empty_leaves_no_difference_to_the_tables(empty_database: Database) -> None:
    migrate.upgrade(empty_database)

    with empty_database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    assert migrate.is_current(empty_database)


def test_upgrade_twice_changes_nothing(empty_database: Database) -> None:
    migrate.upgrade(empty_database)
    migrate.upgrade(empty_database)

    assert migrate.is_current(empty_database)


def test_only_one_migrates_at_a_time(empty_postgresql_url: str) -> None:
    database = Database(empty_postgresql_url)
    with database.engine.connect() as other, other.begin(), ThreadPoolExecutor() as pool:
        other.execute(select(func.pg_advisory_xact_lock(migrate.LOCK)))
        upgraded = pool.submit(migrate.upgrade, database)
        waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        eventually(lambda: other.scalar(waiting), "the other start waits")
        is_empty = inspect(other).get_table_names() == []
        other.rollback()
        upgraded.result()

    assert is_empty
    assert migrate.is_current(database)
    database.close()


def test_the_schema_of_a_later_version_is_left_as_it_is(settings: Settings) -> None:
    assert migrate.run(settings) == "The database has the schema of this version."
    database = Database(settings.database_url)
    with database.writing.begin() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    told = migrate.run(settings)

    assert told == "The database has the schema of a later version (9999); nothing to do."
    assert migrate.is_current(database)
    database.close()


def test_the_database_of_another_application_is_refused(
    settings: Settings, empty_database_url: str
) -> None:
    database = Database(empty_database_url)
    with database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num varchar(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('deadbeef1234')"))
        connection.execute(text("CREATE TABLE projects (x integer)"))
    changed = settings.model_copy(update={"database_url": empty_database_url})

    with pytest.raises(CommandFailed, match="is that of another application"):
        migrate.run(changed)
    with TestClient(create_app(changed)) as client:
        response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["detail"] == migrate.FOREIGN
    assert set(inspect(database.engine).get_table_names()) == {"alembic_version", "projects"}
    database.close()


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_hold_any_text_is_refused(
    settings: Settings, postgresql_server: str, encoding: str
) -> None:
    with (
        new_postgresql(postgresql_server, f"ENCODING '{encoding}' LOCALE 'C'") as url,
        pytest.raises(CommandFailed, match=f"has the encoding {encoding}"),
    ):
        migrate.run(settings.model_copy(update={"database_url": url}))


def test_a_volume_without_room_for_the_migration_is_told(settings: Settings) -> None:
    database = Database(settings.database_url)
    migrate.upgrade(database, "0006")
    with database.engine.connect() as connection:
        n_pages = connection.scalar(text("PRAGMA page_count"))
    database.close()

    def limit(raw: Any, _: object) -> None:
        raw.execute(f"PRAGMA max_page_count = {n_pages}").close()

    event.listen(Pool, "connect", limit)
    try:
        with pytest.raises(CommandFailed, match=r"no room for the migration.*Make room"):
            migrate.run(settings)
    finally:
        event.remove(Pool, "connect", limit)

    assert not migrate.is_current(database)
    assert migrate.run(settings) == "The database has the schema of this version."
    database.close()


def test_downgrade_to_base_leaves_nothing(empty_database: Database) -> None:
    migrate.upgrade(empty_database)
    migrate.downgrade(empty_database, "base")

    assert set(inspect(empty_database.engine).get_table_names()) <= {"alembic_version"}


def test_upgrade_of_a_database_in_use_keeps_every_row(empty_database: Database) -> None:
    migrate.upgrade(empty_database, "0001")
    fill(empty_database)
    before = rows(empty_database)

    migrate.upgrade(empty_database)

    after = rows(empty_database)
    assert after.pop("data_tables") == []
    assert after.pop("arrivals") == []
    assert after.pop("worker_signs") == []
    assert len(after.pop("installation")) == 1
    for name in ("judgement", "vector_code"):
        assert {row.pop(name) for row in after["documents"]} == {None}
    for name in ("jobs", "feature_selections"):
        assert {row.pop("table_id") for row in after[name]} == {None}
    assert {row.pop("pace") for row in after["jobs"]} == {None}
    for row in after["projects"]:
        assert row.pop("rewritten_revision") == row["revision"]
    project_ids = {row.pop("number"): row["id"] for row in after["projects"]}
    for row in after["documents"]:
        row["project_id"] = project_ids[row.pop("project_number")]
    before["matrices"] = []  # is a cache that is made anew
    assert after == before
    with empty_database.writing.begin() as session:  # references hold again
        session.execute(text("DELETE FROM projects"))
    assert {name for name, left in rows(empty_database).items() if left} == {"installation"}


def test_downgrade_removes_what_belongs_to_tables_only(empty_database: Database) -> None:
    migrate.upgrade(empty_database, "0001")
    fill(empty_database)
    before = rows(empty_database)
    migrate.upgrade(empty_database)
    with empty_database.writing.begin() as session:
        table = DataTable(n_rows=2, n_features=1, n_positive=1, digest="d", card={}, file={})
        session.add(table)
        session.flush()
        job = JobRepository(session).add(None, JobKind.FEATURE_SELECTION, {}, table_id=table.id)
        session.add(
            FeatureSelection(table_id=table.id, job_id=job.id, method="k_best", card={}, file={})
        )

    migrate.downgrade(empty_database, "0001")

    assert rows(empty_database) == before


def test_downgrade_takes_unsure_documents_for_unlabeled(empty_database: Database) -> None:
    migrate.upgrade(empty_database, "0001")
    fill(empty_database)
    migrate.upgrade(empty_database)
    with empty_database.writing.begin() as session:
        session.execute(text("UPDATE documents SET label = 'unsure', judgement = 1"))

    migrate.downgrade(empty_database, "0002")

    for document in rows(empty_database)["documents"]:
        assert document["label"] == "unlabeled"
        assert "judgement" not in document


def test_no_number_of_a_document_comes_again_after_an_upgrade(empty_database: Database) -> None:
    migrate.upgrade(empty_database, "0001")
    fill(empty_database)
    migrate.upgrade(empty_database)

    with empty_database.writing.begin() as session:
        session.execute(text("DELETE FROM documents WHERE number = 2"))
        DocumentRepository(session).insert_rows("p", [("b", "fire", b"d", "negative", None, None)])
        number = DocumentRepository(session).get("p", "b").number

    assert number == 3


def fill(database: Database) -> None:
    """Add a row of each kind to the first schema."""
    now = "2026-11-20 09:30:00"
    job = (
        "INSERT INTO jobs (id, project_id, kind, spec, status, attempt, max_attempts, progress,"
        " stage, cancel_requested, created_at) VALUES ('j{0}', 'p', '{1}', '{{}}', 'succeeded', 1,"
        f" 3, 1, 'done', false, '{now}')"
    )
    statements = [
        "INSERT INTO projects (id, name, description, language, vectorizer, revision, created_at)"
        f" VALUES ('q', 'fires', '', 'english', '{{}}', 0, '{now}'),"
        f" ('p', 'floods', '', 'english', '{{}}', 0, '{now}')",
        "INSERT INTO documents (project_id, id, text, digest, label)"
        " VALUES ('p', 'a', 'water', 'd', 'negative'), ('q', 'a', 'smoke', 'd', 'positive')",
        job.format(1, "train"),
        job.format(2, "feature_selection"),
        "INSERT INTO job_events (job_id, time, level, stage, message)"
        f" VALUES ('j1', '{now}', 'info', '', 'queued')",
        "INSERT INTO models (id, project_id, job_id, algorithm, card, file, ranking_file,"
        f" is_champion, created_at) VALUES ('m', 'p', 'j1', 'lgn', '{{}}', '{{}}', '{{}}', true,"
        f" '{now}')",
        "INSERT INTO feature_selections (id, project_id, job_id, method, card, file, created_at)"
        f" VALUES ('f', 'p', 'j2', 'k_best', '{{}}', '{{}}', '{now}')",
    ]
    with database.writing.begin() as session:
        for statement in statements:
            session.connection().exec_driver_sql(statement)


def rows(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables but that of the migrations."""
    names = set(inspect(database.engine).get_table_names()) - {"alembic_version"}
    with database.reading() as session:
        return {
            name: [dict(row._mapping) for row in session.execute(text(f"SELECT * FROM {name}"))]
            for name in names
        }
