"""Figures for Prometheus: requests of the API's processes, jobs in the database, and storage."""

import os
from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from app import metrics_folder
from app.database import Database
from app.orm import utc_now
from app.repositories.job_statistics import JobStatistics
from app.repositories.worker_signs import WorkerSignRepository

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}


class RequestMetrics:
    """How long requests took, by route, method and status."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._seconds = Histogram(
            "seedbed_request_seconds",
            "Time from the first byte of a request to the last of its answer.",
            ["method", "route", "status"],
            registry=self.registry,
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        # A client may invent methods; each would be a time series of its own.
        method = method if method in METHODS else "other"
        self._seconds.labels(method, route, str(status)).observe(seconds)


class _Gauges(Collector):
    """Figures that are known already."""

    def __init__(self, *families: GaugeMetricFamily) -> None:
        self._families = families

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return self._families


def _of_jobs(database: Database) -> list[GaugeMetricFamily]:
    with database.reading() as session:
        jobs = JobStatistics(session)
        statistics = jobs.by_kind()
        queue_length = jobs.queue_length()
        oldest = jobs.oldest_queued_at()
        n_workers = WorkerSignRepository(session).n_alive()
    counts = GaugeMetricFamily("seedbed_jobs", "Jobs in the database.", labels=["kind", "status"])
    seconds = GaugeMetricFamily(
        "seedbed_job_seconds",
        "Time of these that ended, from their first start on, waits between attempts included.",
        labels=["kind", "status"],
    )
    for kind, status, n_jobs, total in statistics:
        counts.add_metric([kind, status], n_jobs)
        if status.is_final:
            seconds.add_metric([kind, status], total)
    queue = GaugeMetricFamily(
        "seedbed_queue_length", "Jobs that wait for a worker.", value=queue_length
    )
    waiting = 0.0 if oldest is None else max(0.0, (utc_now() - oldest).total_seconds())
    age = GaugeMetricFamily(
        "seedbed_queue_oldest_seconds", "How long ago the oldest of them was added.", value=waiting
    )
    workers = GaugeMetricFamily(
        "seedbed_workers",
        "Workers that gave a sign of life within the last minute.",
        value=n_workers,
    )
    return [counts, seconds, queue, age, workers]


def request_figures(requests: RequestMetrics) -> bytes:
    """Return the figures of requests in the text format of Prometheus."""
    return generate_latest(_counted(requests))


def job_figures(database: Database | None) -> bytes:
    """Return the figures of jobs, by their table: every API process gives the same.

    Without a database it is told that this one does not answer.
    """
    try:
        families = [] if database is None else _of_jobs(database)
    except SQLAlchemyError:
        families = []
    is_up = GaugeMetricFamily(
        "seedbed_database_up",
        "Whether the database answers and has tables.",
        value=bool(families),
    )
    return generate_latest(_Gauges(is_up, *families))


def storage_figures(is_up: bool, free_bytes: Mapping[str, int]) -> bytes:
    """Return whether the artifact store can be used, and what is free on which volume."""
    store = GaugeMetricFamily(
        "seedbed_artifacts_up", "Whether the artifact store can be used.", value=is_up
    )
    free = GaugeMetricFamily(
        "seedbed_free_bytes",
        "Room for an SQLite database and for a folder of artifacts.",
        labels=["volume"],
    )
    for volume, n_bytes in free_bytes.items():
        free.add_metric([volume], n_bytes)
    return generate_latest(_Gauges(store, free))


def _counted(requests: RequestMetrics) -> CollectorRegistry:
    folder = os.environ.get(metrics_folder.VARIABLE)
    if folder is None:
        return requests.registry
    # Sums over all processes, dead ones too. Memory and the like would be those of a random one.
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]  # its library has no types here
    return registry
