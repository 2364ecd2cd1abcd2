"""An update of a ranking whose process is killed in the middle, and what is left to the next."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.job_kinds import JobStatus
from app.repositories.jobs import JobRepository
from app.services.models import ranking_update
from app.settings import Settings
from app.worker import job_process
from tests.app.services.corpora import add_project, claim
from tests.app.services.models.test_ranking_update import MORE, add_more, queue, ranked, reread
from tests.app.services.training.test_training import train


class DeadlyArtifacts(Artifacts):
    """Kills its process as soon as a file is saved: before the database knows of it."""

    def save(self, key: str, write: Callable[[Path], object]) -> dict[str, Any]:
        super().save(key, write)
        kill_this_process()
        raise AssertionError("it lives")


def kill_this_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die(settings: Settings, stage: str) -> None:
    """Claim the oldest job, as a worker that is gone at once, and die in a stage of it."""
    database = Database(settings.database_url)

    def report(now: str, *_: Any, **__: Any) -> None:
        if now == stage == "rank":
            kill_this_process()

    artifacts = DeadlyArtifacts(settings.artifacts_url, settings.cache_directory)
    ranking_update.run(claim(database, artifacts, report, seconds=-1))


@pytest.mark.parametrize("stage", ["rank", "save"])
def test_the_old_ranking_is_served_until_another_attempt_has_finished(
    database: Database, artifacts: Artifacts, settings: Settings, stage: str
) -> None:
    model = train(database, artifacts, add_project(database))
    before = ranked(database, artifacts, model)
    add_more(database, model)
    job_id = queue(database, model)
    job_process.prepare()
    child = multiprocessing.get_context("forkserver").Process(target=die, args=(settings, stage))
    child.start()
    child.join()

    assert child.exitcode == -signal.SIGKILL
    assert ranked(database, artifacts, model) == before
    assert reread(database, model).ranking_file == model.ranking_file

    run = claim(database, artifacts)
    assert run.job_id == job_id
    ranking_update.run(run)

    with database.reading() as session:
        job = JobRepository(session).get(job_id)
    assert (job.status, job.attempt) == (JobStatus.SUCCEEDED, 2)
    names = {row.id for row in ranked(database, artifacts, model)}
    assert names == {row.id for row in before} | {f"d{100 + i}" for i in range(len(MORE))}
