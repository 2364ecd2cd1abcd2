"""What all requests of jobs have in common."""

from typing import Any

import pytest
from sqlalchemy import event

from app.database import Database
from app.services.class_prior import class_prior
from app.services.feature_selection import cluster_assumption, feature_selection
from app.services.training import training
from tests.app.services.corpora import FLOODS, add_project, queue

OF_PROJECT = {"table_id": None}


@pytest.mark.parametrize(
    ("request_job", "asked"),
    [
        (training.request, {"algorithm": "auto"}),
        (training.request, {"algorithm": "prototype", "cut": "budget:2", "memory_mb": 4096}),
        (class_prior.request, {}),
        (feature_selection.request, {"method": "k_best"} | OF_PROJECT),
        (cluster_assumption.request, OF_PROJECT),
    ],
)
def test_documents_are_counted_once(
    database: Database, request_job: Any, asked: dict[str, Any]
) -> None:
    """All of them are walked for it, while SQLite lets nobody else write."""
    project_id = add_project(database, positive=FLOODS)
    statements = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def note(*arguments: Any) -> None:
        statements.append(arguments[2])

    with database.writing.begin() as session:
        queue(session, request_job, project_id=project_id, **asked)

    of_all = [s for s in statements if "count(*)" in s and "unlabeled" not in s]
    assert len(of_all) == 1
