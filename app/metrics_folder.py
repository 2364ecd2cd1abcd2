"""The folder in which several processes of the API count their requests, to give the sums."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from app.local_files import lock

#: Where Prometheus' own library reads the name of the folder.
VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
#: Behind it comes the number of the process that the folder is of.
PREFIX = "seedbed-metrics-"


@contextmanager
def metrics_folder() -> Iterator[None]:
    """Have the processes that are started meanwhile count in one folder."""
    remove_left_folders()
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as folder:
        os.environ[VARIABLE] = folder
        descriptor = lock(folder)
        try:
            yield
        finally:
            os.close(descriptor)


def remove_left_folders() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        # In a container that is started again, the number is that of before.
        is_left = pid == str(os.getpid()) or (pid.isdecimal() and not psutil.pid_exists(int(pid)))
        if is_left:
            shutil.rmtree(folder, ignore_errors=True)
