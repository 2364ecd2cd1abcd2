import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.orm import Label, Model
from app.repositories.documents import DocumentRepository
from app.services.documents.data_state import labels_changed
from tests.app.services.corpora import add_documents, add_project
from tests.app.services.models.test_ranking_update import add_more, remove, update
from tests.app.services.training.test_training import train


@pytest.fixture
def model(database: Database, artifacts: Artifacts) -> Model:
    return train(database, artifacts, add_project(database))


def is_changed(database: Database, artifacts: Artifacts, model: Model) -> bool:
    """Return what is told once the ranking is up to date."""
    update(database, artifacts, model)
    with database.reading() as session:
        labeled = DocumentRepository(session).labeled_numbers(model.project_id)
    return labels_changed(model, labeled)


@pytest.mark.parametrize("label", [Label.POSITIVE, Label.NEGATIVE])
def test_labels_of_further_documents_are_changes_and_their_absence_is_none(
    database: Database, artifacts: Artifacts, model: Model, label: Label
) -> None:
    add_more(database, model)
    assert not is_changed(database, artifacts, model)
    add_documents(database, model.project_id, [("a flood", label)], first=300)
    assert is_changed(database, artifacts, model)


def test_only_the_removal_of_a_labeled_document_is_a_change(
    database: Database, artifacts: Artifacts, model: Model
) -> None:
    add_more(database, model)
    remove(database, model, "d3", "d100")
    assert not is_changed(database, artifacts, model)
    remove(database, model, "d0")
    assert is_changed(database, artifacts, model)
