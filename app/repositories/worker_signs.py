"""Signs of life of workers, which those without a job give, too."""

from sqlalchemy import delete, func, select, update

from app.orm import WorkerSign
from app.repositories.rows import Repository
from app.sql_functions import database_now

#: How often a worker gives a sign.
SIGN_SECONDS = 20.0
#: One that gave none for this long is not counted; after a day it is forgotten.
ALIVE_SECONDS, KEPT_SECONDS = 3 * SIGN_SECONDS, 86_400.0


class WorkerSignRepository(Repository):
    def give(self, worker: str) -> None:
        seen = update(WorkerSign).where(WorkerSign.worker == worker).values(seen=database_now())
        if not self.session.scalars(seen.returning(WorkerSign.worker)).all():
            self.session.add(WorkerSign(worker=worker, seen=database_now()))
        old = WorkerSign.seen < database_now() - KEPT_SECONDS
        self.session.execute(delete(WorkerSign).where(old))

    def withdraw(self, worker: str) -> None:
        self.session.execute(delete(WorkerSign).where(WorkerSign.worker == worker))

    def n_alive(self) -> int:
        alive = WorkerSign.seen > database_now() - ALIVE_SECONDS
        return self.session.scalars(select(func.count()).where(alive)).one()
