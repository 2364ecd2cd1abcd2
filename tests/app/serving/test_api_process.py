"""Two processes of the API on one socket, stopped and killed one by one."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx2
import psutil
import pytest

from app.database import Database
from app.serving.api_server import SILENT_SECONDS
from app.settings import Settings
from tests.app.processes import PATIENCE, ROOT, eventually, is_alive

PATH = "/algorithms"


class Api:
    """The API with two processes, and who they are."""

    def __init__(self, settings: Settings, log: int | IO[bytes] = subprocess.DEVNULL) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        changes = {"host": "0.0.0.0", "port": port, "api_processes": 2}
        # A new connection for each request: any of the processes may take it.
        self.client = httpx2.Client(
            base_url=f"http://127.0.0.1:{port}", headers={"connection": "close"}, timeout=PATIENCE
        )
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "app", "api", "--host", "127.0.0.1"],
            cwd=ROOT,
            env={**os.environ, **settings.model_copy(update=changes).to_environment()},
            stderr=log,
        )
        self.parent = psutil.Process(self.popen.pid)

    def get(self, path: str) -> httpx2.Response:
        return self.client.get(path)

    def is_ready(self) -> bool:
        try:
            return self.get("/readyz").is_success
        except httpx2.TransportError:
            return False

    def processes(self) -> list[psutil.Process]:
        """Return the processes that answer, as soon as there are two of them."""
        return eventually(self._both, "there are two processes")  # type: ignore[no-any-return]  # a helper of tests

    def one_beside(self, *known: psutil.Process) -> psutil.Process | None:
        """Return one of the processes that is none of these, if there is one."""
        return next((p for p in self._all() if p not in known), None)

    def answers_without(self, process: psutil.Process) -> bool:
        """Tell whether the other one answers soon: one that is silent for long is replaced."""
        process.suspend()
        try:
            return self.client.get("/livez", timeout=2).is_success
        except httpx2.TimeoutException:
            return False
        finally:
            process.resume()

    def end(self) -> None:
        self.client.close()
        self.popen.kill()
        self.popen.wait()

    def _both(self) -> list[psutil.Process]:
        found = self._all()
        return found if len(found) == 2 else []

    def _all(self) -> list[psutil.Process]:
        return [p for p in self.parent.children() if is_alive(p) and _answers(p)]


def _answers(process: psutil.Process) -> bool:
    """Tell whether it is no helper of multiprocessing."""
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:
        return False


@pytest.fixture
def api(settings: Settings, database: Database) -> Iterator[Api]:
    api = Api(settings)
    try:
        eventually(api.is_ready, "the API answers")
        yield api
    finally:
        api.end()


def test_clients_wait_for_processes_that_start(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with log.open("wb") as stream:
        api = Api(settings, stream)
    try:
        eventually(lambda: b"Started parent process" in log.read_bytes(), "it says that it runs")

        # Refused, it would raise.
        assert api.get("/livez").is_success
    finally:
        api.end()


def test_both_answer_and_one_is_enough(api: Api) -> None:
    first, second = api.processes()
    for process in (first, second):
        eventually(lambda p=process: api.answers_without(p), "the other has started")
    for stopped in (first, second):
        stopped.suspend()
        assert api.get(PATH).is_success
        stopped.resume()
    # An answer is counted after it was sent.
    eventually(lambda: _counted(api) == 2, "both answers are counted")
    first.kill()

    assert eventually(api.is_ready, "the other answers")
    assert first not in api.processes()
    assert second in api.processes()

    assert api.get(PATH).is_success
    eventually(lambda: _counted(api) == 3, "the answers of the dead process are counted too")

    family = [api.parent, *api.parent.children(recursive=True)]
    api.parent.send_signal(signal.SIGTERM)
    eventually(lambda: not any(map(is_alive, family)), "all have ended")


def _counted(api: Api) -> float:
    """Return how many answers of all processes the metrics hold."""
    pattern = rf'_count{{method="GET",route="{PATH}",status="200"}} (.*)'
    found = re.search(pattern, api.get("/metrics").text)
    return float(found[1]) if found else 0


def test_options_hold_in_each_process_and_none_outlives_the_one_that_started_it(api: Api) -> None:
    # It listens on this machine alone, as the option says, and not everywhere as its variable.
    answer = api.client.get("/livez", headers={"host": "foreign.example.com"})
    assert answer.json()["code"] == "host_not_allowed"

    family = api.parent.children(recursive=True)
    api.parent.kill()

    eventually(lambda: not any(map(is_alive, family)), "all have ended")


def test_a_silent_process_does_not_hold_up_the_end(api: Api) -> None:
    family = [api.parent, *api.processes()]
    family[1].suspend()
    time.sleep(2)  # by then a sign of life is waited for

    began = time.monotonic()
    api.parent.send_signal(signal.SIGTERM)
    eventually(lambda: not any(map(is_alive, family)), "all have ended")

    assert time.monotonic() - began < SILENT_SECONDS - 5


def test_a_silent_process_does_not_hold_up_another_that_died(api: Api) -> None:
    first, second = api.processes()
    second.suspend()
    time.sleep(2)  # by then a sign of life is waited for

    began = time.monotonic()
    first.kill()
    third = eventually(lambda: api.one_beside(first, second), "the first one is replaced")
    # As one that still starts, behind which the second dies while its sign of life is waited for.
    third.suspend()
    second.kill()
    eventually(lambda: api.one_beside(second, third), "the second one is replaced")

    assert time.monotonic() - began < SILENT_SECONDS - 5


def test_the_first_prediction_waits_for_no_compiler(settings: Settings, database: Database) -> None:
    """It takes numba a third of a second to set itself up."""
    code = (
        "from app.serving.api_process import create_only; "
        "from core.kernels.rows import row_blocks; "
        "create_only(); print(len(row_blocks._row_products.signatures))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **settings.to_environment()},
    )
    assert printed.stdout == b"1\n"
