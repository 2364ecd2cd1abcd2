"""Work for jobs of the tests: each spec says what to do."""

import os
import re
import signal
import time
from pathlib import Path

from sqlalchemy import text

from app.errors import StoreUnavailable, UnsuitableDocuments
from app.job_kinds import JobKind
from app.repositories.jobs import JobRepository
from app.services.jobs.run import Run


def publish(run: Run) -> None:
    with run.database.writing.begin() as session:
        JobRepository(session).succeed(run.job_id, run.run_token, {"pid": os.getpid()})


def succeed(run: Run) -> None:
    run.report("work", 0.5, "half done", {"n": 1})
    publish(run)


def wait_then_publish(run: Run) -> None:
    run.report("wait", 0.1)
    time.sleep(run.spec["seconds"])
    publish(run)


def publish_when_let(run: Run) -> None:
    """Wait for a file that is named as the attempt is numbered."""
    go = Path(run.spec["folder"]) / str(_attempt(run))
    run.report("wait", 0.1)
    while not go.exists():
        time.sleep(0.01)
    publish(run)


def talk_until_let(run: Run) -> None:
    go = Path(run.spec["file"])
    while not go.exists():
        run.report("talk", 0.1, "still here")
        time.sleep(0.05)
    publish(run)


def stop_when_told(run: Run) -> None:
    assert not run.stop_requested()
    run.report("search", 0.1)
    while not run.stop_requested():
        time.sleep(0.01)
    with run.database.writing.begin() as session:
        JobRepository(session).cancel_if_requested(run.job_id, run.run_token, {"found": 1})


def refuse_when_told(run: Run) -> None:
    assert not run.stop_requested()
    run.report("search", 0.1)
    while not run.stop_requested():
        time.sleep(0.01)
    refuse(run)


def ask_but_not_stop(run: Run) -> None:
    run.stop_requested()
    stay_in_c(run)


def stay_in_c(run: Run) -> None:
    run.report("compute", 0.1)
    # One call that lasts far longer than the test and lets no other thread run.
    re.fullmatch("(a|a)*b", "a" * 64)


def stay_in_c_once(run: Run) -> None:
    if _attempt(run) == 1:
        stay_in_c(run)
    publish(run)


def take_memory(run: Run) -> None:
    blocks = []
    while True:
        blocks.append(bytearray(os.urandom(2**20)) * 8)
        run.report("grow", 0.1)
        time.sleep(0.005)


def refuse(run: Run) -> None:
    raise UnsuitableDocuments("These documents cannot be used.")


def fault(run: Run) -> None:
    raise RuntimeError("secret detail")


def lose_the_store(run: Run) -> None:
    if _attempt(run) <= run.spec["n_losses"]:
        raise StoreUnavailable("The store is away.")
    publish(run)


def die_once(run: Run) -> None:
    if _attempt(run) <= run.spec["n_deaths"]:
        os.kill(os.getpid(), signal.SIGKILL)
    publish(run)


def lock_itself_out_once(run: Run) -> None:
    with run.database.writing.begin() as session:
        if _attempt(run) == 1:
            session.connection()  # takes the lock, which publishing needs
            publish(run)
    publish(run)


def meet_a_standby_once(run: Run) -> None:
    with run.database.writing.begin() as session:
        if _attempt(run) == 1:
            session.execute(text("SET TRANSACTION READ ONLY"))
        JobRepository(session).succeed(run.job_id, run.run_token, {})


def miss_a_column(run: Run) -> None:
    with run.database.reading() as session:
        session.execute(text("SELECT of_a_later_version FROM jobs"))


def fill_the_database(run: Run) -> None:
    with run.database.writing.begin() as session:
        # No more pages than there are now.
        session.execute(text("PRAGMA max_page_count = 1"))
        JobRepository(session).add_event(run.job_id, "long", data={"filler": "a" * 2**20})


def _attempt(run: Run) -> int:
    with run.database.reading() as session:
        return JobRepository(session).get(run.job_id).attempt


def do(run: Run) -> None:
    globals()[run.spec["do"]](run)


RUNNERS = dict.fromkeys(JobKind, do)
