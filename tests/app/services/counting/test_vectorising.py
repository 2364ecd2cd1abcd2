import errno
import os
import tempfile
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer

from app.artifacts import Artifacts
from app.database import Database
from app.errors import InvalidParameter, ProjectNotFound, StorageFull
from app.orm import Label, Project
from app.repositories.documents import DocumentRepository
from app.services.counting import vectorising
from app.services.documents import deletions, text_counts
from app.settings import Settings
from core.text import TokenCounter
from tests.app.services.corpora import (
    FLOODS,
    SPORTS,
    InterruptedArtifacts,
    add_documents,
    add_project,
    delete_project,
    stored_keys,
)
from tests.app.services.models.test_ranking_update import replace_text, update
from tests.app.services.training.test_training import train


def test_counts_are_those_of_the_texts_in_order(
    any_database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(any_database)
    counted = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    expected = CountVectorizer().fit(FLOODS + SPORTS)
    assert counted.counter.terms_ == expected.get_feature_names_out().tolist()
    assert_array_equal(counted.counts.toarray(), expected.transform(FLOODS + SPORTS).toarray())
    assert (np.diff(counted.numbers) > 0).all()
    assert not counted.is_cached


def test_the_second_time_nothing_is_tokenised(any_database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(any_database)
    first = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    second = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    assert second.is_cached
    assert not second.counts.data.flags.writeable  # It is a view of the mapped file.
    assert_array_equal(second.counts.toarray(), first.counts.toarray())
    assert_array_equal(second.numbers, first.numbers)
    assert second.texts_digest == first.texts_digest
    assert second.counter.transform(["a flood"]).sum() == 1


@pytest.mark.parametrize("counting", [{"lowercase": False}, {"extra_stop_words": ["flood"]}])
def test_other_counting_is_counted_again(
    database: Database, artifacts: Artifacts, counting: dict[str, Any]
) -> None:
    project_id = add_project(database)
    vectorising.count(database, artifacts, project_id, TokenCounter())
    other = vectorising.count(database, artifacts, project_id, TokenCounter(**counting))
    assert not other.is_cached
    assert len(stored_keys(artifacts)) == 2


@pytest.mark.parametrize("limits", [{"min_df": 2}, {"max_df": 0.1}, {"max_features": 5}])
def test_counters_that_leave_out_other_terms_share_counts(
    database: Database, artifacts: Artifacts, limits: dict[str, Any]
) -> None:
    project_id = add_project(database)
    vectorising.count(database, artifacts, project_id, TokenCounter())
    counted = vectorising.count(database, artifacts, project_id, TokenCounter(**limits))
    assert counted.is_cached
    assert len(stored_keys(artifacts)) == 1
    expected = CountVectorizer(**limits)
    assert_array_equal(counted.counts.toarray(), expected.fit_transform(FLOODS + SPORTS).toarray())
    assert counted.counter.terms_ == expected.get_feature_names_out().tolist()
    assert counted.counter.get_params() == TokenCounter(**limits).get_params()


def test_only_new_texts_are_counted_and_the_old_file_goes(
    any_database: Database, artifacts: Artifacts
) -> None:
    vectorising.count(any_database, artifacts, add_project(any_database), TokenCounter())
    of_another = stored_keys(artifacts)
    project_id = add_project(any_database)
    first = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    old = stored_keys(artifacts) - of_another
    add_documents(any_database, project_id, [("an avalanche", Label.UNLABELED)], first=100)
    second = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    assert second.n_tokenised == 1
    assert second.counts.shape[0] == first.counts.shape[0] + 1
    assert second.texts_digest != first.texts_digest
    assert len(stored_keys(artifacts)) == 2
    assert not old & stored_keys(artifacts)
    assert of_another < stored_keys(artifacts)


def test_counts_that_grow_are_those_of_all_texts(
    any_database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(any_database)
    vectorising.count(any_database, artifacts, project_id, TokenCounter(ngram_range=(1, 2)))
    more = [("an avalanche of floods", Label.UNLABELED), ("the match", Label.POSITIVE)]
    add_documents(any_database, project_id, more, first=100)
    grown = vectorising.count(any_database, artifacts, project_id, TokenCounter(ngram_range=(1, 2)))
    expected = CountVectorizer(ngram_range=(1, 2))
    counts = expected.fit_transform([*FLOODS, *SPORTS, *(text for text, _ in more)])
    assert grown.counter.terms_ == expected.get_feature_names_out().tolist()
    assert_array_equal(grown.counts.toarray(), counts.toarray())
    alone = vectorising.count(any_database, artifacts, project_id, TokenCounter(max_df=0.9))
    assert grown.texts_digest == alone.texts_digest


def test_terms_that_were_left_out_come_in_with_new_texts(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database)
    add_documents(database, project_id, [("an avalanche", Label.UNLABELED)], first=100)
    counter = TokenCounter(min_df=2)
    first = vectorising.count(database, artifacts, project_id, counter)
    assert "avalanche" not in first.counter.terms_
    add_documents(database, project_id, [("one avalanche", Label.UNLABELED)], first=200)
    second = vectorising.count(database, artifacts, project_id, counter)
    assert "avalanche" in second.counter.terms_
    assert second.n_tokenised == 1


@pytest.mark.parametrize(
    ("removed", "replaced", "n_added"),
    [([0], [], 0), ([], [0], 0), ([], [2, 1], 0), ([0, 2], [3], 1), ([1], [], 2)],
)
def test_only_what_was_replaced_or_added_is_read_again(
    any_database: Database,
    artifacts: Artifacts,
    removed: list[int],
    replaced: list[int],
    n_added: int,
) -> None:
    project_id = add_project(any_database)
    vectorising.count(any_database, artifacts, project_id, TokenCounter())
    texts = dict(enumerate(FLOODS + SPORTS))
    with any_database.writing.begin() as session:
        rows = list(DocumentRepository(session).page(project_id, after=0, limit=100))
        for place in removed:
            deletions.remove(session, project_id, rows[place].id)
            del texts[place]
    for place in replaced:
        texts[place] = f"another text, number {place}"
        replace_text(any_database, project_id, rows[place].id, texts[place])
    added = [(f"an avalanche of {n}", Label.UNLABELED) for n in range(n_added)]
    add_documents(any_database, project_id, added, first=100)
    expected = CountVectorizer()
    counts = expected.fit_transform([*texts.values(), *(text for text, _ in added)])
    again = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    assert again.n_tokenised == len(replaced) + n_added
    assert again.counter.terms_ == expected.get_feature_names_out().tolist()
    assert_array_equal(again.counts.toarray(), counts.toarray())
    anew = vectorising.count(any_database, artifacts, project_id, TokenCounter(binary=True))
    assert_array_equal(again.numbers, anew.numbers)
    assert again.texts_digest == anew.texts_digest
    assert again.revision == anew.revision


def test_where_most_texts_were_replaced_all_are_counted(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database)
    first = vectorising.count(database, artifacts, project_id, TokenCounter())
    with database.reading() as session:
        rows = list(DocumentRepository(session).page(project_id, after=0, limit=100))
    n_replaced = len(rows) // 2 + 1
    for row in rows[:n_replaced]:
        replace_text(database, project_id, row.id, f"another {row.text}")
    again = vectorising.count(database, artifacts, project_id, TokenCounter())
    assert again.n_tokenised == first.counts.shape[0]
    assert len(stored_keys(artifacts)) == 1


def test_no_transaction_is_open_while_texts_are_counted(
    any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_counts, "PART_ROWS", 2)
    project_id = add_project(any_database, positive=["a b"], unlabeled=["c", "d"], negative=["e"])
    reading = text_counts.read_texts(any_database, project_id)
    first = next(reading)
    assert any_database.engine.pool.checkedout() == 0
    with any_database.writing.begin() as session:
        deletions.remove(session, project_id, "d2")

    (second,) = reading

    assert [first.texts, second.texts] == [(b"a b", b"c"), (b"e",)]


@pytest.mark.parametrize("limit", ["PART_ROWS", "PART_BYTES"])
def test_texts_of_many_transactions_are_counted_in_order(
    any_database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr("app.repositories.documents.TEXTS_AT_A_TIME", 1)
    monkeypatch.setattr(text_counts, limit, 2)
    project_id = add_project(any_database)
    vectorising.count(any_database, artifacts, project_id, TokenCounter())
    texts = FLOODS + SPORTS
    for place in (4, 1, 2):
        texts[place] = f"another text, number {place}"
        replace_text(any_database, project_id, f"d{place}", texts[place])
    more = ["an avalanche", "a landslide", "a storm"]
    add_documents(any_database, project_id, [(text, Label.UNLABELED) for text in more], first=100)
    counted = vectorising.count(any_database, artifacts, project_id, TokenCounter())
    expected = CountVectorizer()
    counts = expected.fit_transform([*texts, *more])
    assert counted.n_tokenised == 3 + len(more)
    assert counted.counter.terms_ == expected.get_feature_names_out().tolist()
    assert_array_equal(counted.counts.toarray(), counts.toarray())


def test_two_jobs_that_count_the_same_keep_one_file(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    project_id = add_project(database)
    interrupted = InterruptedArtifacts(
        settings,
        "matrices/",
        lambda: vectorising.count(database, artifacts, project_id, TokenCounter()),
    )
    vectorising.count(database, interrupted, project_id, TokenCounter())
    assert len(stored_keys(artifacts)) == 1
    assert vectorising.count(database, artifacts, project_id, TokenCounter()).is_cached


def test_a_lost_file_is_made_anew(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database)
    vectorising.count(database, artifacts, project_id, TokenCounter())
    artifacts.delete(*stored_keys(artifacts))
    assert not vectorising.count(database, artifacts, project_id, TokenCounter()).is_cached
    assert vectorising.count(database, artifacts, project_id, TokenCounter()).is_cached


def test_a_project_deleted_while_counting_leaves_no_file(
    database: Database, settings: Settings
) -> None:
    project_id = add_project(database)
    interrupted = InterruptedArtifacts(
        settings, "matrices/", lambda: delete_project(database, project_id)
    )
    vectorising.count(database, interrupted, project_id, TokenCounter())
    assert not stored_keys(interrupted)
    with pytest.raises(ProjectNotFound):
        vectorising.count(database, interrupted, project_id, TokenCounter())


def test_no_room_for_temporary_files_is_told(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_id = add_project(database)
    model = train(database, artifacts, project_id)
    add_documents(database, project_id, [("water", Label.UNLABELED)], first=100)

    def no_room(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", no_room)
    for counter in (TokenCounter(), TokenCounter(min_df=2)):
        with pytest.raises(StorageFull, match="No space left on device"):
            vectorising.count(database, artifacts, project_id, counter)
    with pytest.raises(StorageFull, match="No space left on device"):
        update(database, artifacts, model)


def test_texts_without_terms_are_refused(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database, positive=["?"], unlabeled=["!"], negative=[])
    with pytest.raises(ValueError, match="no term is left"):
        vectorising.count(database, artifacts, project_id, TokenCounter())


AS_WORDS = {"cjk": "bigrams", "marks": True, "long_numbers_as_zeros": True}


def test_defaults_come_from_the_language_then_the_project_then_the_request() -> None:
    english = Project(language="english", vectorizer={"min_df": 2, "lowercase": False})
    assert vectorising.with_defaults(english, {"min_df": 3}) == {
        "stop_words": "english",
        "cjk": "bigrams",
        "marks": True,
        "long_numbers_as_zeros": True,
        "min_df": 3,
        "lowercase": False,
    }
    unknown = Project(language="klingon", vectorizer={})
    assert vectorising.with_defaults(unknown, {}) == AS_WORDS


@pytest.mark.parametrize(
    ("max_df", "taken"), [(1, 1.0), (1.0, 1.0), (2, 2), (0.5, 0.5), (True, True)]
)
def test_a_one_of_json_is_all_texts(max_df: Any, taken: Any) -> None:
    project = Project(language="other", vectorizer={"max_df": max_df})
    found = vectorising.with_defaults(project, {})["max_df"]
    assert (found, type(found)) == (taken, type(taken))


@pytest.mark.parametrize("vectorizer", [{"min_df": -1}, {"mindf": 1}, {"norm": "l3"}])
def test_a_wrong_vectorizer_is_pointed_at(vectorizer: dict[str, object]) -> None:
    with pytest.raises(InvalidParameter) as caught:
        vectorising.check_vectorizer(vectorizer)
    assert caught.value.errors is not None
    assert caught.value.errors[0]["pointer"] == f"/vectorizer/{next(iter(vectorizer))}"


@pytest.mark.parametrize(
    ("asked", "cjk"),
    [
        ({}, AS_WORDS),
        ({"cjk": None}, AS_WORDS | {"cjk": None}),
        ({"analyzer": "char_wb"}, {}),
        ({"token_pattern": r"\S+"}, {}),
    ],
)
def test_texts_without_blanks_are_cut_where_words_are_counted(
    asked: dict[str, Any], cjk: dict[str, Any]
) -> None:
    of_project = vectorising.with_defaults(Project(language="other", vectorizer=asked), {})
    of_request = vectorising.with_defaults(Project(language="other", vectorizer={}), asked)
    assert of_project == of_request == {**cjk, **asked}
    vectorising.check_vectorizer(of_request)
