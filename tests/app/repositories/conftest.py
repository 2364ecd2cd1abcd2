import pytest

from app.database import Database
from app.orm import Project
from app.repositories.projects import ProjectRepository


@pytest.fixture
def project_id(any_database: Database) -> str:
    with any_database.writing.begin() as session:
        return ProjectRepository(session).add(Project(name="a project")).id
