"""The selectors that are compared beside the FSCPU paper, run and tabulated alike."""

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.papers.fscpu_published import Published
from core.registry import FEATURE_SELECTORS

#: mRMR on values cast to whole numbers, as by the program that the paper used.
TRUNCATED = "mrmr_truncated"


class Outcome(NamedTuple):
    """Selected features, or why there are none."""

    support: NDArray[np.bool_] | None
    cpu_seconds: float
    failure: str = ""


def names(published: dict[str, Published]) -> list[str]:
    """Return the rows of a table: first the published ones, also those that nobody implements."""
    return [*published, TRUNCATED, *(name for name in FEATURE_SELECTORS if name not in published)]


def published_row(name: str, published: dict[str, Published]) -> Published | None:
    return published.get("mrmr" if name == TRUNCATED else name)


def select(
    name: str, X: NDArray[np.float64], y: NDArray[np.int_], n_selected: int, seed: int
) -> Outcome:
    """Run a selector with its default parameters, on one thread of BLAS."""
    key = "mrmr" if name == TRUNCATED else name
    if key not in FEATURE_SELECTORS:
        return Outcome(None, 0, "missing")
    selector = FEATURE_SELECTORS[key](n_selected)
    if "random_state" in selector.get_params():
        selector.set_params(random_state=seed)
    samples = np.floor(X) if name == TRUNCATED else X
    start = time.process_time()
    try:
        with threadpool_limits(1):
            selector.fit(samples, y)
    except (ValueError, ImportError) as error:
        return Outcome(None, 0, f"{type(error).__name__}: {' '.join(str(error).split())[:100]}")
    return Outcome(selector.get_support(), time.process_time() - start)


def spread(mean: float, deviation: float, digits: int = 2) -> str:
    return "-" if np.isnan(mean) else f"{mean:.{digits}f} ± {deviation:.{digits}f}"


def print_header(*cells: str) -> None:
    print("\n| " + " | ".join(cells) + " |\n" + "|---" * len(cells) + "|", flush=True)


def print_row(*cells: Any) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
