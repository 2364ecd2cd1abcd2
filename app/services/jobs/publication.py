"""The one moment at which the work of a job becomes visible."""

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy.orm import Session

from app.errors import ProjectNotFound, TableNotFound
from app.repositories.jobs import JobRepository
from app.repositories.projects import ProjectRepository
from app.repositories.tables import TableRepository
from app.services.jobs.run import Run


def publish(
    run: Run,
    add: Callable[[Session], object] | None = None,
    *,
    result: dict[str, Any] | Callable[[Session], dict[str, Any]],
    keys: Iterable[str] = (),
    is_cancelled: bool = False,
) -> bool:
    """End the job and ``add`` its rows in one transaction, or remove its files; tell which.

    A ``result`` that hangs on what there is of the project is a function, called under its lock.
    With ``is_cancelled`` it is what was found until the job was cancelled, and that it stays.
    Nothing is published when another attempt holds the job, or its project or table is gone.
    After an error the files stay, because the commit may have happened; the clean-up decides then.
    """
    with run.database.writing.begin() as session:
        jobs = JobRepository(session)
        end = jobs.cancel_if_requested if is_cancelled else jobs.succeed
        is_published = False
        if _is_there(session, run):
            told = result(session) if callable(result) else result
            is_published = end(run.job_id, run.run_token, told)
        if is_published and add is not None:
            add(session)
    if not is_published:
        run.artifacts.delete(*keys)
    return is_published


def _is_there(session: Session, run: Run) -> bool:
    # The lock comes before that of the job, as in the deletion of a project or table, and lets
    # two trainings that end together agree on the champion.
    try:
        if run.project_id:
            ProjectRepository(session).lock(run.project_id)
        else:
            TableRepository(session).lock(run.spec["table_id"])
    except (ProjectNotFound, TableNotFound):
        return False
    return True
