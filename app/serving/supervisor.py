"""The whole service on one machine: API and worker, started again when one of them ends."""

import os
import subprocess
import sys
import time
from functools import partial

import structlog

from app import migrate
from app.logs import configure_logging
from app.parent_death import die_with_parent
from app.serving.address import refuse_taken_address
from app.settings import GRACEFUL_SECONDS, HAND_BACK_SECONDS, Settings
from app.stop_signals import on_stop

POLL_SECONDS = 0.1
#: A process that lived for this long has not failed at its start.
STEADY_SECONDS = 30
#: Doubled at each failure; more doublings would go beyond the longest pause.
FIRST_PAUSE_SECONDS, N_DOUBLINGS = 0.05, 8
LONGEST_PAUSE_SECONDS = 10

logger = structlog.get_logger(__name__)


class _Service:
    """A process that is started again after a pause, which grows while it fails at its start."""

    def __init__(self, command: str, settings: Settings) -> None:
        self.command = command
        self.environment = {**os.environ, **settings.to_environment()}
        self.n_failures = 0
        self.start()

    def start(self) -> None:
        self.started = time.monotonic()
        self.start_again: float | None = None
        self.process = subprocess.Popen(
            # Without -P a folder `app` where it is started would come before this package.
            [sys.executable, "-P", "-m", "app", self.command],
            env=self.environment,
            # Ctrl-C in a terminal is for this process, which then stops the others in order.
            start_new_session=True,
            # There are no threads here that could hold a lock while the child is made.
            preexec_fn=partial(die_with_parent, os.getpid()),
        )

    def keep_alive(self) -> None:
        if self.process.poll() is None:
            return
        now = time.monotonic()
        if self.start_again is None:
            lived = now - self.started
            self.n_failures = 0 if lived > STEADY_SECONDS else self.n_failures + 1
            pause = FIRST_PAUSE_SECONDS * 2 ** min(self.n_failures, N_DOUBLINGS)
            self.start_again = now + min(pause, LONGEST_PAUSE_SECONDS)
            logger.error("process ended", process=self.command, code=self.process.returncode)
        elif now >= self.start_again:
            try:
                self.start()
            except OSError:  # as where no memory or process is left
                logger.exception("process could not be started", process=self.command)
                self.start_again = now + LONGEST_PAUSE_SECONDS

    def stop(self, deadline: float) -> None:
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def serve(settings: Settings) -> None:
    """Bring the database up to date, then run API and worker until SIGTERM, SIGINT or SIGHUP.

    Raises
    ------
    CommandFailed
        If another process listens on the port already, or the database cannot be used.
    """
    configure_logging(settings)
    refuse_taken_address(settings)
    migrate.run(settings)

    is_stopping = False

    def stop(*_: object) -> None:
        nonlocal is_stopping
        is_stopping = True

    on_stop(stop)
    services = [_Service(command, settings) for command in ("api", "worker")]
    while not is_stopping:
        for service in services:
            service.keep_alive()
        time.sleep(POLL_SECONDS)
    logger.info("stopping", running_jobs_may_take_seconds=settings.stop_grace_seconds)
    for service in services:
        if service.process.poll() is None:
            service.process.terminate()
    grace = max(settings.stop_grace_seconds, GRACEFUL_SECONDS)
    deadline = time.monotonic() + grace + HAND_BACK_SECONDS
    for service in services:
        service.stop(deadline)
