"""Queries on models."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select, update

from app.errors import ModelNotFound
from app.orm import Model
from app.repositories.paging import newest_first
from app.repositories.rows import ListedRepository


class ModelFile(NamedTuple):
    """What it takes to load a model: of a row, two columns of many."""

    id: str
    file: dict[str, Any]


class ModelRepository(ListedRepository[Model]):
    table, error = Model, ModelNotFound
    told = "No model has the id {!r}. GET /models lists all."

    def reread(self, model_id: str) -> Model:
        """Return the row as it is now, though the session has it already."""
        return self._one(model_id, populate_existing=True)

    def file(self, model_id: str) -> ModelFile:
        row = self.session.execute(_files().where(Model.id == model_id)).one_or_none()
        if row is None:
            raise self.not_found(model_id)
        return ModelFile(*row)

    def champion_file(self, project_id: str) -> ModelFile | None:
        """Return the file of the model that answers for the project."""
        query = _files().where(Model.project_id == project_id, Model.is_champion)
        row = self.session.execute(query).one_or_none()
        return None if row is None else ModelFile(*row)

    def page(
        self, *, project_id: str | None = None, after: str | None = None, limit: int
    ) -> list[Model]:
        """Return models, the newest first, from the first one behind the place ``after``."""
        query = newest_first(Model, after=after, limit=limit)
        if project_id is not None:
            query = query.where(Model.project_id == project_id)
        return list(self.session.scalars(query))

    def newest(self, project_id: str) -> Model | None:
        """Return the model of the project that was trained last."""
        return next(iter(self.page(project_id=project_id, limit=1)), None)

    def newest_ids(self, project_ids: Sequence[str]) -> dict[str, str]:
        """Return the id of the model that was trained last, for each project that has one."""
        newest = (Model.created_at.desc(), Model.id.desc())
        place = func.row_number().over(partition_by=Model.project_id, order_by=newest)
        models = select(Model.project_id, Model.id, place.label("place"))
        listed = models.where(Model.project_id.in_(project_ids)).subquery()
        query = select(listed.c.project_id, listed.c.id).where(listed.c.place == 1)
        return {row.project_id: row.id for row in self.session.execute(query)}

    def ids(self, project_id: str) -> list[str]:
        """Return the ids of the models of a project, the newest first."""
        newest = Model.created_at.desc(), Model.id.desc()
        query = select(Model.id).where(Model.project_id == project_id).order_by(*newest)
        return list(self.session.scalars(query))

    def of_project(self, project_id: str, model_id: str) -> Model:
        model = self.get(model_id)
        if model.project_id != project_id:
            raise ModelNotFound(
                f"The project has no model with the id {model_id!r}. "
                f"GET /models?project_id={project_id} lists those it has."
            )
        return model

    def expected_positives(self, project_id: str) -> dict[str, Any] | None:
        """Return how many positives the pile has, by the newest model whose card tells it."""
        # Read here: PostgreSQL could not take a field of a card that has an escaped NUL somewhere.
        query = select(Model.card).where(Model.project_id == project_id)
        query = query.order_by(Model.created_at.desc(), Model.id.desc())
        with self.session.execute(query, execution_options={"yield_per": 1}) as rows:
            return next(
                (told for (card,) in rows if (told := card.get("expected_positives"))), None
            )

    def champion(self, project_id: str) -> Model | None:
        """Return the model that answers for the project."""
        query = select(Model).where(Model.project_id == project_id, Model.is_champion)
        return self.session.scalar(query)

    def set_champion(self, project_id: str, model_id: str) -> Model:
        """Let a model of the project answer for it; the caller holds the project's lock."""
        model = self.of_project(project_id, model_id)
        # First nobody, then this one: there is never a moment with two.
        self.session.execute(
            update(Model)
            .where(Model.project_id == project_id, Model.is_champion)
            .values(is_champion=False)
            .execution_options(synchronize_session="fetch")
        )
        model.is_champion = True
        self.session.flush()
        return model


def _files() -> Select[tuple[str, dict[str, Any]]]:
    return select(Model.id, Model.file)
