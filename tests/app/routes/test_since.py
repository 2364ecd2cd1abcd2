"""What came in since a time, alone."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.database import Database
from app.orm import Label
from app.services.documents import documents
from app.services.documents.documents import Target
from app.services.intake.intake_report import Report
from app.services.intake.rows import Row, checked_row

PILE = [f"the match number {i} ends" for i in range(20)] + ["the river", "a dam"]
NEW = ["the river burst", "a match ends", "water in the streets"]


class Feed:
    """A project with a model, and when its last documents began to come in."""

    def __init__(self, client: TestClient, run_job: Callable[[], str]) -> None:
        self.id = client.post("/projects", json={"name": "floods"}).json()["id"]
        self.path = f"/projects/{self.id}"
        self.add(client, "positives", ["the river floods", "water and a dam", "flood water"], "p")
        self.add(client, "unlabeled", PILE, "old")
        self.began = datetime.now(UTC).isoformat()
        self.add(client, "unlabeled", NEW, "new")
        asked = {"project_id": self.id, "algorithm": "prototype"}
        assert client.post("/train", json=asked).status_code == 202
        job = client.get(f"/jobs/{run_job()}").json()
        self.ranking = f"/models/{job['result']['model_id']}/ranking"

    def add(self, client: TestClient, kind: str, texts: list[str], name: str) -> None:
        rows = [{"id": f"{name}{i}", "text": text} for i, text in enumerate(texts)]
        added = client.post(f"{self.path}/{kind}", json={"documents": rows})
        assert added.json()["inserted"] == len(rows)


@pytest.fixture
def feed(client: TestClient, run_job: Callable[[], str]) -> Feed:
    return Feed(client, run_job)


def ids(client: TestClient, path: str, **asked: Any) -> list[str]:
    answer = client.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    return [document["id"] for document in answer.json()["documents"]]


def test_ranking_next_and_documents_are_of_what_came_in_since(
    client: TestClient, feed: Feed
) -> None:
    new = [id_ for id_ in ids(client, feed.ranking) if id_.startswith("new")]
    assert len(new) == 3
    assert ids(client, feed.ranking, since=feed.began) == new
    assert ids(client, feed.ranking, since=feed.began, order="last", page_size=1) == new[-1:]
    assert ids(client, f"{feed.path}/next", since=feed.began, strategy="relevance") == new
    assert ids(client, f"{feed.path}/documents", since=feed.began) == ["new0", "new1", "new2"]

    labels = [{"id": new[0], "label": "positive"}]
    assert client.put(f"{feed.path}/labels", json=labels).is_success
    asked = {"since": feed.began, "label": "unlabeled"}
    assert ids(client, feed.ranking, **asked) == new[1:]
    assert ids(client, f"{feed.path}/next", since=feed.began, strategy="relevance") == new[1:]
    exported = client.get(feed.ranking, params=asked, headers={"accept": "application/x-ndjson"})
    assert [json.loads(line)["id"] for line in exported.text.splitlines()] == new[1:]


def test_a_page_is_followed_by_the_next_of_the_same_time(client: TestClient, feed: Feed) -> None:
    asked = {"since": feed.began, "page_size": 2}
    first = client.get(feed.ranking, params=asked).json()
    token = first["next_page_token"]
    rest = ids(client, feed.ranking, **asked, page_token=token)
    whole = ids(client, feed.ranking, since=feed.began)
    assert [document["id"] for document in first["documents"]] + rest == whole

    refused = client.get(feed.ranking, params={"page_size": 2, "page_token": token})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "?page_token")


def test_nothing_came_in_since_is_told(client: TestClient, feed: Feed) -> None:
    now = datetime.now(UTC).isoformat()
    assert ids(client, feed.ranking, since=now) == []
    assert ids(client, f"{feed.path}/documents", since=now) == []
    answer = client.get(f"{feed.path}/next", params={"since": now}).json()
    assert answer["documents"] == []
    assert answer["reason"].startswith("The model ranked no document that came in since ")


@pytest.mark.parametrize(
    "since", ["2026-11-27", "2026-11-27T08:00", "soon", "0.5", "0001-01-01T00:00+14"]
)
def test_a_time_without_its_zone_is_none(
    client: TestClient, model: dict[str, Any], since: str
) -> None:
    project = f"/projects/{model['project_id']}"
    for path in (f"/models/{model['id']}/ranking", f"{project}/next", f"{project}/documents"):
        refused = client.get(path, params={"since": since})
        assert refused.status_code == 422
        assert [error["pointer"] for error in refused.json()["errors"]] == ["?since"]


def test_what_an_earlier_upload_brings_later_came_in_since(
    client: TestClient, database: Database
) -> None:
    project_id = client.post("/projects", json={"name": "floods"}).json()["id"]
    path = f"/projects/{project_id}"
    times: list[str] = []

    def rows() -> Iterator[Row]:
        yield checked("early")
        client.post(f"{path}/unlabeled", json=[{"id": "before", "text": "a"}])
        times.append(datetime.now(UTC).isoformat())
        client.post(f"{path}/unlabeled", json=[{"id": "meanwhile", "text": "a"}])
        yield checked("late")

    target = Target(project_id, Label.UNLABELED)
    documents.add(database, rows(), target, Report(), folder=Path(gettempdir()))
    assert ids(client, f"{path}/documents", since=times[0]) == ["meanwhile", "early", "late"]


def checked(id_: str) -> Row:
    row = checked_row(1, id_, "a text", None, 6, 100)
    assert isinstance(row, Row)
    return row
