"""Uploads of texts that are there under other ids."""

from collections.abc import Sequence

import pytest

from app.database import Database
from app.orm import Label
from app.repositories.documents import DocumentRepository
from app.services.documents import copied_texts
from app.services.intake.intake_report import Kept
from tests.app.services.corpora import add_project


def test_what_was_there_is_read_where_it_is_not_much_more(
    any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"text {i % 20}" for i in range(81)]
    project_id = add_project(any_database, positive=[], unlabeled=texts)
    with any_database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id).tolist()
    came = Kept(inserted=20, numbers=[range(numbers[-20], numbers[-1] + 1)])

    def told_of(label: Label, kept: Kept = came) -> str | None:
        return copied_texts.warning(any_database, project_id, kept, label)

    assert told_of(Label.UNLABELED) is None
    of_examples = told_of(Label.POSITIVE)
    monkeypatch.setattr(copied_texts, "PILE_OF_EXAMPLES", 60)
    assert told_of(Label.POSITIVE) is None
    monkeypatch.setattr(copied_texts, "MAX_TIMES", 4)
    told = told_of(Label.UNLABELED)
    assert told is not None
    assert told.startswith("Nearly all of the 20 documents that came in")
    assert told.endswith("it is easiest to delete the project and upload all of it anew.")
    assert (
        of_examples == f"{told} Examples that are in the pile can be labeled there, by their ids."
    )
    assert told_of(Label.UNLABELED, Kept()) is None


@pytest.mark.parametrize(
    "there",
    [
        pytest.param(range(10), id="examples from the head of the pile"),
        pytest.param([*range(10), *range(30, 40)], id="half of the pile"),
    ],
)
def test_copies_at_the_head_of_an_upload_alone_are_not_taken_for_nearly_all(
    any_database: Database, monkeypatch: pytest.MonkeyPatch, there: Sequence[int]
) -> None:
    monkeypatch.setattr(copied_texts, "SAMPLE", 10)
    came = [f"text {i}" for i in range(20)]
    examples = [f"text {i}" for i in there]
    project_id = add_project(any_database, positive=examples, unlabeled=came, negative=[])
    with any_database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id).tolist()
    kept = Kept(inserted=20, numbers=[range(numbers[-20], numbers[-1] + 1)])

    assert copied_texts.warning(any_database, project_id, kept, Label.UNLABELED) is None


def test_what_others_added_behind_an_upload_is_not_counted_for_it(any_database: Database) -> None:
    texts = [f"text {i % 20}" for i in range(40)]
    others = [f"new {i}" for i in range(20)]
    project_id = add_project(any_database, positive=[], unlabeled=[*texts, *others])
    with any_database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id).tolist()
    kept = Kept(inserted=20, numbers=[range(numbers[20], numbers[40])])

    assert copied_texts.warning(any_database, project_id, kept, Label.UNLABELED) is not None
