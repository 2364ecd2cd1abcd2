from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from app.database import Database
from app.errors import ModelNotFound
from app.job_kinds import JobKind
from app.orm import Model, Project
from app.repositories.files import FileRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.paging import place
from app.repositories.projects import ProjectRepository

FILE = {"key": "models/one", "size": 1, "sha256": "0"}


def add_model(
    database: Database, project_id: str, *, is_champion: bool = False, **card: Any
) -> str:
    with database.writing.begin() as session:
        job = JobRepository(session).add(project_id, JobKind.TRAIN, {})
        model = Model(
            project_id=project_id,
            job_id=job.id,
            algorithm="lgn",
            card=card,
            file=FILE,
            ranking_file=FILE,
            is_champion=is_champion,
        )
        return ModelRepository(session).add(model).id


def champion_id(database: Database, project_id: str) -> str | None:
    with database.reading() as session:
        champion = ModelRepository(session).champion(project_id)
        return None if champion is None else champion.id


def test_pages_show_the_newest_first(any_database: Database, project_id: str) -> None:
    added = [add_model(any_database, project_id) for _ in range(3)]
    with any_database.reading() as session:
        repository = ModelRepository(session)
        first = repository.page(project_id=project_id, limit=2)
        rest = repository.page(project_id=project_id, after=place(first[-1]), limit=2)
        assert [model.id for model in first + rest] == added[::-1]
        assert repository.page(project_id="another", limit=2) == []


def test_the_newest_models_of_projects_are_found_together(
    any_database: Database, project_id: str
) -> None:
    with any_database.writing.begin() as session:
        other, empty = (ProjectRepository(session).add(Project(name="a")).id for _ in range(2))
    newest = {id_: add_model(any_database, id_) for id_ in (project_id, other, project_id)}
    with any_database.reading() as session:
        assert ModelRepository(session).newest_ids([project_id, other, empty]) == newest
        assert ModelRepository(session).newest_ids([empty]) == {}


def test_the_champion_changes(any_database: Database, project_id: str) -> None:
    assert champion_id(any_database, project_id) is None
    with any_database.writing.begin() as session:
        other = ProjectRepository(session).add(Project(name="sports")).id
    of_other = add_model(any_database, other, is_champion=True)
    first = add_model(any_database, project_id, is_champion=True)
    second = add_model(any_database, project_id)
    for chosen in (second, second, first):
        with any_database.writing.begin() as session:
            assert ModelRepository(session).set_champion(project_id, chosen).is_champion
        assert champion_id(any_database, project_id) == chosen
    assert champion_id(any_database, other) == of_other


def test_champions_chosen_at_once_leave_one(any_database: Database, project_id: str) -> None:
    models = [add_model(any_database, project_id) for _ in range(4)]
    barrier = Barrier(len(models))

    def choose(model_id: str) -> None:
        barrier.wait()
        with any_database.writing.begin() as session:
            ProjectRepository(session).lock(project_id)
            ModelRepository(session).set_champion(project_id, model_id)

    with ThreadPoolExecutor(len(models)) as pool:
        list(pool.map(choose, models))
    assert champion_id(any_database, project_id) in models


def test_a_model_of_another_project_cannot_be_champion(
    any_database: Database, project_id: str
) -> None:
    with any_database.writing.begin() as session:
        other = ProjectRepository(session).add(Project(name="sports")).id
    model_id = add_model(any_database, other)
    with any_database.writing.begin() as session, pytest.raises(ModelNotFound):
        ModelRepository(session).set_champion(project_id, model_id)


def test_files_go_with_their_project_alone(any_database: Database, project_id: str) -> None:
    add_model(any_database, project_id)
    with any_database.reading() as session:
        files = FileRepository(session)
        assert files.keys(project_id) == files.keys() == {"models/one"}
        assert files.keys("another") == set()


def test_deleted_models_are_gone(any_database: Database, project_id: str) -> None:
    model_id = add_model(any_database, project_id)
    with any_database.writing.begin() as session:
        ModelRepository(session).delete(model_id)
    with any_database.reading() as session, pytest.raises(ModelNotFound):
        ModelRepository(session).get(model_id)


def test_the_newest_card_that_tells_of_positives_does_whatever_else_it_has(
    any_database: Database, project_id: str
) -> None:
    stop_words = {"vectorizer": {"stop_words": ["a\0b"]}}
    with any_database.reading() as session:
        assert ModelRepository(session).expected_positives(project_id) is None
    for value in (3, 4):
        told = {"value": value, "low": 2, "high": 5, "n_pile": 9}
        add_model(any_database, project_id, expected_positives=told, **stop_words)
    add_model(any_database, project_id, expected_positives=None, **stop_words)
    add_model(any_database, project_id)
    with any_database.reading() as session:
        assert ModelRepository(session).expected_positives(project_id) == told
