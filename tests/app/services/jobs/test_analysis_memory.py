from dataclasses import replace
from typing import Any

import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.errors import MemoryLimit
from app.services.class_prior import class_prior
from app.services.feature_selection import cluster_assumption, feature_selection
from app.services.jobs import analysis_memory
from app.services.jobs.analysis_memory import Size
from app.services.jobs.memory_limit import START_BYTES
from core.feature_selection.fscpu import FSCPU
from core.feature_selection.k_best import KBest
from tests.app.services.corpora import Log, add_project, claim, queue

MILLION = Size(1_000_000, 100_000, 20_000_000)
SPEC = {"method": "fscpu"}


def needed(size: Size) -> int:
    return round((FSCPU().memory_bytes(*size[:4]) + size.held_bytes) / 2**20)


def test_a_refused_selection_names_sizes_limit_and_what_fits() -> None:
    limit = needed(MILLION) - 10
    with pytest.raises(MemoryLimit) as raised:
        analysis_memory.check_selection_memory(limit, FSCPU(), SPEC, MILLION)
    detail = raised.value.detail
    assert f"fscpu may need {needed(MILLION):,} MiB for 1,000,000 documents" in detail
    assert f"{limit:,} (SEEDBED_JOB_MEMORY_MB)" in detail
    assert "Take semi_jmi" in detail
    assert "at most, or raise the limit" in detail
    assert raised.value.errors == [{"pointer": "/method", "detail": detail}]
    with pytest.raises(MemoryLimit, match="Take fewer terms"):
        analysis_memory.check_selection_memory(64, FSCPU(), SPEC, MILLION)


def test_without_a_limit_and_below_it_everything_fits() -> None:
    for limit in (None, needed(MILLION) + 10):
        analysis_memory.check_selection_memory(limit, FSCPU(), SPEC, MILLION)
    for limit in (None, 100_000):
        analysis_memory.check_prior_memory(limit, MILLION, 100)
        analysis_memory.check_cluster_memory(limit, MILLION, 100, 999)


def test_what_the_process_holds_and_bootstraps_are_counted() -> None:
    limit = round((KBest().memory_bytes(*MILLION[:4]) + START_BYTES) / 2**20) + 10
    analysis_memory.check_selection_memory(limit, KBest(), {"method": "k_best"}, MILLION)
    spec = {"method": "k_best", "stability": {"n_bootstraps": 2}}
    with pytest.raises(MemoryLimit):
        analysis_memory.check_selection_memory(limit, KBest(), spec, MILLION)
    size = MILLION._replace(held_bytes=START_BYTES + 20 * 2**20)
    with pytest.raises(MemoryLimit):
        analysis_memory.check_selection_memory(limit, KBest(), {"method": "k_best"}, size)


def test_the_start_of_a_job_counts_at_the_request() -> None:
    for size in (Size(14), analysis_memory.of_table(10, 5)):
        assert size.held_bytes == START_BYTES
        with pytest.raises(MemoryLimit, match="may need"):
            analysis_memory.check_prior_memory(START_BYTES // 2**20, size, 3)


def test_a_table_is_told_in_rows() -> None:
    size = analysis_memory.of_table(1_000_000, 50)
    assert size.n_entries == 50_000_000
    words = "a table of 1,000,000 rows and 50 features"
    with pytest.raises(MemoryLimit, match=words):
        analysis_memory.check_selection_memory(64, FSCPU(), SPEC, size)
    with pytest.raises(MemoryLimit, match=f"{words}.* unlabeled rows"):
        analysis_memory.check_cluster_memory(64, size, 100, 999)


def test_a_sample_is_named_where_it_tells_as_much() -> None:
    with pytest.raises(MemoryLimit, match=r"unlabeled documents \(at most 100,000 are"):
        analysis_memory.check_prior_memory(64, MILLION, 100)
    with pytest.raises(MemoryLimit, match="4,000 unlabeled documents"):
        analysis_memory.check_cluster_memory(64, MILLION, 100, 999)


JOBS: list[tuple[Any, dict[str, Any]]] = [
    (feature_selection, {"method": "fscpu", "n_features": 3}),
    (class_prior, {}),
    (cluster_assumption, {}),
]


@pytest.mark.parametrize(("service", "asked"), JOBS)
def test_what_cannot_fit_is_refused_at_the_request(
    database: Database, service: Any, asked: dict[str, Any]
) -> None:
    project_id = add_project(database)
    refused = pytest.raises(MemoryLimit, match="documents alone")
    with database.writing.begin() as session, refused as raised:
        queue(session, service.request, project_id=project_id, memory_mb=1, **asked)
    # The documents are too many, whatever terms they have.
    assert "fewer terms" not in raised.value.detail


@pytest.mark.parametrize(("service", "asked"), JOBS)
def test_a_job_ends_before_it_looks_at_what_does_not_fit(
    database: Database, artifacts: Artifacts, service: Any, asked: dict[str, Any]
) -> None:
    with database.writing.begin() as session:
        queue(session, service.request, project_id=add_project(database), **asked)
    log = Log()
    run = replace(claim(database, artifacts, log), memory_mb=64)
    with pytest.raises(MemoryLimit, match="may need"):
        service.run(run)
    assert [stage for stage, _ in log.events] == ["vectorise"]
