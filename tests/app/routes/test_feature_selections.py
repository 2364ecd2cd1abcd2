from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.errors import FeatureSelectionNotFound


@pytest.fixture
def selection(
    client: TestClient, filled_project_id: str, run_job: Callable[[], str]
) -> dict[str, Any]:
    """Return a selection of three terms."""
    body = {"project_id": filled_project_id, "method": "k_best", "n_features": 3}
    assert client.post("/feature-selection", json=body).status_code == 202
    result = client.get(f"/jobs/{run_job()}").json()["result"]
    found: dict[str, Any] = client.get(
        f"/feature-selections/{result['feature_selection_id']}"
    ).json()
    return found


def test_features_are_ranked_and_the_best_kept(selection: dict[str, Any]) -> None:
    features = selection["features"]

    assert selection["method"] == "k_best"
    assert selection["n_selected"] == 3
    assert [feature["selected"] for feature in features[:4]] == [True, True, True, False]
    scores = [feature["score"] for feature in features]
    assert scores == sorted(scores, reverse=True)
    assert len(features) == selection["n_features"]
    assert all(0 <= each["n_positive"] <= each["n_documents"] for each in features)
    assert features[0]["direction"] == "for"


def test_without_a_method_words_are_chosen_that_need_no_class_prior(
    client: TestClient, filled_project_id: str, run_job: Callable[[], str]
) -> None:
    body = {"project_id": filled_project_id, "n_features": 3}
    assert client.post("/feature-selection", json=body).status_code == 202
    result = client.get(f"/jobs/{run_job()}").json()["result"]
    found = client.get(f"/feature-selections/{result['feature_selection_id']}").json()
    assert found["method"] == "semi_mim"
    assert "prior_too_large" not in found["report"]["flags"]


def training_on(selection: dict[str, Any]) -> dict[str, str]:
    return {
        "project_id": selection["project_id"],
        "algorithm": "prototype",
        "feature_selection_id": selection["id"],
    }


def test_model_is_trained_on_the_selected_terms(
    client: TestClient, selection: dict[str, Any], run_job: Callable[[], str]
) -> None:
    body = training_on(selection)
    client.post("/train", json=body)
    model_id = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]

    model = client.get(f"/models/{model_id}").json()

    assert model["feature_selection_id"] == selection["id"]
    assert model["n_terms"] == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"project_id": "nobody"}, "project_not_found"),
        ({"method": "magic"}, "invalid_parameter"),
        ({"n_features": 0}, "invalid_request"),
        ({"params": {"colour": 1}}, "invalid_parameter"),
    ],
)
def test_selection_that_cannot_run_is_refused(
    client: TestClient, filled_project_id: str, change: dict[str, Any], code: str
) -> None:
    body = {"project_id": filled_project_id, "method": "k_best", **change}

    response = client.post("/feature-selection", json=body)

    assert response.json()["code"] == code


@pytest.mark.parametrize(
    ("kind", "code"), [("unlabeled", "no_positives"), ("positives", "no_unlabeled")]
)
def test_texts_of_one_kind_are_refused(
    client: TestClient, project_id: str, kind: str, code: str
) -> None:
    documents = {"documents": [{"id": "a", "text": "water"}, {"id": "b", "text": "flood"}]}
    assert client.post(f"/projects/{project_id}/{kind}", json=documents).json()["inserted"] == 2

    response = client.post(
        "/feature-selection", json={"project_id": project_id, "method": "k_best"}
    )

    assert (response.status_code, response.json()["code"]) == (409, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert "algorithm" not in response.json()["detail"]


def test_repeated_selection_is_one_job(client: TestClient, filled_project_id: str) -> None:
    body = {"project_id": filled_project_id, "method": "k_best"}

    answers = [
        client.post("/feature-selection", json=body, headers={"idempotency-key": "k"}).json()
        for _ in range(2)
    ]

    assert answers[0] == answers[1]
    assert len(client.get("/jobs", params={"kind": "feature_selection"}).json()["jobs"]) == 1


def test_selections_of_a_project_are_listed(
    client: TestClient, selection: dict[str, Any], project_id: str
) -> None:
    other = client.post("/projects", json={"name": "other"}).json()["id"]

    listed = [
        client.get("/feature-selections", params={"project_id": each}).json()["feature_selections"]
        for each in (project_id, other)
    ]

    assert [[each["id"] for each in found] for found in listed] == [[selection["id"]], []]


def test_of_a_deleted_selection_models_keep_the_terms(
    client: TestClient, selection: dict[str, Any], run_job: Callable[[], str]
) -> None:
    body = training_on(selection)
    client.post("/train", json=body)
    model_id = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]
    client.post("/train", json=body)

    assert client.delete(f"/feature-selections/{selection['id']}").status_code == 204

    with pytest.raises(FeatureSelectionNotFound):
        run_job()
    client.post(f"/models/{model_id}/evaluation", json={"n_splits": 2})
    assert client.get(f"/jobs/{run_job()}").json()["status"] == "succeeded"
    terms = client.get(f"/models/{model_id}/terms").json()
    assert len(terms["terms_for"] + terms["terms_against"]) <= 3
    assert client.post("/train", json=body).json()["code"] == "feature_selection_not_found"


@pytest.mark.parametrize("method", ["get", "delete"])
def test_unknown_selection_is_not_found(client: TestClient, method: str) -> None:
    response = getattr(client, method)("/feature-selections/nobody")

    assert response.status_code == 404
    assert response.json()["code"] == "feature_selection_not_found"
