"""The real service for commands to talk to."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.commands.running_service import running_service


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the service."""
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="session")
def url(folder: Path) -> Iterator[str]:
    """Return the address of a service that all tests share, each with projects of its own."""
    with running_service(folder, job_poll_seconds=0.05) as url:
        yield url


@pytest.fixture
def commands_here(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands talk to ``client``, whatever address they are given."""
    for name in ("judge", "next", "ranking", "show", "upload"):
        monkeypatch.setattr(f"app.commands.{name}.connected", lambda *_: nullcontext(client))
