from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config

from app.artifacts import Artifacts
from app.database import Database
from app.errors import MemoryLimit
from app.repositories.jobs import JobRepository
from app.services.documents.labels import Labels
from app.services.evaluation import evaluation
from app.services.jobs import memory_limit
from app.services.training import fitting, racing, training, training_memory
from app.services.training.training_memory import KEPT_BYTES, TrainingMemory
from core.auto.candidates import LINEAR
from core.auto.entries import Candidate
from core.base import BasePUClassifier
from core.datasets import make_pu_data
from core.doctor.examine_memory import examine_bytes
from core.registry import ALGORITHMS
from tests.app.services.corpora import Log, add_project, claim, queue, training_spec
from tests.app.services.training.test_training import train

MILLION = TrainingMemory(None, 1_000_000, 100_000, 10_000_000, n_labeled=20, n_fits=2)
GRAPH, LINEAR_ONE = Candidate("seed_expansion"), Candidate("seed_expansion", LINEAR)
LIGHT, BASELINE = Candidate("prototype"), Candidate("random_ranking", is_baseline=True)


def needed(candidate: Candidate) -> int:
    return round(MILLION.needed_bytes(candidate) / 2**20)


def with_limit(memory_mb: int | None) -> TrainingMemory:
    return replace(MILLION, memory_mb=memory_mb)


def test_a_refusal_names_sizes_limit_and_what_fits() -> None:
    limit = needed(GRAPH) - 10
    with pytest.raises(MemoryLimit) as raised:
        with_limit(limit).check(GRAPH)
    detail = raised.value.detail
    assert f"seed_expansion may need {needed(GRAPH):,} MiB for 1,000,000 documents" in detail
    assert f"{limit:,} (SEEDBED_JOB_MEMORY_MB)" in detail
    assert "Take weighted_logistic_regression" in detail
    with pytest.raises(MemoryLimit, match=r"Not even weighted_logistic_regression.* fewer terms"):
        with_limit(64).check(GRAPH)


def test_a_refusal_says_what_fits_without_calibration() -> None:
    light = Candidate("lgn")
    alone = replace(MILLION, n_fits=1)
    limit = round(alone.needed_bytes(light) / 2**20) + 5
    calibrated = replace(with_limit(limit), alike_bytes=2**30, is_calibrated=True)
    with pytest.raises(MemoryLimit, match='Take lgn with "calibrate": false, which needs'):
        calibrated.check(light)
    with pytest.raises(MemoryLimit, match="Not even weighted_logistic_regression"):
        replace(calibrated, is_calibrated=False).check(light)
    with pytest.raises(MemoryLimit, match=r'Take .* with "calibrate": false'):
        calibrated.check(GRAPH)


def test_without_a_limit_and_below_it_everything_fits() -> None:
    for limit in (None, needed(GRAPH) + 10):
        with_limit(limit).check(GRAPH)


def test_trainings_side_by_side_add_up() -> None:
    one, two = (replace(MILLION, n_fits=n).needed_bytes(Candidate("lgn")) for n in (1, 2))
    shape = MILLION.n_documents, MILLION.n_terms, MILLION.n_entries, MILLION.n_labeled
    assert two - one == ALGORITHMS["lgn"]().memory_bytes(*shape)


def test_what_takes_turns_is_counted_at_its_largest() -> None:
    candidate, most = Candidate("lgn"), 2**40
    alone = MILLION.needed_bytes(candidate)
    shape = MILLION.n_documents, MILLION.n_terms, MILLION.n_entries, MILLION.n_labeled
    fits = MILLION.n_fits * ALGORITHMS["lgn"]().memory_bytes(*shape)
    assert replace(MILLION, examine_bytes=fits).needed_bytes(candidate) == alone
    examined = replace(MILLION, examine_bytes=most)
    assert examined.needed_bytes(candidate) == alone - fits + most
    kept = KEPT_BYTES * (MILLION.n_documents + MILLION.n_terms)
    assert replace(examined, alike_bytes=fits).needed_bytes(candidate) == alone - fits + most + kept


@pytest.mark.parametrize("algorithm", ["lgn", "auto"])
def test_the_doctor_and_the_weights_of_a_race_are_counted(algorithm: str) -> None:
    counts, y, _ = make_pu_data(2000, 500, random_state=0)
    labels = Labels(y == 1, *np.zeros((2, len(y)), dtype=bool))
    counted: Any = SimpleNamespace(counts=counts, labels=labels)
    known = training_memory.after_counting(None, 0, training_spec(algorithm=algorithm), counted)
    shape = *counts.shape, counts.nnz, int(labels.is_positive.sum())
    assert known.examine_bytes == examine_bytes(*shape)
    # Any other training maps its weights from a file.
    assert (known.weights_bytes > 0) == (algorithm == "auto")


def test_a_review_of_few_positives_counts_the_trainings_that_hide_negatives_too() -> None:
    counts, _, _ = make_pu_data(random_state=0)
    place = np.arange(counts.shape[0])
    is_read, is_positive = place < 50, place < 2
    spec, n_fits = training_spec(algorithm="lgn", calibrate=True), []
    with parallel_config("threading", n_jobs=4):
        for is_judged in (is_read, np.zeros_like(is_read)):
            labels = Labels(is_positive, is_read & ~is_positive, is_judged)
            counted: Any = SimpleNamespace(counts=counts, labels=labels)
            n_fits.append(training_memory.after_counting(None, 0, spec, counted).n_fits)
    assert n_fits == [4, 2]


def test_a_race_counts_the_training_of_the_model_too() -> None:
    counts, y, _ = make_pu_data(random_state=0)
    none = np.zeros(len(y), dtype=bool)
    n_fits = []
    for n_positive, n_jobs in [(20, 4), (20, 6), (20, 8), (2, 8), (1, 8)]:
        labels = Labels(np.arange(len(y)) < n_positive, none, none)
        counted: Any = SimpleNamespace(counts=counts, labels=labels)
        with parallel_config("threading", n_jobs=n_jobs):
            spec = training_spec(algorithm="auto", calibrate=True)
            n_fits.append(training_memory.after_counting(None, 0, spec, counted).n_fits)
    assert n_fits == [4, 6, 6, 3, 1]


def test_a_training_is_refused_alike_whether_or_not_its_documents_were_counted_before(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = iter(range(2**30, 2**31))  # more from one look to the next
    monkeypatch.setattr(memory_limit, "held_bytes", lambda: next(held))
    project_id, told = add_project(database), []
    for _ in range(2):
        with database.writing.begin() as session:
            queue(session, training.request, project_id=project_id, algorithm="lp_pul")
        run = replace(claim(database, artifacts), memory_mb=64)
        with pytest.raises(MemoryLimit) as raised:
            training.run(run)
        told.append(raised.value.detail)
        with database.writing.begin() as session:
            JobRepository(session).fail(run.job_id, run.run_token, "memory_limit", "")
    assert told[0] == told[1]


def test_the_race_is_run_by_those_that_fit() -> None:
    candidates = [GRAPH, LIGHT, BASELINE]
    assert racing.by_memory(candidates, with_limit(None)) == (candidates, [])
    # Without its graph seed expansion needs less.
    between = with_limit((needed(GRAPH) + needed(LINEAR_ONE)) // 2)
    assert racing.by_memory(candidates, between) == ([LINEAR_ONE, LIGHT, BASELINE], [GRAPH])
    little = with_limit(needed(LINEAR_ONE) - 10)
    assert racing.by_memory(candidates, little) == ([LIGHT, BASELINE], [GRAPH])
    with pytest.raises(MemoryLimit, match="seed_expansion may need"):
        racing.by_memory(candidates, with_limit(64))


def test_who_is_too_large_is_shown_with_the_reason() -> None:
    X, y, _ = make_pu_data(60, 20, random_state=0)
    labels = Labels(y == 1, *np.zeros((2, len(y)), dtype=bool))
    little = with_limit(needed(LINEAR_ONE) - 10)
    field, _ = racing.enter(X, labels, 60.0, little)

    def train(candidate: Candidate, X: Any) -> BasePUClassifier:
        return fitting.fitted(training_spec(algorithm=candidate.algorithm), X, labels)

    choice = racing.choose(X, labels, training_spec(time_budget=60.0), field, train)
    told = {entry["algorithm"]: entry["reason"] for entry in choice.entries}
    too_large = racing.REASONS["memory_limit"]
    assert told.pop("seed_expansion") == too_large
    for name, reason in told.items():
        assert reason == (None if little.fits(Candidate(name)) else too_large)
    assert "seed_expansion, the favourite, may need more memory" in choice.reason


def test_a_favourite_that_fits_without_its_graph_is_told_as_such() -> None:
    X, y, _ = make_pu_data(60, 20, random_state=0)
    labels = Labels(y == 1, *np.zeros((2, len(y)), dtype=bool))
    between = with_limit((needed(GRAPH) + needed(LINEAR_ONE)) // 2)
    field, _ = racing.enter(X, labels, 60.0, between)
    assert field.candidates[0] == LINEAR_ONE
    assert field.favour == "it fits into memory without neighbors and latent directions"


def test_what_cannot_fit_is_refused_at_the_request(database: Database) -> None:
    project_id = add_project(database)
    with database.writing.begin() as session:
        with pytest.raises(MemoryLimit, match=r"14 documents alone.*fewer documents, or"):
            queue(session, training.request, project_id=project_id, algorithm="lgn", memory_mb=176)
        queue(session, training.request, project_id=project_id, algorithm="auto", memory_mb=1)


def test_a_job_ends_before_it_trains_what_does_not_fit(
    database: Database, artifacts: Artifacts
) -> None:
    with database.writing.begin() as session:
        queue(session, training.request, project_id=add_project(database), algorithm="lp_pul")
    log = Log()
    run = replace(claim(database, artifacts, log), memory_mb=64)
    with pytest.raises(MemoryLimit, match="lp_pul may need"):
        training.run(run)
    assert [stage for stage, _ in log.events] == ["vectorise"]


@pytest.mark.parametrize("algorithm", ["prototype", "seed_expansion"])
def test_no_graph_is_counted_that_calibration_has_no_time_for(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    known = []

    def after_counting(*arguments: Any) -> TrainingMemory:
        known.append(of_job(*arguments))
        return known[0]

    of_job = training_memory.after_counting
    monkeypatch.setattr(training_memory, "after_counting", after_counting)
    monkeypatch.setattr(training, "CALIBRATION_SECONDS", 1e-9)
    train(database, artifacts, add_project(database), algorithm=algorithm)
    assert (known[0].alike_bytes > 0) == (algorithm == "seed_expansion")


@pytest.mark.parametrize("algorithm", ["prototype", "auto"])
def test_calibration_does_without_a_graph_that_does_not_fit(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    def after_counting(*arguments: Any) -> TrainingMemory:
        return replace(of_job(*arguments), memory_mb=4000, alike_bytes=2**33)

    of_job = training_memory.after_counting
    monkeypatch.setattr(training_memory, "after_counting", after_counting)
    model = train(database, artifacts, add_project(database), algorithm=algorithm)
    assert model.card["cuts"]["conductance"]["reason"] == "no_graph"


def test_auto_is_refused_before_it_compares_documents(
    database: Database, artifacts: Artifacts
) -> None:
    with database.writing.begin() as session:
        queue(session, training.request, project_id=add_project(database), algorithm="auto")
    log = Log()
    with pytest.raises(MemoryLimit, match="seed_expansion may need"):
        training.run(replace(claim(database, artifacts, log), memory_mb=64))
    assert [stage for stage, _ in log.events] == ["vectorise"]


def test_an_evaluation_ends_before_it_trains_what_does_not_fit(
    database: Database, artifacts: Artifacts
) -> None:
    model = train(database, artifacts, add_project(database), algorithm="lp_pul")
    with database.writing.begin() as session:
        queue(session, evaluation.request, model_id=model.id)
    log = Log()
    run = replace(claim(database, artifacts, log), memory_mb=64)
    with pytest.raises(MemoryLimit, match="lp_pul may need"):
        evaluation.run(run)
    assert [stage for stage, _ in log.events] == ["vectorise"]
