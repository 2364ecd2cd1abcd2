"""The main job through the API, on each database; and piles that nobody would wish for."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.artifacts import Artifacts
from app.database import Database
from app.repositories.jobs import JobRepository
from app.settings import Settings
from tests.app.conftest import FLOODS, PILE, api_on, run_oldest_job


@pytest.fixture
def settings(tmp_path: Path, any_database_url: str) -> Settings:
    return Settings(
        database_url=any_database_url,
        artifacts_url=str(tmp_path / "artifacts"),
        cache_directory=tmp_path / "cache",
    )


@pytest.fixture
def client(settings: Settings, any_database: Database) -> Iterator[TestClient]:
    with TestClient(api_on(settings)) as client:
        yield client


@pytest.fixture
def run_job(any_database: Database, artifacts: Artifacts) -> Callable[[], str]:
    return lambda: run_oldest_job(any_database, artifacts)


def add(client: TestClient, project_id: str, kind: str, texts: list[str]) -> dict[str, Any]:
    documents = [{"id": f"{kind[0]}{i}", "text": text} for i, text in enumerate(texts)]
    response = client.post(f"/projects/{project_id}/{kind}", json={"documents": documents})
    assert response.status_code == 200, response.text
    report: dict[str, Any] = response.json()
    return report


def train(client: TestClient, run_job: Callable[[], str], **body: Any) -> dict[str, Any]:
    response = client.post("/train", json=body)
    assert response.status_code == 202, response.text
    job = client.get(f"/jobs/{run_job()}").json()
    assert job["status"] == "succeeded", job
    model: dict[str, Any] = client.get(f"/models/{job['result']['model_id']}").json()
    return model


def test_the_main_job_from_upload_to_deletion(
    client: TestClient, project_id: str, run_job: Callable[[], str]
) -> None:
    add(client, project_id, "positives", FLOODS)
    add(client, project_id, "unlabeled", PILE)
    body = {"project_id": project_id, "method": "k_best", "n_features": 12}
    assert client.post("/feature-selection", json=body).status_code == 202
    selected = client.get(f"/jobs/{run_job()}").json()["result"]["feature_selection_id"]
    assert client.get(f"/feature-selections/{selected}").json()["n_selected"] == 12

    model = train(client, run_job, project_id=project_id, feature_selection_id=selected)
    assert model["n_terms"] == 12
    ranking = client.get(f"/models/{model['id']}/ranking", params={"label": "unlabeled"}).json()
    assert {row["id"] for row in ranking["documents"][:2]} == {"u0", "u1"}
    lines = client.get(f"/models/{model['id']}/ranking", headers={"accept": "text/csv"}).text
    assert len(lines.splitlines()) == 1 + len(FLOODS) + len(PILE)
    query = {"project_id": project_id, "text": "water of the river"}
    assert client.get("/predict", params=query).json()["predictions"][0]["label"] == "positive"
    assert client.get(f"/models/{model['id']}/terms").json()["terms_for"]

    assert client.get("/metrics").status_code == client.get("/readyz").status_code == 200
    assert client.delete(f"/projects/{project_id}").status_code == 204
    assert client.get(f"/models/{model['id']}").status_code == 404


def test_an_empty_upload_leaves_nothing_to_train_on(client: TestClient, project_id: str) -> None:
    assert add(client, project_id, "positives", [])["received"] == 0
    problem = client.post("/train", json={"project_id": project_id}).json()

    assert (problem["status"], problem["code"]) == (409, "no_positives")
    assert f"/projects/{project_id}/positives" in problem["detail"]


def test_positives_alone_are_not_enough(client: TestClient, project_id: str) -> None:
    add(client, project_id, "positives", FLOODS)
    body = {"project_id": project_id, "algorithm": "lp_pul"}
    problem = client.post("/train", json=body).json()

    assert (problem["status"], problem["code"]) == (409, "no_unlabeled")


@pytest.mark.parametrize("algorithm", ["lgn", "lp_pul", "nmfpul", "prototype"])
def test_one_seed_ranks_the_pile(
    client: TestClient, project_id: str, run_job: Callable[[], str], algorithm: str
) -> None:
    add(client, project_id, "positives", FLOODS[:1])
    add(client, project_id, "unlabeled", PILE)
    model = train(client, run_job, project_id=project_id, algorithm=algorithm)

    assert model["n_positive"] == 1
    ranking = client.get(f"/models/{model['id']}/ranking").json()["documents"]
    assert len(ranking) == 1 + len(PILE)


# Not nmfpul: its factorisation starts at random for each document.
@pytest.mark.parametrize("algorithm", ["lgn", "lp_pul", "prototype"])
def test_identical_documents_are_scored_alike(
    client: TestClient, project_id: str, run_job: Callable[[], str], algorithm: str
) -> None:
    add(client, project_id, "positives", FLOODS[:1] * 3)
    add(client, project_id, "unlabeled", FLOODS[:1] * 9)
    model = train(client, run_job, project_id=project_id, algorithm=algorithm)

    ranking = client.get(f"/models/{model['id']}/ranking").json()["documents"]
    unlabeled = {round(row["score"], 6) for row in ranking if row["label"] == "unlabeled"}
    assert len(unlabeled) == 1


def test_project_deleted_during_a_training_takes_the_job_along(
    client: TestClient, project_id: str, any_database: Database
) -> None:
    add(client, project_id, "positives", FLOODS)
    add(client, project_id, "unlabeled", PILE)
    job_id = client.post("/train", json={"project_id": project_id}).json()["id"]
    with any_database.writing.begin() as session:
        job = JobRepository(session).claim("test", 60)
    assert job is not None
    assert job.run_token is not None
    assert client.delete(f"/projects/{project_id}").status_code == 204

    assert client.get(f"/jobs/{job_id}").status_code == 404
    with any_database.writing.begin() as session:
        assert not JobRepository(session).succeed(job_id, job.run_token, {})
