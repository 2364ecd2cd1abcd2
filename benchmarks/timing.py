"""Time of a piece of work, by the processor and by the clock."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

Result = TypeVar("Result")


def cpu_seconds(
    work: Callable[..., Result], *arguments: Any, **options: Any
) -> tuple[float, Result]:
    """Call on one thread of BLAS; return the seconds of all threads, and what was returned."""
    with threadpool_limits(1, user_api="blas"):
        start = time.process_time()
        result = work(*arguments, **options)
        return time.process_time() - start, result


def best_seconds(run: Callable[[], object], repeats: int) -> float:
    """Call several times; return the least time by the clock."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
