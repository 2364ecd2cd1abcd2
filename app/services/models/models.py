"""Models: which one answers, and the end of one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from app.errors import ArtifactUnavailable, InvalidRequest, NoModel
from app.orm import Model
from app.repositories.models import ModelFile, ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.data_state import data_state

Value = TypeVar("Value")


def choose(
    session: Session, *, project_id: str | None, model_id: str | None, place: str = "?"
) -> ModelFile:
    """Return the file of the model asked for, or of the champion of the project asked for.

    ``place`` is what pointers to the two begin with.

    Raises
    ------
    InvalidRequest, ProjectNotFound, ModelNotFound, NoModel
    """
    if model_id is not None and project_id is None:
        return ModelRepository(session).file(model_id)
    if project_id is None or model_id is not None:
        fault = "neither was given" if model_id is None else "both were given"
        detail = f"Give either project_id or model_id: {fault}."
        raise InvalidRequest(detail, pointer=f"{place}model_id")
    champion = ModelRepository(session).champion_file(project_id)
    if champion is None:
        ProjectRepository(session).get(project_id)
        raise NoModel(_no_champion(session, project_id))
    return champion


def of_project(session: Session, project_id: str, model_id: str | None = None) -> ModelFile:
    """Return the file of a model of a project, or of its champion.

    Raises
    ------
    ProjectNotFound, ModelNotFound, NoModel
    """
    if model_id is None:
        return choose(session, project_id=project_id, model_id=None)
    model = ModelRepository(session).of_project(project_id, model_id)
    return ModelFile(model.id, model.file)


def by_model(choose: Callable[[], ModelFile], use: Callable[[ModelFile], Value]) -> Value:
    """Return what is made of a model, or of the one that answers where it is deleted meanwhile.

    Raises
    ------
    ArtifactUnavailable
    """
    model = choose()
    while True:
        try:
            return use(model)
        except ArtifactUnavailable:
            before, model = model, choose()
            if model == before:
                raise


def _no_champion(session: Session, project_id: str) -> str:
    newest = ModelRepository(session).newest(project_id)
    if newest is None:
        return "The project has no model. Train one with POST /train and wait for its job."
    return (
        "The champion of the project, which answered for it, was deleted. Let another model answer "
        f"with PUT /projects/{project_id}/champion, or give model_id; the newest is "
        f"{newest.id}."
    )


@contextmanager
def unless_deleted(session: Session, model_id: str) -> Iterator[None]:
    """Turn the error for a missing file into ModelNotFound if its model was deleted meanwhile.

    Raises
    ------
    ModelNotFound
    """
    try:
        yield
    except ArtifactUnavailable:
        session.commit()  # SQLite shows the state in which a transaction began
        ModelRepository(session).reread(model_id)
        raise


def with_current_ranking(session: Session, models: Sequence[Model]) -> set[str]:
    """Return the ids of the models whose ranking holds the project's texts as they are now."""
    revisions = ProjectRepository(session).revisions({model.project_id for model in models})
    return {
        model.id
        for model in models
        if model.card["ranking"]["revision"] == revisions.get(model.project_id)
    }


def states(session: Session, models: Sequence[Model]) -> dict[str, dict[str, Any]]:
    """Return ranking and evaluation of each model, by its id, with whether they are current.

    Raises
    ------
    ProjectNotFound
    """
    ranked = with_current_ranking(session, models)
    projects = {model.project_id for model in models if model.card.get("evaluation")}
    data_states = {project_id: data_state(session, project_id) for project_id in projects}
    return {
        model.id: {
            "ranking": {**model.card["ranking"], "is_current": model.id in ranked},
            "evaluation": _evaluation(model, data_states.get(model.project_id)),
        }
        for model in models
    }


def _evaluation(model: Model, state: str | None) -> dict[str, Any] | None:
    evaluation: dict[str, Any] | None = model.card.get("evaluation")
    return evaluation and {**evaluation, "is_current": evaluation["data_state"] == state}


def delete(session: Session, model_id: str) -> list[str]:
    """Delete a model and return the keys of its files, now without rows.

    Raises
    ------
    ModelNotFound, ProjectNotFound
    """
    repository = ModelRepository(session)
    model = repository.get(model_id)
    ProjectRepository(session).lock(model.project_id)
    # Until the lock was there, a job may have replaced the ranking.
    model = repository.reread(model_id)
    keys = [model.file["key"], model.ranking_file["key"]]
    repository.delete(model_id)
    return keys
