"""The stages of a job: timed, reported as events, each with its share of the progress."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.services.run import Report
from core.progress import listening

#: Facts of a stage are told after each such share of it.
FACTS_EVERY = 0.05


class Stages:
    """Runs the code of each stage and keeps its ``seconds``.

    Parameters
    ----------
    report : Report
        Where progress and events go.
    ends : dict of str to float
        Progress of the whole job, in [0, 1], at the end of each stage, in order.
    """

    def __init__(self, report: Report, ends: dict[str, float]) -> None:
        self._report = report
        self._ends = ends
        self._done = 0.0
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield a dict for what the event at the end of the stage tells."""
        start, end = self._done, self._ends[name]
        data: dict[str, Any] = {}
        self._report(name, start)
        began = time.perf_counter()
        with listening(_Watch(self._report, name, start, end)):
            yield data
        self.seconds[name] = round(time.perf_counter() - began, 3)
        self._done = end
        self._report(name, end, f"{name} done", {"seconds": self.seconds[name], **data})


class _Watch:
    """Tells the progress of a stage, and the facts that come with it at most twenty times."""

    def __init__(self, report: Report, name: str, start: float, end: float) -> None:
        self._report = report
        self._name = name
        self._start = start
        self._end = end
        self._next_facts = 0.0

    def __call__(self, _: str, share: float, **facts: float) -> None:
        done = self._start + share * (self._end - self._start)
        if facts and share >= self._next_facts:
            self._next_facts = share + FACTS_EVERY
            told = {name: float(value) for name, value in facts.items()}
            self._report(self._name, done, self._name, told)
        else:
            self._report(self._name, done)
