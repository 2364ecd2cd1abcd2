import os
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import numpy as np
import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.errors import ArtifactUnavailable, ProjectNotFound
from app.orm import Label, Model
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.services import projects
from app.services.documents import judgements
from app.services.ranking import ranking
from app.services.ranking.ranking import Part
from core.persistence import dump_arrays
from tests.app.services.corpora import add_project

# Documents d0 ... d9; d0 and d1 are positive, d9 is negative, the rest unlabeled. By score:
ORDER = [1, 2, 3, 9, 4, 5, 6, 7, 8, 0]
SCORES = [9.0, 8.0, 7.0, 7.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]


@pytest.fixture
def model(any_database: Database, artifacts: Artifacts) -> Model:
    project_id = add_project(
        any_database,
        positive=["a", "b"],
        unlabeled=[f"text {i}" for i in range(2, 9)],
        negative=["c"],
    )
    with any_database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id)
    shares = np.linspace(1, 0, len(SCORES), dtype=np.float32)
    columns = {"scores": np.array(SCORES), "probabilities": shares}
    arrays = {"numbers": numbers[ORDER], "places": np.argsort(ORDER), **columns}
    file = artifacts.save("rankings/one", partial(dump_arrays, arrays))
    return Model(project_id=project_id, card={"offset": 4.0}, ranking_file=file)


def ids(rows: list[ranking.RankedDocument]) -> list[str]:
    return [row.id for row in rows]


def delete(database: Database, model: Model, *names: str) -> None:
    with database.writing.begin() as session:
        for name in names:
            DocumentRepository(session).delete(model.project_id, name)


def test_rows_say_what_is_known(any_database: Database, artifacts: Artifacts, model: Model) -> None:
    with any_database.reading() as session:
        rows, _ = ranking.page(session, artifacts, model, limit=10)
    assert rows[1] == ranking.RankedDocument(
        rank=2,
        id="d2",
        score=8.0,
        probability=pytest.approx(1 - 1 / (len(SCORES) - 1)),
        predicted=True,
        label=Label.UNLABELED,
        judgement=None,
        text="text 2",
        metadata={"at": 2},
    )
    # From the cut of 4 on, and by their labels d0, which is positive, and not the negative one.
    is_predicted = {row.id: row.predicted for row in rows}
    by_score = {row.id for row in rows if row.score >= 4}
    negative = {row.id for row in rows if row.label == Label.NEGATIVE}
    assert {name for name in is_predicted if is_predicted[name]} == (by_score | {"d0"}) - negative
    assert negative & by_score


def test_pages_follow_each_other_to_the_end(
    any_database: Database, artifacts: Artifacts, model: Model
) -> None:
    found, start = [], 0
    with any_database.reading() as session:
        while start is not None:
            rows, start = ranking.page(session, artifacts, model, Part(start=start), limit=5)
            assert len(rows) == 5
            found += ids(rows)
    assert found == [f"d{i}" for i in ORDER]


def test_pages_of_large_texts_end_early_and_leave_nothing_out(
    any_database: Database, artifacts: Artifacts, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two texts of six or seven characters are more.
    monkeypatch.setattr(ranking, "PAGE_CHARACTERS", 10)
    found, start = [], 0
    with any_database.reading() as session:
        while start is not None:
            rows, start = ranking.page(session, artifacts, model, Part(start=start), limit=5)
            assert sum(len(row.text) for row in rows[:-1]) <= 10
            found += ids(rows)
    assert found == [f"d{i}" for i in ORDER]
    exported = ranking.rows(any_database, artifacts, model, Part(from_last=True))
    assert [row.id for row in exported] == found[::-1]


def test_deleted_documents_are_passed_over_and_pages_stay_full(
    any_database: Database, artifacts: Artifacts, model: Model
) -> None:
    delete(any_database, model, "d1", "d3", "d9")
    with any_database.reading() as session:
        rows, start = ranking.page(session, artifacts, model, limit=3)
        rest, end = ranking.page(session, artifacts, model, Part(start=start or 0), limit=4)
    assert ids(rows) == ["d2", "d4", "d5"]
    assert [row.rank for row in rows] == [2, 5, 6]
    assert ids(rest) == ["d6", "d7", "d8", "d0"]
    assert end is None


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (Label.POSITIVE, ["d1", "d0"]),
        (Label.NEGATIVE, ["d9"]),
        (Label.UNLABELED, ["d2", "d4", "d5", "d6", "d7", "d8"]),
        (Label.UNSURE, ["d3"]),
    ],
)
def test_rows_of_one_label(
    any_database: Database, artifacts: Artifacts, model: Model, label: Label, expected: list[str]
) -> None:
    with any_database.writing.begin() as session:
        judgements.set_labels(session, model.project_id, [("d3", Label.UNSURE)])
    with any_database.reading() as session:
        rows, start = ranking.page(session, artifacts, model, Part(label), limit=7)
    assert ids(rows) == expected
    assert start is None


@pytest.mark.parametrize("label", [None, *Label])
@pytest.mark.parametrize("from_last", [False, True])
def test_rows_of_what_came_in_since(
    any_database: Database,
    artifacts: Artifacts,
    model: Model,
    label: Label | None,
    *,
    from_last: bool,
) -> None:
    now = datetime.now(UTC)
    with any_database.writing.begin() as session:
        project = ProjectRepository(session).get(model.project_id)
        first = int(DocumentRepository(session).numbers(model.project_id)[0])
        arrivals = ArrivalRepository(session)
        # The documents d4 to d6, and d7 to d9.
        arrivals.note(project.number, first + 3, now - timedelta(hours=2))
        arrivals.note(project.number, first + 6, now)
    for hours, n_before in ((3, 4), (2, 4), (1, 7), (0, 7), (-1, 10)):
        since = now - timedelta(hours=hours)
        with any_database.reading() as session:
            part = Part(label, from_last=from_last)
            every, _ = ranking.page(session, artifacts, model, part, limit=10)
            found = []
            part = part._replace(since=since)
            while True:
                rows, start = ranking.page(session, artifacts, model, part, limit=2)
                found += rows
                if start is None:
                    break
                part = part._replace(start=start)
        assert found == [row for row in every if int(row.id[1:]) >= n_before]


def test_pages_of_one_label_follow_each_other(
    any_database: Database, artifacts: Artifacts, model: Model
) -> None:
    with any_database.reading() as session:
        first, start = ranking.page(session, artifacts, model, Part(Label.UNLABELED), limit=3)
        assert start == 5  # Where d5 stands, the fourth unlabeled one.
        second, _ = ranking.page(
            session, artifacts, model, Part(Label.UNLABELED, start=start), limit=3
        )
    assert ids(first) + ids(second) == ["d2", "d3", "d4", "d5", "d6", "d7"]


@pytest.mark.parametrize("label", [None, *Label])
def test_a_page_from_anywhere_is_what_follows_in_the_whole(
    any_database: Database, artifacts: Artifacts, model: Model, label: Label | None
) -> None:
    with any_database.writing.begin() as session:
        judgements.set_labels(session, model.project_id, [("d3", Label.UNSURE)])
    with any_database.reading() as session:
        whole, _ = ranking.page(session, artifacts, model, Part(label), limit=10)
        for start in range(10):
            rows, _ = ranking.page(session, artifacts, model, Part(label, start=start), limit=10)
            assert rows == [row for row in whole if row.rank > start]


@pytest.mark.parametrize("min_score", [None, 2.5, 99])
@pytest.mark.parametrize("label", [None, *Label])
def test_from_the_last_on_it_is_the_whole_backwards(
    any_database: Database,
    artifacts: Artifacts,
    model: Model,
    label: Label | None,
    min_score: float | None,
) -> None:
    with any_database.writing.begin() as session:
        judgements.set_labels(session, model.project_id, [("d3", Label.UNSURE)])
    delete(any_database, model, "d0", "d4", "d8")
    with any_database.reading() as session:
        page = partial(ranking.page, session, artifacts, model, limit=10)
        whole, _ = page(Part(label, min_score))
        part = Part(label, min_score, from_last=True)
        assert page(part) == (whole[::-1], None)
        for start in range(12):
            rows, _ = page(part._replace(start=start))
            assert rows == [row for row in whole[::-1] if row.rank <= start + 1]


@pytest.mark.parametrize("label", [None, Label.UNLABELED])
def test_pages_from_the_last_on_follow_each_other_to_the_top(
    any_database: Database, artifacts: Artifacts, model: Model, label: Label | None
) -> None:
    found, start, is_more = [], None, True
    with any_database.reading() as session:
        page = partial(ranking.page, session, artifacts, model)
        while is_more:
            rows, start = page(Part(label, start=start, from_last=True), limit=3)
            found += rows
            is_more = start is not None
        assert found == page(Part(label), limit=10)[0][::-1]


def test_from_the_last_on_a_long_ranking_is_not_read(
    any_database: Database, artifacts: Artifacts, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    by_numbers = DocumentRepository.by_numbers

    def counting(self: DocumentRepository, numbers: list[int]) -> dict[int, Any]:
        asked.extend(numbers)
        return by_numbers(self, numbers)

    monkeypatch.setattr(DocumentRepository, "by_numbers", counting)
    with any_database.reading() as session:
        rows, _ = ranking.page(session, artifacts, model, Part(from_last=True), limit=1)
    assert ids(rows) == ["d0"]
    assert len(asked) == 2  # one more than is shown


@pytest.mark.parametrize(
    ("min_score", "n_rows"), [(10, 0), (9, 1), (7, 4), (6.9, 4), (0, 10), (-1, 10)]
)
def test_rows_from_a_score_on(
    any_database: Database, artifacts: Artifacts, model: Model, min_score: float, n_rows: int
) -> None:
    with any_database.reading() as session:
        rows, _ = ranking.page(session, artifacts, model, Part(min_score=min_score), limit=10)
    assert len(rows) == n_rows


@pytest.mark.parametrize("predicted", [True, False])
@pytest.mark.parametrize("label", [None, *Label])
@pytest.mark.parametrize("min_score", [None, 5.0])
def test_only_those_that_count_as_positive_or_only_the_others(
    any_database: Database,
    artifacts: Artifacts,
    model: Model,
    label: Label | None,
    min_score: float | None,
    predicted: bool,
) -> None:
    with any_database.writing.begin() as session:
        judgements.set_labels(session, model.project_id, [("d3", Label.UNSURE)])
    delete(any_database, model, "d4", "d8")
    with any_database.reading() as session:
        page = partial(ranking.page, session, artifacts, model, limit=10)
        whole, _ = page(Part(label, min_score))
        rows, _ = page(Part(label, min_score, predicted=predicted))
        backwards, _ = page(Part(label, min_score, from_last=True, predicted=predicted))
        late, _ = page(
            Part(label, min_score, since=datetime(2100, 1, 1, tzinfo=UTC), predicted=predicted)
        )
    assert rows == [row for row in whole if row.predicted == predicted]
    assert backwards == rows[::-1]
    assert late == []


def test_a_start_behind_the_end_gives_nothing(
    any_database: Database, artifacts: Artifacts, model: Model
) -> None:
    with any_database.reading() as session:
        assert ranking.page(session, artifacts, model, Part(start=99), limit=5) == ([], None)


def test_an_export_has_all_rows(
    any_database: Database, artifacts: Artifacts, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "_EXPORT", 2)
    rows = list(ranking.rows(any_database, artifacts, model, Part(Label.UNLABELED, 2)))
    assert ids(rows) == ["d2", "d3", "d4", "d5", "d6", "d7"]
    rows = list(ranking.rows(any_database, artifacts, model, Part(from_last=True)))
    assert ids(rows) == [f"d{i}" for i in ORDER[::-1]]


def test_an_export_lasts_to_the_end_of_a_ranking_that_is_replaced(
    any_database: Database, artifacts: Artifacts, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "_EXPORT", 2)
    rows = ranking.rows(any_database, artifacts, model)
    first = next(rows)
    artifacts.delete("rankings/one")
    assert ids([first, *rows]) == [f"d{i}" for i in ORDER]


def test_an_export_of_a_damaged_ranking_or_a_deleted_project_breaks_off(
    any_database: Database, artifacts: Artifacts, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "_EXPORT", 2)
    damaged, deleted = (ranking.rows(any_database, artifacts, model) for _ in range(2))
    next(damaged), next(deleted), next(deleted)
    with any_database.writing.begin() as session:
        projects.delete(session, model.project_id)
    with pytest.raises(ProjectNotFound):
        next(deleted)
    os.truncate(artifacts.path(model.ranking_file), 10)
    with pytest.raises(ArtifactUnavailable):
        list(damaged)
