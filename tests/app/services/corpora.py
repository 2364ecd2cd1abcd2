"""Small projects with known answers, and the running of their jobs by hand."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.database import Database
from app.orm import Job, Label, Project
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.repositories.projects import ProjectRepository
from app.schemas.bodies import RequestBody
from app.schemas.class_prior import ClassPriorRequest
from app.schemas.evaluation import EvaluationRequest
from app.schemas.feature_selections import ClusterAssumptionRequest, FeatureSelectionRequest
from app.schemas.jobs import TrainingRequest
from app.services.class_prior import class_prior
from app.services.evaluation import evaluation
from app.services.feature_selection import cluster_assumption, feature_selection
from app.services.jobs.run import Pace, ReportProgress, Run
from app.services.training import training
from app.services.training.training_spec import TrainingSpec
from app.settings import Settings

BODIES: dict[Callable[..., Job], type[RequestBody]] = {
    class_prior.request: ClassPriorRequest,
    cluster_assumption.request: ClusterAssumptionRequest,
    evaluation.request: EvaluationRequest,
    feature_selection.request: FeatureSelectionRequest,
    training.request: TrainingRequest,
}
FLOODS = [
    "the river burst its banks and water stands in the streets",
    "heavy rain and the river rises, water in the cellars",
    "flood water of the river reached the houses after rain",
    "firemen pump flood water out of cellars near the river",
    "rain again: the flood in the streets rises, houses under water",
    "the dam holds the water of the river, the flood passes",
]
SPORTS = [
    "the striker scored twice in the second half of the match",
    "the team won the match with a late goal of the striker",
    "a goal in the last minute decided the final match",
    "the coach praised the team after the final",
    "the goalkeeper of the team saved a penalty in the match",
    "two goals by the striker, the team leads the league",
    "the league final ended with a penalty and a goal",
    "the coach of the league leaders rested his striker",
]


def add_project(
    database: Database,
    *,
    positive: list[str] = FLOODS[:3],
    unlabeled: list[str] = FLOODS[3:] + SPORTS[:-1],
    negative: list[str] = SPORTS[-1:],
    **values: Any,
) -> str:
    """Add a project with documents d0, d1, ... in this order; return its id."""
    with database.writing.begin() as session:
        project_id = ProjectRepository(session).add(Project(name="floods", **values)).id
    labels = [Label.POSITIVE, Label.UNLABELED, Label.NEGATIVE]
    add_documents(
        database,
        project_id,
        [
            (text, label)
            for label, texts in zip(labels, [positive, unlabeled, negative], strict=True)
            for text in texts
        ],
    )
    return project_id


def add_documents(
    database: Database, project_id: str, documents: list[tuple[str, Label]], *, first: int = 0
) -> None:
    rows = [
        {
            "id": f"d{first + i}",
            "text": text,
            "digest": hashlib.blake2b(text.encode(), digest_size=16).digest(),
            "label": label,
            "metadata": {"at": first + i},
            "vector_code": None,
        }
        for i, (text, label) in enumerate(documents)
    ]
    with database.writing.begin() as session:
        if rows:
            DocumentRepository(session).insert(project_id, rows)
        ProjectRepository(session).advance_revision(project_id, is_rewritten=False)


def training_spec(**values: Any) -> TrainingSpec:
    """Return what a training is to do: what a request leaves out is as by default."""
    request = TrainingRequest(project_id="p", **values).model_dump(exclude={"project_id"})
    return TrainingSpec(**{**request, "cut": "own", "graph_budget": 0.0})


def delete_project(database: Database, project_id: str) -> None:
    with database.writing.begin() as session:
        ProjectRepository(session).delete(project_id)


class Log:
    """Keeps what a job reports."""

    def __init__(self) -> None:
        self.fractions: list[float] = []
        self.paces: list[Pace | None] = []
        self.stages: list[str] = []
        self.events: list[tuple[str, dict[str, Any] | None]] = []

    def __call__(
        self,
        stage: str,
        fraction: float,
        message: str | None = None,
        data: dict[str, Any] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.fractions.append(fraction)
        self.paces.append(pace)
        self.stages.append(stage)
        if message is not None:
            self.events.append((stage, data))


class InterruptedArtifacts(Artifacts):
    """Lets something happen once, just before a file is saved, as by another process."""

    def __init__(self, settings: Settings, before: str, interrupt: Callable[[], object]) -> None:
        super().__init__(settings.artifacts_url, settings.cache_directory)
        self._before = before
        self._interrupts = [interrupt]

    def save(self, key: str, write: Callable[[Path], object]) -> dict[str, Any]:
        if key.startswith(self._before) and self._interrupts:
            self._interrupts.pop()()
        return super().save(key, write)


def claim(
    database: Database,
    artifacts: Artifacts,
    report: ReportProgress | None = None,
    *,
    seconds: float = 30,
) -> Run:
    """Claim the oldest job as a worker would, for so many seconds."""
    with database.writing.begin() as session:
        job = JobRepository(session).claim("a worker", seconds)
    assert job is not None
    assert job.run_token is not None
    return Run(
        job_id=job.id,
        run_token=job.run_token,
        project_id=job.project_id or "",
        spec=job.spec,
        database=database,
        artifacts=artifacts,
        report=report or Log(),
    )


def queue(session: Session, request: Callable[..., Job], **asked: Any) -> Job:
    """Request a job as its route does: what is not asked for is the default of the body."""
    body = BODIES.get(request, RequestBody)
    return request(session, **body.model_construct().model_dump() | asked)


def complete(
    request: Callable[..., Job],
    work: Callable[[Run], None],
    database: Database,
    artifacts: Artifacts,
    **asked: Any,
) -> dict[str, Any]:
    """Request a job, run it and return its result."""
    with database.writing.begin() as session:
        job_id = queue(session, request, **asked).id
    work(claim(database, artifacts))
    with database.reading() as session:
        result = JobRepository(session).get(job_id).result
    assert result is not None
    return result


def selected(
    database: Database, artifacts: Artifacts, project_id: str, **asked: Any
) -> dict[str, Any]:
    """Select features; return the result, which a training takes as well."""
    asked = {"project_id": project_id, "method": "k_best", **asked}
    return complete(feature_selection.request, feature_selection.run, database, artifacts, **asked)


def stored_keys(artifacts: Artifacts) -> set[str]:
    return {key for key, _ in artifacts.list()}
