"""One attempt at a job, as the code that does the work sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from app.artifacts import Artifacts
from app.database import Database
from app.services.jobs.memory_limit import START_BYTES


class Pace(NamedTuple):
    """How fast a stage goes; None where nothing can be said yet."""

    #: Share of the stage that is done.
    stage_progress: float
    documents_per_second: float | None = None
    #: Of this pass, where the stage goes over its work several times.
    stage_seconds_left: float | None = None
    #: Of the whole job, if the rest goes at the pace of what is done.
    seconds_left: float | None = None


class ReportProgress(Protocol):
    """Tell how far the job is; safe to call often."""

    def __call__(
        self,
        stage: str,
        fraction: float,
        message: str | None = None,
        data: dict[str, Any] | None = None,
        pace: Pace | None = None,
    ) -> None:
        """``fraction`` is the share of the whole job that is done, in [0, 1].

        A ``message`` makes it an event of the job's log, with ``data`` beside it.
        """


@dataclass(frozen=True)
class Run:
    """What a job's code is given; it publishes only while ``run_token`` holds the job.

    ``project_id`` is empty where the job is on a table: ``spec["table_id"]`` names that.
    """

    job_id: str
    run_token: str
    project_id: str
    spec: dict[str, Any]
    database: Database
    artifacts: Artifacts
    report: ReportProgress
    #: Whether to end with the best found so far. Who asks once is given time for that.
    stop_requested: Callable[[], bool] = lambda: False
    #: What its process may take, in MiB; None for no limit.
    memory_mb: int | None = None
    #: What its process held before it began.
    held_bytes: int = START_BYTES
