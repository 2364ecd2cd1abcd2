"""Whether the artifact store can be opened at all, and whether a worker can store in it."""

import time

import structlog
from obstore.exceptions import BaseError

from app.artifact_errors import cause, reason
from app.artifacts import Artifacts
from app.command_failed import CommandFailed
from app.database import Database
from app.settings import Settings
from app.storage_room import NO_ROOM, has_room

#: How often the artifact store is looked at while all is well: an object store counts requests.
STORE_CHECK_SECONDS = 60

logger = structlog.get_logger(__name__)


class StoreWatch:
    """Looks whether results of jobs can be stored: if not, one job after the other would fail."""

    def __init__(self, artifacts: Artifacts, database: Database) -> None:
        self._artifacts, self._database = artifacts, database
        self.can_store, self._seen_at = True, float("-inf")

    def look(self) -> bool:
        now = time.monotonic()
        is_roomy = has_room(self._database, self._artifacts)
        if is_roomy and self.can_store and now - self._seen_at < STORE_CHECK_SECONDS:
            return True
        could_store, self.can_store = self.can_store, is_roomy and self._artifacts.can_store()
        self._seen_at = now
        if could_store and not self.can_store:
            reason = {} if is_roomy else {"reason": NO_ROOM}
            logger.warning("no jobs are taken: files cannot be stored", **reason)
        elif self.can_store and not could_store:
            logger.info("jobs are taken again: files can be stored")
        return self.can_store

    def look_anew(self) -> None:
        """Have the next ``look`` ask the store, however soon it comes."""
        self._seen_at = float("-inf")


def refuse_unusable_store(settings: Settings) -> None:
    """Check that the artifact store can be opened, before anything slow is started.

    One that does not answer may do so later, and is waited for.

    Raises
    ------
    CommandFailed
        If it cannot: no account of an object store is named, say, or the folder cannot be made.
    """
    try:
        Artifacts(settings.artifacts_url, settings.cache_directory)
    except (OSError, BaseError) as error:
        why, more = cause(error), reason(error)
        if more != why:  # those of files have but one
            why += f" ({more})"
        raise CommandFailed(
            f"SEEDBED_ARTIFACTS_URL: {settings.artifacts_url} cannot be opened: {why}."
        ) from error
