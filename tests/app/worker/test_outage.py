"""What a worker logs while its database does not answer, and how often it looks."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import psycopg
import pytest
from sqlalchemy.exc import OperationalError, ProgrammingError, SQLAlchemyError
from structlog.testing import capture_logs

from app.database_errors import NOT_MIGRATED
from app.worker.outage import LONGEST_PAUSE_SECONDS, Outage


@pytest.fixture
def stopping() -> threading.Event:
    return threading.Event()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Return the time, to be set."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    yield now
    monkeypatch.undo()


def error(message: str) -> SQLAlchemyError:
    return OperationalError("SELECT 1", {}, sqlite3.OperationalError(message))


def test_pauses_double_up_to_some_seconds(stopping: threading.Event, clock: list[float]) -> None:
    outage = Outage(0.1, stopping)
    assert outage.pause() == 0.1
    pauses = []
    while clock[0] < 60:
        outage.note(error("gone"))
        pauses.append(outage.pause())
        clock[0] += pauses[-1]

    growing = [one for one in pauses if one < LONGEST_PAUSE_SECONDS]
    assert growing[:2] == [0.1, 0.1]
    assert all(later == pytest.approx(2 * one) for one, later in pairwise(growing[1:]))
    assert set(pauses[len(growing) :]) == {LONGEST_PAUSE_SECONDS}
    stopping.set()
    assert outage.pause() == 0.1


def test_an_outage_is_logged_once_and_so_is_its_end(
    stopping: threading.Event, clock: list[float]
) -> None:
    outage = Outage(0.1, stopping)
    with capture_logs() as logs:
        for _ in range(2):
            outage.end()
            for _ in range(10):
                outage.note(error("gone"))
                outage.note(error("still away"))
            clock[0] += 17
            outage.end()
            outage.end()

    assert [(one["event"], one.get("seconds")) for one in logs] == 2 * [
        ("no answer from the database", None),
        ("no answer from the database", None),
        ("the database answers again", 17),
    ]
    assert outage.pause() == 0.1


@pytest.mark.parametrize(
    "missing",
    [
        error("no such table: jobs"),
        ProgrammingError("SELECT 1", {}, psycopg.errors.UndefinedTable()),
    ],
)
def test_what_a_missing_schema_needs_is_logged(
    stopping: threading.Event, missing: SQLAlchemyError
) -> None:
    with capture_logs() as logs:
        Outage(0.1, stopping).note(missing)
    assert [one["reason"] for one in logs] == [NOT_MIGRATED]
