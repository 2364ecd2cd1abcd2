from datetime import UTC, datetime, timedelta

from app.database import Database
from app.repositories.arrivals import LAST, ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from tests.app.services.corpora import add_project

BEGAN = datetime(2026, 11, 27, 9, tzinfo=UTC)


def test_what_came_in_between_judgements_is_counted(any_database: Database) -> None:
    texts = [f"text {i}" for i in range(20)]
    project_id = add_project(any_database, positive=[], unlabeled=texts, negative=[])
    add_project(any_database, positive=[], unlabeled=texts, negative=[])
    with any_database.writing.begin() as session:
        numbers = DocumentRepository(session).numbers(project_id).tolist()
        project = ProjectRepository(session).get(project_id)
        arrivals = ArrivalRepository(session)
        # Two before anything was judged, two after the third judgement, one after the ninth.
        for place, last_judgement in ((0, 0), (4, 0), (8, 3), (11, 3), (16, 9)):
            time = BEGAN + timedelta(hours=place)
            after = numbers[place] - 1
            arrivals.note(project.number, after, time, last_judgement=last_judgement)

        begun = [numbers[8] - 1, numbers[16] - 1]
        assert arrivals.begun_in_review(project_id) == begun
        assert arrivals.sizes_in_review(project_id, LAST) == [(begun[0], 8), (begun[1], 4)]
        # Up to a document of the last, and of the one before.
        assert arrivals.sizes_in_review(project_id, numbers[17]) == [(begun[0], 8), (begun[1], 2)]
        assert arrivals.sizes_in_review(project_id, numbers[9]) == [(begun[0], 2)]
        assert arrivals.sizes_in_review(project_id, numbers[3]) == []
        assert arrivals.after(project_id, BEGAN + timedelta(hours=5)) == begun[0]


def test_of_uploads_at_once_the_later_one_counts(any_database: Database) -> None:
    project_id = add_project(any_database, positive=[], unlabeled=["text"], negative=[])
    with any_database.writing.begin() as session:
        project = ProjectRepository(session).get(project_id)
        arrivals = ArrivalRepository(session)
        start = DocumentRepository(session).last_number(project_id)
        # The first one has taken so long that the second was stored before it.
        for hours in (0, 2, 0):
            arrivals.note(project.number, start, BEGAN + timedelta(hours=hours))
        assert arrivals.after(project_id, BEGAN + timedelta(hours=1)) == start
        assert arrivals.after(project_id, BEGAN + timedelta(hours=3)) == LAST
