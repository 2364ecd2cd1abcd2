"""Feature selections: checked and queued, then run as jobs."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import FeatureSelectionNotFound, InvalidParameter, UnsuitableDocuments
from app.repositories.feature_selections import FeatureSelectionRepository
from app.repositories.jobs import JobRepository
from app.repositories.projects import ProjectRepository
from app.services import vectorising
from app.services.labels import Labels, check_labels, read_labels
from app.services.parameters import invalid_parameter, parameters_of, unsuitable_documents
from app.services.publication import publish
from app.services.run import Run
from app.services.stages import Stages
from app.services.vectorising import Counted
from app.tables import FeatureSelection, Job, JobKind, new_id
from core.feature_selection.base import BaseFeatureSelector
from core.persistence import dump_arrays
from core.pipeline import make_text_classifier
from core.plain_file import library_versions
from core.registry import FEATURE_SELECTORS

#: Features that the card names besides those selected; the file has them all.
_CARD_FEATURES = 1000
_ENDS = {"vectorise": 0.6, "select": 0.95, "save": 1.0}


def request(
    session: Session,
    *,
    project_id: str,
    method: str,
    n_features: int | None = None,
    params: dict[str, Any] | None = None,
    vectorizer: dict[str, Any] | None = None,
    random_state: int = 0,
) -> Job:
    """Check a feature selection and queue it.

    Raises
    ------
    ProjectNotFound, InvalidParameter, NoPositives, NoUnlabeled
    """
    project = ProjectRepository(session).lock(project_id)
    n_given = {} if n_features is None else {"n_features_to_select": n_features}
    if n_given and "n_features_to_select" in (params or {}):
        detail = "n_features and params.n_features_to_select are the same: give one of them."
        raise InvalidParameter(detail, errors=[{"pointer": "/n_features", "detail": detail}])
    spec: dict[str, Any] = {
        "method": method,
        "params": {**(params or {}), **n_given},
        "vectorizer": vectorising.with_defaults(project, vectorizer or {}),
        "random_state": random_state,
    }
    vectorising.check_vectorizer(spec["vectorizer"])
    try:
        _selector(spec)._validate_params()
    except ValueError as error:
        raise invalid_parameter(error, params=spec["params"]) from error
    check_labels(session, project_id, needs_unlabeled=True)
    return JobRepository(session).add(project_id, JobKind.FEATURE_SELECTION, spec)


def _selector(spec: dict[str, Any]) -> BaseFeatureSelector:
    """Return the selector asked for, its parameters not yet checked."""
    selector_class = FEATURE_SELECTORS.get(spec["method"])
    if selector_class is None:
        detail = f"{spec['method']!r} is no method: {', '.join(sorted(FEATURE_SELECTORS))}."
        raise InvalidParameter(detail, errors=[{"pointer": "/method", "detail": detail}])
    names = set(selector_class._get_param_names())
    for name in spec["params"]:
        if name not in names - {"pos_label"}:
            raise ValueError(f"{name!r} is no parameter of {spec['method']!r}.")
    seed = {"random_state": spec["random_state"]} if "random_state" in names else {}
    return selector_class(**{**seed, **spec["params"]})


def get(session: Session, project_id: str, feature_selection_id: str) -> FeatureSelection:
    """Return a feature selection of the project.

    Raises
    ------
    FeatureSelectionNotFound
    """
    selection = FeatureSelectionRepository(session).get(feature_selection_id)
    if selection.project_id != project_id:
        raise FeatureSelectionNotFound(
            f"The project has no feature selection with the id {feature_selection_id!r}."
        )
    return selection


def term_mask(run: Run, feature_selection_id: str, terms: list[str]) -> NDArray[np.bool_]:
    """Return which of the terms were selected.

    Raises
    ------
    FeatureSelectionNotFound, ArtifactUnavailable, UnsuitableDocuments
    """
    with run.database.reading() as session:
        selection = get(session, run.project_id, feature_selection_id)
    arrays = run.artifacts.load_arrays(selection.file)
    selected = {arrays["terms"][i] for i in np.flatnonzero(arrays["mask"])}
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
    ProjectNotFound, NoPositives, NoUnlabeled, UnsuitableDocuments
        If the project or its documents changed since the request, or do not suit the method.
    ArtifactUnavailable, StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with unsuitable_documents():
        counted, labels, selector = _select(run, stages)
    selection = FeatureSelection(
        id=new_id(), project_id=run.project_id, job_id=run.job_id, method=run.spec["method"]
    )
    with stages.stage("save"):
        selection.file = _save(run.artifacts, selection.id, counted, selector)
    card = _card(run.spec, counted, labels, selector)
    selection.card = {**card, "seconds": stages.seconds}
    publish(
        run,
        lambda session: FeatureSelectionRepository(session).add(selection),
        result={"feature_selection_id": selection.id},
        keys=[selection.file["key"]],
    )


def _select(run: Run, stages: Stages) -> tuple[Counted, Labels, BaseFeatureSelector]:
    counter = make_text_classifier(vectorizer=run.spec["vectorizer"])["counts"]
    with stages.stage("vectorise") as event:
        counted = vectorising.count(run.database, run.artifacts, run.project_id, counter)
        event.update(counted.summary())
        labels = read_labels(run.database, run.project_id, counted.numbers)
    with stages.stage("select"):
        selector = _selector(run.spec)
        selector.fit(counted.counts, labels.is_positive.astype(int))
    return counted, labels, selector


def _save(
    artifacts: Artifacts, selection_id: str, counted: Counted, selector: BaseFeatureSelector
) -> dict[str, Any]:
    arrays = {
        "terms": counted.counter.terms_,
        "scores": selector.scores_,
        "ranking": selector.ranking_,
        "mask": selector.support_,
    }
    key = f"feature_selections/{selection_id}"
    return artifacts.save(key, partial(dump_arrays, arrays))


def _card(
    spec: dict[str, Any], counted: Counted, labels: Labels, selector: BaseFeatureSelector
) -> dict[str, Any]:
    terms = counted.counter.terms_
    n_documents, n_terms = counted.counts.shape
    return {
        "method": spec["method"],
        "params": parameters_of(selector),
        "vectorizer": parameters_of(counted.counter),
        "random_state": spec["random_state"],
        "n_documents": n_documents,
        "n_positive": int(labels.is_positive.sum()),
        "n_terms": n_terms,
        "n_selected": int(selector.support_.sum()),
        "texts_digest": counted.texts_digest,
        "labels_digest": labels.digest,
        "features": [
            {
                "name": terms[i],
                "score": float(selector.scores_[i]),
                "selected": bool(selector.support_[i]),
            }
            for i in selector.ranking_[: max(_CARD_FEATURES, selector.support_.sum())]
        ],
        "versions": library_versions(),
        "matrix": {"cached": counted.is_cached},
    }
