"""Queries on feature selections."""

from sqlalchemy import delete
from sqlalchemy.orm import Session, defer

from app.errors import FeatureSelectionNotFound
from app.repositories.paging import newest_first
from app.tables import FeatureSelection


class FeatureSelectionRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def add(self, selection: FeatureSelection) -> FeatureSelection:
        self.session.add(selection)
        self.session.flush()
        return selection

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

    def delete(self, feature_selection_id: str) -> None:
        self.session.execute(
            delete(FeatureSelection).where(FeatureSelection.id == feature_selection_id)
        )
