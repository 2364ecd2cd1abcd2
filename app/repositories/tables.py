"""Queries on tables of numbers."""

from typing import Any

from sqlalchemy.orm import defer

from app.errors import TableNotFound
from app.repositories.paging import newest_first
from app.repositories.rows import RowRepository
from app.tables import DataTable


class TableRepository(RowRepository[DataTable]):
    table = DataTable

    def get(self, table_id: str) -> DataTable:
        return self._one(table_id)

    def lock(self, table_id: str) -> DataTable:
        """Make other writers of the table wait; SQLite has one writer at a time anyway."""
        return self._one(table_id, with_for_update={"key_share": True})

    def _one(self, table_id: str, **options: Any) -> DataTable:
        table = self.session.get(DataTable, table_id, **options)
        if table is None:
            raise TableNotFound(f"No table has the id {table_id!r}. GET /tables lists all.")
        return table

    def page(self, *, after: str | None = None, limit: int) -> list[DataTable]:
        """Return tables without their cards, the newest first, from the place ``after`` on."""
        query = newest_first(DataTable, after=after, limit=limit)
        return list(self.session.scalars(query.options(defer(DataTable.card))))
