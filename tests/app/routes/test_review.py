"""What to judge next, and when to stop."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.artifacts import Artifacts
from app.database import Database
from app.orm import Label, Model, new_id
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.stored_files import load_arrays
from core.persistence import dump_arrays
from core.review.expected import Expected
from core.review.remaining import remaining_positives
from core.review.stopping import documents_until_stop, progress
from tests.app.services.corpora import add_documents, add_project

#: Scores of d1, d2, ...; d0 is the seed.
SCORES = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
CUT = 4.6


@pytest.fixture
def reviewed(client: TestClient, database: Database, artifacts: Artifacts) -> str:
    """Return a project whose newest model ranks d1, d2, ... d9 by SCORES, d0 first."""
    return add_project(
        database, positive=["seed"], unlabeled=[f"text {i}" for i in range(1, 10)], negative=[]
    )


def add_model(
    client: TestClient,
    database: Database,
    artifacts: Artifacts,
    run_job: Callable[[], str],
    project_id: str,
    **columns: Any,
) -> str:
    """Train a model and replace its ranking by one that is known; return its id."""
    body = {"project_id": project_id, "algorithm": "prototype"}
    assert client.post("/train", json=body).status_code == 202
    job_id = run_job()
    model_id: str = client.get(f"/jobs/{job_id}").json()["result"]["model_id"]
    with database.writing.begin() as session:
        model = ModelRepository(session).get(model_id)
        numbers = np.sort(load_arrays(artifacts, model.ranking_file)["numbers"])
        columns |= {"places": np.arange(len(numbers)), "scores": np.array([10.0, *SCORES])}
        arrays = {"numbers": numbers, **columns}
        model.ranking_file = artifacts.save(f"rankings/{new_id()}", partial(dump_arrays, arrays))
        model.card = {**model.card, "offset": CUT}
    return model_id


@pytest.fixture
def trained(
    client: TestClient,
    database: Database,
    artifacts: Artifacts,
    run_job: Callable[[], str],
    reviewed: str,
) -> str:
    add_model(client, database, artifacts, run_job, reviewed)
    return reviewed


@pytest.fixture
def delete_newest_when_found(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the newest model be deleted as soon as a request has found that it is the newest."""
    newest, deleted = ModelRepository.newest, []

    def find_and_delete(self: ModelRepository, project_id: str) -> Model | None:
        found = newest(self, project_id)
        if found is not None and not deleted:
            deleted.append(found.id)
            assert client.delete(f"/models/{found.id}").status_code == 204
        return found

    monkeypatch.setattr(ModelRepository, "newest", find_and_delete)


@pytest.fixture
def add(
    client: TestClient,
    database: Database,
    artifacts: Artifacts,
    run_job: Callable[[], str],
    reviewed: str,
) -> Callable[..., str]:
    """Return what adds a model to the reviewed project."""
    return partial(add_model, client, database, artifacts, run_job, reviewed)


@pytest.mark.usefixtures("delete_newest_when_found")
def test_where_the_newest_model_is_deleted_meanwhile_the_one_before_is_asked(
    client: TestClient, reviewed: str, add: Callable[..., str]
) -> None:
    older = add(probabilities=np.full(10, 0.5, dtype=np.float32))
    add()
    assert client.get(f"/projects/{reviewed}/next").json()["model_id"] == older
    assert client.get("/models", params={"project_id": reviewed}).json()["models"][0]["id"] == older


@pytest.mark.usefixtures("delete_newest_when_found")
def test_a_review_goes_by_the_model_before_where_the_newest_is_deleted_meanwhile(
    client: TestClient, reviewed: str, add: Callable[..., str]
) -> None:
    add(probabilities=np.full(10, 0.5, dtype=np.float32))
    add()
    review = client.get(f"/projects/{reviewed}/review").json()
    # Of the nine that nobody judged; the newest would have none.
    assert review["probable"] == {"value": 4.5, "reason": None}


@pytest.mark.usefixtures("delete_newest_when_found")
def test_where_the_only_model_is_deleted_meanwhile_there_is_none(
    client: TestClient, trained: str
) -> None:
    answer = client.get(f"/projects/{trained}/next")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_model")


def label(client: TestClient, project_id: str, **labels: str) -> None:
    decisions = [{"id": id_, "label": label} for id_, label in labels.items()]
    assert client.put(f"/projects/{project_id}/labels", json=decisions).status_code == 200


def seeds_and_judged(client: TestClient, project_id: str) -> tuple[int, int]:
    review = client.get(f"/projects/{project_id}/review").json()
    return review["n_seeds"], review["n_judged"]


def next_ids(client: TestClient, project_id: str, **asked: Any) -> list[str]:
    response = client.get(f"/projects/{project_id}/next", params=asked)
    assert response.status_code == 200, response.text
    return [document["id"] for document in response.json()["documents"]]


def test_each_strategy_asks_for_what_nobody_judged(client: TestClient, trained: str) -> None:
    label(client, trained, d1="negative", d5="unsure")
    assert next_ids(client, trained, strategy="relevance", n=3) == ["d2", "d3", "d4"]
    # The cut of 4.6 lies nearest to d6 (4), then d4 (6), then d7 (3).
    assert next_ids(client, trained, strategy="uncertainty", n=3) == ["d6", "d4", "d7"]
    assert next_ids(client, trained, n=3) == ["d2", "d3", "d4"]
    # One of ten is uncertain.
    assert next_ids(client, trained) == ["d2", "d3", "d4", "d6", "d7", "d8", "d9"]


COPIED = "the river burst its banks and the water stands in all streets of the town"


@pytest.fixture
def copied(
    client: TestClient, database: Database, artifacts: Artifacts, run_job: Callable[[], str]
) -> str:
    """Return the id of a project in which d1, d2, d3, d5 and d9 are one text.

    The score of d5 is the nearest to the cut.
    """
    others = ["goal", "", "match", "team", "player"]
    texts = [f"RT @name{i} {COPIED}" for i in (1, 2, 3)]
    texts += [f"late {word} of one" if word else f"{COPIED} #flood" for word in others]
    project_id = add_project(
        database, positive=["seed"], unlabeled=[*texts, COPIED + " today"], negative=[]
    )
    add_model(client, database, artifacts, run_job, project_id)
    return project_id


def test_of_documents_that_say_the_same_one_is_given_while_there_are_others(
    client: TestClient, copied: str
) -> None:
    project_id = copied
    assert next_ids(client, project_id, strategy="relevance", n=3) == ["d1", "d4", "d6"]
    assert next_ids(client, project_id, strategy="uncertainty", n=3) == ["d5", "d6", "d4"]
    # There are five different ones: then come copies, in their place.
    found = next_ids(client, project_id, strategy="relevance", n=6)
    assert found == ["d1", "d2", "d4", "d6", "d7", "d8"]
    asked = {"strategy": "relevance", "n": 3}
    found = client.get(f"/projects/{project_id}/next", params=asked).json()
    assert found["n_withheld"] == 3
    assert [document["copies"] for document in found["documents"]] == [[], [], []]
    label(client, project_id, d1="positive")
    assert next_ids(client, project_id, strategy="relevance", n=2) == ["d2", "d4"]


def copies(client: TestClient, project_id: str, **asked: Any) -> dict[str, list[str]]:
    """Return the ids of the copies of each document that is given."""
    asked |= {"copies": True}
    found = client.get(f"/projects/{project_id}/next", params=asked).json()
    told = {one["id"]: [copy["id"] for copy in one["copies"]] for one in found["documents"]}
    assert found["n_withheld"] == sum(map(len, told.values()))
    return told


def test_those_that_say_the_same_are_given_beside_it(client: TestClient, copied: str) -> None:
    asked = {"strategy": "relevance", "n": 2}
    assert copies(client, copied, **asked) == {"d1": ["d2", "d3", "d5", "d9"], "d4": []}
    # None of them comes as one to judge, also where too few others are left.
    assert list(copies(client, copied, n=9)) == ["d1", "d4", "d6", "d7", "d8"]
    found = client.get(f"/projects/{copied}/next", params={**asked, "copies": True}).json()
    copy = found["documents"][0]["copies"][0]
    assert copy == {"id": "d2", "text": f"RT @name2 {COPIED}", "metadata": {"at": 2}, "rank": 3}
    label(client, copied, d1="positive", d2="positive", d3="positive")
    assert copies(client, copied, **asked) == {"d4": [], "d5": ["d9"]}


def test_copies_are_looked_for_near_a_document_in_the_ranking(
    client: TestClient, copied: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.review.copies.N_AROUND", 2)
    asked = {"strategy": "relevance", "n": 1}
    assert copies(client, copied, **asked) == {"d1": ["d2", "d3"]}
    # Nearest to the cut is d5: before it stands d4, behind it d6, and d3 and d7 are two away.
    assert copies(client, copied, strategy="uncertainty", n=1) == {"d5": ["d3"]}


def test_of_copies_only_those_are_given_that_are_there(client: TestClient, copied: str) -> None:
    for id_ in ("d1", "d3"):
        assert client.delete(f"/projects/{copied}/documents/{id_}").status_code == 204
    assert copies(client, copied, n=2) == {"d2": ["d5", "d9"], "d4": []}


def test_where_nothing_is_left_there_are_no_copies(client: TestClient, copied: str) -> None:
    label(client, copied, **{f"d{i}": "negative" for i in range(1, 10)})
    assert copies(client, copied) == {}


def test_of_large_texts_fewer_are_given(
    client: TestClient, trained: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/projects/{trained}/next"
    three = client.get(path, params={"n": 3}).json()
    assert len(three["documents"]) == 3
    monkeypatch.setattr("app.services.review.picking.PAGE_CHARACTERS", 2 * len('text 1{"at": 1}'))
    assert client.get(path, params={"n": 9}).json() == three
    assert next_ids(client, trained, n=2) == ["d1", "d2"]


def test_positives_named_before_anything_was_ranked_are_seeds(
    client: TestClient, reviewed: str
) -> None:
    label(client, reviewed, d3="positive")
    sent = {"ids": ["d4", "d5"]}
    assert client.post(f"/projects/{reviewed}/positives", json=sent).json()["replaced"] == 2
    assert seeds_and_judged(client, reviewed) == (4, 0)
    # Nobody judges like that who has seeds alone.
    label(client, reviewed, d6="negative", d7="positive")
    assert seeds_and_judged(client, reviewed) == (4, 2)
    label(client, reviewed, d8="positive")
    assert seeds_and_judged(client, reviewed) == (4, 3)


def test_positives_named_once_documents_are_ranked_were_found(
    client: TestClient, trained: str
) -> None:
    label(client, trained, d3="positive")
    assert client.post(f"/projects/{trained}/positives", json={"ids": ["d4"]}).is_success
    assert seeds_and_judged(client, trained) == (1, 2)


def test_a_document_to_judge_says_why_it_was_chosen(client: TestClient, trained: str) -> None:
    answer = client.get(f"/projects/{trained}/next", params={"n": 1}).json()
    assert answer["documents"] == [
        {
            "id": "d1",
            "text": "text 1",
            "metadata": {"at": 1},
            "rank": 2,
            "score": 9.0,
            "probability": None,
            "chosen_for": "relevance",
            "copies": [],
        }
    ]
    (model,) = client.get("/models", params={"project_id": trained}).json()["models"]
    assert answer["model_id"] == model["id"]
    assert answer["reason"] is None


def test_probabilities_of_the_ranking_are_told_and_added_up(
    client: TestClient,
    database: Database,
    artifacts: Artifacts,
    run_job: Callable[[], str],
    reviewed: str,
) -> None:
    probabilities = np.linspace(1, 0.1, 10, dtype=np.float32)
    add_model(client, database, artifacts, run_job, reviewed, probabilities=probabilities)
    (first,) = client.get(f"/projects/{reviewed}/next?n=1").json()["documents"]
    assert first["probability"] == pytest.approx(0.9)
    review = client.get(f"/projects/{reviewed}/review").json()
    assert review["probable"]["value"] == pytest.approx(sum(i / 10 for i in range(1, 10)))

    label(client, reviewed, d1="positive")
    probable = client.get(f"/projects/{reviewed}/review").json()["probable"]
    assert probable["value"] is None
    assert "Train again" in probable["reason"]

    label(client, reviewed, d2="positive")  # two were found, one was uploaded
    probable = client.get(f"/projects/{reviewed}/review").json()["probable"]
    assert probable["value"] is None
    assert "found by reading" in probable["reason"]


def test_other_labels_than_those_of_the_training_are_told(
    client: TestClient, database: Database, trained: str
) -> None:
    def changed() -> bool:
        return bool(client.get(f"/projects/{trained}/next").json()["labels_changed"])

    assert not changed()
    label(client, trained, d1="unsure")  # is learned from as before
    assert not changed()
    label(client, trained, d1="negative")
    assert changed()
    label(client, trained, d1="unlabeled")
    assert not changed()
    add_documents(database, trained, [("new", Label.POSITIVE)], first=10)
    assert changed()


def test_deleted_documents_are_not_asked_for(client: TestClient, trained: str) -> None:
    for id_ in ("d1", "d3"):
        assert client.delete(f"/projects/{trained}/documents/{id_}").status_code == 204
    assert next_ids(client, trained, n=3) == ["d2", "d4", "d5"]


def test_when_all_is_judged_the_answer_is_empty_and_says_so(
    client: TestClient, database: Database, trained: str
) -> None:
    label(client, trained, **{f"d{i}": "negative" for i in range(1, 10)})
    answer = client.get(f"/projects/{trained}/next").json()
    assert answer["documents"] == []
    assert answer["reason"] == "Every document of the project is judged."
    review = client.get(f"/projects/{trained}/review").json()
    assert review["suggestion"] == "stop"
    assert review["remaining"] == {"value": 0, "low": 0, "high": 0, "reason": None}
    assert review["recall"]["value"] is None
    assert review["recall"]["reason"].endswith("is positive, so there is no recall.")
    assert "nothing is left" in review["why"]
    label(client, trained, d9="positive")
    review = client.get(f"/projects/{trained}/review").json()
    assert (review["suggestion"], review["n_found"]) == ("stop", 1)
    assert "nothing is left" in review["why"]

    add_documents(database, trained, [("new", Label.UNLABELED)], first=10)
    reason = client.get(f"/projects/{trained}/next").json()["reason"]
    assert f"POST /models/{answer['model_id']}/ranking" in reason
    assert "POST /train" in reason


def test_a_review_does_not_stop_while_documents_are_not_ranked(
    client: TestClient, database: Database, run_job: Callable[[], str], trained: str
) -> None:
    label(client, trained, d1="positive", **{f"d{i}": "negative" for i in range(2, 10)})
    assert client.get(f"/projects/{trained}/review").json()["suggestion"] == "stop"
    assert client.get(f"/projects/{trained}/next").json()["n_unranked"] == 0
    add_documents(
        database, trained, [("text late", Label.UNLABELED), ("seed", Label.POSITIVE)], first=10
    )

    answer = client.get(f"/projects/{trained}/next").json()
    assert answer["n_unranked"] == 1
    review = client.get(f"/projects/{trained}/review").json()
    assert (review["n_left"], review["n_unranked"]) == (1, 1)
    assert (review["suggestion"], review["n_until_stop"]) == ("continue", None)
    assert "came in since the newest ranking was made (1)" in review["why"]
    assert f"POST /models/{answer['model_id']}/ranking" in review["why"]

    client.post(f"/models/{answer['model_id']}/ranking")
    run_job()
    assert next_ids(client, trained) == ["d10"]
    assert client.get(f"/projects/{trained}/review").json()["n_unranked"] == 0


def test_at_the_end_unsure_documents_may_be_positive(client: TestClient, reviewed: str) -> None:
    label(client, reviewed, **{f"d{i}": "negative" for i in range(1, 8)}, d8="unsure", d9="unsure")
    review = client.get(f"/projects/{reviewed}/review").json()
    assert review["remaining"] == {"value": 0, "low": 0, "high": 2, "reason": None}
    assert (review["recall"]["value"], review["suggestion"]) == (None, None)
    assert "2 unsure. Judge unsure ones again" in review["why"]

    label(client, reviewed, d1="positive")
    review = client.get(f"/projects/{reviewed}/review").json()
    assert [review["remaining"][end] for end in ("value", "low", "high")] == [0, 0, 2]
    # One is found, of three that may be positive.
    assert review["recall"] == {"value": 1, "low": pytest.approx(1 / 3), "high": 1, "reason": None}
    assert (review["suggestion"], review["n_until_stop"]) == ("continue", None)
    assert "If all 2 unsure documents are positive, 33% of the positives" in review["why"]
    enough = client.get(f"/projects/{reviewed}/review", params={"target": 0.3}).json()
    assert (enough["suggestion"], enough["n_until_stop"]) == ("stop", 0)
    assert "counting all 2 unsure documents. Even then 33% of all positives" in enough["why"]


def test_without_a_pile_nothing_is_called_judged(
    client: TestClient, database: Database, run_job: Callable[[], str]
) -> None:
    project_id = add_project(database, positive=["flood", "water"], unlabeled=[], negative=[])
    client.post("/train", json={"project_id": project_id, "algorithm": "one_class_svm"})
    run_job()
    review = client.get(f"/projects/{project_id}/review").json()
    told = client.get(f"/projects/{project_id}/next").json()["reason"]
    assert told == review["why"] == review["recall"]["reason"]
    assert "no document to read yet" in told
    assert f"POST /projects/{project_id}/unlabeled" in told


def test_a_seed_set_aside_is_not_counted_as_read(client: TestClient, reviewed: str) -> None:
    label(client, reviewed, d0="unsure", d1="unsure", d2="negative")
    review = client.get(f"/projects/{reviewed}/review").json()
    counts = [review[f"n_{name}"] for name in ("judged", "found", "negative", "unsure")]
    assert counts == [2, 0, 1, 1]
    assert review["n_corrected"] == 1
    parts = ("n_seeds", "n_judged", "n_left", "n_corrected")
    assert sum(review[part] for part in parts) == review["n_documents"]


def test_without_a_model_there_is_nothing_to_go_by(client: TestClient, reviewed: str) -> None:
    problem = client.get(f"/projects/{reviewed}/next")
    assert (problem.status_code, problem.json()["code"]) == (409, "no_model")
    assert "POST /train" in problem.json()["detail"]
    label(client, reviewed, d1="positive", d2="positive")
    probable = client.get(f"/projects/{reviewed}/review").json()["probable"]
    assert probable == {"value": None, "reason": "The project has no model yet."}


def test_without_a_model_nothing_tells_the_order_of_reading(
    client: TestClient,
    database: Database,
    artifacts: Artifacts,
    run_job: Callable[[], str],
    reviewed: str,
) -> None:
    # As if a list of labels had all positives first.
    label(client, reviewed, d4="positive", d5="positive", **{f"d{i}": "negative" for i in (6, 7)})
    review = client.get(f"/projects/{reviewed}/review", params={"target": 0.01}).json()
    assert (review["n_found"], review["n_negative"], review["n_left"]) == (2, 2, 5)
    figures = ("recall", "remaining", "by_order")
    assert {review[name]["value"] for name in figures} == {None}
    names = ("p_value", "suggestion", "n_until_stop")
    assert [review[name] for name in names] == [None] * 3
    assert review["why"] == review["recall"]["reason"]
    assert "no model, so nothing tells" in review["why"]
    assert "POST /train" in review["why"]

    add_model(client, database, artifacts, run_job, reviewed)
    trained = client.get(f"/projects/{reviewed}/review", params={"target": 0.01}).json()
    assert trained["suggestion"] == "stop"
    assert trained["by_order"]["value"] is not None


def test_a_model_of_another_project_is_not_found(
    client: TestClient, database: Database, trained: str
) -> None:
    (model,) = client.get("/models", params={"project_id": trained}).json()["models"]
    other = add_project(database)
    asked = {"model_id": model["id"]}
    assert client.get(f"/projects/{trained}/next", params=asked).status_code == 200
    problem = client.get(f"/projects/{other}/next", params=asked)
    assert (problem.status_code, problem.json()["code"]) == (404, "model_not_found")


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("next?n=0", "?n"),
        ("next?n=1001", "?n"),
        ("next?strategy=luck", "?strategy"),
        ("review?target=1", "?target"),
        ("review?target=0", "?target"),
    ],
)
def test_parameters_that_are_not_valid_are_named(
    client: TestClient, project_id: str, path: str, parameter: str
) -> None:
    problem = client.get(f"/projects/{project_id}/{path}")
    assert problem.status_code == 422
    assert problem.json()["errors"][0]["pointer"] == parameter


def test_the_review_follows_the_order_of_the_judgements(client: TestClient, trained: str) -> None:
    empty = client.get(f"/projects/{trained}/review").json()
    assert empty["suggestion"] is None
    assert empty["recall"]["value"] is None
    assert "Nothing was judged" in empty["recall"]["reason"]

    label(client, trained, d1="negative")
    nothing = client.get(f"/projects/{trained}/review").json()
    assert (nothing["suggestion"], nothing["n_until_stop"]) == ("continue", None)
    assert nothing["why"].startswith("The judged document is not positive, so there is no recall.")
    assert ends(nothing["remaining"]) == list(remaining_positives([False], 8))

    label(client, trained, d2="positive", d3="positive", d4="unsure", d5="negative")
    review = client.get(f"/projects/{trained}/review", params={"target": 0.8}).json()
    counts = {name: review[f"n_{name}"] for name in ("documents", "seeds", "judged", "found")}
    assert counts == {"documents": 10, "seeds": 1, "judged": 5, "found": 2}
    assert (review["n_negative"], review["n_unsure"], review["n_left"]) == (2, 1, 4)
    expected = progress([False, True, True, False, False], 4, n_unsure=1, target=0.8)
    assert review["p_value"] == pytest.approx(expected.p_value)
    assert review["remaining"]["high"] == expected.remaining.high
    assert review["recall"]["low"] == pytest.approx(expected.recall.low)
    assert review["suggestion"] == ("stop" if expected.is_enough else "continue")
    assert review["target"] == 0.8
    sure = client.get(f"/projects/{trained}/review", params={"target": 0.6}).json()
    judged = [False, True, True, False, False]
    until_stop = documents_until_stop(judged, 4, n_unsure=1, target=0.6)
    assert until_stop is not None
    assert sure["n_until_stop"] == until_stop


@pytest.fixture
def seeded(database: Database, trained: str) -> str:
    """Return the same with a second seed: of one nothing is told."""
    add_documents(database, trained, [("seed two", Label.POSITIVE)], first=100)
    return trained


def expect(database: Database, project_id: str, **told: Any) -> None:
    """Let the newest model tell how many positives the pile had."""
    with database.writing.begin() as session:
        model = ModelRepository(session).page(project_id=project_id, limit=1)[0]
        model.card = {**model.card, "expected_positives": told}


def ends(known: dict[str, float]) -> list[float]:
    return [known[end] for end in ("value", "low", "high")]


def test_what_the_seeds_tell_is_joined_with_the_order_of_the_judgements(
    client: TestClient, database: Database, seeded: str
) -> None:
    label(client, seeded, d1="positive", d2="positive")
    alone = client.get(f"/projects/{seeded}/review").json()
    assert alone["by_seeds"]["value"] is None
    assert "Train one with calibrate true" in alone["by_seeds"]["reason"]
    assert alone["remaining"] == alone["by_order"]
    assert ends(alone["by_order"]) == list(remaining_positives([True, True], 7))

    # Of a pile of 18, of which half is there still.
    expect(database, seeded, value=8, low=6, high=12, n_pile=18)
    expected = Expected(4, 3, 6)
    joined = client.get(f"/projects/{seeded}/review").json()
    assert joined["by_order"] == alone["by_order"]
    assert ends(joined["by_seeds"]) == [2, 1, 4]
    assert ends(joined["remaining"]) == list(
        remaining_positives([True, True], 7, expected=expected)
    )
    assert joined["recall"]["low"] == pytest.approx(2 / (2 + joined["remaining"]["high"]))
    until_stop = documents_until_stop([True, True], 7, expected=expected)
    assert joined["n_until_stop"] == until_stop

    # Half of the seeds ranked as high as the two that were read.
    ranks = [0.9, 0.9, 0.5, 0.5]
    expect(database, seeded, value=8, low=6, high=12, n_pile=18, ranks=ranks)
    ranked = client.get(f"/projects/{seeded}/review").json()
    expected = Expected(4, 3, 6, tuple(ranks))
    seen = expected.after([True, True], 7)
    assert ends(ranked["by_seeds"]) == list(seen.left(2, 7))
    assert ends(ranked["remaining"]) == list(
        remaining_positives([True, True], 7, expected=expected)
    )

    expect(database, seeded, value=2, low=1.8, high=2.2, n_pile=9)
    found_all = client.get(f"/projects/{seeded}/review").json()
    assert ends(found_all["by_seeds"]) == [0, 0, 0]


def test_the_newest_model_that_has_an_estimate_tells_it(
    client: TestClient,
    database: Database,
    artifacts: Artifacts,
    run_job: Callable[[], str],
    seeded: str,
) -> None:
    expect(database, seeded, value=8, low=6, high=8, n_pile=9)
    add_model(client, database, artifacts, run_job, seeded)
    assert ends(client.get(f"/projects/{seeded}/review").json()["by_seeds"]) == [8, 6, 8]
    expect(database, seeded, value=3, low=2, high=4, n_pile=9)
    assert ends(client.get(f"/projects/{seeded}/review").json()["by_seeds"]) == [3, 2, 4]


def test_documents_that_are_not_ranked_are_not_of_the_pile_the_seeds_tell_of(
    client: TestClient, database: Database, seeded: str
) -> None:
    expect(database, seeded, value=3, low=2, high=4, n_pile=9)
    add_documents(database, seeded, [(f"n{i}", Label.UNLABELED) for i in range(9)], first=10)
    assert ends(client.get(f"/projects/{seeded}/review").json()["by_seeds"]) == [3, 2, 4]


def test_of_unsure_documents_the_seeds_do_not_tell_twice(
    client: TestClient, database: Database, seeded: str
) -> None:
    label(client, seeded, d1="positive", d2="unsure", d3="unsure", d4="negative")
    expect(database, seeded, value=3, low=2.9, high=3.1, n_pile=9)
    review = client.get(f"/projects/{seeded}/review").json()
    left = remaining_positives(
        [True, False, False, False], 5, expected=Expected(3, 2.9, 3.1), n_unsure=2
    )
    assert ends(review["remaining"]) == list(left)
    assert ends(review["by_seeds"]) == [2, 2, 2]
    # All three may be those found and unsure, and hardly more than one is among the unread.
    assert left.high <= 4


def test_before_anything_is_found_the_seeds_tell_how_many_there_are(
    client: TestClient, database: Database, seeded: str
) -> None:
    expect(database, seeded, value=4, low=3, high=20, n_pile=9)
    review = client.get(f"/projects/{seeded}/review").json()
    assert review["remaining"]["value"] is None
    assert review["by_order"]["value"] is None
    assert ends(review["by_seeds"]) == [4, 3, 9]


def test_where_nothing_was_found_yet_order_and_seeds_tell_what_is_left(
    client: TestClient, database: Database, seeded: str
) -> None:
    label(client, seeded, **{f"d{i}": "negative" for i in range(1, 6)}, d6="unsure")
    expect(database, seeded, value=2, low=1, high=4, n_pile=9, ranks=[0.95, 0.5])
    review = client.get(f"/projects/{seeded}/review").json()
    reading, seeds = ([False] * 6, 3), Expected(2.0, 1.0, 4.0, (0.95, 0.5))
    assert ends(review["by_order"]) == list(remaining_positives(*reading, n_unsure=1))
    left = remaining_positives(*reading, expected=seeds, n_unsure=1)
    assert ends(review["remaining"]) == list(left)
    assert review["recall"]["value"] is None
    assert "None of the judged documents is positive" in review["recall"]["reason"]
    assert review["suggestion"] == "continue"
    assert f"Up to {left.high} positives may be left, counting the unsure" in review["why"]


def test_where_none_was_found_and_none_is_left_the_suggestion_is_to_stop(
    client: TestClient, database: Database, seeded: str
) -> None:
    label(client, seeded, **{f"d{i}": "negative" for i in range(1, 9)})
    expect(database, seeded, value=0.6, low=0.5, high=0.7, n_pile=9, ranks=[0.95] * 20)
    review = client.get(f"/projects/{seeded}/review").json()
    assert ends(review["remaining"]) == [0, 0, 0]
    assert (review["suggestion"], review["n_left"]) == ("stop", 1)
    assert review["why"].endswith("8 judged documents is positive, and no positive should be left.")


def test_what_order_and_seeds_tell_may_contradict(
    client: TestClient, database: Database, seeded: str
) -> None:
    label(client, seeded, d1="positive", **{f"d{i}": "negative" for i in range(2, 7)})
    expect(database, seeded, value=2, low=1, high=4, n_pile=9)
    assert "Rely on neither" not in client.get(f"/projects/{seeded}/review").json()["why"]

    add_documents(database, seeded, [(f"n{i}", Label.UNLABELED) for i in range(90)], first=10)
    expect(database, seeded, value=90, low=89, high=91, n_pile=99)
    with database.writing.begin() as session:  # as if all were ranked
        model = ModelRepository(session).page(project_id=seeded, limit=1)[0]
        revision = ProjectRepository(session).get(seeded).revision
        model.card = {**model.card, "ranking": {**model.card["ranking"], "revision": revision}}
    review = client.get(f"/projects/{seeded}/review").json()
    low, high = (review["by_order"][end] for end in ("low", "high"))
    assert high < 88
    assert f"alone, {low:.0f} to {high:.0f} positives are left; by" in review["why"]
    assert "start, 88 to 90. Either" in review["why"]
    # Whatever the order alone says of the stop.
    enough = client.get(f"/projects/{seeded}/review", params={"target": 0.01}).json()
    assert (enough["suggestion"], enough["n_until_stop"]) == ("continue", None)


def test_seeds_that_were_taken_back_tell_nothing(
    client: TestClient, database: Database, seeded: str
) -> None:
    expect(database, seeded, value=8, low=6, high=12, n_pile=18)
    label(client, seeded, d1="positive", d2="negative")
    assert client.get(f"/projects/{seeded}/review").json()["by_seeds"]["value"] is not None

    label(client, seeded, d100="unlabeled")
    review = client.get(f"/projects/{seeded}/review").json()
    assert review["n_seeds"] == 1
    assert review["by_seeds"]["value"] is None
    assert "on at least two different ones (1 is there now)" in review["by_seeds"]["reason"]
    assert review["remaining"] == review["by_order"]
    label(client, seeded, d0="unlabeled")
    review = client.get(f"/projects/{seeded}/review").json()
    assert review["n_seeds"] == 0
    assert "(0 are there now)" in review["by_seeds"]["reason"]
    assert review["remaining"] == review["by_order"]


def test_texts_that_were_replaced_since_are_told(
    client: TestClient, run_job: Callable[[], str], trained: str
) -> None:
    def told() -> tuple[bool, bool]:
        answer = client.get(f"/projects/{trained}/next").json()
        path = f"/models/{answer['model_id']}"
        explained = client.get(f"{path}/documents/d1/explanation").json()
        return answer["texts_changed"], explained["is_current"]

    assert told() == (False, True)
    body = [{"id": "d1", "text": "seed of another kind"}]
    report = client.post(f"/projects/{trained}/unlabeled", json=body).json()
    assert report["replaced"] == 1
    assert told() == (True, False)

    model_id = client.get(f"/projects/{trained}/next").json()["model_id"]
    client.post(f"/models/{model_id}/ranking")
    run_job()
    assert told() == (False, True)
