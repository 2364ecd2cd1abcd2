"""Queries on judgements: which documents a person looked at, in which order."""

from sqlalchemy import ColumnElement, func, select, text, update

from app.orm import SEED_TAKEN_BACK, Label
from app.repositories.documents import TABLE, project_number
from app.repositories.rows import Repository

#: Written out, not as a parameter: so both databases see that the partial index fits.
IS_JUDGED = text("judgement > 0")


class JudgementRepository(Repository):
    def last(self, project_id: str) -> int:
        """Return the number of the last judgement, 0 where there is none."""
        query = select(func.max(TABLE.c.judgement)).where(self._in_project(project_id), IS_JUDGED)
        return self.session.scalar(query) or 0

    def judged(self, project_id: str) -> list[tuple[int, Label]]:
        """Return numbers and labels of the judged documents, in the order of the judgements."""
        query = (
            select(TABLE.c.number, TABLE.c.label)
            .where(self._in_project(project_id), IS_JUDGED)
            .order_by(TABLE.c.judgement)
        )
        return [(number, label) for number, label in self.session.execute(query)]

    def since(self, project_id: str, judgement: int) -> list[tuple[int, int]]:
        """Return judgements from one on, in their order, each with the document's number."""
        query = (
            select(TABLE.c.judgement, TABLE.c.number)
            .where(self._in_project(project_id), IS_JUDGED, TABLE.c.judgement >= judgement)
            .order_by(TABLE.c.judgement)
        )
        return [(judgement, number) for judgement, number in self.session.execute(query)]

    def forget_taken_back(self, project_id: str) -> None:
        """Let seeds that were taken back be documents like all others."""
        were_seeds = self._in_project(project_id), TABLE.c.judgement == SEED_TAKEN_BACK
        self.session.execute(update(TABLE).where(*were_seeds).values(judgement=None))

    def _in_project(self, project_id: str) -> ColumnElement[bool]:
        return TABLE.c.project_number == project_number(self.session, project_id)
