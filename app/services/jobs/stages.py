"""The stages of a job: timed, reported as events, each with its share of the progress."""

import time
from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any

from app.services.jobs.run import Pace, ReportProgress
from core.progress import listening

#: Facts of a stage are told each time that this share of it is done.
FACTS_EVERY = 0.05
#: A rate over less time than this says little.
RATE_SECONDS = 0.5
#: Stages whose parts take times of their own -> the share from which on the rate says something.
UNEVEN = {"race": 0.1}


def ends_without(ends: dict[str, float], left_out: Set[str]) -> dict[str, float]:
    """Return the ends of stages of which some take no time."""
    done, before, sooner = 0.0, 0.0, {}
    for name, end in ends.items():
        done += 0.0 if name in left_out else end - before
        before, sooner[name] = end, done
    return {name: end / done for name, end in sooner.items()}


class Stages:
    """Runs the code of each stage and keeps its ``seconds``.

    Parameters
    ----------
    report : ReportProgress
        Where progress and events go.
    ends : dict of str to float
        Progress of the whole job, in [0, 1], at the end of each stage, in order.
    """

    def __init__(self, report: ReportProgress, ends: dict[str, float]) -> None:
        self._report = report
        self._ends = ends
        self._done = 0.0
        self._began = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def expect(self, ends: dict[str, float]) -> None:
        """Take other ends from now on: what the stages take may be known only now."""
        self._ends = ends

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield a dict for what the event at the end of the stage tells."""
        start, end = self._done, self._ends[name]
        data: dict[str, Any] = {}
        self._report(name, start)
        began = time.perf_counter()
        with listening(_Watch(self._report, name, (start, end), self._began)):
            yield data
        self.seconds[name] = round(time.perf_counter() - began, 3)
        self._done = end
        self._report(name, end, f"{name} done", {"seconds": self.seconds[name], **data})


class _Watch:
    """Tells the progress of a stage, and the facts that come with it at most twenty times.

    Parameters
    ----------
    report : ReportProgress
    name : str
        The stage.
    span : (float, float)
        Progress of the whole job at its start and end.
    job_began : float
        By ``time.perf_counter``.
    """

    def __init__(
        self, report: ReportProgress, name: str, span: tuple[float, float], job_began: float
    ) -> None:
        self._report = report
        self._name = name
        self._start, self._end = span
        self._done = self._start
        self._job_began = job_began
        self._first: tuple[float, float] | None = None
        self._share = 0.0
        self._is_first_pass = True
        self._next_facts = 0.0

    def __call__(self, _: str, share: float, n_samples: int | None = None, **facts: float) -> None:
        # A stage may go over its work again: its share then falls, the job's must not.
        # Rounded, it may be more than the end.
        reached = min(self._end, self._start + share * (self._end - self._start))
        self._done = done = max(self._done, reached)
        pace = self._pace(share, done, n_samples)
        if facts and share >= self._next_facts:
            self._next_facts = share + FACTS_EVERY
            told = {name: float(value) for name, value in facts.items()}
            self._report(self._name, done, self._name, told, pace=pace)
        else:
            self._report(self._name, done, pace=pace)

    def _pace(self, share: float, done: float, n_samples: int | None) -> Pace:
        """Return the rate since the first report: what was before it, as reading, comes once."""
        now = time.perf_counter()
        if share < self._share:
            # Nobody knows how many passes more there are: no word on the time left of the job.
            self._is_first_pass = False
        if self._first is None or share < self._share:
            self._first = (now, share)
        self._share = share
        began, start = self._first
        is_early = now - began < RATE_SECONDS or share < UNEVEN.get(self._name, 0.0)
        if share == start or is_early:
            return Pace(share)
        rate = (share - start) / (now - began)
        per_second = None if n_samples is None else n_samples * rate
        left = (1 - share) / rate
        if not self._is_first_pass:
            return Pace(share, per_second, left)
        behind = (now - self._job_began) * (1 - self._end) / done
        return Pace(share, per_second, left, left + behind)
