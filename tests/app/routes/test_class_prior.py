"""The class prior of a project, over HTTP."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.errors import AppError, NoPositives, NoUnlabeled
from core.registry import CLASS_PRIOR_ESTIMATORS
from tests.app.conftest import FLOODS, PILE

N_SEEDS, N_HIDDEN, N_OTHERS = 12, 24, 96


def texts_about(words: str, number: int, seed: int) -> list[dict[str, str]]:
    """Return texts of eight words of their kind and two that all kinds have."""
    random = np.random.default_rng(seed)
    drawn = [
        [*random.choice(words.split(), 8), *random.choice(list("abcdef"), 2)] for _ in range(number)
    ]
    return [{"text": f"{' '.join(words)} n{seed}x{i}"} for i, words in enumerate(drawn)]


@pytest.fixture
def pile_id(client: TestClient, project_id: str) -> str:
    """Return the id of a project where one in five unlabeled documents is positive."""
    floods, sports = "flood river water rain dam cellar bank", "goal match team coach score league"
    seeds, hidden = texts_about(floods, N_SEEDS, 0), texts_about(floods, N_HIDDEN, 1)
    for kind, documents in {
        "positives": seeds,
        "unlabeled": hidden + texts_about(sports, N_OTHERS, 2),
    }.items():
        answer = client.post(f"/projects/{project_id}/{kind}", json={"documents": documents})
        assert answer.status_code == 200
    return project_id


def estimate(client: TestClient, project_id: str, run_job: Callable[[], str]) -> dict[str, Any]:
    answer = client.post(f"/projects/{project_id}/class-prior", json={})
    assert answer.status_code == 202
    run_job()
    job: dict[str, Any] = client.get(answer.headers["location"]).json()
    assert (job["kind"], job["status"]) == ("class_prior", "succeeded")
    return job


def test_what_a_review_found_is_no_random_draw(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    before = estimate(client, pile_id, run_job)["result"]
    n_pile, n_found, n_wrong = N_HIDDEN + N_OTHERS, 10, 4
    listed = client.get(f"/projects/{pile_id}/documents", params={"page_size": 1000}).json()
    ids = [document["id"] for document in listed["documents"]][N_SEEDS:]
    judged = [{"id": id_, "label": "positive"} for id_ in ids[:n_found]]
    judged += [{"id": id_, "label": "negative"} for id_ in ids[-n_wrong:]]
    assert client.put(f"/projects/{pile_id}/labels", json=judged).status_code == 200

    after = estimate(client, pile_id, run_job)["result"]
    n_left = n_pile - n_found - n_wrong
    assert after["n_unlabeled"] == n_left
    for name in ("value", "low", "high"):
        expected = max(1, before[name] * n_pile - n_found) / n_left
        assert after[name] == pytest.approx(expected)
    assert "10 positives were found by reading" in after["warnings"][0]
    assert f"if the {N_SEEDS} positives" in after["summary"]

    model_id = train(client, pile_id, run_job)
    prior = client.get(f"/models/{model_id}").json()["class_prior_estimate"]
    assert prior["low"] <= (N_HIDDEN - n_found) / n_left <= prior["high"]
    client.post(f"/models/{model_id}/evaluation", json={"n_splits": 3})
    found = client.get(f"/jobs/{run_job()}").json()["result"]
    assert f"Of {N_SEEDS} positives" in found["summary"]
    assert "found by reading" in found["warnings"][0]


def train(client: TestClient, project_id: str, run_job: Callable[[], str]) -> str:
    client.post("/train", json={"project_id": project_id, "algorithm": "prototype"})
    return str(client.get(f"/jobs/{run_job()}").json()["result"]["model_id"])


def test_estimates_are_the_result_of_the_job_and_of_the_project(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    job = estimate(client, pile_id, run_job)
    found = client.get(f"/projects/{pile_id}/class-prior").json()

    assert found == {
        **job["result"],
        **{"job_id": job["id"], "project_id": pile_id, "finished_at": job["finished_at"]},
        "is_current": True,
    }
    assert found["low"] <= N_HIDDEN / (N_HIDDEN + N_OTHERS) <= found["high"]
    assert found["low"] <= found["value"] <= found["high"]
    assert found["n_hidden"]["value"] == round(found["value"] * (N_HIDDEN + N_OTHERS))
    assert (found["n_positive"], found["n_negative"], found["n_unlabeled"]) == (12, 0, 120)
    assert found["summary"].startswith(f"About {found['n_hidden']['value']} of the 120")
    names = [estimator["name"] for estimator in found["estimators"]]
    assert names == [name for name in CLASS_PRIOR_ESTIMATORS if name != "consensus"]
    assert all(0 < each["value"] < 1 for each in found["estimators"])

    document = client.get(f"/projects/{pile_id}/documents", params={"q": "goal"}).json()
    changed = {"id": document["documents"][0]["id"], "label": "negative"}
    client.put(f"/projects/{pile_id}/labels", json=[changed])
    assert client.get(f"/projects/{pile_id}/class-prior").json()["is_current"] is False
    client.put(f"/projects/{pile_id}/labels", json=[{**changed, "label": "unlabeled"}])
    assert client.get(f"/projects/{pile_id}/class-prior").json()["is_current"] is True


def test_judged_negatives_hide_no_positive(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    page = client.get(f"/projects/{pile_id}/documents", params={"q": "goal"}).json()
    judged = [{"id": row["id"], "label": "negative"} for row in page["documents"][:40]]
    client.put(f"/projects/{pile_id}/labels", json=judged)
    found = estimate(client, pile_id, run_job)["result"]

    assert (found["n_negative"], found["n_unlabeled"]) == (40, 80)
    assert found["low"] <= N_HIDDEN / 80 <= found["high"]


def test_latest_estimate_is_read(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    jobs = [estimate(client, pile_id, run_job) for _ in range(2)]

    assert client.get(f"/projects/{pile_id}/class-prior").json()["job_id"] == jobs[1]["id"]
    assert {**jobs[0]["result"], "seconds": 0} == {**jobs[1]["result"], "seconds": 0}


def test_another_estimate_by_a_model_is_named_beside_it(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    estimate(client, pile_id, run_job)
    alone = client.get(f"/projects/{pile_id}/class-prior").json()["warnings"]

    def with_a_model(**asked: Any) -> tuple[dict[str, Any], list[str]]:
        body = {"project_id": pile_id, "algorithm": "prototype", **asked}
        assert client.post("/train", json=body).status_code == 202
        job = client.get(f"/jobs/{run_job()}").json()
        model = client.get(f"/models/{job['result']['model_id']}").json()
        return model, client.get(f"/projects/{pile_id}/class-prior").json()["warnings"]

    model, (*others, told) = with_a_model()
    assert others == alone
    own = model["class_prior_estimate"]
    value, low, high = (
        round(own[name] * (N_HIDDEN + N_OTHERS)) for name in ("value", "low", "high")
    )
    figures = f"{value} of 120 unlabeled documents, between {low} and {high}"
    assert told.startswith(f"The newest model ({model['id']}) has another estimate: {figures}")

    # One that was given is no estimate, and without calibration there is none.
    assert with_a_model(class_prior=0.2)[1] == alone
    assert with_a_model(calibrate=False)[1] == alone


def test_copies_of_a_positive_count_once(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    page = client.get(f"/projects/{pile_id}/documents", params={"label": "positive"}).json()
    text = page["documents"][0]["text"]
    copies = [{"id": f"copy{i}", "text": text} for i in range(20)]
    client.post(f"/projects/{pile_id}/positives", json={"documents": copies})
    found = estimate(client, pile_id, run_job)["result"]

    assert found["n_positive"] == N_SEEDS + 20
    assert f"if the {N_SEEDS} positives" in found["summary"]
    assert found["low"] <= N_HIDDEN / (N_HIDDEN + N_OTHERS) <= found["high"]


@pytest.mark.parametrize(
    ("positives", "unlabeled", "reason"),
    [
        (FLOODS[:1], PILE[:3], "too_few_positives"),
        (FLOODS[:1] * 6, PILE, "too_few_positives"),
        (FLOODS[:3], PILE[:2], "too_few_unlabeled"),
        (["aa bb", "bb cc"], ["dd ee", "ee ff", "ff gg"], "nothing_shared"),
    ],
)
def test_documents_that_tell_nothing_give_reasons_and_no_number(
    client: TestClient,
    project_id: str,
    run_job: Callable[[], str],
    positives: list[str],
    unlabeled: list[str],
    reason: str,
) -> None:
    for kind, texts in (("positives", positives), ("unlabeled", unlabeled)):
        documents = [{"id": f"{kind}{i}", "text": text} for i, text in enumerate(texts)]
        client.post(f"/projects/{project_id}/{kind}", json={"documents": documents})
    found = estimate(client, project_id, run_job)["result"]

    for figures in [found, *found["estimators"]]:
        assert figures["reason"] == reason
        assert [figures[name] for name in ("value", "low", "high", "largest_admissible")] == [
            None
        ] * 4
    assert found["n_hidden"] is None
    assert "is unknown" in found["summary"]
    assert client.get(f"/projects/{project_id}/class-prior").json()["value"] is None


def test_what_there_is_not_says_what_to_do(client: TestClient, filled_project_id: str) -> None:
    path = f"/projects/{filled_project_id}/class-prior"
    client.post(path, json={})
    answer = client.get(path)

    assert (answer.status_code, answer.json()["code"]) == (404, "class_prior_not_found")
    assert f"POST {path}" in answer.json()["detail"]
    for send in (client.get, client.post):
        body = {"json": {}} if send == client.post else {}
        assert send("/projects/nobody/class-prior", **body).json()["code"] == "project_not_found"


def test_three_unlabeled_documents_are_enough(
    client: TestClient, project_id: str, run_job: Callable[[], str]
) -> None:
    for kind, texts in (("positives", FLOODS[:2]), ("unlabeled", PILE[:3])):
        client.post(f"/projects/{project_id}/{kind}", json={"documents": texts})
    found = estimate(client, project_id, run_job)["result"]

    assert 0 < found["low"] <= found["value"] <= found["high"] < 1
    reasons = {each["name"]: each["reason"] for each in found["estimators"]}
    assert reasons["ted"] == "too_few_positives"
    assert reasons["bbe"] is None


@pytest.mark.parametrize(
    ("kind", "code"), [("unlabeled", "no_positives"), ("positives", "no_unlabeled")]
)
def test_both_kinds_of_documents_are_needed(
    client: TestClient, project_id: str, kind: str, code: str
) -> None:
    client.post(f"/projects/{project_id}/{kind}", json={"documents": ["rain water", "a goal"]})
    answer = client.post(f"/projects/{project_id}/class-prior", json={})

    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert "algorithm" not in answer.json()["detail"]


@pytest.mark.parametrize(
    ("label", "error"), [("unlabeled", NoPositives), ("positive", NoUnlabeled)]
)
def test_documents_labeled_after_the_request_end_the_job_with_a_reason(
    client: TestClient,
    filled_project_id: str,
    run_job: Callable[[], str],
    label: str,
    error: type[AppError],
) -> None:
    path = f"/projects/{filled_project_id}"
    client.post(f"{path}/class-prior", json={})
    documents = client.get(f"{path}/documents").json()["documents"]
    client.put(f"{path}/labels", json=[{"id": row["id"], "label": label} for row in documents])

    with pytest.raises(error):
        run_job()


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"vectorizer": {"min_dff": 2}}, "invalid_parameter", "/vectorizer/min_dff"),
        ({"random_state": -1}, "invalid_request", "/random_state"),
        ({"estimator": "bbe"}, "invalid_request", "/estimator"),
    ],
)
def test_what_is_not_known_is_refused(
    client: TestClient, filled_project_id: str, body: dict[str, Any], code: str, pointer: str
) -> None:
    problem = client.post(f"/projects/{filled_project_id}/class-prior", json=body).json()

    assert (problem["status"], problem["code"]) == (422, code)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_repeated_request_is_one_job(client: TestClient, filled_project_id: str) -> None:
    path, headers = f"/projects/{filled_project_id}/class-prior", {"idempotency-key": "k"}
    answers = [client.post(path, json={}, headers=headers).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert len(client.get("/jobs", params={"kind": "class_prior"}).json()["jobs"]) == 1
