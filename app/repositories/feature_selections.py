"""Queries on feature selections."""

from sqlalchemy.orm import defer

from app.errors import FeatureSelectionNotFound
from app.repositories.paging import newest_first
from app.repositories.rows import RowRepository
from app.tables import FeatureSelection


class FeatureSelectionRepository(RowRepository[FeatureSelection]):
    table = FeatureSelection

    def get(self, feature_selection_id: str) -> FeatureSelection:
        selection = self.session.get(FeatureSelection, feature_selection_id)
        if selection is None:
            raise FeatureSelectionNotFound(
                f"No feature selection has the id {feature_selection_id!r}. "
                "GET /feature-selections lists all."
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
