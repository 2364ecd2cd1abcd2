"""The server of the API: one process or several."""

import os
import signal
import time
from contextlib import suppress
from socket import socket
from threading import Thread
from typing import Any

import structlog
import uvicorn
from uvicorn.supervisors import Multiprocess

from app.metrics_folder import metrics_folder
from app.settings import GRACEFUL_SECONDS, HAND_BACK_SECONDS, SERVICE_HEADER, Settings
from app.stop_signals import on_stop

#: One of several API processes that gives no sign for this long is replaced.
SILENT_SECONDS = 20

logger = structlog.get_logger(__name__)


def serve(settings: Settings) -> None:
    """Serve the API until the process is told to stop."""
    # All of its processes read the settings anew; options of the command go before variables.
    os.environ.update(settings.to_environment())
    logger.info("signing in", users=len(settings.passwords) or "nobody has to")
    # Several processes are started anew at SIGHUP, by uvicorn.
    on_stop(lambda *_: signal.raise_signal(signal.SIGTERM), [signal.SIGHUP])
    options = _options(settings)
    if settings.api_processes == 1:
        uvicorn.run("app.serving.api_process:create_only", **options)
        return
    with metrics_folder():
        config = uvicorn.Config("app.serving.api_process:create", **options)
        Processes(config, [_listening(config)]).run()


def _options(settings: Settings) -> dict[str, Any]:
    return {
        "factory": True,
        "host": settings.host,
        "port": settings.port,
        "workers": settings.api_processes,
        # Named, as the parent of several processes needs nothing of what it loads.
        "http": "app.serving.http_protocol:HttpProtocol",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "headers": [SERVICE_HEADER],
        # Live event streams last as long as their jobs; their clients resume them.
        "timeout_graceful_shutdown": GRACEFUL_SECONDS,
        "timeout_worker_healthcheck": SILENT_SECONDS,
    }


def _listening(config: uvicorn.Config) -> socket:
    """Return the socket, where clients wait for the processes: these take seconds to start."""
    bound = config.bind_socket()
    bound.listen(config.backlog)
    return bound


class Processes(Multiprocess):
    """Those of uvicorn, which waits for a silent one before it looks at a signal or at others."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket]) -> None:
        super().__init__(config, sockets)
        on_stop(self._stop, [signal.SIGTERM, signal.SIGINT])
        signal.signal(signal.SIGCHLD, self._answer_for_all)

    def _stop(self, *_: object) -> None:
        # By a thread: the one that is interrupted here may hold the lock of the event.
        Thread(target=self.should_exit.set).start()
        self._answer_for_all()

    def _answer_for_all(self, *_: object) -> None:
        """Give each sign of life that may be waited for, also that of one that died meanwhile."""
        for process in self.processes:
            with suppress(OSError):
                if not process.parent_conn.poll():
                    process.child_conn.send(True)

    def keep_subprocess_alive(self) -> None:
        """Replace those that died, then wait for signs of life: one that starts takes seconds."""
        # Sorted in place, the list is empty meanwhile, for a signal, too.
        self.processes = sorted(self.processes, key=lambda process: process.process.is_alive())
        super().keep_subprocess_alive()

    def join_all(self) -> None:
        """Wait for the processes to end, and kill those that take too long."""
        deadline = time.monotonic() + GRACEFUL_SECONDS + HAND_BACK_SECONDS
        for process in self.processes:
            process.process.join(max(0.0, deadline - time.monotonic()))
            if process.exitcode is None:
                process.kill()
        super().join_all()
