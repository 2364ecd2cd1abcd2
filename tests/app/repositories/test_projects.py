from sqlalchemy import update

from app.database import Database
from app.orm import Project
from app.repositories.projects import ProjectRepository


def test_a_project_is_read_anew_when_it_is_locked(database: Database) -> None:
    with database.writing.begin() as session:
        projects = ProjectRepository(session)
        project = projects.add(Project(name="before"))
        # As another writer does that the lock has waited for.
        now = update(Project).values(name="after").execution_options(synchronize_session=False)
        session.execute(now)
        assert projects.lock(project.id).name == "after"
