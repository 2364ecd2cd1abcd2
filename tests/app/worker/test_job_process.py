"""What a job's processes take, without a worker."""

import fcntl
import mmap
import os
import signal
import subprocess
import sys
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.settings import Settings
from app.worker import job_process
from tests.app.processes import ROOT, eventually, is_alive

N_BYTES = 64 * 2**20


def test_the_worker_itself_loads_no_library_of_jobs() -> None:
    command = (
        "import app.worker.worker, sys; print({'core', 'numpy', 'sklearn'} & set(sys.modules))"
    )
    printed = subprocess.run([sys.executable, "-c", command], capture_output=True, cwd=ROOT)

    assert printed.stdout == b"set()\n"


def test_libraries_of_jobs_take_one_thread_whatever_the_shell_says() -> None:
    command = (
        "import os; from app.worker.worker import job_process\n"
        "if __name__ == '__main__': job_process.prepare(); print(os.environ['OMP_NUM_THREADS'])"
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "7"}
    printed = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, cwd=ROOT, env=environment
    )
    assert printed.stdout.splitlines()[-1] == b"1"


def test_children_of_a_worker_do_not_load_the_command_line(settings: Settings) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "app", "worker"],
        cwd=ROOT,
        env={**os.environ, **settings.model_copy(update={"log_level": "info"}).to_environment()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert worker.stdout is not None
    loaded = []
    for line in worker.stdout:  # of the fork server and a child, too
        loaded.append(line.rpartition("|")[2].strip())
        if "worker is ready for jobs" in line:
            break
    worker.terminate()
    worker.communicate()

    assert loaded.count("app.worker.job_child") == 1
    assert (loaded.count("app.commands"), loaded.count("typer")) == (1, 1)


def test_what_cannot_be_loaded_stops_the_start() -> None:
    modules = r"app\.worker\.job_child, tests\.no_module"
    with pytest.raises(ImportError, match=rf"cannot be loaded: {modules}\."):
        job_process.prepare(["tests.no_module"])


def test_what_cleans_up_temporary_files_finds_the_folder_of_the_fork_server_locked() -> None:
    job_process.prepare()
    folder = os.open(get_temp_dir(), os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(folder)


def sleep_with_a_child(connection: Connection) -> None:
    """Start a process, tell its number and wait to be killed."""
    pid = os.fork()
    if pid:
        connection.send(pid)
    time.sleep(600)


def test_children_are_counted_but_not_looked_for_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job_process.prepare()
    receiver, sender = get_context("forkserver").Pipe(duplex=False)
    child = get_context("forkserver").Process(target=sleep_with_a_child, args=(sender,))
    child.start()
    grandchild = psutil.Process(receiver.recv())
    searches = []
    find = psutil.Process.children

    def find_and_note(process: psutil.Process, **options: Any) -> list[psutil.Process]:
        searches.append(process.pid)
        return find(process, **options)

    monkeypatch.setattr(psutil.Process, "children", find_and_note)
    started = time.monotonic()
    used = [job_process.memory_mb(child) for _ in range(10)]
    seconds = time.monotonic() - started
    family = [process.memory_info() for process in (grandchild, grandchild.parent())]
    both = sum(memory.rss - memory.shared for memory in family) / 2**20

    job_process.kill(child)

    assert used[-1] == pytest.approx(both, rel=0.2)
    # The last is that of kill.
    assert len(searches) - 1 <= 1 + seconds / job_process.FAMILY_SECONDS
    eventually(lambda: not is_alive(grandchild), "the grandchild is gone")


def test_a_process_that_ends_while_others_are_killed_is_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job_process.prepare()
    child = get_context("forkserver").Process(target=time.sleep, args=(600,), daemon=True)
    child.start()
    other = subprocess.Popen(["true"])
    family = [psutil.Process(other.pid), psutil.Process(child.pid)]
    other.wait()
    monkeypatch.setattr(job_process, "_family", lambda _: family)

    assert job_process.memory_mb(child) > 0
    job_process.kill(child)
    assert child.exitcode == -signal.SIGKILL


def map_then_take(connection: Connection, path: Path) -> None:
    """Read a mapped file whole, then take as much memory; wait to be told each time."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        connection.recv()
        n_bytes = sum(len(mapped[start : start + 2**20]) for start in range(0, N_BYTES, 2**20))
        connection.send(n_bytes)
        connection.recv()
        taken = b"x" * n_bytes
        connection.send(len(taken))
        time.sleep(600)


@pytest.mark.skipif(not hasattr(psutil.Process().memory_info(), "shared"), reason="Linux tells it")
def test_memory_is_counted_and_mapped_files_are_not(tmp_path: Path) -> None:
    path = tmp_path / "matrix"
    path.write_bytes(b"x" * N_BYTES)
    job_process.prepare()
    ours, its = get_context("forkserver").Pipe()
    child = get_context("forkserver").Process(target=map_then_take, args=(its, path))
    child.start()
    resident = psutil.Process(child.pid).memory_info().rss
    used = [job_process.memory_mb(child)]
    for _ in range(2):
        ours.send("go on")
        assert ours.recv() == N_BYTES
        used.append(job_process.memory_mb(child))
    resident = psutil.Process(child.pid).memory_info().rss - resident
    job_process.kill(child)

    before, mapped, taken = used
    assert resident > 1.8 * N_BYTES  # else it was not read through the mapping
    assert mapped - before < 0.2 * N_BYTES / 2**20
    assert taken - mapped > 0.8 * N_BYTES / 2**20
