"""The server of the API: one process or several."""

import os
import signal

import structlog
import uvicorn

from app.metrics_folder import metrics_folder
from app.serving.http_protocol import HttpProtocol
from app.settings import GRACEFUL_SECONDS, SERVICE_HEADER, Settings
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
    if settings.api_processes == 1:
        _serve("app.serving.api_process:create_only", settings)
        return
    with metrics_folder():
        _serve("app.serving.api_process:create", settings)


def _serve(create: str, settings: Settings) -> None:
    uvicorn.run(
        create,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.api_processes,
        http=HttpProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        headers=[SERVICE_HEADER],
        # Live event streams last as long as their jobs; their clients resume them.
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        timeout_worker_healthcheck=SILENT_SECONDS,
    )
