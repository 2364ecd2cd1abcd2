"""What is asked of the service from outside: whether it is ready, and its figures."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

import anyio
import structlog

from app import migrate
from app.artifacts import Artifacts
from app.database import Database
from app.database_errors import NOT_MIGRATED, READ_ONLY, takes_changes
from app.errors import NotReady
from app.metrics import RequestMetrics, job_figures, request_figures, storage_figures
from app.storage_room import NO_ROOM, free_bytes, has_room

T = TypeVar("T")

logger = structlog.get_logger(__name__)

#: How long a database or a store may take to answer.
SECONDS = 3.0


class Probe(Generic[T]):
    """A look at what may hang for minutes: one at a time, for all who ask meanwhile.

    So it takes one thread, none of those that answer requests.
    """

    def __init__(self, look: Callable[[], T]) -> None:
        self._look = look
        self._running: asyncio.Future[T] | None = None

    async def result(self) -> T:
        """Return what was found, or raise TimeoutError while the look goes on."""
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().run_in_executor(None, self._look)
            # When all have left, nobody takes its error, which asyncio would log then.
            self._running.add_done_callback(lambda look: look.cancelled() or look.exception())
        with anyio.fail_after(SECONDS):
            return await asyncio.shield(self._running)

    async def result_or(self, fallback: T) -> T:
        """Return what was found, or this while the look goes on."""
        try:
            return await self.result()
        except TimeoutError:
            return fallback


class Probes:
    """Looks at the database and the store of one process of the API."""

    def __init__(self, database: Database, artifacts: Artifacts, metrics: RequestMetrics) -> None:
        self._metrics = metrics
        self._fault = Probe(partial(_fault, database, artifacts))
        self._database_fault = Probe(partial(_told_database_fault, database))
        self._storage = Probe(lambda: (artifacts.fault(), artifacts.cache_fault()))
        self._job_figures = Probe(partial(job_figures, database))
        self._storage_figures = Probe(partial(_storage_figures, database, artifacts))

    async def look_at_all(self) -> None:
        """Let the log have what is wrong with database, artifact store and cache directory."""
        fault, _ = await asyncio.gather(
            self._database_fault.result_or(
                f"It did not answer in {SECONDS:g} seconds. Look at its server, at the network and "
                "at SEEDBED_DATABASE_URL."
            ),
            self._storage.result_or((None, None)),
        )
        if fault is not None:
            logger.error("database cannot be used", reason=fault)

    async def check(self) -> None:
        """Raise NotReady where database, artifact store or cache directory cannot be used."""
        try:
            fault = await self._fault.result()
        except TimeoutError:
            fault = f"The database or the artifact store did not answer in {SECONDS:g} seconds."
        if fault is not None:
            raise NotReady(fault)

    async def figures(self) -> bytes:
        """Return all figures in the text format of Prometheus."""
        of_requests = await asyncio.to_thread(request_figures, self._metrics)
        of_jobs, of_storage = await asyncio.gather(
            self._job_figures.result_or(job_figures(None)),
            self._storage_figures.result_or(storage_figures(False, {})),
        )
        return of_requests + of_jobs + of_storage


def _storage_figures(database: Database, artifacts: Artifacts) -> bytes:
    return storage_figures(artifacts.fault() is None, free_bytes(database, artifacts))


def _fault(database: Database, artifacts: Artifacts) -> str | None:
    if fault := _database_fault(database) or artifacts.fault() or artifacts.cache_fault():
        return fault
    return None if has_room(database, artifacts) else NO_ROOM


def _database_fault(database: Database) -> str | None:
    if migrate.is_foreign(database):
        return migrate.FOREIGN
    if not migrate.is_current(database):
        return NOT_MIGRATED
    return None if takes_changes(database) else READ_ONLY


def _told_database_fault(database: Database) -> str | None:
    try:
        return _database_fault(database)
    except migrate.ERRORS as error:
        return migrate.unusable(error)
