from sqlalchemy import select, update

from app.database import Database
from app.orm import WorkerSign
from app.repositories.worker_signs import ALIVE_SECONDS, KEPT_SECONDS, WorkerSignRepository


def test_workers_that_give_no_sign_are_not_counted_and_forgotten_after_a_day(
    any_database: Database,
) -> None:
    with any_database.writing.begin() as session:
        signs = WorkerSignRepository(session)
        for worker in ("a", "b", "c"):
            signs.give(worker)
        assert signs.n_alive() == 3
        for worker, seconds in (("b", ALIVE_SECONDS), ("c", KEPT_SECONDS)):
            of_one = update(WorkerSign).where(WorkerSign.worker == worker)
            session.execute(of_one.values(seen=WorkerSign.seen - seconds - 1))
        assert signs.n_alive() == 1

        signs.give("a")

        assert set(session.scalars(select(WorkerSign.worker))) == {"a", "b"}
        signs.give("b")
        assert signs.n_alive() == 2
        signs.withdraw("a")
        assert signs.n_alive() == 1
