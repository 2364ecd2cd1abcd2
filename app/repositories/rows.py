"""What repositories do alike."""

from typing import Any, Generic, TypeVar

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.errors import AppError
from app.orm import DataTable, FeatureSelection, Matrix, Model, Project

Entity = TypeVar("Entity", DataTable, FeatureSelection, Matrix, Model, Project)


class Repository:
    """Queries in a session."""

    def __init__(self, session: Session) -> None:
        self.session = session


class RowRepository(Repository, Generic[Entity]):
    """Those on rows with an id."""

    table: type[Entity]

    def add(self, row: Entity) -> Entity:
        self.session.add(row)
        self.session.flush()
        return row

    def delete(self, id_: str) -> None:
        self.session.execute(delete(self.table).where(self.table.id == id_))


class ListedRepository(RowRepository[Entity]):
    """Rows that clients name by id, and that a route lists."""

    error: type[AppError]
    #: What the error says, with a place for the id.
    told: str

    def get(self, id_: str) -> Entity:
        return self._one(id_)

    def _one(self, id_: str, **options: Any) -> Entity:
        """Return a row; ``options`` are those of ``Session.get``."""
        row = self.session.get(self.table, id_, **options)
        if row is None:
            raise self.not_found(id_)
        return row

    def not_found(self, id_: str) -> AppError:
        return self.error(self.told.format(id_))
