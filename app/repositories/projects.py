"""Queries on projects."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from unicodedata import normalize

from sqlalchemy import Select, select, update

from app.errors import ProjectNotFound
from app.orm import Project
from app.repositories.paging import newest_first
from app.repositories.rows import RowRepository

NAMES_AT_A_TIME = 1000


class ProjectRepository(RowRepository[Project]):
    table = Project

    def get(self, project_id: str) -> Project:
        return self._one(select(Project), project_id)

    def lock(self, project_id: str) -> Project:
        """Make other writers of the project wait; SQLite has one writer at a time anyway."""
        locking = select(Project).with_for_update(key_share=True)
        # As it is now, not as the session read it before it waited.
        return self._one(locking.execution_options(populate_existing=True), project_id)

    def _one(self, query: Select[Project], project_id: str) -> Project:
        project = self.session.scalar(query.where(Project.id == project_id))
        if project is None:
            raise ProjectNotFound(f"No project has the id {project_id!r}. GET /projects lists all.")
        return project

    def page(self, *, after: str | None, limit: int, name: str | None = None) -> list[Project]:
        """Return projects, the newest first, from the first one behind the place ``after``.

        With a ``name`` only those whose own contains it, in any case.
        """
        query = newest_first(Project, after=after, limit=limit)
        if name:
            # What a place says is kept in the ids.
            ids = list(islice(self._ids_named(name, after), limit))
            query = newest_first(Project, after=None, limit=limit).where(Project.id.in_(ids))
        return list(self.session.scalars(query))

    def _ids_named(self, name: str, after: str | None) -> Iterator[str]:
        """Yield the ids of the projects whose name contains this one, the newest first.

        Compared here: what letters PostgreSQL knows depends on the locale of the database.
        """
        wanted = _folded(name)
        query = newest_first(Project, after=after, limit=None)
        columns = query.with_only_columns(Project.id, Project.name)
        options = {"yield_per": NAMES_AT_A_TIME}
        with self.session.execute(columns, execution_options=options) as rows:  # left early
            yield from (row.id for row in rows if wanted in _folded(row.name))

    def revisions(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the revisions of the projects with these ids that exist."""
        query = select(Project.id, Project.revision).where(Project.id.in_(ids))
        return {row.id: row.revision for row in self.session.execute(query)}

    def advance_revision(self, project_id: str, *, is_rewritten: bool) -> None:
        """Note that documents came in, or that texts were replaced or removed."""
        values: dict[str, Any] = {"revision": Project.revision + 1}
        if is_rewritten:
            values["rewritten_revision"] = Project.revision + 1
        self.session.execute(
            update(Project)
            .where(Project.id == project_id)
            .values(values)
            .execution_options(synchronize_session="fetch")
        )


def _folded(name: str) -> str:
    """Return a name as it is compared: letters with marks have one form, and none has a case."""
    return normalize("NFC", name.casefold())
