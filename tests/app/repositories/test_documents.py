from hashlib import blake2b
from typing import Any

import pytest
from sqlalchemy import event, text

from app.database import Database
from app.orm import Label, Project
from app.repositories.document_counts import document_counts
from app.repositories.documents import DocumentRepository, project_number
from app.repositories.judgements import JudgementRepository
from app.repositories.page_sizes import portions
from app.repositories.projects import ProjectRepository
from tests.app.repositories.plans import noted_plans

POSITIVE, NEGATIVE, UNLABELED = Label.POSITIVE, Label.NEGATIVE, Label.UNLABELED


def add_project(database: Database) -> str:
    with database.writing.begin() as session:
        return ProjectRepository(session).add(Project(name="a project")).id


def add(
    database: Database, project_id: str, *documents: tuple[str, str, Label], metadata: Any = None
) -> None:
    rows = [
        {
            "id": id_,
            "text": text,
            "digest": bytes(16),
            "label": label,
            "metadata": metadata,
            "vector_code": None,
        }
        for id_, text, label in documents
    ]
    with database.writing.begin() as session:
        DocumentRepository(session).insert(project_id, rows)


def test_large_texts_are_read_few_at_a_time(
    any_database: Database, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"FEWEST_TEXTS": 2, "TEXTS_AT_A_TIME": 8, "BYTES_AT_A_TIME": 40}
    for name, value in sizes.items():
        monkeypatch.setattr(f"app.repositories.documents.{name}", value)
    texts = ["a"] * 6 + ["b" * 100] * 12
    rows = [(str(i), text, bytes(16), UNLABELED, None, None) for i, text in enumerate(texts)]
    with any_database.writing.begin() as session:
        DocumentRepository(session).insert_rows(project_id, rows)
    with any_database.reading() as session:
        parts = list(DocumentRepository(session).texts(project_id, after=0, limit=100))
    # Twice as many each time, until the first large ones have come.
    assert [len(part.texts) for part in parts] == [2, 4, 8, 1, 1, 1, 1]
    assert [text for part in parts for text in part.texts] == [text.encode() for text in texts]


def test_texts_numbers_and_labels_are_those_of_the_project_in_order(
    any_database: Database, project_id: str
) -> None:
    other_id = add_project(any_database)
    add(any_database, project_id, ("a", "1", UNLABELED), ("b", "2", POSITIVE))
    add(any_database, other_id, ("a", "x", POSITIVE), ("n", "y", NEGATIVE))
    add(any_database, project_id, ("c", "3", NEGATIVE), ("d", "4", POSITIVE))
    with any_database.reading() as session:
        repository = DocumentRepository(session)
        numbers = repository.numbers(project_id)
        (texts,) = repository.texts(project_id, after=0, limit=4)
        (later,) = repository.texts(project_id, after=texts.numbers[0], limit=2)
        labeled = repository.labeled_numbers(project_id)
        fingerprints = repository.fingerprints(project_id)
    assert fingerprints[0].tolist() == numbers.tolist()
    assert numbers.dtype == labeled[POSITIVE].dtype == "int64"
    assert list(texts.numbers) == sorted(numbers.tolist())
    assert texts.texts == (b"1", b"2", b"3", b"4")
    assert later == tuple(column[1:3] for column in texts)
    assert labeled[POSITIVE].tolist() == numbers[[1, 3]].tolist()
    assert labeled[NEGATIVE].tolist() == [numbers[2]]


def test_many_ids_are_found_soon_behind_a_large_upload(postgresql_database: Database) -> None:
    """PostgreSQL keeps plans of statements that came often, made where the table was small."""
    many = [(f"d{i}", "a text", bytes(16), UNLABELED, None, None) for i in range(20_000)]
    project_id = add_project(postgresql_database)
    with postgresql_database.writing.begin() as session:
        repository = DocumentRepository(session)
        repository.insert_rows(project_id, [("a", "a text", bytes(16), UNLABELED, None, None)])
        session.execute(text("ANALYZE documents"))
        for _ in range(15):
            assert list(repository.states(project_id, ["a", *"bcdefghijklmnopqrstuvw"])) == ["a"]
        repository.insert_rows(project_id, many)
        # Each with each would be 400 million comparisons: minutes.
        session.execute(text("SET LOCAL statement_timeout = '15s'"))
        assert len(repository.states(project_id, [row[0] for row in many])) == 20_000


def test_the_number_of_a_project_is_looked_up_once(database: Database) -> None:
    first, other = add_project(database), add_project(database)
    add(database, first, ("a", "x", POSITIVE))
    add(database, other, ("a", "x", UNLABELED), ("b", "y", UNLABELED))
    plans = noted_plans(database)
    with database.reading() as session:
        repository = DocumentRepository(session)
        found = [repository.numbers(id_).tolist() for id_ in (first, other, first)]
    assert found == [[1], [2, 3], [1]]
    assert sum("projects" in plan for plan in plans) == 2


def test_counts_are_those_of_each_label(any_database: Database, project_id: str) -> None:
    zero = {"total": 0, "positive": 0, "unlabeled": 0, "negative": 0, "unsure": 0}
    add(any_database, add_project(any_database), ("a", "x", POSITIVE))
    with any_database.reading() as session:
        assert DocumentRepository(session).counts(project_id) == zero
        assert DocumentRepository(session).numbers(project_id).tolist() == []
    labels = [UNLABELED] * 3 + [POSITIVE] * 2 + [Label.UNSURE]
    add(any_database, project_id, *((f"{i}", "x", label) for i, label in enumerate(labels)))
    with any_database.reading() as session:
        counts = DocumentRepository(session).counts(project_id)
    assert counts == {"total": 6, "positive": 2, "unlabeled": 3, "negative": 0, "unsure": 1}


def test_projects_are_counted_together(any_database: Database, project_id: str) -> None:
    other, empty = (add_project(any_database) for _ in range(2))
    add(any_database, project_id, ("a", "x", POSITIVE), ("b", "x", UNLABELED))
    add(any_database, other, ("a", "x", NEGATIVE), ("b", "x", NEGATIVE))
    with any_database.reading() as session:
        repository = DocumentRepository(session)
        numbers = {id_: project_number(session, id_) for id_ in (project_id, other, empty)}
        counted = document_counts(session, list(numbers.values()))
        alone = {number: repository.counts(id_) for id_, number in numbers.items()}
        assert document_counts(session, []) == {}
    assert counted == alone
    assert counted[numbers[other]]["negative"] == 2


def test_documents_are_found_by_their_numbers(any_database: Database, project_id: str) -> None:
    add(any_database, project_id, ("a", "one", POSITIVE), metadata={"n": 1, "nul": "\0"})
    add(any_database, project_id, ("b", "two", UNLABELED))
    with any_database.reading() as session:
        repository = DocumentRepository(session)
        first, second = map(int, repository.numbers(project_id))
        found = repository.by_numbers([second, first, second + 1000])
    assert found.keys() == {first, second}
    metadata = {"n": 1, "nul": "\0"}
    assert tuple(found[first]) == (first, "a", POSITIVE, None, metadata, None, "one")
    assert found[second].metadata is None


def test_words_are_found_across_line_ends(any_database: Database, project_id: str) -> None:
    texts = ["the river\nis high", "the river \r\n\t is high", "the river is_high", "riveris high"]
    add(any_database, project_id, *((str(i), text, UNLABELED) for i, text in enumerate(texts)))

    def ids(contains: str) -> str:
        with any_database.reading() as session:
            rows = DocumentRepository(session).page(
                project_id, after=0, limit=10, contains=contains
            )
            return "".join(row.id for row in rows)

    assert ids("River is") == ids("river \n is") == "012"
    assert ids("is_high") == "2"
    assert ids("is high") == "013"


def test_a_page_is_filtered_and_ordered(any_database: Database, project_id: str) -> None:
    add(any_database, add_project(any_database), ("x", "Höhe", POSITIVE))
    add(
        any_database,
        project_id,
        ("a", "Die HÖHE der Welt", POSITIVE),
        ("b", "100% höhe_", UNLABELED),
        ("c", "other", POSITIVE),
        ("d", "another Höhe", NEGATIVE),
        ("e", "unclear", Label.UNSURE),
    )

    def ids(**filters: Any) -> str:
        with any_database.reading() as session:
            rows = DocumentRepository(session).page(
                project_id, **{"after": 0, "limit": 10, **filters}
            )
            return "".join(row.id for row in rows)

    assert ids() == "abcde"
    assert ids(limit=2) == "ab"
    assert [ids(label=label) for label in Label] == ["ac", "b", "d", "e"]
    assert ids(contains="höhe") == "abd"
    assert ids(contains="HÖHE") == "abd"
    assert ids(contains="OTHER") == "cd"
    assert ids(contains="0%") == "b"
    assert ids(contains="e_") == "b"
    assert ids(contains="other", label=POSITIVE) == "c"
    with any_database.reading() as session:
        *_, last = DocumentRepository(session).page(project_id, after=0, limit=2)
        number = last.number
    assert ids(after=number) == "cde"


def test_the_number_of_a_removed_document_does_not_come_again(
    any_database: Database, project_id: str
) -> None:
    other_id = add_project(any_database)
    add(any_database, project_id, ("a", "1", UNLABELED), ("b", "2", UNLABELED))
    with any_database.writing.begin() as session:
        number = DocumentRepository(session).get(project_id, "b").number
        DocumentRepository(session).delete(project_id, "b")
    add(any_database, other_id, ("b", "x", UNLABELED))
    with any_database.reading() as session:
        assert DocumentRepository(session).by_numbers([number]) == {}


def test_rows_are_inserted_as_they_are_and_in_their_order(
    any_database: Database, project_id: str
) -> None:
    odd = ["'\"\\ \\u0041 [1]", "\x01\t\r\n\x7f", "\u2028 😀 é \ud7ff", "null", "7", "{}", "1e5"]
    rows = [
        (f"{i}{text}", text, blake2b(text.encode(), digest_size=16).digest(), label, metadata, code)
        for i, text in enumerate(100 * odd)
        for label, metadata, code in [
            (POSITIVE, {"is odd": [text, 1.5]}, None),
            (UNLABELED, None, f"{i}:abc"),
        ][i % 2 :][:1]
    ]
    with any_database.writing.begin() as session:
        DocumentRepository(session).insert_rows(project_id, rows)
    with any_database.reading() as session:
        repository = DocumentRepository(session)
        page = list(repository.page(project_id, after=0, limit=1000))
        states = repository.states(project_id, [row[0] for row in rows])
    digests = [states[row.id]["digest"] for row in page]
    stored = [
        (r.id, r.text, d, r.label, r.metadata, r.vector_code)
        for r, d in zip(page, digests, strict=True)
    ]
    assert stored == rows


@pytest.mark.parametrize("ids", [["c", "d", "a"], ["c", "d", "c"]])
def test_of_new_documents_none_is_added_where_an_id_comes_again(
    any_database: Database, project_id: str, ids: list[str]
) -> None:
    add(any_database, project_id, ("a", "1", POSITIVE))
    rows = [(id_, "2", bytes(16), UNLABELED, None, None) for id_ in ids]
    with any_database.writing.begin() as session:
        repository = DocumentRepository(session)
        assert not repository.insert_new(project_id, rows)
        # The transaction goes on.
        assert repository.insert_new(project_id, rows[:2])
    with any_database.reading() as session:
        page = list(DocumentRepository(session).page(project_id, after=0, limit=10))
    assert [(row.id, row.text) for row in page] == [("a", "1"), ("c", "2"), ("d", "2")]


def test_portions_end_where_their_texts_are_long_enough(
    any_database: Database, project_id: str
) -> None:
    texts = ["éé", "aaaa", "b", "c", "ddddd", "e"]
    rows = [(str(i), text, bytes(16), UNLABELED, None, None) for i, text in enumerate(texts)]
    with any_database.writing.begin() as session:
        DocumentRepository(session).insert_rows(project_id, rows)
    with any_database.reading() as session:
        repository = DocumentRepository(session)
        a, b, c, d, e, f = repository.numbers(project_id).tolist()
        gone = f + 1
        found = list(portions(session, [b, gone, a, c, d, e, f], 5))
        assert found == [[b, gone, a], [c, d, e], [f]]
        assert list(portions(session, [], 5)) == []
    add(any_database, project_id, *((id_, "a", UNLABELED) for id_ in "xyz"), metadata={"b": "c"})
    with any_database.reading() as session:
        x, y, z = DocumentRepository(session).numbers(project_id).tolist()[-3:]
        assert list(portions(session, [x, y, z], 20)) == [[x, y], [z]]


def test_only_few_long_texts_are_measured_for_a_portion(
    any_database: Database, project_id: str
) -> None:
    rows = [(str(i), 100 * "a", bytes(16), UNLABELED, None, None) for i in range(1_000)]
    with any_database.writing.begin() as session:
        DocumentRepository(session).insert_rows(project_id, rows)
    asked: list[int] = []

    def note(_: Any, __: Any, ___: str, parameters: Any, *____: Any) -> None:
        asked.append(len(parameters))

    with any_database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id).tolist()
        event.listen(any_database.engine, "before_cursor_execute", note)
        found = portions(session, numbers, 999)
        assert next(found) == numbers[:10]
        assert sum(asked) < 50
        assert [*found] == [numbers[i : i + 10] for i in range(10, 1_000, 10)]
    assert sum(asked) < 1_010


def test_counting_labels_does_not_walk_the_pile(database: Database) -> None:
    plans = noted_plans(database)
    with database.reading() as session:
        repository = DocumentRepository(session)
        repository.counts("p")
        repository.labeled_numbers("p")
        list(repository.page("p", after=0, limit=1, label=POSITIVE))
        document_counts(session, [1, 2])
    projects = [plan for plan in plans if "projects" in plan]
    assert len(projects) == 3
    assert all("sqlite_autoindex_projects_1 (id=?)" in plan for plan in projects)
    total, by_label, numbers, page, *of_several = (plan for plan in plans if "documents" in plan)
    assert "ix_documents_in_order" in total
    assert "ix_documents_labeled" in by_label
    assert "ix_documents_labeled" in numbers
    assert "ix_documents_labeled" in page
    assert ["ix_documents_labeled" in plan for plan in of_several] == [False, True]
    assert "ix_documents_in_order" in of_several[0]


def test_judgements_are_read_from_their_index(database: Database) -> None:
    project_id = add_project(database)
    plans = noted_plans(database)
    with database.reading() as session:
        JudgementRepository(session).last(project_id)
        JudgementRepository(session).judged(project_id)
        JudgementRepository(session).since(project_id, 2)
    with database.writing.begin() as session:
        JudgementRepository(session).forget_taken_back(project_id)
    found = [plan for plan in plans if "documents" in plan]
    assert len(found) == 4
    assert all("ix_documents_judged" in plan for plan in found)
    assert not any("TEMP B-TREE" in plan for plan in found)
