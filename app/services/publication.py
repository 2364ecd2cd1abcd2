"""The one moment at which the work of a job becomes visible."""

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy.orm import Session

from app.errors import ProjectNotFound
from app.repositories.jobs import JobRepository
from app.repositories.projects import ProjectRepository
from app.services.run import Run


def publish(
    run: Run,
    add: Callable[[Session], object],
    *,
    result: dict[str, Any],
    keys: Iterable[str],
) -> None:
    """End the job and ``add`` its rows in one transaction, or remove its files.

    Nothing is published when another attempt holds the job, or the project is gone. After an
    error the files stay, because the commit may have happened; the clean-up decides then.
    """
    with run.database.writing.begin() as session:
        is_published = _is_there(session, run.project_id) and JobRepository(session).succeed(
            run.job_id, run.run_token, result
        )
        if is_published:
            add(session)
    if not is_published:
        run.artifacts.delete_all(keys)


def _is_there(session: Session, project_id: str) -> bool:
    # The lock comes before that of the job, as in the deletion of a project, and lets two
    # trainings that end together agree on the champion.
    try:
        ProjectRepository(session).lock(project_id)
    except ProjectNotFound:
        return False
    return True
