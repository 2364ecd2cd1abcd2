"""Queries on tables of numbers."""

from sqlalchemy.orm import defer

from app.errors import TableNotFound
from app.orm import DataTable
from app.repositories.paging import newest_first
from app.repositories.rows import ListedRepository


class TableRepository(ListedRepository[DataTable]):
    table, error = DataTable, TableNotFound
    told = "No table has the id {!r}. GET /tables lists all."

    def lock(self, table_id: str) -> DataTable:
        """Make other writers of the table wait; SQLite has one writer at a time anyway."""
        return self._one(table_id, with_for_update={"key_share": True})

    def page(self, *, after: str | None = None, limit: int) -> list[DataTable]:
        """Return tables without their cards, the newest first, from the place ``after`` on."""
        query = newest_first(DataTable, after=after, limit=limit)
        return list(self.session.scalars(query.options(defer(DataTable.card))))
