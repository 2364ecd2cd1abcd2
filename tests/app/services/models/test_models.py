import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.orm import Project
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.models import models
from tests.app.services.corpora import add_project
from tests.app.services.training.test_training import train


def test_a_ranking_replaced_just_before_the_lock_is_deleted_with_its_model(
    postgresql_url: str, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(postgresql_url)
    model = train(database, artifacts, add_project(database))
    lock = ProjectRepository.lock

    def lock_late(projects: ProjectRepository, project_id: str) -> Project:
        with database.writing.begin() as session:
            file = {**model.ranking_file, "key": "rankings/new"}
            ModelRepository(session).get(model.id).ranking_file = file
        return lock(projects, project_id)

    monkeypatch.setattr(ProjectRepository, "lock", lock_late)
    with database.writing.begin() as session:
        assert models.delete(session, model.id) == [model.file["key"], "rankings/new"]
    database.close()
