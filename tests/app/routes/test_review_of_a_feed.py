"""What is left to find where documents come in while others are read."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.database import Database
from app.repositories.arrivals import LAST, ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.services.documents.labels import read_labels
from core.review.remaining import remaining_positives

N_AT_FIRST, N_JUDGED, N_FOUND, N_NEW = 400, 200, 12, 300


class Feed:
    def __init__(self, client: TestClient, run_job: Callable[[], str], project_id: str) -> None:
        self.client, self.run_job = client, run_job
        self.id, self.path = project_id, f"/projects/{project_id}"

    def upload(self, kind: str, name: str, n: int) -> None:
        rows = [{"id": f"{name}{i}", "text": f"{name} document {i}"} for i in range(n)]
        added = self.client.post(f"{self.path}/{kind}", json={"documents": rows})
        assert added.json()["inserted"] == n

    def judge(self, ids: Iterable[str], label: str, *others: dict[str, str]) -> None:
        sent = [{"id": id_, "label": label} for id_ in ids] + list(others)
        assert self.client.put(f"{self.path}/labels", json=sent).is_success

    def train(self) -> None:
        asked = {"project_id": self.id, "algorithm": "prototype", "calibrate": False}
        assert self.client.post("/train", json=asked).status_code == 202
        self.run_job()

    def review(self) -> Any:
        return self.client.get(f"{self.path}/review").json()


@pytest.fixture
def feed(client: TestClient, run_job: Callable[[], str]) -> Feed:
    """Return a project of which half is read, its positives first of all, none in the rest."""
    project = client.post("/projects", json={"name": "tickets"}).json()
    feed = Feed(client, run_job, project["id"])
    feed.upload("positives", "seed", 3)
    feed.upload("unlabeled", "a", N_AT_FIRST // 2)
    feed.upload("unlabeled", "b", N_AT_FIRST // 2)
    vain = ({"id": f"a{i}", "label": "negative"} for i in range(N_FOUND, N_JUDGED))
    feed.train()
    feed.judge([f"a{i}" for i in range(N_FOUND)], "positive", *vain)
    return feed


def of_pile(n_unread: Any, arrival: Any = None) -> dict[str, Any]:
    judged = [True] * N_FOUND + [False] * (N_JUDGED - N_FOUND)
    if arrival is not None:
        judged += [True] * (len(arrival) - N_JUDGED)
    return {**remaining_positives(judged, n_unread, arrival)._asdict(), "reason": None}


def test_what_comes_in_later_is_expected_to_hold_as_many(feed: Feed) -> None:
    # What was uploaded in parts before anything was judged is one pile.
    before = feed.review()
    assert before["by_order"] == of_pile(N_AT_FIRST - N_JUDGED)

    feed.upload("unlabeled", "new", N_NEW)
    feed.train()
    after = feed.review()
    n_unread = [N_AT_FIRST - N_JUDGED, N_NEW]
    assert after["by_order"] == of_pile(n_unread, [0] * N_JUDGED)
    assert after["by_order"]["value"] > before["by_order"]["high"]
    assert after["suggestion"] == "continue"
    assert 0 < after["n_until_stop"] <= sum(n_unread)

    feed.judge(["new5", "new7"], "positive")
    n_unread[1] -= 2
    read = feed.review()
    assert read["by_order"] == of_pile(n_unread, [0] * N_JUDGED + [1, 1])


def test_uploads_of_few_documents_or_without_judgements_between_them_are_one(feed: Feed) -> None:
    feed.upload("unlabeled", "x", 15)
    feed.judge(["x3"], "negative")
    feed.upload("unlabeled", "y", 15)
    feed.upload("unlabeled", "z", 100)
    feed.judge(["y1"], "negative")
    feed.upload("unlabeled", "w", 5)
    feed.train()
    judged = [True] * N_FOUND + [False] * (N_JUDGED - N_FOUND + 2)
    # The first 15 are too few for a ranking of their own, and the last 5 are.
    left = [N_AT_FIRST - N_JUDGED, 14 + 114 + 5]
    expected = remaining_positives(judged, left, [0] * N_JUDGED + [1, 1])
    assert feed.review()["by_order"] == {**expected._asdict(), "reason": None}


def test_a_training_reads_the_same_of_it(feed: Feed, database: Database) -> None:
    feed.upload("unlabeled", "new", N_NEW)
    feed.judge(["new5"], "unsure")
    with database.reading() as session:
        numbers = DocumentRepository(session).numbers(feed.id)
    reading = read_labels(database, feed.id, numbers).reading
    assert reading is not None
    assert list(reading.n_unread) == [N_AT_FIRST - N_JUDGED, N_NEW - 1]
    assert list(reading.arrival) == [0] * N_JUDGED + [1]
    assert sum(reading.is_positive) == N_FOUND
    # What came in since the training began is not of it.
    early = read_labels(database, feed.id, numbers[:-100]).reading
    assert early is not None
    assert list(early.n_unread) == [N_AT_FIRST - N_JUDGED, N_NEW - 100 - 1]


def test_what_is_not_ranked_yet_is_left_aside(feed: Feed) -> None:
    feed.upload("unlabeled", "new", N_NEW)
    feed.train()
    expected = of_pile([N_AT_FIRST - N_JUDGED, N_NEW], [0] * N_JUDGED)
    assert feed.review()["by_order"] == expected

    feed.upload("unlabeled", "more", 50)
    feed.judge(["new1"], "unsure")
    feed.upload("unlabeled", "evenmore", 50)
    review = feed.review()
    assert review["n_unranked"] == 100
    n_unread = [N_AT_FIRST - N_JUDGED, N_NEW - 1]
    judged = [True] * N_FOUND + [False] * (N_JUDGED - N_FOUND + 1)
    left = remaining_positives(judged, n_unread, [0] * N_JUDGED + [1], n_unsure=1)
    assert review["by_order"] == {**left._asdict(), "reason": None}


def test_what_came_in_during_a_review_is_counted_between_judgements(
    feed: Feed, database: Database, client: TestClient
) -> None:
    feed.upload("unlabeled", "x", 30)
    feed.upload("unlabeled", "y", 20)
    feed.judge(["x1"], "negative")
    feed.upload("unlabeled", "z", 10)
    assert client.delete(f"{feed.path}/documents/y3").is_success
    with database.reading() as session:
        repository = DocumentRepository(session)
        first, third, last = (repository.get(feed.id, n).number for n in ("x0", "z0", "z3"))
        arrivals = ArrivalRepository(session)
        begun = arrivals.sizes_in_review(feed.id, LAST)
        until = arrivals.sizes_in_review(feed.id, last)
        starts = arrivals.begun_in_review(feed.id)
    # Numbers are those of all projects: an upload begins behind the last of its own.
    assert starts == [after for after, _ in begun]
    assert [n for _, n in begun] == [49, 10]
    assert [n for _, n in until] == [49, 4]
    assert begun[0][0] < first
    assert begun[1][0] < third
