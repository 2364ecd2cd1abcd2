"""Queries on cached matrices."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.tables import Matrix


class MatrixRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def find(self, project_id: str, revision: int, vectorizer_digest: str) -> Matrix | None:
        return self.session.scalar(
            select(Matrix).where(
                Matrix.project_id == project_id,
                Matrix.revision == revision,
                Matrix.vectorizer_digest == vectorizer_digest,
            )
        )

    def add(self, matrix: Matrix) -> Matrix:
        self.session.add(matrix)
        self.session.flush()
        return matrix

    def delete(self, matrix_id: str) -> None:
        self.session.execute(delete(Matrix).where(Matrix.id == matrix_id))

    def delete_older(self, project_id: str, revision: int) -> Sequence[dict[str, Any]]:
        """Remove the matrices of revisions before this one; return their files."""
        removed = delete(Matrix).where(Matrix.project_id == project_id, Matrix.revision < revision)
        return self.session.scalars(removed.returning(Matrix.file)).all()
