"""Queries on feature selections."""

from sqlalchemy.orm import Session

from app.errors import FeatureSelectionNotFound
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
                f"No feature selection has the id {feature_selection_id!r}."
            )
        return selection
