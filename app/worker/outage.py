"""An outage of the database as a worker meets it: when to look again, and what is logged."""

import threading
import time

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.database_errors import (
    DELETED,
    NOT_MIGRATED,
    READ_ONLY,
    is_deleted,
    is_read_only,
    lacks_schema,
)

LONGEST_PAUSE_SECONDS = 5.0
#: A database that is started anew must not cost a job its hours of work.
DATABASE_SECONDS = 60

logger = structlog.get_logger(__name__)


class Outage:
    """Whether the database answers, for all slots of a worker.

    Parameters
    ----------
    poll_seconds : float
        How often it is looked at while all is well.
    stopping : threading.Event
        Set when the worker ends: then no pause is longer.
    """

    def __init__(self, poll_seconds: float, stopping: threading.Event) -> None:
        self._poll_seconds = poll_seconds
        self._stopping = stopping
        self._lock = threading.Lock()
        self._since: float | None = None
        self._told: set[str] = set()

    def note(self, error: SQLAlchemyError) -> None:
        """Log an error, once in an outage."""
        reason = reason_of(error)
        with self._lock:
            if self._since is None:
                self._since = time.monotonic()
            if reason not in self._told:
                self._told.add(reason)
                logger.warning("no answer from the database", reason=reason)

    def end(self) -> None:
        """Log that the database answers, if it did not before."""
        with self._lock:
            if self._since is not None:
                seconds = round(time.monotonic() - self._since, 1)
                logger.info("the database answers again", seconds=seconds)
            self._since = None
            self._told.clear()

    def pause(self) -> float:
        """Return how long to wait before the next look: each time about twice as long."""
        since = self._since
        if since is None or self._stopping.is_set():
            return self._poll_seconds
        lasted = time.monotonic() - since
        return max(self._poll_seconds, min(lasted, LONGEST_PAUSE_SECONDS))


def reason_of(error: SQLAlchemyError) -> str:
    """Return what an error of the database comes from, for who runs the worker."""
    if lacks_schema(error):
        return NOT_MIGRATED
    if is_deleted(error):
        return DELETED
    return READ_ONLY if is_read_only(error) else str(error).partition("\n")[0]
