from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from threading import Barrier

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from app.database import Database
from app.errors import DocumentNotFound, ProjectNotFound, RowsRejected, UnreadableBody
from app.orm import Arrival, Document, Label, Project, utc_now
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.projects import ProjectRepository
from app.services.documents import deletions, documents
from app.services.documents.document_states import UNKNOWN_ID
from app.services.documents.documents import Target
from app.services.documents.judgements import set_labels
from app.services.intake.intake_report import Found, Report
from app.services.intake.rows import Row, RowError, checked_row, id_row

#: Of unnamed files: nothing is left in it.
FOLDER = Path(gettempdir())
#: Of the tests that need more than one chunk.
CHUNK_ROWS = 1000
BAD = RowError(0, "empty_text", "The text is empty.")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "CHUNK_ROWS", CHUNK_ROWS)


@pytest.fixture
def project_id(any_database: Database) -> str:
    with any_database.writing.begin() as session:
        return ProjectRepository(session).add(Project(name="a project")).id


def row(
    id_: str | None, text: str, metadata: dict[str, object] | None = None, position: int = 1
) -> Row:
    checked = checked_row(position, id_, text, metadata, len(text), 10**6)
    assert isinstance(checked, Row)
    return checked


def named(id_: str, position: int = 1) -> Row | RowError:
    return id_row(position, f'"{id_}"'.encode())


def add(
    database: Database,
    project_id: str,
    *rows: Row | RowError,
    label: Label = Label.UNLABELED,
    on_conflict: documents.OnConflict = "replace",
    is_atomic: bool = False,
) -> tuple[int, int, int, int, int]:
    """Return how many were received, inserted, replaced, unchanged, rejected."""
    report = Report()
    target = Target(project_id, label, on_conflict, is_atomic)
    documents.add(database, iter(rows), target, report, folder=FOLDER)
    return counts(report)


def counts(report: Report) -> tuple[int, int, int, int, int]:
    return (
        report.received,
        report.kept.inserted,
        report.kept.replaced,
        report.kept.unchanged,
        report.rejected,
    )


def stored(database: Database) -> dict[str, tuple[str, str, object]]:
    with database.reading() as session:
        rows = session.scalars(select(Document).order_by(Document.number))
        return {row.id: (row.text, row.label.value, row.metadata_) for row in rows}


def revision(database: Database, project_id: str) -> int:
    with database.reading() as session:
        return ProjectRepository(session).get(project_id).revision


def test_new_documents_are_inserted_in_their_order(any_database: Database, project_id: str) -> None:
    rows = row("b", "second", {"n": [1, {"é": None}]}), row("a", "first\U0001f600")
    assert add(any_database, project_id, *rows) == (2, 2, 0, 0, 0)
    expected = {
        "b": ("second", "unlabeled", {"n": [1, {"é": None}]}),
        "a": ("first\U0001f600", "unlabeled", None),
    }
    assert list(stored(any_database).items()) == list(expected.items())
    assert revision(any_database, project_id) == 1


def test_the_same_upload_again_changes_nothing(any_database: Database, project_id: str) -> None:
    rows = row("a", "first", {"n": 1}), row(None, "without id"), row("b", "second")
    add(any_database, project_id, *rows)
    assert add(any_database, project_id, *rows) == (3, 0, 0, 3, 0)
    assert revision(any_database, project_id) == 1


def test_another_text_replaces_and_keeps_the_label(any_database: Database, project_id: str) -> None:
    add(any_database, project_id, row("a", "old", {"n": 1}), label=Label.POSITIVE)
    assert add(any_database, project_id, row("a", "new")) == (1, 0, 1, 0, 0)
    assert stored(any_database) == {"a": ("new", "positive", {"n": 1})}
    assert revision(any_database, project_id) == 2


def test_other_metadata_replaces_without_a_new_revision(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "text", {"n": 1}))
    assert add(any_database, project_id, row("a", "text", {"n": 2})) == (1, 0, 1, 0, 0)
    assert stored(any_database) == {"a": ("text", "unlabeled", {"n": 2})}
    assert revision(any_database, project_id) == 1


def test_conflicts_are_refused_on_demand(any_database: Database, project_id: str) -> None:
    add(any_database, project_id, row("a", "old"))
    rows = row("a", "new"), row("a", "old"), row("b", "other")
    assert add(any_database, project_id, *rows, on_conflict="error") == (3, 1, 0, 1, 1)
    assert stored(any_database)["a"] == ("old", "unlabeled", None)


def test_what_is_there_is_kept_on_demand_but_for_its_label(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "with an abstract", {"n": 1}))
    rows = row("a", "new", {"n": 2}), row("b", "first"), row("b", "second"), row("a", "new")
    assert add(any_database, project_id, *rows, on_conflict="keep") == (4, 1, 0, 3, 0)
    assert stored(any_database) == {
        "a": ("with an abstract", "unlabeled", {"n": 1}),
        "b": ("first", "unlabeled", None),
    }
    other_metadata = row("a", "with an abstract", {"m": 1})
    assert add(any_database, project_id, other_metadata, on_conflict="keep")[2:4] == (0, 1)
    seed = row("a", "new", {"n": 2})
    positive = {"label": Label.POSITIVE, "on_conflict": "keep"}
    assert add(any_database, project_id, seed, **positive) == (1, 0, 1, 0, 0)
    assert stored(any_database)["a"] == ("with an abstract", "positive", {"n": 1})
    # An id alone is a judgement of what is there, as always.
    add(any_database, project_id, named("b"), label=Label.POSITIVE, on_conflict="keep")
    assert stored(any_database)["b"] == ("first", "positive", None)
    assert judgements(any_database) == {}

    report = Report(received=3)
    report.kept.left.add("a")
    assert report.to_dict()["warnings"] == [
        "1 of 3 rows have the id of a document with another text or vector, which was left as it "
        "is. For example: a."
    ]


def test_posting_to_the_positives_labels_and_to_the_unlabeled_never_takes_a_label(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "text"))
    positive = {"a": ("text", "positive", None)}
    assert add(any_database, project_id, row("a", "text"), label=Label.POSITIVE)[2:4] == (1, 0)
    assert stored(any_database) == positive
    assert add(any_database, project_id, row("a", "text"), label=Label.POSITIVE)[2:4] == (0, 1)
    assert add(any_database, project_id, row("a", "text"))[2:4] == (0, 1)
    assert stored(any_database) == positive


def test_of_several_rows_with_one_id_each_sees_those_before_it(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("old", "0"))
    rows = (
        *(row("new", "1"), row("new", "1"), row("new", "2", {"n": 1}), row("new", "2")),
        *(row("old", "1"), row("old", "0"), row("old", "0", {"n": 2})),
    )
    report = Report()
    target = Target(project_id, Label.UNLABELED)
    documents.add(any_database, iter(rows), target, report, folder=FOLDER)
    assert counts(report) == (7, 1, 4, 2, 0)
    assert report.kept.repeated == Found(2, ["new", "old"])
    assert stored(any_database) == {
        "old": ("0", "unlabeled", {"n": 2}),
        "new": ("2", "unlabeled", {"n": 1}),
    }


def test_the_same_upload_again_changes_nothing_where_ids_come_twice(
    any_database: Database, project_id: str
) -> None:
    rows = row("a", "1", {"n": 1}), row("a", "2", {"n": 2}), row("b", "1"), row("b", "2")
    add(any_database, project_id, *rows)
    kept = stored(any_database)
    assert add(any_database, project_id, *rows) == (4, 0, 4, 0, 0)
    assert stored(any_database) == kept
    assert revision(any_database, project_id) == 1
    # The last of them counts: another one there is a change.
    add(any_database, project_id, *rows, row("b", "3"))
    assert stored(any_database) == {**kept, "b": ("3", "unlabeled", None)}
    assert revision(any_database, project_id) == 2


@pytest.mark.parametrize("is_atomic", [False, True])
def test_an_id_that_comes_again_in_another_chunk_is_told(
    any_database: Database, project_id: str, is_atomic: bool
) -> None:
    target = Target(project_id, Label.UNLABELED, is_atomic=is_atomic)
    rows = [row(f"{i}", "text") for i in range(CHUNK_ROWS)]
    report = Report()
    rows += [row("7", "text"), row("8", "other")]
    documents.add(any_database, iter(rows), target, report, folder=FOLDER)
    assert report.kept.repeated == Found(1, ["8"])
    again = Report()
    documents.add(any_database, iter([row("8", "third")]), target, again, folder=FOLDER)
    assert (again.kept.replaced, again.kept.repeated) == (1, Found())


@pytest.mark.parametrize("is_atomic", [False, True])
def test_what_another_upload_brings_meanwhile_is_no_earlier_row_of_this_one(
    any_database: Database, project_id: str, is_atomic: bool
) -> None:
    def rows() -> Iterator[Row]:
        yield from (row(f"a{i}", "text") for i in range(CHUNK_ROWS))
        yield from (row(f"b{i}", "text") for i in range(CHUNK_ROWS))
        # By now the first chunk is stored, unless all go in at once.
        add(any_database, project_id, row("other", "theirs"))
        yield from (row(f"c{i}", "text") for i in range(CHUNK_ROWS))
        yield from (row("a0", "again"), row("other", "ours"), row("c0", "again"))

    report = Report()
    target = Target(project_id, Label.UNLABELED, is_atomic=is_atomic)
    documents.add(any_database, rows(), target, report, folder=FOLDER)
    assert report.kept.replaced == 3
    assert report.kept.repeated == Found(2, ["a0", "c0"])


@pytest.mark.parametrize("bad", [BAD, named("unknown"), row("old", "conflict")])
def test_an_upload_of_bad_rows_alone_is_refused(
    any_database: Database, project_id: str, bad: Row
) -> None:
    add(any_database, project_id, row("old", "old"))
    report = Report()
    target = Target(project_id, Label.POSITIVE, on_conflict="error")
    with pytest.raises(RowsRejected, match="2 of 2 rows were rejected"):
        documents.add(any_database, iter([bad, bad]), target, report, folder=FOLDER)
    assert counts(report) == (2, 0, 0, 0, 2)
    assert stored(any_database) == {"old": ("old", "unlabeled", None)}


def test_ids_label_what_is_there_and_unknown_ones_are_refused(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "text", {"n": 1}))
    report = Report()
    rows = iter([named("a"), named("b", 2), named("a", 3)])
    documents.add(any_database, rows, Target(project_id, Label.POSITIVE), report, folder=FOLDER)
    assert counts(report) == (3, 0, 1, 1, 1)
    assert [(e.position, e.code) for e in report.errors] == [(2, "unknown_id")]
    assert stored(any_database) == {"a": ("text", "positive", {"n": 1})}


def test_projects_do_not_see_each_other(any_database: Database, project_id: str) -> None:
    with any_database.writing.begin() as session:
        other_id = ProjectRepository(session).add(Project(name="another")).id
    add(any_database, project_id, row("a", "text"))
    assert add(any_database, other_id, row("a", "other text")) == (1, 1, 0, 0, 0)


def test_uploads_larger_than_a_chunk_and_than_a_statement_come_in(
    any_database: Database, project_id: str
) -> None:
    n = CHUNK_ROWS * 2 + 1
    rows = [row(f"{i}", f"text {i}") for i in range(n)]
    assert add(any_database, project_id, *rows) == (n, n, 0, 0, 0)
    assert add(any_database, project_id, *rows) == (n, 0, 0, n, 0)
    assert revision(any_database, project_id) == 3
    assert add(any_database, project_id, *rows, BAD) == (n + 1, 0, 0, n, 1)


def test_large_rows_make_small_chunks(any_database: Database, project_id: str) -> None:
    size = documents.CHUNK_BYTES // 2
    rows = [replace(row(f"{i}", "text"), size=size) for i in range(4)]
    add(any_database, project_id, *rows)
    assert revision(any_database, project_id) == 2


def test_only_the_first_errors_are_listed(any_database: Database, project_id: str) -> None:
    report = Report()
    rows = iter([*(BAD._replace(position=i) for i in range(150)), row("a", "text")])
    documents.add(any_database, rows, Target(project_id, Label.UNLABELED), report, folder=FOLDER)
    assert (report.received, report.rejected) == (151, 150)
    errors = report.to_dict()["errors"]
    assert [error["line"] for error in errors] == list(range(100))
    assert errors[0] == {"line": 0, "code": "empty_text", "reason": "The text is empty."}


def test_an_atomic_upload_keeps_all(any_database: Database, project_id: str) -> None:
    add(any_database, project_id, row("a", "old"))
    n = CHUNK_ROWS
    rows = [row(f"{i}", "text", {"n": i}) for i in range(n)]
    report = add(any_database, project_id, *rows, row("a", "new"), is_atomic=True)
    assert report == (n + 1, n, 1, 0, 0)


@pytest.mark.parametrize("bad", [BAD, named("unknown"), row("old", "conflict")])
def test_an_atomic_upload_with_a_bad_row_keeps_nothing(
    any_database: Database, project_id: str, bad: Row
) -> None:
    add(any_database, project_id, row("old", "old"))
    n = CHUNK_ROWS  # so that the bad one comes in another chunk
    rows = [*(row(f"{i}", "text") for i in range(n)), bad, row("b", "text")]
    report = Report()
    target = Target(project_id, Label.POSITIVE, on_conflict="error", is_atomic=True)
    with pytest.raises(RowsRejected):
        documents.add(any_database, iter(rows), target, report, folder=FOLDER)
    assert counts(report) == (n + 2, 0, 0, 0, 1)
    assert stored(any_database) == {"old": ("old", "unlabeled", None)}


@pytest.mark.parametrize(("is_atomic", "n_kept"), [(False, 2), (True, 0)])
def test_what_came_before_an_upload_broke_off_is_kept_and_counted(
    any_database: Database, project_id: str, is_atomic: bool, n_kept: int
) -> None:
    def broken() -> Iterator[Row]:
        yield row("a", "text")
        yield row("b", "text")
        raise UnreadableBody("It ends too early.")

    report = Report()
    target = Target(project_id, Label.UNLABELED, is_atomic=is_atomic)
    with pytest.raises(UnreadableBody):
        documents.add(any_database, broken(), target, report, folder=FOLDER)
    assert (report.received, report.kept.inserted) == (2, n_kept)
    assert len(stored(any_database)) == n_kept


def test_rows_of_a_slow_upload_are_kept_while_it_goes_on(
    any_database: Database, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "CHUNK_SECONDS", 0.0)
    seen = []

    def slow() -> Iterator[Row]:
        for i in range(4):
            yield row(f"{i}", "text")
            seen.append(report.received)

    report = Report()
    documents.add(any_database, slow(), Target(project_id, Label.UNLABELED), report, folder=FOLDER)
    # One is stored while the next is read.
    assert seen[3] >= 2
    assert len(stored(any_database)) == 4


def test_a_project_that_is_deleted_meanwhile_is_not_found(
    any_database: Database, project_id: str
) -> None:
    def rows() -> Iterator[Row]:
        for i in range(CHUNK_ROWS):
            yield row(f"{i}", "text")
        with any_database.writing.begin() as session:
            ProjectRepository(session).delete(project_id)
        yield row("a", "text")

    with pytest.raises(ProjectNotFound):
        documents.add(
            any_database, rows(), Target(project_id, Label.UNLABELED), Report(), folder=FOLDER
        )
    assert stored(any_database) == {}


def test_uploads_of_the_same_ids_at_once_come_in_once(
    any_database: Database, project_id: str
) -> None:
    n_uploads, n_rows = 4, 300
    barrier = Barrier(n_uploads)

    def upload(number: int) -> tuple[int, int, int, int, int]:
        order = range(n_rows) if number % 2 else reversed(range(n_rows))
        rows = [row(f"{i}", f"text {i}") for i in order]
        barrier.wait()
        return add(any_database, project_id, *rows)

    with ThreadPoolExecutor(n_uploads) as pool:
        reports = list(pool.map(upload, range(n_uploads)))
    assert sum(report[1] for report in reports) == n_rows
    assert sum(report[3] for report in reports) == n_rows * (n_uploads - 1)


def test_labels_are_set_and_changes_counted(any_database: Database, project_id: str) -> None:
    add(any_database, project_id, *(row(id_, "text") for id_ in "abc"))
    labels = [("a", Label.POSITIVE), ("b", Label.UNLABELED), ("a", Label.POSITIVE)]
    with any_database.writing.begin() as session:
        assert set_labels(session, project_id, labels) == 1
        assert set_labels(session, project_id, [("c", Label.NEGATIVE)]) == 1
        assert set_labels(session, project_id, []) == 0
    found = {id_: label for id_, (_, label, _) in stored(any_database).items()}
    assert found == {"a": "positive", "b": "unlabeled", "c": "negative"}
    assert revision(any_database, project_id) == 1


def test_decisions_are_numbered_in_their_order_and_seeds_are_not(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("seed", "text"), label=Label.POSITIVE)
    add(any_database, project_id, *(row(id_, "text") for id_ in "abcde"))
    decide(any_database, project_id, ("b", Label.NEGATIVE), ("a", Label.UNSURE))
    add(any_database, project_id, named("c"), label=Label.POSITIVE)
    add(any_database, project_id, row("d", "text"), label=Label.POSITIVE)
    assert judgements(any_database) == {"b": 1, "a": 2, "c": 3}

    decide(any_database, project_id, ("b", Label.POSITIVE), ("c", Label.UNLABELED))
    decide(any_database, project_id, ("e", Label.NEGATIVE), ("a", Label.UNSURE))
    assert judgements(any_database) == {"b": 1, "a": 2, "e": 3}


def test_a_judged_document_uploaded_as_a_positive_is_a_seed(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "text"), row("b", "text"))
    decide(any_database, project_id, ("a", Label.NEGATIVE), ("b", Label.NEGATIVE))
    add(any_database, project_id, row("a", "text"), label=Label.POSITIVE)
    assert stored(any_database)["a"] == ("text", "positive", None)
    assert judgements(any_database) == {"b": 2}


@pytest.mark.parametrize("aside", [Label.UNSURE, Label.NEGATIVE])
def test_a_seed_that_was_set_aside_is_a_seed_again(
    any_database: Database, project_id: str, aside: Label
) -> None:
    add(any_database, project_id, row("a", "text"), row("b", "text"), label=Label.POSITIVE)
    decide(any_database, project_id, ("a", aside), ("b", aside))
    decide(any_database, project_id, ("a", Label.POSITIVE))
    add(any_database, project_id, named("b"), label=Label.POSITIVE)
    assert {id_: label for id_, (_, label, _) in stored(any_database).items()} == {
        "a": "positive",
        "b": "positive",
    }
    assert judgements(any_database) == {}


def test_a_seed_that_was_taken_back_is_a_seed_again_and_a_finding_the_last_one(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("seed", "text"), label=Label.POSITIVE)
    add(any_database, project_id, row("a", "text"), row("b", "text"), row("c", "text"))
    decide(any_database, project_id, ("a", Label.POSITIVE), ("b", Label.NEGATIVE))
    for id_ in ("seed", "a"):
        decide(any_database, project_id, (id_, Label.UNLABELED))
    with any_database.reading() as session:
        repository = JudgementRepository(session)
        assert [label for _, label in repository.judged(project_id)] == [Label.NEGATIVE]
        assert repository.last(project_id) == 2

    decide(any_database, project_id, ("c", Label.UNSURE), ("seed", Label.POSITIVE))
    decide(any_database, project_id, ("a", Label.POSITIVE))
    assert judgements(any_database) == {"b": 2, "c": 3, "a": 4}
    # By its id alone, too.
    decide(any_database, project_id, ("seed", Label.UNLABELED))
    add(any_database, project_id, named("seed"), label=Label.POSITIVE)
    assert judgements(any_database) == {"b": 2, "c": 3, "a": 4}


@pytest.mark.parametrize(
    ("label", "is_trained", "judgement"),
    [
        (Label.POSITIVE, False, None),
        (Label.NEGATIVE, False, 2),
        (Label.UNSURE, False, 2),
        (Label.POSITIVE, True, 2),
    ],
)
def test_what_was_no_seed_after_all_is_judged(
    any_database: Database,
    project_id: str,
    label: Label,
    is_trained: bool,
    judgement: int | None,
) -> None:
    add(any_database, project_id, row("wrong", "text"), label=Label.POSITIVE)
    add(any_database, project_id, row("a", "text"))
    decide(any_database, project_id, ("a", Label.NEGATIVE), ("wrong", Label.UNLABELED))
    if is_trained:
        with any_database.writing.begin() as session:
            JudgementRepository(session).forget_taken_back(project_id)
    decide(any_database, project_id, ("wrong", label))
    assert judgements(any_database).get("wrong") == judgement


@pytest.mark.parametrize(
    ("rounds", "order"),
    [
        # The positives of a round first, then the others of it.
        (["a", "BE", "BCDEF"], "aBCDEF"),
        # Others were judged meanwhile.
        (["BE", "aF", "BCDE"], "BCDEaF"),
        # What nothing follows comes last, as what is new alone does.
        (["BC", "BCDE", "F"], "BCDEF"),
        (["FB", "ABCF"], "CFAB"),
        (["A", "B"], "AB"),
        # A seed has no place in the order, and parts nobody from what follows.
        (["BE", "BCsDE"], "BCDE"),
    ],
)
def test_new_judgements_of_a_ranking_go_before_those_that_follow_them(
    any_database: Database, project_id: str, rounds: list[str], order: str
) -> None:
    add(any_database, project_id, *(row(id_, f"text {id_}") for id_ in "aABCDEFxy"))
    add(any_database, project_id, row("s", "a seed"), label=Label.POSITIVE)
    # Gaps between the numbers stay, too.
    decide(any_database, project_id, ("x", Label.NEGATIVE), ("y", Label.NEGATIVE))
    decide(any_database, project_id, ("x", Label.UNLABELED))
    for ids in rounds:
        labels = [(id_, Label.POSITIVE if id_ in "Bs" else Label.NEGATIVE) for id_ in ids]
        decide(any_database, project_id, *labels, in_ranked_order=True)
    found = judgements(any_database)
    assert "".join(sorted(found, key=found.__getitem__)) == f"y{order}"
    assert sorted(found.values()) == list(range(2, 3 + len(order)))


def decide(
    database: Database, project_id: str, *labels: tuple[str, Label], in_ranked_order: bool = False
) -> None:
    with database.writing.begin() as session:
        set_labels(session, project_id, list(labels), in_ranked_order=in_ranked_order)


def judgements(database: Database) -> dict[str, int]:
    query = select(Document.id, Document.judgement).where(Document.judgement.is_not(None))
    with database.reading() as session:
        return {id_: number for id_, number in session.execute(query) if number is not None}


def test_an_unknown_id_leaves_all_labels_as_they_were(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "text"))
    labels = [("a", Label.POSITIVE), ("b", Label.POSITIVE)]
    with (
        pytest.raises(DocumentNotFound) as caught,
        any_database.writing.begin() as session,
    ):
        set_labels(session, project_id, labels)
    assert caught.value.errors == [{"pointer": "/1/id", "detail": UNKNOWN_ID}]
    assert caught.value.detail == "There is no document 'b'."
    assert stored(any_database) == {"a": ("text", "unlabeled", None)}


def test_of_many_unknown_ids_some_are_named(any_database: Database, project_id: str) -> None:
    labels = [(id_, Label.POSITIVE) for id_ in "abcdefg"]
    with (
        pytest.raises(DocumentNotFound, match=r"^7 of .*: 'a', 'b', 'c', 'd', 'e' and 2 more\.$"),
        any_database.writing.begin() as session,
    ):
        set_labels(session, project_id, labels)


def test_a_removed_document_is_gone_and_not_found_again(
    any_database: Database, project_id: str
) -> None:
    add(any_database, project_id, row("a", "text"), row("b", "text"))
    with any_database.writing.begin() as session:
        deletions.remove(session, project_id, "a")
    assert list(stored(any_database)) == ["b"]
    assert revision(any_database, project_id) == 2
    with any_database.writing.begin() as session, pytest.raises(DocumentNotFound):
        deletions.remove(session, project_id, "a")


def test_what_belongs_to_no_project_is_not_found(any_database: Database) -> None:
    with any_database.writing.begin() as session:
        with pytest.raises(ProjectNotFound):
            set_labels(session, "none", [("a", Label.POSITIVE)])
        with pytest.raises(ProjectNotFound):
            deletions.remove(session, "none", "a")


def test_what_an_upload_brought_came_in_since_it_began(
    any_database: Database, project_id: str
) -> None:
    def came_in(since: datetime) -> list[str]:
        with any_database.reading() as session:
            after = ArrivalRepository(session).after(project_id, since)
            page = DocumentRepository(session).page(project_id, after=after, limit=99)
            return [found.id for found in page]

    times = []
    rows = [[row("a", "one")], [row("a", "two"), named("a")], [row(str(i), "x") for i in range(5)]]
    for some in rows:
        times.append(utc_now())
        add(any_database, project_id, *some)

    assert came_in(times[0]) == ["a", "0", "1", "2", "3", "4"]
    # The second upload brought no document, however it changed one.
    assert came_in(times[1]) == came_in(times[2]) == ["0", "1", "2", "3", "4"]
    assert came_in(utc_now()) == []
    with any_database.writing.begin() as session:
        ProjectRepository(session).delete(project_id)
    with any_database.reading() as session:
        assert session.scalars(select(Arrival)).all() == []
