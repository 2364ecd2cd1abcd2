"""The server of the API: one process or several, and the folder in which these count requests."""

import os
import shutil
import tempfile
from pathlib import Path

import psutil
import uvicorn

from app.http_protocol import HttpProtocol
from app.settings import Settings

GRACEFUL_SECONDS = 3
#: One of several API processes that gives no sign for this long is replaced.
SILENT_SECONDS = 20
#: Where Prometheus' own library reads the name of the folder.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
#: Behind it comes the number of the process that the folder is of.
METRICS_PREFIX = "seedbed-metrics-"


def serve(settings: Settings) -> None:
    """Serve the API until the process is told to stop."""
    if settings.api_processes == 1:
        _serve("app.api_process:create_only", settings)
        return
    # Their requests are counted in files of this folder, so that any of them can give the sums.
    remove_left_metrics()
    with tempfile.TemporaryDirectory(prefix=f"{METRICS_PREFIX}{os.getpid()}-") as folder:
        os.environ[METRICS_FOLDER] = folder
        _serve("app.api_process:create", settings)


def remove_left_metrics() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{METRICS_PREFIX}*-*"):
        pid = folder.name.removeprefix(METRICS_PREFIX).partition("-")[0]
        # In a container that is started again, the number is that of before.
        is_left = pid == str(os.getpid()) or (pid.isdecimal() and not psutil.pid_exists(int(pid)))
        if is_left:
            shutil.rmtree(folder, ignore_errors=True)


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
        # Live event streams last as long as their jobs; their clients resume them.
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        timeout_worker_healthcheck=SILENT_SECONDS,
    )
