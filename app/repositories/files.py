"""Queries on what names the stored files."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Select, select, union_all

from app.orm import DataTable, FeatureSelection, Installation, Matrix, Model
from app.repositories.rows import Repository

_OF_PROJECTS = (Model.file, Model.ranking_file, Matrix.file, FeatureSelection.file)


class FileRepository(Repository):
    def installation(self) -> str:
        """Return the id that this database has had since it was made."""
        return self.session.scalars(select(Installation.id)).one()

    def keys(self, project_id: str | None = None) -> set[str]:
        """Return the keys of the files that rows name: all rows, or those of a project."""
        if project_id is None:
            return self._keys(select(column) for column in (*_OF_PROJECTS, DataTable.file))
        return self._keys(
            select(column).where(column.class_.project_id == project_id) for column in _OF_PROJECTS
        )

    def keys_of_table(self, table_id: str) -> set[str]:
        """Return the keys of the files of a table and of what was made of it."""
        selected = select(FeatureSelection.file).where(FeatureSelection.table_id == table_id)
        return self._keys([select(DataTable.file).where(DataTable.id == table_id), selected])

    def _keys(self, queries: Iterable[Select[Any]]) -> set[str]:
        return {file["key"] for file in self.session.scalars(union_all(*queries))}
