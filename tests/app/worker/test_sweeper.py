import os
import shutil
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.exceptions import BaseError
from sqlalchemy import JSON, Column, Table, insert
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from app.artifacts import Artifacts, Folder
from app.database import Database
from app.database_errors import NOT_MIGRATED
from app.job_kinds import JobKind
from app.orm import Base, IdempotencyKey, Project, utc_now
from app.repositories.files import FileRepository
from app.repositories.idempotency import IdempotencyRepository
from app.repositories.jobs import JobRepository
from app.repositories.projects import ProjectRepository
from app.settings import Settings
from app.worker.sweeper import KEPT, MARKS, sweep, try_to_sweep
from core.plain_file import write_plain
from tests.app.databases import create_tables

DAY = KEPT.total_seconds()


OLD, NEW = "a" * 32, "b" * 32


def write(path: Path) -> None:
    path.write_bytes(b"content")


def age(settings: Settings, key: str, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(Path(settings.artifacts_url) / key, (then, then))


@pytest.mark.parametrize("folder", Folder)
def test_old_files_without_a_row_are_removed(
    database: Database, artifacts: Artifacts, settings: Settings, folder: Folder
) -> None:
    for key, seconds in ((f"{folder}/{OLD}", DAY + 60), (f"{folder}/{NEW}", DAY - 60)):
        artifacts.save(key, write)
        age(settings, key, seconds)

    sweep(database, artifacts)
    assert [key for key, _ in artifacts.list(folder)] == [f"{folder}/{NEW}"]


def test_what_a_killed_process_left_of_a_model_is_removed(
    database: Database, artifacts: Artifacts, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(Path, "unlink", lambda *_, **__: None)
        with pytest.raises(TypeError, match="generator"):  # which is no plain content
            artifacts.save(
                f"models/{NEW}", lambda path: write_plain((x for x in ()), path, "model")
            )
    (left,) = [key for key, _ in artifacts.list(Folder.INCOMING)]
    age(settings, left, DAY + 60)

    sweep(database, artifacts)
    assert not list(artifacts.list(Folder.INCOMING))


def test_a_file_that_cannot_be_deleted_does_not_stop_the_clean_up(
    database: Database, artifacts: Artifacts, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, free = f"models/{OLD}", f"models/{NEW}"
    for key in (stuck, free):
        artifacts.save(key, write)
        age(settings, key, DAY + 60)
    delete = obstore.delete

    def delete_free(store: Any, key: str) -> None:
        if key == stuck:
            raise PermissionError("The file is write-protected.")
        delete(store, key)

    monkeypatch.setattr(obstore, "delete", delete_free)
    sweep(database, artifacts)
    assert [key for key, _ in artifacts.list("models")] == [stuck]


def test_idempotency_keys_are_removed_while_the_store_is_away(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    with database.writing.begin() as session:
        IdempotencyRepository(session).reserve("key", "fingerprint")
        row = session.get_one(IdempotencyKey, "key")
        row.created_at = utc_now() - KEPT - timedelta(seconds=60)
    shutil.rmtree(settings.artifacts_url)
    Path(settings.artifacts_url).touch()

    with pytest.raises(BaseError):
        sweep(database, artifacts)
    with database.reading() as session:
        assert IdempotencyRepository(session).get("key") is None


def test_a_clock_that_goes_fast_removes_no_idempotency_key(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.worker.sweeper.utc_now", lambda: utc_now() + 2 * KEPT)
    with database.writing.begin() as session:
        IdempotencyRepository(session).reserve("key", "fingerprint")

    sweep(database, artifacts)
    with database.reading() as session:
        assert IdempotencyRepository(session).get("key") is not None


def test_files_of_others_are_kept(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    keys = ["seedbed.db", "models/mine", f"theses/{OLD}", f"models/{OLD}/mine", OLD]
    for key in keys:
        path = Path(settings.artifacts_url) / key
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path)
        age(settings, key, 10 * DAY)

    sweep(database, artifacts)
    assert {key for key, _ in artifacts.list()} > set(keys)


def test_a_store_of_two_databases_keeps_every_file(
    database: Database, artifacts: Artifacts, settings: Settings, tmp_path: Path
) -> None:
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    create_tables(other)
    sweep(other, artifacts)
    key = f"models/{OLD}"
    artifacts.save(key, write)
    age(settings, key, 10 * DAY)

    sweep(database, artifacts)
    sweep(other, artifacts)
    assert [found for found, _ in artifacts.list("models")] == [key]

    with other.reading() as session:
        artifacts.delete(f"{MARKS}/{FileRepository(session).installation()}")
    other.close()
    sweep(database, artifacts)
    assert not list(artifacts.list("models"))


def test_unfinished_files_in_the_cache_are_removed(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    folder = settings.cache_directory / "incoming"
    folder.mkdir(parents=True)
    for name, seconds in ((OLD, DAY + 60), (NEW, DAY - 60)):
        write(folder / name)
        os.utime(folder / name, (time.time() - seconds,) * 2)

    sweep(database, artifacts)
    assert [path.name for path in folder.iterdir()] == [NEW]


def test_copies_that_no_row_names_are_removed(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    copy = settings.cache_directory / "copies" / "models" / OLD
    copy.parent.mkdir(parents=True)
    write(copy)
    os.utime(copy, (time.time(), time.time() - 3601))

    sweep(database, artifacts)
    assert not copy.exists()


def test_files_that_a_row_names_are_kept(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    with database.writing.begin() as session:
        project_id = ProjectRepository(session).add(Project(name="a project")).id
        job_id = JobRepository(session).add(project_id, JobKind.TRAIN, {}).id
        keys = add_rows(session, artifacts, project_id=project_id, job_id=job_id)
        of_project = FileRepository(session).keys(project_id)
    for key in keys:
        age(settings, key, 10 * DAY)

    sweep(database, artifacts)
    assert {key for key, _ in artifacts.list("models")} == keys.keys()
    assert of_project == {key for key, table in keys.items() if "project_id" in table.c}


def is_file(column: Column[Any]) -> bool:
    return column.name.endswith("file")


def add_rows(session: Session, artifacts: Artifacts, **ids: str) -> dict[str, Table]:
    """Add a row to each table with files; return the tables by the keys of these files."""
    keys: dict[str, Table] = {}
    for table in Base.metadata.sorted_tables:
        if not any(is_file(column) for column in table.c):
            continue
        values: dict[str, Any] = {name: id_ for name, id_ in ids.items() if name in table.c}
        for column in table.c:
            if is_file(column):
                values[column.name] = artifacts.save(f"models/{len(keys):032x}", write)
                keys[values[column.name]["key"]] = table
            elif not column.nullable and column.default is None:
                is_json = isinstance(column.type, JSON)
                values.setdefault(column.name, {} if is_json else column.type.python_type())
        session.execute(insert(table).values(values))
    return keys


@pytest.mark.parametrize(("seconds", "is_kept"), [(60, True), (-60, False)])
def test_idempotency_keys_are_kept_for_a_day(
    database: Database, artifacts: Artifacts, seconds: int, is_kept: bool
) -> None:
    with database.writing.begin() as session:
        IdempotencyRepository(session).reserve("key", "fingerprint")
        row = session.get_one(IdempotencyKey, "key")
        row.created_at = utc_now() - KEPT + timedelta(seconds=seconds)

    sweep(database, artifacts)
    with database.reading() as session:
        assert (IdempotencyRepository(session).get("key") is not None) == is_kept


def test_a_database_that_was_not_migrated_is_told_in_a_sentence(
    empty_database_url: str, artifacts: Artifacts
) -> None:
    database = Database(empty_database_url)
    with capture_logs() as logs:
        try_to_sweep(database, artifacts)
    database.close()
    assert [(one["event"], one["reason"]) for one in logs] == [("clean-up failed", NOT_MIGRATED)]
