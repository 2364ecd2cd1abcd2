"""Queries on what names the stored files."""

from sqlalchemy import select, union_all
from sqlalchemy.orm import Session

from app.tables import FeatureSelection, Matrix, Model

_FILES = (Model.file, Model.ranking_file, Matrix.file, FeatureSelection.file)


class FileRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def keys(self, project_id: str | None = None) -> set[str]:
        """Return the keys of all files that a row names, or a row of this project."""
        queries = [select(column.label("file")) for column in _FILES]
        if project_id is not None:
            queries = [
                query.where(column.class_.project_id == project_id)
                for query, column in zip(queries, _FILES, strict=True)
            ]
        return {file["key"] for file in self.session.scalars(union_all(*queries))}
