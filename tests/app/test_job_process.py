"""What a job's processes take, without a worker."""

import os
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import psutil
import pytest

from app import job_process
from tests.app.processes import eventually, is_alive


def sleep_with_a_child(connection: Connection) -> None:
    """Start a process, tell its number and wait to be killed."""
    pid = os.fork()
    if pid:
        connection.send(pid)
    time.sleep(600)


def test_children_are_counted_but_not_looked_for_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The fork server is one for all tests: it must load its libraries here, too.
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
    both = sum(process.memory_info().rss for process in (grandchild, grandchild.parent())) / 2**20

    job_process.kill(child)

    assert used[-1] == pytest.approx(both, rel=0.2)
    # The last is that of kill.
    assert len(searches) - 1 <= 1 + seconds / job_process.FAMILY_SECONDS
    eventually(lambda: not is_alive(grandchild), "the grandchild is gone")
