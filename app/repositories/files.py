"""Queries on what names the stored files."""

from sqlalchemy import select, union_all
from sqlalchemy.orm import Session

from app.tables import FeatureSelection, Matrix, Model


class FileRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def keys(self) -> set[str]:
        """Return the keys of all files that a row names."""
        columns = (Model.file, Model.ranking_file, Matrix.file, FeatureSelection.file)
        files = self.session.scalars(union_all(*(select(c.label("file")) for c in columns)))
        return {file["key"] for file in files}
