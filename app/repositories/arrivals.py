"""When documents came in: where the numbers of each upload begin."""

from datetime import datetime

from sqlalchemy import Select, func, select

from app.orm import Arrival, Document, Project
from app.repositories.rows import Repository

#: Greater than the number of any document.
LAST = 2**62


class ArrivalRepository(Repository):
    def note(
        self, project_number: int, after: int, time: datetime, *, last_judgement: int = 0
    ) -> None:
        """Note that what came in since a time has numbers behind ``after``.

        Of two uploads that began with the same number the later one counts, or what it brought
        would be missing among what came in since it began.
        """
        known = self.session.get(Arrival, (project_number, after))
        if known is not None and known.time >= time:
            return
        self.session.merge(
            Arrival(
                project_number=project_number,
                after=after,
                time=time,
                last_judgement=last_judgement,
            )
        )

    def after(self, project_id: str, since: datetime) -> int:
        """Return the number behind which documents came in since; larger than all if none did."""
        query = select(func.min(Arrival.after)).join(Project)
        found = self.session.scalar(query.where(Project.id == project_id, Arrival.time >= since))
        return LAST if found is None else found

    def begun_in_review(self, project_id: str) -> list[int]:
        """Return the numbers behind which documents came in after judgements had been made.

        Ascending; uploads between which nothing was judged are one.
        """
        return list(self.session.scalars(_begun_in_review(project_id, LAST).order_by("after")))

    def sizes_in_review(self, project_id: str, until: int) -> list[tuple[int, int]]:
        """Return the same up to a number, each with how many documents there are until the next."""
        number = select(Project.number).where(Project.id == project_id).scalar_subquery()
        first = _begun_in_review(project_id, until).subquery()
        following = func.lead(first.c.after, 1, until).over(order_by=first.c.after)
        each = select(first.c.after, following.label("end")).subquery()
        n_documents = (
            select(func.count())
            .where(Document.project_number == number)
            .where(Document.number > each.c.after, Document.number <= each.c.end)
            .scalar_subquery()
        )
        query = select(each.c.after, n_documents).order_by(each.c.after)
        return [(after, n) for after, n in self.session.execute(query)]


def _begun_in_review(project_id: str, until: int) -> Select[int]:
    return (
        select(func.min(Arrival.after).label("after"))
        .join(Project)
        .where(Project.id == project_id, Arrival.last_judgement > 0, Arrival.after < until)
        .group_by(Arrival.last_judgement)
    )
