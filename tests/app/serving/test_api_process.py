"""Two processes of the API on one socket, stopped and killed one by one."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx2
import psutil
import pytest

from app.database import Database
from app.settings import Settings
from tests.app.processes import PATIENCE, ROOT, eventually, is_alive, listening_port

PATH = "/algorithms"
#: The command, which waits for the signs of life of a process for longer than a test for anything.
PATIENT_API = f"""
from app.__main__ import main
from app.serving import api_server
api_server.SILENT_SECONDS = {10 * PATIENCE}
main()
"""


class Api:
    """The API with two processes, and who they are."""

    def __init__(self, pid: int, client: httpx2.Client) -> None:
        self.parent, self.client = psutil.Process(pid), client

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
        """Tell whether the other one answers soon."""
        process.suspend()
        try:
            return self.client.get("/livez", timeout=2).is_success
        except httpx2.TimeoutException:
            return False
        finally:
            process.resume()

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


@contextmanager
def started(settings: Settings, log: int | IO[bytes] = subprocess.DEVNULL) -> Iterator[Api]:
    """Start the API, and give it as soon as it listens."""
    changes = {"host": "0.0.0.0", "port": 0, "api_processes": 2}
    popen = subprocess.Popen(
        [sys.executable, "-c", PATIENT_API, "api", "--host", "127.0.0.1"],
        cwd=ROOT,
        env={**os.environ, **settings.model_copy(update=changes).to_environment()},
        stderr=log,
    )
    try:
        port = eventually(lambda: listening_port(psutil.Process(popen.pid)), "it listens")
        url = f"http://127.0.0.1:{port}"
        # A new connection for each request: any of the processes may take it.
        headers = {"connection": "close"}
        with httpx2.Client(base_url=url, headers=headers, timeout=PATIENCE) as client:
            yield Api(popen.pid, client)
    finally:
        popen.kill()
        popen.wait()


@pytest.fixture
def api(settings: Settings, database: Database) -> Iterator[Api]:
    with started(settings) as api:
        eventually(api.is_ready, "the API answers")
        yield api


def test_clients_wait_for_processes_that_start_and_none_outlives_the_one_that_started_it(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with log.open("wb") as stream, started(settings, stream) as api:
        eventually(lambda: b"Started parent process" in log.read_bytes(), "it says that it runs")

        # Where clients do not wait, it raises. The service listens on this machine alone, as the
        # option says, and not everywhere as its variable.
        answer = api.client.get("/livez", headers={"host": "foreign.example.com"})
        assert answer.json()["code"] == "host_not_allowed"

        family = api.parent.children(recursive=True)
        api.parent.kill()

        eventually(lambda: not any(map(is_alive, family)), "all have ended")


def test_both_answer_and_one_is_enough(api: Api) -> None:
    first, second = api.processes()
    for process in (first, second):
        eventually(lambda p=process: api.answers_without(p), "the other has started")
    for stopped in (first, second):
        stopped.suspend()
        assert api.get(PATH).is_success
        stopped.resume()
    loaded = [_loads_algorithms(process) for process in (first, second, api.parent)]
    assert loaded == [True, True, False]
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


def _loads_algorithms(process: psutil.Process) -> bool:
    return any("sklearn" in mapped.path for mapped in process.memory_maps())


def _counted(api: Api) -> float:
    """Return how many answers of all processes the metrics hold."""
    pattern = rf'_count{{method="GET",route="{PATH}",status="200"}} (.*)'
    found = re.search(pattern, api.get("/metrics").text)
    return float(found[1]) if found else 0


def test_a_silent_process_does_not_hold_up_the_end(api: Api) -> None:
    family = [api.parent, *api.processes()]
    family[1].suspend()
    time.sleep(2)  # by then a sign of life is waited for

    api.parent.send_signal(signal.SIGTERM)
    eventually(lambda: not any(map(is_alive, family)), "all have ended")


def test_a_silent_process_does_not_hold_up_another_that_died(api: Api) -> None:
    first, second = api.processes()
    second.suspend()
    time.sleep(2)  # by then a sign of life is waited for

    first.kill()
    third = eventually(lambda: api.one_beside(first, second), "the first one is replaced")
    # As one that still starts, behind which the second dies while its sign of life is waited for.
    third.suspend()
    second.kill()
    eventually(lambda: api.one_beside(second, third), "the second one is replaced")


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
