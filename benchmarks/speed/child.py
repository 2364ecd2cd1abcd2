"""Functions run in a fresh process, which can be limited and whose memory can be told."""

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple


class Failure(NamedTuple):
    """Why there is no result."""

    message: str


def run(
    function: Callable[..., Any],
    *arguments: Any,
    seconds: float = 3600,
    gigabytes: float | None = None,
) -> Any:
    """Return what the function returns in a process of its own, or a Failure.

    ``gigabytes`` limits the address space of the process.
    """
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(sender, gigabytes, function, arguments))
    process.start()
    sender.close()
    try:
        if receiver.poll(seconds):
            return receiver.recv()
        process.kill()
        return Failure(f"not done in {seconds:.0f} s")
    except EOFError:
        process.join()
        return Failure(f"the process ended with code {process.exitcode}")
    finally:
        process.join()


def _answer(
    sender: Connection, gigabytes: float | None, function: Callable[..., Any], arguments: tuple
) -> None:
    if gigabytes is not None:
        limit = int(gigabytes * 1e9)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        sender.send(function(*arguments))
    except Exception as error:
        message = " ".join(str(error).split())
        sender.send(Failure(f"{type(error).__name__}: {message[:150]}"))


def resident_bytes(field: str) -> int:
    """Return "VmHWM", the peak of this process, or "VmRSS", what it holds now.

    Not ``getrusage``: its peak includes that of the parent before this program was started.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"the system does not tell {field}")


def forget_peak() -> None:
    """Let the peak of this process start again from what it holds now."""
    Path("/proc/self/clear_refs").write_text("5")
