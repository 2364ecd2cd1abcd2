"""The real service in a folder of its own, for the demo, tests and benchmarks."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx2

from app.commands.client import ServiceFailed, answer
from app.media_types import NDJSON
from app.parent_death import die_with_parent
from app.settings import PREFIX, Settings


@contextmanager
def running_service(folder: Path, **changes: Any) -> Iterator[str]:
    """Run the real service, API and worker, in a folder of its own; give its URL.

    ``changes`` are settings that differ from the defaults.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    defaults: dict[str, Any] = {
        "database_url": f"sqlite:///{folder / 'seedbed.db'}",
        "artifacts_url": str(folder / "artifacts"),
        "cache_directory": folder / "cache",
        "port": port,
        "log_level": "warning",
    }
    settings = Settings(**{**defaults, **changes})
    url = f"http://127.0.0.1:{port}"
    log = folder / "service.log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "app", "serve"],
            env={**_without_settings(), **settings.to_environment()},
            stderr=stderr,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
    try:
        _wait_until_ready(process, url, log)
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _without_settings() -> dict[str, str]:
    """Return the environment without settings of another service."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


def _wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    with httpx2.Client(base_url=url) as client:
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(httpx2.TransportError):
                if client.get("/readyz").is_success:
                    return
            time.sleep(0.05)
    raise ServiceFailed(f"The service did not start:\n{log.read_text()}")


def upload(
    client: httpx2.Client, project_id: str, label: str, documents: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    """Upload documents as positives or unlabeled; return the report.

    Raises
    ------
    ServiceFailed
    """
    lines = b"".join(json.dumps(document).encode() + b"\n" for document in documents)
    return dict(
        answer(
            client.post(
                f"/projects/{project_id}/{label}",
                content=gzip.compress(lines, compresslevel=1),
                headers={"content-type": NDJSON, "content-encoding": "gzip"},
            )
        )
    )
