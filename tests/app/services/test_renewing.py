from threading import Event

from sqlalchemy.exc import OperationalError

from app.services.renewing import renewing
from tests.app.processes import PATIENCE


def test_after_a_failure_of_the_database_it_goes_on() -> None:
    has_failed, goes_on = Event(), Event()

    def renew() -> None:
        if has_failed.is_set():
            goes_on.set()
            return
        has_failed.set()
        raise OperationalError("", {}, Exception("it is down"))

    with renewing(0.001, renew):
        assert goes_on.wait(PATIENCE)
