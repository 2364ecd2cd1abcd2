"""Help to watch real processes."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[2]
#: Long enough for a loaded machine; no test waits for it when all goes well.
PATIENCE = 60.0


def eventually(condition: Callable[[], Any], what: str) -> Any:
    """Wait until the condition holds and return its value."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited in vain: {what}")


def listening_port(process: psutil.Process) -> int | None:
    """Return the port on which a process listens, as soon as it does."""
    for connection in process.net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN:
            return int(connection.laddr.port)
    return None


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
