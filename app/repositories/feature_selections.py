"""Queries on feature selections."""

from sqlalchemy.orm import defer

from app.errors import FeatureSelectionNotFound
from app.orm import FeatureSelection
from app.repositories.paging import newest_first
from app.repositories.rows import ListedRepository


class FeatureSelectionRepository(ListedRepository[FeatureSelection]):
    table, error = FeatureSelection, FeatureSelectionNotFound
    told = "No feature selection has the id {!r}. GET /feature-selections lists all."

    def of_project(self, project_id: str, feature_selection_id: str) -> FeatureSelection:
        selection = self.get(feature_selection_id)
        if selection.project_id != project_id:
            raise FeatureSelectionNotFound(
                f"The project has no feature selection with the id {feature_selection_id!r}. "
                f"GET /feature-selections?project_id={project_id} lists those it has."
            )
        return selection

    def page(
        self,
        *,
        project_id: str | None = None,
        table_id: str | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[FeatureSelection]:
        """Return selections without their cards, the newest first, from the place ``after`` on."""
        query = newest_first(FeatureSelection, after=after, limit=limit)
        if project_id is not None:
            query = query.where(FeatureSelection.project_id == project_id)
        if table_id is not None:
            query = query.where(FeatureSelection.table_id == table_id)
        return list(self.session.scalars(query.options(defer(FeatureSelection.card))))
