"""The child process of one attempt at a job: kill it, and whatever it computes is over.

The worker needs none of the libraries that jobs do: the fork server alone loads them.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import forkserver, util
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psutil
import structlog

from app.command_failed import CommandFailed
from app.local_files import lock
from app.parent_death import die_with_parent
from app.services.jobs import memory_limit
from app.settings import Settings

#: Least time between two looks for the processes that a job started: each reads all of /proc.
FAMILY_SECONDS = 1.0

#: Libraries get one thread each, whatever the shell says. A job spreads its work over as many
#: threads as SEEDBED_JOB_THREADS says; more of them would only wait for each other.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

#: What the children run.
_CHILD = "app.worker.job_child"
#: The module whose RUNNERS do the work, and all that the fork server loads for them.
RUNNERS = "app.worker.job_runners"
MODULES = (RUNNERS, "app.worker.job_preload")

_context = multiprocessing.get_context("forkserver")

#: Locks a folder once, for as long as this process lives.
_locked = cache(lock)

#: Processes by child, and when they were looked for.
_families: WeakKeyDictionary[ForkServerProcess, tuple[float, list[psutil.Process]]] = (
    WeakKeyDictionary()
)

logger = structlog.get_logger(__name__)


class Attempt(NamedTuple):
    """What a child is to do; ``runners`` names a module that holds RUNNERS."""

    settings: Settings
    job_id: str
    run_token: str
    runners: str


class Progress(NamedTuple):
    """How far the job is."""

    stage: str
    fraction: float
    pace: dict[str, float | None] | None = None


class Stoppable(NamedTuple):
    """The job can end early with what it has, when it is sent anything."""


class Failure(NamedTuple):
    """Why the attempt failed.

    ``is_final``: another attempt would fail as well. ``is_of_schema``: so would any job of this
    worker, as the database does not have the schema of its version.
    """

    code: str
    message: str
    is_final: bool = True
    is_of_schema: bool = False


def prepare(modules: Sequence[str] = ()) -> None:
    """Start the fork server and wait until it has loaded modules, once for all children.

    Loading takes seconds. Each job would need them otherwise, and one that was claimed before the
    server was ready could lose its lease while it waits for its child.

    Raises
    ------
    ImportError
        If a module cannot be loaded: each job would fail of it.
    CommandFailed
        If the fork server ended meanwhile; it has told why.
    """
    began = time.monotonic()
    logger.info("worker loads libraries; the first start of an installation compiles some")
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    loaded = [_CHILD, *modules]
    _context.set_forkserver_preload(loaded)
    # The fork server passes over what it cannot load.
    first = _context.Process(target=_load, args=(loaded,))
    try:
        first.start()
    except (ConnectionError, EOFError) as error:
        raise CommandFailed("What jobs need could not be loaded.") from error
    first.join()
    # Without its socket no child could be started any more.
    _locked(util.get_temp_dir())
    if first.exitcode == 1:  # not by a signal
        raise ImportError(f"What jobs need cannot be loaded: {', '.join(loaded)}.")
    logger.info("worker is ready for jobs", seconds=round(time.monotonic() - began, 1))


def start(attempt: Attempt) -> tuple[ForkServerProcess, Connection]:
    """Start a child; give it and the connection for Progress, Stoppable and Failure."""
    ours, its = _context.Pipe()
    child = _context.Process(target=_main, args=(attempt, its), daemon=False)
    child.start()
    # Only the child may hold this end, so that its death ends the connection.
    its.close()
    return child, ours


def can_start() -> bool:
    """Tell whether the socket of the fork server is there, which others may have deleted."""
    server: Any = forkserver._forkserver
    return os.path.exists(server._forkserver_address)


def kill(child: ForkServerProcess) -> None:
    """End the child, and those it started itself, at once."""
    for process in _family(child):
        with suppress(psutil.NoSuchProcess):
            process.kill()
    child.join()


def memory_mb(child: ForkServerProcess) -> float:
    """Return what the child and those it started itself hold beside mapped files, in MiB."""
    now = time.monotonic()
    known = _families.get(child)
    if known is None or now - known[0] >= FAMILY_SECONDS:
        known = _families[child] = (now, _family(child))
    n_bytes = 0
    for process in known[1]:
        with suppress(psutil.NoSuchProcess):
            n_bytes += memory_limit.held_bytes(process)
    return n_bytes / 2**20


def _family(child: ForkServerProcess) -> list[psutil.Process]:
    if child.exitcode is not None:
        return []
    try:
        process = psutil.Process(child.pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _load(modules: Sequence[str]) -> None:
    _die_with_worker()
    for name in modules:
        import_module(name)


def _main(attempt: Attempt, connection: Connection) -> None:
    _die_with_worker()
    import_module(_CHILD).main(attempt, connection)


def _die_with_worker() -> None:
    """End when the worker ends: then the fork server does, and with that its children."""
    # It lives while any process holds this end of its pipe, and each child is given one.
    server: Any = forkserver._forkserver
    os.close(server._forkserver_alive_fd)
    server._forkserver_alive_fd = None
    die_with_parent(os.getppid())
    # Outside Linux, or when the worker ended before the kernel was asked.
    threading.Thread(target=_wait_for_the_end_of_the_worker, daemon=True).start()


def _wait_for_the_end_of_the_worker() -> None:
    worker = multiprocessing.parent_process()
    assert worker is not None
    worker.join()
    os.kill(os.getpid(), signal.SIGKILL)
