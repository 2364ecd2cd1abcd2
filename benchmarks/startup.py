"""Start-up time of `seedbed serve` to its first answered request, and its memory when idle."""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import httpx2
import psutil

from app.commands.running_service import running_service


def measure(idle_seconds: float) -> tuple[float, dict[str, float]]:
    """Give seconds to the first answer, and MB (proportional set size) by process."""
    with tempfile.TemporaryDirectory(prefix="seedbed-benchmark-") as folder:
        start = time.perf_counter()
        with running_service(Path(folder)) as url:
            httpx2.get(f"{url}/livez").raise_for_status()
            seconds = time.perf_counter() - start
            time.sleep(idle_seconds)
            return seconds, _memory()


def _memory() -> dict[str, float]:
    memory: dict[str, float] = {}
    for process in psutil.Process(os.getpid()).children(recursive=True):
        words = process.cmdline()
        names = [
            name for name in ("serve", "api", "worker", "forkserver") if name in " ".join(words)
        ]
        name = names[-1] if names else process.name()
        memory[name] = memory.get(name, 0) + process.memory_full_info().pss / 1e6
    return memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--idle-seconds", type=float, default=3)
    arguments = parser.parse_args()

    measure(0)  # the first run fills the disk cache
    runs = [measure(arguments.idle_seconds) for _ in range(arguments.runs)]
    print(
        f"first answered request after {statistics.median(run[0] for run in runs):.2f} s (median)"
    )
    memory = runs[-1][1]
    print(f"idle memory {sum(memory.values()):.0f} MB (PSS): ", end="")
    print(", ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in memory.items()))


if __name__ == "__main__":
    main()
