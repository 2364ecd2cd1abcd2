"""Trainings: checked and queued, then run as jobs."""

from dataclasses import asdict, replace
from typing import Any

from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline
from sqlalchemy.orm import Session

from app.job_kinds import JobKind
from app.orm import Job, Model, Project, new_id
from app.repositories.documents import DocumentRepository
from app.repositories.feature_selections import FeatureSelectionRepository
from app.repositories.jobs import JobRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.counting import vectorising
from app.services.jobs.publication import publish
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages, ends_without
from app.services.parameters import seed_of, unsuitable_documents
from app.services.plain import plain
from app.services.training import calibrating, doctor, fitting, racing, training_memory
from app.services.training.fitting import Documents
from app.services.training.model_card import model_card
from app.services.training.training_memory import TrainingMemory
from app.services.training.training_request import (
    check_budget,
    check_documents,
    checked_pipeline,
    class_prior_of,
    usual_cut,
    usual_pipeline,
)
from app.services.training.training_spec import AUTO, TrainingSpec
from core.auto.entries import Candidate
from core.base import BasePUClassifier
from core.progress import part
from core.registry import USUAL
from core.review.choice import review_learner
from core.shared_work import sharing

NO_RACE: dict[str, Any] = {"choice": None, "race": None}
#: Calibration must not take minutes where the algorithm that was named has no graph of neighbors.
#: Then one is made only if that takes a small share of these seconds.
CALIBRATION_SECONDS = 50.0
#: Share of the time at which each stage ends, measured with LGN on a million short documents; other
#: algorithms fit for longer.
_ENDS = {
    "vectorise": 0.34,
    "weight": 0.35,
    "fit": 0.38,
    "hide": 0.48,
    "calibrate": 0.69,
    "rank": 0.7,
    "examine": 0.97,
    "save": 1.0,
}
#: The same with seed expansion, measured on 56,000 tweets and 18,000 posts.
_ENDS_OF_USUAL = {
    "vectorise": 0.05,
    "weight": 0.06,
    "fit": 0.3,
    "hide": 0.9,
    "calibrate": 0.97,
    "rank": 0.98,
    "examine": 0.99,
    "save": 1.0,
}
#: The same with a race, which takes most of it and has hidden the positives already.
_ENDS_WITH_RACE = {
    "vectorise": 0.1,
    "alike": 0.15,
    "race": 0.85,
    "weight": 0.86,
    "fit": 0.9,
    "hide": 0.91,
    "calibrate": 0.94,
    "rank": 0.95,
    "examine": 0.99,
    "save": 1.0,
}
#: In a review the favourite is alone, and judgements are hidden from it afterwards.
_ENDS_IN_REVIEW = {
    "vectorise": 0.1,
    "alike": 0.25,
    "race": 0.4,
    "weight": 0.41,
    "fit": 0.42,
    "hide": 0.9,
    "calibrate": 0.93,
    "rank": 0.94,
    "examine": 0.99,
    "save": 1.0,
}


def request(
    session: Session,
    *,
    project_id: str,
    algorithm: str,
    params: dict[str, Any],
    vectorizer: dict[str, Any],
    feature_selection_id: str | None,
    class_prior: float | None,
    cut: str | None,
    calibrate: bool,
    time_budget: float,
    random_state: int,
    memory_mb: int | None = None,
) -> Job:
    """Check a training and queue it; ``memory_mb`` is what a job may take.

    Raises
    ------
    ProjectNotFound, FeatureSelectionNotFound, InvalidParameter, NoPositives, NoUnlabeled,
    TooFewPositives, MemoryLimit
    """
    project = ProjectRepository(session).lock(project_id)
    counts = DocumentRepository(session).counts(project_id)
    spec = TrainingSpec(
        algorithm=algorithm,
        params=params,
        vectorizer=_vectorizer(project, counts, algorithm, vectorizer),
        feature_selection_id=feature_selection_id,
        class_prior=class_prior_of(class_prior, params),
        cut=cut or usual_cut(params, calibrate=calibrate),
        calibrate=calibrate,
        time_budget=time_budget,
        graph_budget=_graph_budget(algorithm, time_budget),
        random_state=seed_of(random_state, params),
    )
    classifier = checked_pipeline(spec)["classifier"]
    if feature_selection_id is not None:
        FeatureSelectionRepository(session).of_project(project_id, feature_selection_id)
    check_documents(project_id, counts, algorithm, classifier)
    check_budget(spec.cut, counts["unlabeled"])
    if algorithm != AUTO:
        memory = training_memory.before_counting(memory_mb, counts["total"])
        memory.check(_named(spec))
    return JobRepository(session).add(project_id, JobKind.TRAIN, asdict(spec))


def _graph_budget(algorithm: str, time_budget: float) -> float:
    return time_budget if algorithm in (AUTO, USUAL) else min(time_budget, CALIBRATION_SECONDS)


def _vectorizer(
    project: Project, counts: dict[str, int], algorithm: str, asked: dict[str, Any]
) -> dict[str, Any]:
    """Return the parameters of the vectorizer: those asked for, of a review, of the project."""
    chosen = vectorising.with_defaults(project, asked)
    if algorithm != AUTO:
        return chosen
    learner = review_learner(counts["negative"], counts["total"])
    if learner is None:
        return chosen
    return {**chosen, **learner.vectorizer, **vectorising.as_meant(asked)}


def run(run: Run) -> None:
    """Train, rank the documents of the project, publish the model if the job is still held.

    Raises
    ------
    ProjectNotFound, FeatureSelectionNotFound
    NoPositives, NoUnlabeled, TooFewPositives, UnsuitableDocuments
        If the project or its documents changed since the request, or do not suit the algorithm.
    MemoryLimit
        If what is to be trained does not fit; then nothing was.
    ArtifactUnavailable, StorageFull
    """
    spec = TrainingSpec(**run.spec)
    ends = {AUTO: _ENDS_WITH_RACE, USUAL: _ENDS_OF_USUAL}.get(spec.algorithm, _ENDS)
    if not spec.calibrate:
        ends = ends_without(ends, {"hide", "calibrate"})
    stages = Stages(run.report, ends)
    # One graph of neighbors serves the race, the model and its calibration.
    with unsuitable_documents(), sharing():
        documents = fitting.read(run, stages, spec, usual_pipeline(spec)["counts"])
        if spec.algorithm == AUTO and documents.labels.is_mostly_found:
            stages.expect(_ENDS_IN_REVIEW)
        memory = training_memory.after_counting(run.memory_mb, run.held_bytes, spec, documents)
        spec, choice = _chosen(spec, stages, documents, memory)
        fitted = choice.classifier if choice else None
        pipeline, X = fitting.fit(run, stages, spec, documents, fitted)
        cut, columns = _rank(stages, spec, choice, pipeline, X, documents)
    with stages.stage("examine"):
        findings = doctor.findings(run, spec, pipeline, documents, columns["scores"], cut)
    card = model_card(spec, pipeline, documents, columns["scores"], findings)
    card |= calibrating.card_fields(cut, documents.labels, columns)
    card |= {"choice": choice.reason, "race": choice.entries} if choice else NO_RACE
    card["warnings"] += calibrating.contradiction(cut, documents.labels)
    card["warnings"] += choice.warnings if choice else []
    model = Model(
        id=new_id(), project_id=run.project_id, job_id=run.job_id, algorithm=spec.algorithm
    )
    with stages.stage("save"):
        fitting.save_model(run.artifacts, model, pipeline, documents.counted.numbers, columns)
    model.card = plain({**card, "seconds": stages.seconds})
    publish(
        run,
        lambda session: _add(session, model),
        result=lambda session: _result(session, model),
        keys=[model.file["key"], model.ranking_file["key"]],
    )


def _rank(
    stages: Stages,
    spec: TrainingSpec,
    choice: racing.Choice | None,
    pipeline: Pipeline,
    X: csr_array,
    documents: Documents,
) -> tuple[calibrating.ChosenCut, dict[str, NDArray[Any]]]:
    """Hide positives, set the cut, and return the columns of the ranking."""
    classifier = pipeline["classifier"]
    with stages.stage("hide"):
        hidden = _hidden(spec, choice, classifier, X, documents)
    with stages.stage("calibrate"):
        with part("calibrate", 0, calibrating.SCORED):
            scores = classifier.training_scores(X)
        cut, scores = calibrating.calibrated(spec, classifier, X, documents, scores, hidden)
    with stages.stage("rank"):
        columns = calibrating.probabilities(classifier, scores)
    return cut, {"scores": scores, **columns}


def _chosen(
    spec: TrainingSpec, stages: Stages, documents: Documents, memory: TrainingMemory
) -> tuple[TrainingSpec, racing.Choice | None]:
    """Return what to train, and the race that chose it where no algorithm was named."""
    if spec.algorithm != AUTO:
        candidate = _named(spec)
        memory = memory.for_any([candidate])
        memory.check(candidate)
        return _with_room(spec, memory), None
    field, memory = racing.enter(documents.counts, documents.labels, spec.time_budget, memory)
    spec = _with_room(spec, memory)
    with stages.stage("alike"):
        # Before the race: there, one thread would make the graph while the others wait.
        calibrating.likeness(spec, documents)

    def train(candidate: Candidate, X: csr_array) -> BasePUClassifier:
        return fitting.fitted(_spec_of(spec, candidate), X, documents.labels)

    with stages.stage("race") as event:
        choice = racing.choose(documents.counts, documents.labels, spec, field, train)
        event["choice"] = choice.reason
    return _spec_of(spec, choice.candidate), choice


def _spec_of(spec: TrainingSpec, candidate: Candidate) -> TrainingSpec:
    return replace(spec, algorithm=candidate.algorithm, params=dict(candidate.params))


def _named(spec: TrainingSpec) -> Candidate:
    """Return the algorithm that was named, with all that it gets: it may need the class prior."""
    classifier = fitting.pipeline_of(spec)["classifier"]
    return Candidate(spec.algorithm, classifier.get_params(deep=False))


def _with_room(spec: TrainingSpec, memory: TrainingMemory) -> TrainingSpec:
    """Return the specification, without time for a graph that there is no room for."""
    return spec if memory.alike_bytes else replace(spec, graph_budget=0.0)


def _hidden(
    spec: TrainingSpec,
    choice: racing.Choice | None,
    classifier: BasePUClassifier,
    X: csr_array,
    documents: Documents,
) -> calibrating.Hidden:
    """Return what came of hiding labels: positives in the race, where there was one."""
    is_review = documents.labels.is_mostly_found
    if choice is not None and choice.outcome is not None and not is_review:
        return calibrating.Hidden(choice.outcome)
    return calibrating.hide(spec, classifier, X, documents.labels)


def _result(session: Session, model: Model) -> dict[str, Any]:
    champion = ModelRepository(session).champion(model.project_id) or model
    return {
        "model_id": model.id,
        "champion_id": champion.id,
        "warnings": model.card["warnings"],
    }


def _add(session: Session, model: Model) -> None:
    models = ModelRepository(session)
    model.is_champion = models.champion(model.project_id) is None
    models.add(model)
    # Whoever finds one of them now finds it by reading what this model ranked.
    JudgementRepository(session).forget_taken_back(model.project_id)
