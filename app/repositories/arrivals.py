"""When documents came in: where the numbers of each upload begin."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.tables import Arrival, Project

_NEVER = 2**62


class ArrivalRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def note(self, project_number: int, after: int, time: datetime) -> None:
        """Note that what came in since a time has numbers behind ``after``."""
        self.session.merge(Arrival(project_number=project_number, after=after, time=time))

    def after(self, project_id: str, since: datetime) -> int:
        """Return the number behind which documents came in since, a larger one than all if none."""
        query = select(func.min(Arrival.after)).join(Project)
        found = self.session.scalar(query.where(Project.id == project_id, Arrival.time >= since))
        return _NEVER if found is None else found
