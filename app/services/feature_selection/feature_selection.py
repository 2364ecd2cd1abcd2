"""Feature selections: checked and queued, then run as jobs, and deleted."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts, Folder
from app.errors import UnsuitableDocuments
from app.job_kinds import JobKind
from app.orm import FeatureSelection, Job, new_id
from app.repositories.feature_selections import FeatureSelectionRepository
from app.repositories.jobs import JobRepository
from app.services.feature_selection.selection_card import selection_card
from app.services.feature_selection.selection_request import (
    check_selector_positives,
    check_size,
    check_terms,
    find_source,
    half,
    make_selector,
    without_single,
)
from app.services.feature_selection.selection_samples import Samples, read_samples
from app.services.jobs import analysis_memory
from app.services.jobs.publication import publish
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.parameters import invalid, seed_of, unsuitable_documents
from app.services.stored_files import load_arrays
from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.stability import bootstrap_selections
from core.persistence import dump_arrays
from core.progress import stopping

#: Documents are vectorised, a table is read: one of the two.
_ENDS = {"vectorise": 0.5, "read": 0.05, "select": 0.95, "save": 1.0}
#: Flag of a selection that a cancel ended early.
CANCELLED = "cancelled"
_ENDS_WITH_STABILITY = {**_ENDS, "vectorise": 0.2, "select": 0.3, "stability": 0.95}


def request(
    session: Session,
    *,
    method: str,
    project_id: str | None,
    table_id: str | None,
    n_features: int | None,
    params: dict[str, Any],
    vectorizer: dict[str, Any],
    stability: dict[str, Any] | None,
    random_state: int,
    memory_mb: int | None = None,
) -> Job:
    """Check a feature selection on a project or on a table and queue it.

    ``memory_mb`` is what a job may take.

    Raises
    ------
    ProjectNotFound, TableNotFound, InvalidParameter, NoPositives, NoUnlabeled, TooFewPositives,
    MemoryLimit
    """
    n_given = {} if n_features is None else {"n_features_to_select": n_features}
    if n_given and "n_features_to_select" in params:
        detail = "n_features and params.n_features_to_select mean the same: give one of them."
        raise invalid("/n_features", detail)
    spec: dict[str, Any] = {
        "method": method,
        "params": {**params, **n_given},
        "stability": stability,
        "random_state": seed_of(random_state, params),
    }
    selector = make_selector(spec)
    source, n_positive, size = find_source(session, project_id, table_id, vectorizer)
    spec.update(source)
    if table_id is not None:
        spec["params"].setdefault("n_features_to_select", half(size.n_features))
        selector = make_selector(spec)
        pointer = "/n_features" if n_given else "/params/n_features_to_select"
        check_size(selector, size.n_features, pointer)
    else:
        spec["vectorizer"] = without_single(spec["vectorizer"], size.n_samples)
    check_selector_positives(selector, n_positive)
    analysis_memory.check_selection_memory(memory_mb, selector, spec, size)
    jobs = JobRepository(session)
    return jobs.add(project_id, JobKind.FEATURE_SELECTION, spec, table_id=table_id)


def delete(session: Session, feature_selection_id: str) -> list[str]:
    """Delete a feature selection and return the key of its file, now without a row.

    Raises
    ------
    FeatureSelectionNotFound
    """
    repository = FeatureSelectionRepository(session)
    selection = repository.get(feature_selection_id)
    repository.delete(feature_selection_id)
    return [selection.file["key"]]


def term_mask(run: Run, feature_selection_id: str, terms: Sequence[str]) -> NDArray[np.bool_]:
    """Return which of the terms were selected.

    Raises
    ------
    FeatureSelectionNotFound, ArtifactUnavailable, UnsuitableDocuments
    """
    with run.database.reading() as session:
        repository = FeatureSelectionRepository(session)
        selection = repository.of_project(run.project_id, feature_selection_id)
    arrays = load_arrays(run.artifacts, selection.file)
    selected = {arrays["names"][i] for i in np.flatnonzero(arrays["mask"])}
    mask = np.array([term in selected for term in terms])
    if not mask.any():
        raise UnsuitableDocuments(
            "None of the selected terms is in the documents as they are now. Select features again."
        )
    return mask


def run(run: Run) -> None:
    """Select features and publish them if the job is still held.

    Raises
    ------
    ProjectNotFound, TableNotFound
    NoPositives, NoUnlabeled, TooFewPositives, UnsuitableDocuments
        If the project or its documents changed since the request, or do not suit the method.
    MemoryLimit
        If the selection does not fit; then nothing was done.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS_WITH_STABILITY if run.spec.get("stability") else _ENDS)
    selector = make_selector(run.spec)
    with unsuitable_documents(), stopping(run.stop_requested):
        samples, masks = _select(run, stages, selector)
    selection = FeatureSelection(
        id=new_id(),
        project_id=run.project_id or None,
        table_id=run.spec.get("table_id"),
        job_id=run.job_id,
        method=run.spec["method"],
    )
    with stages.stage("save"):
        selection.file = _save(run.artifacts, selection.id, samples, selector)
    card = selection_card(run.spec, samples, selector, masks)
    selection.card = {**card, "seconds": stages.seconds}
    publish(
        run,
        lambda session: FeatureSelectionRepository(session).add(selection),
        result={"feature_selection_id": selection.id},
        keys=[selection.file["key"]],
        is_cancelled=CANCELLED in selector.report_["flags"],
    )


def _select(
    run: Run, stages: Stages, selector: BaseFeatureSelector
) -> tuple[Samples, NDArray[np.bool_] | None]:
    """Fit the selector; return what it was fitted to and its selections on bootstraps."""
    samples = read_samples(run, stages, selector.representation)
    if run.project_id:
        check_terms(selector, len(samples.names))
    size = analysis_memory.of_samples(samples.X, is_table=not run.project_id)
    analysis_memory.check_selection_memory(run.memory_mb, selector, run.spec, size)
    y = samples.is_positive.astype(int)
    with stages.stage("select"):
        selector.fit(samples.X, y)
    if not run.spec.get("stability") or CANCELLED in selector.report_["flags"]:
        return samples, None
    with stages.stage("stability"):
        masks = bootstrap_selections(
            selector,
            samples.X,
            y,
            n_bootstraps=run.spec["stability"]["n_bootstraps"],
            random_state=run.spec["random_state"],
        )
    if len(masks) < run.spec["stability"]["n_bootstraps"]:
        selector.add_flag(CANCELLED)
    return samples, masks if len(masks) > 1 else None


def _save(
    artifacts: Artifacts, selection_id: str, samples: Samples, selector: BaseFeatureSelector
) -> dict[str, Any]:
    arrays = {
        "names": samples.names,
        "scores": selector.scores_,
        "ranking": selector.feature_order_,
        "mask": selector.support_,
    }
    key = f"{Folder.FEATURE_SELECTIONS}/{selection_id}"
    return artifacts.save(key, partial(dump_arrays, arrays))
