from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest

from app.database import Database
from app.errors import IdempotencyKeyInUse, IdempotencyKeyReused
from app.orm import IdempotencyKey, Project
from app.repositories.idempotency import IdempotencyRepository
from app.repositories.projects import ProjectRepository
from app.services import idempotency

ANSWER: dict[str, Any] = {
    "status": 201,
    "headers": {"location": "/projects/p"},
    "body": {"id": "p"},
}


def keep(database: Database, key: str = "key", fingerprint: str = "f") -> dict[str, Any] | None:
    """Find an answer or, if there is none, keep ``ANSWER``."""
    with database.writing.begin() as session:
        found = idempotency.find(session, key, fingerprint)
        if found is None:
            idempotency.store(session, key, **ANSWER)
    return None if found is None else {name: getattr(found, name) for name in ANSWER}


def test_answer_is_kept(any_database: Database) -> None:
    assert keep(any_database) is None
    assert keep(any_database) == ANSWER
    assert keep(any_database, key="other") is None


def test_key_of_another_request_is_refused(any_database: Database) -> None:
    keep(any_database)

    with pytest.raises(IdempotencyKeyReused):
        keep(any_database, fingerprint="g")


def test_key_of_work_that_failed_is_free(any_database: Database) -> None:
    session = any_database.writing()
    idempotency.find(session, "key", "f")
    session.rollback()
    session.close()

    assert keep(any_database) is None


def test_key_that_is_swept_while_it_is_asked_for_is_reserved_anew(
    any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(any_database)

    def sweep_first(self: IdempotencyRepository, key: str) -> None:
        monkeypatch.undo()
        self.delete_older(timedelta(hours=-1))

    monkeypatch.setattr(IdempotencyRepository, "get", sweep_first)
    assert keep(any_database) is None
    assert keep(any_database) == ANSWER


@pytest.mark.parametrize("name", ["id", "project_id", "table_id"])
def test_answers_go_with_what_they_tell_of(any_database: Database, name: str) -> None:
    keep(any_database, key="other")
    with any_database.writing.begin() as session:
        idempotency.find(session, "key", "f")
        idempotency.store(session, "key", status=202, headers={}, body={name: "gone", "x": "\0"})
        IdempotencyRepository(session).delete_of("gone")

    assert keep(any_database) is None
    assert keep(any_database, key="other") == ANSWER


def begin(database: Database, holder: str) -> bool:
    with database.writing.begin() as session:
        return idempotency.begin(session, "key", holder)


def settle(database: Database, holder: str) -> None:
    with database.writing.begin() as session:
        idempotency.settle(session, "key", holder, "f")
        idempotency.store(session, "key", **ANSWER)


def test_key_of_an_upload_at_work_is_refused_until_it_has_its_answer(
    any_database: Database,
) -> None:
    assert begin(any_database, "first")
    with pytest.raises(IdempotencyKeyInUse) as caught:
        begin(any_database, "second")
    assert caught.value.retry_seconds == 5

    settle(any_database, "first")
    assert not begin(any_database, "second")
    assert keep(any_database) == ANSWER


def test_key_of_an_upload_that_was_killed_is_taken_over(any_database: Database) -> None:
    assert begin(any_database, "first")
    with any_database.writing.begin() as session:
        session.get_one(IdempotencyKey, "key").created_at -= idempotency.LEASE

    assert begin(any_database, "second")
    with pytest.raises(IdempotencyKeyInUse):  # it lived still, but gave no sign of it
        settle(any_database, "first")
    settle(any_database, "second")
    assert keep(any_database) == ANSWER


def test_of_requests_at_once_one_does_the_work(any_database: Database) -> None:
    n_requests = 8
    barrier = Barrier(n_requests)

    def create(_: int) -> str:
        barrier.wait()
        with any_database.writing.begin() as session:
            kept = idempotency.find(session, "key", "f")
            if kept is not None:
                return str(kept.body["id"])
            project = ProjectRepository(session).add(Project(name="a"))
            idempotency.store(session, "key", status=201, headers={}, body={"id": project.id})
            return project.id

    with ThreadPoolExecutor(n_requests) as pool:
        ids = set(pool.map(create, range(n_requests)))

    assert len(ids) == 1
    with any_database.reading() as session:
        assert len(ProjectRepository(session).page(after=None, limit=10)) == 1
