import errno
import multiprocessing
import os
from contextlib import closing
from types import FunctionType
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from app.worker.job_child import _failure, _reporter
from app.worker.job_process import Progress


class Sent(list[Any]):
    """Stands for the connection to the worker."""

    def send(self, told: Any) -> None:
        self.append(told)


def test_the_begin_of_a_stage_is_told_however_soon_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.worker.job_child.PROGRESS_SECONDS", float("inf"))
    sent = Sent()
    report = _reporter(cast("Any", sent), cast("Any", None), "job", "token")
    for stage, fraction in (("alike", 0.0), ("alike", 0.05), ("alike", 0.1), ("race", 0.1)):
        report(stage, fraction)

    assert sent == [Progress("alike", 0.0, None), Progress("race", 0.1, None)]


def test_a_job_whose_worker_is_gone_ends_with_one_line_and_no_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", leave)
    ours, its = multiprocessing.Pipe()
    report = _reporter(cast("Any", its), cast("Any", None), "job", "token")
    report("fit", 0.1)
    ours.close()
    with closing(its), capture_logs() as logs, pytest.raises(SystemExit):
        report("save", 0.2)

    assert [(log["log_level"], "exc_info" in log) for log in logs] == [("warning", False)]
    assert logs[0]["event"].startswith("the worker is gone")


@pytest.mark.parametrize("fault", [BrokenPipeError, ConnectionResetError])
def test_other_pipes_that_break_are_faults(fault: type[OSError]) -> None:
    with capture_logs() as logs:
        failure = _failure(fault())

    assert failure.code == "internal_error"
    assert [log["event"] for log in logs] == ["job failed"]


def test_a_fault_of_the_code_is_logged_with_its_trace_and_not_told() -> None:
    with capture_logs() as logs:
        failure = _failure(ValueError("operands could not be broadcast together"))

    assert failure.code == "internal_error"
    assert "broadcast" not in failure.message
    assert [(log["event"], log["exc_info"]) for log in logs] == [("job failed", True)]


@pytest.mark.parametrize(
    ("module", "lost"),
    [
        ("numba.core.caching", "compiled code (NUMBA_CACHE_DIR)"),
        ("tempfile", "a temporary file (TMPDIR)"),
    ],
)
def test_a_job_without_room_is_told_where_to_make_some(module: str, lost: str) -> None:
    def write() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as caught:
        FunctionType(write.__code__, {**globals(), "__name__": module})()
    with capture_logs() as logs:
        failure = _failure(caught.value)

    assert (failure.code, failure.is_final) == ("storage_full", True)
    assert failure.message.startswith(f"There was no room for {lost}.")
    assert "Make room" in failure.message
    assert [(log["event"], log["exc_info"]) for log in logs] == [("no room for a file", True)]
