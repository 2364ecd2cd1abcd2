"""Tests of the cluster assumption: checked and queued, then run as jobs."""

from typing import Any

from sqlalchemy.orm import Session

from app.errors import TooFewPositives
from app.job_kinds import JobKind
from app.orm import Job
from app.repositories.jobs import JobRepository
from app.services.feature_selection.selection_request import find_source
from app.services.feature_selection.selection_samples import read_samples
from app.services.jobs import analysis_memory
from app.services.jobs.publication import publish
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.parameters import unsuitable_documents
from app.services.plain import plain
from core.feature_selection.cluster_assumption import (
    FEW_LABELS,
    LEVEL,
    MIN_POSITIVES,
    MIN_RATIO,
    ClusterAssumption,
    cluster_assumption,
)

#: What is named for texts whose positives cluster.
OF_TEXTS = "semi_mim"
_ENDS = {"vectorise": 0.5, "read": 0.1, "test": 1.0}


def request(
    session: Session,
    *,
    project_id: str | None,
    table_id: str | None,
    n_permutations: int,
    vectorizer: dict[str, Any],
    random_state: int,
    memory_mb: int | None = None,
) -> Job:
    """Check a test of the positives of a project or a table and queue it.

    ``memory_mb`` is what a job may take.

    Raises
    ------
    ProjectNotFound, TableNotFound, InvalidParameter, NoPositives, NoUnlabeled, TooFewPositives,
    MemoryLimit
    """
    spec: dict[str, Any] = {"n_permutations": n_permutations, "random_state": random_state}
    source, n_positive, size = find_source(session, project_id, table_id, vectorizer)
    spec.update(source)
    if n_positive < MIN_POSITIVES:
        raise TooFewPositives(
            f"At least {MIN_POSITIVES} positives are needed to tell whether they cluster; there "
            f"is {n_positive}. Label more."
        )
    analysis_memory.check_cluster_memory(memory_mb, size, n_positive, n_permutations)
    jobs = JobRepository(session)
    return jobs.add(project_id, JobKind.CLUSTER_ASSUMPTION, spec, table_id=table_id)


def run(run: Run) -> None:
    """Test the positives; the answer is the result of the job.

    Raises
    ------
    ProjectNotFound, TableNotFound
    NoPositives, NoUnlabeled, TooFewPositives, UnsuitableDocuments
        If the project or its documents changed since the request.
    MemoryLimit
        If the test does not fit; then nothing was done.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with unsuitable_documents():
        samples = read_samples(run, stages, "tfidf")
        size = analysis_memory.of_samples(samples.X, is_table=not run.project_id)
        n_positive = int(samples.is_positive.sum())
        analysis_memory.check_cluster_memory(
            run.memory_mb, size, n_positive, run.spec["n_permutations"]
        )
        with stages.stage("test"):
            answer = cluster_assumption(
                samples.X,
                samples.is_positive,
                n_permutations=run.spec["n_permutations"],
                random_state=run.spec["random_state"],
            )
    if run.project_id:
        answer = of_texts(answer)
    result = {
        **plain(answer._asdict()),
        "summary": summary(answer, n_positive),
        "n_samples": len(samples.is_positive),
        "n_positive": n_positive,
        "n_features": len(samples.names),
    }
    publish(run, result=result)


def of_texts(answer: ClusterAssumption) -> ClusterAssumption:
    """Return the answer with the method to take for texts, which is no search by clusters."""
    return answer._replace(selector=OF_TEXTS) if answer.selector == "fscpu" else answer


def summary(answer: ClusterAssumption, n_positive: int) -> str:
    """Return what the answer means, and what to do next, in words."""
    evidence = (
        f"they follow clusters {answer.ratio:.1f} times as much as random labels do "
        f"(p = {answer.p_value:.2g})"
    )
    if answer.selector == "fscpu":
        return (
            f"The positives cluster: {evidence}. fscpu, which selects by clusters, suits such "
            "positives, but may not choose better: compare it with semi_mim, which judges each "
            "feature alone."
        )
    if answer.selector == OF_TEXTS:
        return (
            f"The positives cluster: {evidence}. Still, take {OF_TEXTS} for texts: fscpu, which "
            "selects by clusters, chose worse terms in each collection that it was tried on."
        )
    if answer.is_met:
        return (
            f"The positives cluster: {evidence}. With {FEW_LABELS} labels or more ({n_positive} "
            "here) each feature tells enough by itself: take semi_jmi, and compare with fscpu."
        )
    return (
        f"It cannot be said that the positives cluster: {evidence}; {MIN_RATIO} times and a p of "
        f"at most {LEVEL} are needed. Take semi_jmi, which needs no clusters."
    )
