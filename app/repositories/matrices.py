"""Queries on cached matrices."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, delete, or_, select

from app.orm import Matrix
from app.repositories.rows import RowRepository


class MatrixRepository(RowRepository[Matrix]):
    table = Matrix

    def newest(self, project_id: str, vectorizer_digest: str) -> Matrix | None:
        """Return the one counted last."""
        return self.session.scalar(
            select(Matrix)
            .where(
                Matrix.project_id == project_id,
                Matrix.vectorizer_digest == vectorizer_digest,
            )
            .order_by(Matrix.revision.desc())
            .limit(1)
        )

    def is_there(self, matrix: Matrix) -> bool:
        """Tell whether there is one for the same vectorizer, of this revision or a later one."""
        found = self.newest(matrix.project_id, matrix.vectorizer_digest)
        return found is not None and found.revision >= matrix.revision

    def delete_outdated(self, matrix: Matrix, rewritten_revision: int) -> Sequence[dict[str, Any]]:
        """Remove what this one replaces, and what texts changed after; return their files."""
        is_replaced = and_(
            Matrix.vectorizer_digest == matrix.vectorizer_digest, Matrix.revision < matrix.revision
        )
        removed = delete(Matrix).where(
            Matrix.project_id == matrix.project_id,
            or_(is_replaced, Matrix.revision < rewritten_revision),
        )
        return self.session.scalars(removed.returning(Matrix.file)).all()
