from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.database import Database
from app.repositories.jobs import JobRepository


@pytest.fixture
def job(client: TestClient, filled_project_id: str) -> dict[str, Any]:
    """Return a queued training."""
    body = {"project_id": filled_project_id, "algorithm": "prototype"}
    found: dict[str, Any] = client.post("/train", json=body).json()
    return found


def test_training_is_accepted_as_a_job(client: TestClient, filled_project_id: str) -> None:
    response = client.post("/train", json={"project_id": filled_project_id, "algorithm": "lgn"})

    assert response.status_code == 202
    job = client.get(response.headers["location"])
    assert job.json() == response.json()
    assert job.json()["status"] == "queued"
    assert job.json()["spec"]["algorithm"] == "lgn"
    assert job.headers["retry-after"] == "1"


def test_repeated_training_is_one_job(client: TestClient, filled_project_id: str) -> None:
    body = {"project_id": filled_project_id, "algorithm": "lgn"}
    headers = {"idempotency-key": "k"}

    answers = [client.post("/train", json=body, headers=headers) for _ in range(2)]

    assert answers[0].json() == answers[1].json()
    assert len(client.get("/jobs", params={"kind": "train"}).json()["jobs"]) == 1


@pytest.mark.parametrize(
    ("change", "status", "code", "pointer"),
    [
        ({"project_id": "nobody"}, 404, "project_not_found", None),
        ({"feature_selection_id": "f"}, 404, "feature_selection_not_found", None),
        ({"algorithm": "magic"}, 422, "invalid_parameter", "/algorithm"),
        ({"params": {"smoothing": -1}}, 422, "invalid_parameter", "/params/smoothing"),
        ({"vectorizer": {"min_df": "x"}}, 422, "invalid_parameter", "/vectorizer/min_df"),
        (
            {"vectorizer": {"analyzer": "char_wb", "cjk": "bigrams"}},
            422,
            "invalid_parameter",
            "/vectorizer/cjk",
        ),
        ({"class_prior": 1.5}, 422, "invalid_request", "/class_prior"),
        ({"random_state": -1}, 422, "invalid_request", "/random_state"),
        ({"colour": "red"}, 422, "invalid_request", "/colour"),
    ],
)
def test_training_that_cannot_run_is_refused(
    client: TestClient,
    filled_project_id: str,
    change: dict[str, Any],
    status: int,
    code: str,
    pointer: str | None,
) -> None:
    body = {"project_id": filled_project_id, "algorithm": "lgn", **change}

    response = client.post("/train", json=body)

    problem = response.json()
    assert response.status_code == status
    assert problem["code"] == code
    assert [error["pointer"] for error in problem.get("errors", [])] == [pointer] * bool(pointer)


@pytest.mark.parametrize("cut", ["budget:0", "budget", "budget:1\n", "none"])
def test_a_cut_that_does_not_exist_is_refused_in_words(
    client: TestClient, project_id: str, cut: str
) -> None:
    problem = client.post("/train", json={"project_id": project_id, "cut": cut}).json()

    assert [error["pointer"] for error in problem["errors"]] == ["/cut"]
    assert "conductance, mixture or budget:N, with N" in problem["detail"]
    assert "^" not in problem["detail"]


def test_training_without_positives_conflicts(client: TestClient, project_id: str) -> None:
    response = client.post("/train", json={"project_id": project_id})

    assert response.status_code == 409
    assert response.json()["code"] == "no_positives"


def test_jobs_are_listed_newest_first_and_filtered(
    client: TestClient, filled_project_id: str, run_job: Callable[[], str]
) -> None:
    body = {"project_id": filled_project_id, "algorithm": "prototype"}
    ids = [client.post("/train", json=body).json()["id"] for _ in range(3)]
    run_job()

    of_kind = {"kind": "train"}  # an upload that takes long is a job, too
    first = client.get("/jobs", params=of_kind | {"page_size": 2}).json()
    second = client.get("/jobs", params=of_kind | {"page_token": first["next_page_token"]}).json()
    queued = client.get("/jobs", params={"status": "queued", "project_id": filled_project_id})

    listed = [job["id"] for job in first["jobs"] + second["jobs"]]
    assert listed == ids[::-1]
    assert [job["id"] for job in queued.json()["jobs"]] == ids[:0:-1]
    assert client.get("/jobs", params={"project_id": "nobody"}).status_code == 404


def test_finished_job_tells_its_result_and_not_to_wait(
    client: TestClient, job: dict[str, Any], run_job: Callable[[], str]
) -> None:
    run_job()

    response = client.get(f"/jobs/{job['id']}")

    assert response.json()["status"] == "succeeded"
    assert response.json()["progress"] == 1
    assert set(response.json()["result"]) == {"model_id", "champion_id", "warnings"}
    assert "retry-after" not in response.headers


def test_queued_job_is_cancelled_at_once(client: TestClient, job: dict[str, Any]) -> None:
    response = client.post(f"/jobs/{job['id']}/cancel")

    assert response.status_code == 200
    assert response.json()["status"] == "cancelled"


def test_running_job_is_asked_to_stop(
    client: TestClient, job: dict[str, Any], database: Database
) -> None:
    with database.writing.begin() as session:
        JobRepository(session).claim("test", 60)

    response = client.post(f"/jobs/{job['id']}/cancel")

    assert response.json()["status"] == "running"
    assert response.json()["cancel_requested"]
    again = client.post(f"/jobs/{job['id']}/cancel")
    assert (again.status_code, again.json()) == (200, response.json())
    events = client.get(f"/jobs/{job['id']}/events").json()["events"]
    assert [e["message"] for e in events].count("cancel requested") == 1


def test_ended_job_cannot_be_cancelled(client: TestClient, job: dict[str, Any]) -> None:
    client.post(f"/jobs/{job['id']}/cancel")

    response = client.post(f"/jobs/{job['id']}/cancel")

    assert response.status_code == 409
    assert response.json()["code"] == "job_finished"


def test_unknown_job_is_not_found(client: TestClient) -> None:
    for response in (client.get("/jobs/x"), client.post("/jobs/x/cancel")):
        assert response.status_code == 404
        assert response.json()["code"] == "job_not_found"
