"""What repositories of rows with an id do alike."""

from typing import Generic, TypeVar

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.tables import DataTable, FeatureSelection, Matrix, Model, Project

Row = TypeVar("Row", DataTable, FeatureSelection, Matrix, Model, Project)


class RowRepository(Generic[Row]):
    table: type[Row]

    def __init__(self, session: Session) -> None:
        self.session = session

    def add(self, row: Row) -> Row:
        self.session.add(row)
        self.session.flush()
        return row

    def delete(self, id_: str) -> None:
        self.session.execute(delete(self.table).where(self.table.id == id_))
