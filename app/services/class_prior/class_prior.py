"""Class priors of projects: checked and queued, estimated as jobs, the latest read."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sqlalchemy.orm import Session

from app.errors import ClassPriorNotFound, NoPositives, NoUnlabeled
from app.job_kinds import JobKind, JobStatus
from app.orm import Job
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.class_prior.class_prior_words import (
    ASSUMPTION,
    found_by_reading,
    of_a_model,
    summary,
    warnings,
)
from app.services.counting import vectorising
from app.services.counting.counted_documents import read_weighted
from app.services.documents.data_state import data_state, state_of
from app.services.documents.labels import Labels, check_labels
from app.services.jobs import analysis_memory
from app.services.jobs.publication import publish
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.parameters import unsuitable_documents
from app.services.plain import plain
from core.class_prior.clamp import MIN_UNLABELED
from core.class_prior.estimators import lack, without_copies
from core.class_prior.prior_estimate import PriorEstimate
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.progress import by_parts
from core.registry import CLASS_PRIOR_ESTIMATORS

_ENDS = {"vectorise": 0.2, "rank": 0.5, "estimate": 1.0}


def request(
    session: Session,
    *,
    project_id: str,
    vectorizer: dict[str, Any],
    random_state: int,
    memory_mb: int | None = None,
) -> Job:
    """Check that the class prior of a project can be looked for and queue that.

    ``memory_mb`` is what a job may take.

    Raises
    ------
    ProjectNotFound, InvalidParameter, NoPositives, NoUnlabeled, MemoryLimit
    """
    project = ProjectRepository(session).lock(project_id)
    spec: dict[str, Any] = {
        "vectorizer": vectorising.with_defaults(project, vectorizer),
        "random_state": random_state,
    }
    vectorising.check_vectorizer(spec["vectorizer"])
    counts = DocumentRepository(session).counts(project_id)
    check_labels(project_id, counts, needs_unlabeled=True, needs_unjudged=True)
    size = analysis_memory.Size(counts["total"])
    analysis_memory.check_prior_memory(memory_mb, size, counts["positive"])
    return JobRepository(session).add(project_id, JobKind.CLASS_PRIOR, spec)


def latest(session: Session, project_id: str) -> tuple[Job, bool]:
    """Return the job that estimated the class prior last, and whether nothing changed since.

    Raises
    ------
    ProjectNotFound, ClassPriorNotFound
    """
    ProjectRepository(session).get(project_id)
    jobs = JobRepository(session).page(
        project_id=project_id, status=JobStatus.SUCCEEDED, kind=JobKind.CLASS_PRIOR, limit=1
    )
    if not jobs:
        raise ClassPriorNotFound(
            "No class prior of the project has been estimated yet. Start that with "
            f"POST /projects/{project_id}/class-prior and wait until its job has succeeded."
        )
    result = jobs[0].result or {}
    return jobs[0], result["data_state"] == data_state(session, project_id)


def by_newest_model(session: Session, project_id: str) -> list[str]:
    """Return what the newest model of a project estimates for itself, in words, if it does."""
    model = ModelRepository(session).newest(project_id)
    if model is None:
        return []
    card = model.card
    return of_a_model(model.id, card["class_prior_estimate"], card["n_unlabeled"])


def run(run: Run) -> None:
    """Estimate the class prior in every way there is; the answer is the result of the job.

    Raises
    ------
    ProjectNotFound
    NoPositives, NoUnlabeled, UnsuitableDocuments
        If the project or its documents changed since the request.
    MemoryLimit
        If the estimate does not fit; then nothing was done.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with unsuitable_documents():
        X, counted, labels, _ = read_weighted(run, stages, "tfidf")
        estimates, n_different = _estimates(run, stages, X, labels)
    result = {
        **_answer(estimates, labels, n_different),
        "n_terms": X.shape[1],
        "texts_digest": counted.texts_digest,
        "labels_digest": labels.digest,
        "data_state": state_of(counted, labels),
        "random_state": run.spec["random_state"],
        "seconds": stages.seconds,
    }
    publish(run, result=plain(result))


def _estimates(
    run: Run, stages: Stages, X: csr_array, labels: Labels
) -> tuple[dict[str, PriorEstimate], int]:
    """Return the estimates, and how many different positives they were made from."""
    is_kept = labels.is_of_pile
    is_positive = labels.is_seed[is_kept]
    analysis_memory.check_prior_memory(
        run.memory_mb, analysis_memory.of_samples(X, is_table=False), int(is_positive.sum())
    )
    X = X if is_kept.all() else X[is_kept]
    if not is_positive.any():
        raise NoPositives("No document is labeled positive.")
    if not labels.is_unlabeled.any():
        raise NoUnlabeled("All documents are labeled: none is unlabeled.")
    X, is_positive = without_copies(X, is_positive)
    n_different = int(is_positive.sum())
    is_small = (~is_positive).sum() < MIN_UNLABELED
    reason = "too_few_unlabeled" if is_small else lack(X, is_positive)
    if reason:
        nothing = PriorEstimate(None, reason=reason)
        return dict.fromkeys(CLASS_PRIOR_ESTIMATORS, nothing), n_different
    seed = run.spec["random_state"]
    with stages.stage("rank"):
        ranks = left_out_ranks(X, is_positive, random_state=seed)

    def of_rest(estimate: Callable[..., PriorEstimate]) -> PriorEstimate:
        return labels.of_rest(estimate(X, is_positive, ranks=ranks, random_state=seed))

    with stages.stage("estimate"):
        estimates = by_parts("estimate", of_rest, CLASS_PRIOR_ESTIMATORS.values())
    return dict(zip(CLASS_PRIOR_ESTIMATORS, estimates, strict=True)), n_different


def _answer(
    estimates: dict[str, PriorEstimate], labels: Labels, n_different: int
) -> dict[str, Any]:
    """Return the consensus, what it means, and each estimate beside it."""
    consensus = estimates["consensus"]
    return {
        **_figures(consensus),
        "n_hidden": _numbers(consensus, labels.n_unlabeled),
        "n_positive": labels.n_positive,
        "n_negative": labels.n_negative,
        "n_unlabeled": labels.n_unlabeled,
        "estimators": [
            {"name": name, **_figures(estimate)}
            for name, estimate in estimates.items()
            if name != "consensus"
        ],
        "summary": summary(consensus, n_different, labels.n_unlabeled),
        "assumption": ASSUMPTION,
        "warnings": found_by_reading(labels.n_found) + warnings(consensus, n_different),
    }


def _figures(estimate: PriorEstimate) -> dict[str, Any]:
    names = ("value", "low", "high", "largest_admissible", "reason", "flags")
    return {name: getattr(estimate, name) for name in names}


def _numbers(estimate: PriorEstimate, n_unlabeled: int) -> dict[str, int] | None:
    """Return the estimate as numbers of documents."""
    if estimate.value is None:
        return None
    ends = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    return {name: int(np.rint(share * n_unlabeled)) for name, share in ends.items()}
