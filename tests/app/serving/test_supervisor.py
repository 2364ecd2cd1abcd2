"""The real service, its processes killed one by one."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EAGAIN
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import httpx2
import psutil
import pytest
from structlog.testing import capture_logs

from app.serving.supervisor import LONGEST_PAUSE_SECONDS, STEADY_SECONDS, _Service
from app.settings import Settings
from tests.app.conftest import new_upload_path
from tests.app.processes import PATIENCE, ROOT, eventually, is_alive, listening_port
from tests.app.slow_upload import SlowUpload


@pytest.fixture
def supervisor(settings: Settings) -> Iterator[psutil.Process]:
    with started(settings) as process:
        yield process


@contextmanager
def started(settings: Settings, *before: str, command: str = "serve") -> Iterator[psutil.Process]:
    """Start the service, or a part of it, on any free port."""
    environment = settings.model_copy(update={"port": 0}).to_environment()
    process = subprocess.Popen(
        [*before, sys.executable, "-m", "app", command],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Who runs the tests by nohup has them ignore it.
        preexec_fn=partial(signal.signal, signal.SIGHUP, signal.SIG_DFL),
    )
    yield psutil.Process(process.pid)
    process.kill()
    process.wait()


def child(supervisor: psutil.Process, command: str) -> psutil.Process | None:
    for process in supervisor.children():
        with suppress(psutil.NoSuchProcess):
            if process.cmdline()[-1:] == [command]:
                return process
    return None


def end_by_signal(supervisor: psutil.Process, number: int) -> None:
    family = [supervisor, *supervisor.children(recursive=True)]
    supervisor.send_signal(number)

    eventually(lambda: not any(map(is_alive, family)), "all have ended")


def test_process_that_dies_is_started_again_until_a_signal_ends_all(
    supervisor: psutil.Process,
) -> None:
    for command in ("api", "worker"):
        first = eventually(lambda c=command: child(supervisor, c), f"{command} runs")
        first.kill()
        eventually(
            lambda c=command, old=first: child(supervisor, c) not in (None, old),
            f"{command} runs again",
        )
    assert is_alive(supervisor)

    # The worker has two processes of its own as soon as it can run jobs.
    eventually(lambda: len(supervisor.children(recursive=True)) >= 4, "it has started")
    end_by_signal(supervisor, signal.SIGTERM)


def test_service_that_never_starts_is_tried_again_and_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    service = _Service("api", settings)
    service.n_failures = 2000
    service.process.wait()
    service.keep_alive()
    assert service.start_again is not None
    assert service.start_again - service.started > LONGEST_PAUSE_SECONDS

    # One that dies after it has lived for long waits no longer than after a first failure.
    service.start_again = None
    service.started -= STEADY_SECONDS
    service.keep_alive()
    assert service.n_failures == 0


def test_service_that_finds_no_room_for_a_process_is_tried_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    service = _Service("api", settings)
    service.process.wait()
    service.start_again, began = 0.0, time.monotonic()
    monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=BlockingIOError(EAGAIN, "")))

    with capture_logs() as logs:
        service.keep_alive()

    assert [line["event"] for line in logs] == ["process could not be started"]
    assert service.start_again > began


def test_package_named_app_where_the_service_is_started_is_not_taken_for_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)

    assert _Service("settings", settings).process.wait() == 0


def test_signal_ends_a_service_that_is_starting(supervisor: psutil.Process) -> None:
    eventually(lambda: len(supervisor.children(recursive=True)) >= 2, "it starts")
    end_by_signal(supervisor, signal.SIGINT)


def test_worker_that_has_no_job_yet_does_not_load_what_jobs_need_before_it_stops(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))  # so that it has to compile
    with started(settings, command="worker") as worker:
        loader = eventually(lambda: fork_server(worker), "the fork server runs")
        loader.suspend()
        worker.terminate()
        code = worker.wait(PATIENCE)
        loader.kill()
    assert code == 0


def fork_server(worker: psutil.Process) -> psutil.Process | None:
    for process in worker.children():
        with suppress(psutil.NoSuchProcess):
            if "forkserver" in " ".join(process.cmdline()):
                return process
    return None


def test_uploads_have_their_seconds_to_end_though_jobs_have_none(settings: Settings) -> None:
    with started(settings.model_copy(update={"stop_grace_seconds": 0})) as supervisor:
        api = eventually(lambda: child(supervisor, "api"), "the API runs")
        port = eventually(lambda: listening_port(api), "it listens")
        url = f"http://127.0.0.1:{port}"
        upload = SlowUpload(url, new_upload_path(url))
        # One that nobody has read yet would get no answer.
        eventually(lambda: httpx2.get(f"{url}/jobs", timeout=PATIENCE).json()["jobs"], "it is read")

        supervisor.terminate()
        status, body = upload.answer()

    assert status == 503
    assert json.loads(body)["code"] == "not_ready"


def test_a_terminal_that_is_closed_stops_the_service_in_order(settings: Settings) -> None:
    with started(settings) as supervisor:
        # It takes signals before it starts these.
        eventually(lambda: len(supervisor.children()) == 2, "it starts")
        supervisor.send_signal(signal.SIGHUP)
        assert supervisor.wait(timeout=PATIENCE) == 0


def takes_hangups(process: psutil.Process) -> bool:
    status = Path(f"/proc/{process.pid}/status").read_text()
    (caught,) = re.findall("SigCgt:\t(.+)", status)
    return bool(int(caught, 16) & 1 << (signal.SIGHUP - 1))


@pytest.mark.parametrize(("command", "code"), [("worker", 0), ("api", -signal.SIGTERM)])
def test_so_do_its_parts_alone(settings: Settings, command: str, code: int) -> None:
    with started(settings, command=command) as process:
        eventually(partial(takes_hangups, process), "it takes the signal")
        eventually(lambda: command == "worker" or listening_port(process), "it listens")
        process.send_signal(signal.SIGHUP)
        assert process.wait(PATIENCE) == code


def test_nohup_keeps_the_service_running(settings: Settings) -> None:
    with started(settings, "nohup") as supervisor:
        eventually(lambda: len(supervisor.children()) == 2, "it starts")
        supervisor.send_signal(signal.SIGHUP)
        # Had it been stopped, this would start no other.
        first = eventually(lambda: child(supervisor, "api"), "the API runs")
        first.kill()
        eventually(lambda: child(supervisor, "api") not in (None, first), "it runs again")


def test_killed_supervisor_leaves_no_process(supervisor: psutil.Process) -> None:
    eventually(lambda: len(supervisor.children(recursive=True)) >= 4, "it has started")
    family = supervisor.children(recursive=True)
    supervisor.kill()

    eventually(lambda: not any(map(is_alive, family)), "all have ended")


def test_service_runs_as_the_first_process_of_a_container(settings: Settings) -> None:
    unshare = ["unshare", "--pid", "--fork", "--kill-child"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"]).returncode != 0:
        pytest.skip("process numbers of its own need rights that this user has not")
    container = subprocess.Popen(
        [*unshare, sys.executable, "-m", "app", "serve"],
        cwd=ROOT,
        env={**os.environ, **settings.model_copy(update={"port": 0}).to_environment()},
        stderr=subprocess.DEVNULL,
    )
    try:
        # unshare, supervisor, API, worker and the two processes of the worker.
        family = psutil.Process(container.pid)
        eventually(lambda: len(family.children(recursive=True)) >= 5, "it has started")
    finally:
        container.kill()
        container.wait()
