from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings


def test_created_project_is_found_at_its_location(client: TestClient) -> None:
    body = {"name": "floods", "description": "d", "language": "german", "vectorizer": {"min_df": 2}}

    response = client.post("/projects", json=body)

    assert response.status_code == 201
    project = client.get(response.headers["location"]).json()
    assert {name: project[name] for name in body} == body
    assert set(project["counts"]) == {"total", "positive", "unlabeled", "negative", "unsure"}
    assert not any(project["counts"].values())
    assert project["champion_id"] is None


@pytest.mark.parametrize(
    ("code", "name"),
    [
        *[("nl", "dutch"), ("en", "english"), ("fr", "french"), ("de", "german")],
        *[("it", "italian"), ("pt", "portuguese"), ("es", "spanish")],
    ],
)
def test_a_language_may_be_a_code(client: TestClient, code: str, name: str) -> None:
    project = client.post("/projects", json={"name": "floods", "language": code}).json()

    assert project["language"] == name


@pytest.mark.parametrize("language", ["klingon", "DE", 1])
def test_a_language_that_is_not_known_is_refused_with_those_that_are(
    client: TestClient, language: object
) -> None:
    (error,) = client.post("/projects", json={"name": "a", "language": language}).json()["errors"]

    assert error["pointer"] == "/language"
    assert "'german'" in error["detail"]
    assert "'other'" in error["detail"]


def test_a_language_that_is_not_unicode_is_refused(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    body = rb'{"name": "a", "language": "\ud800"}'
    refused = client.post("/projects", content=body, headers=headers)

    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(r"/language: '\ud800' is none of ")


def test_a_language_of_no_list_is_told_what_to_give(client: TestClient) -> None:
    (error,) = client.post("/projects", json={"name": "a", "language": "zh"}).json()["errors"]

    assert "Give 'other' for a language that is not listed" in error["detail"]


def test_project_counts_its_documents_by_label(client: TestClient, filled_project_id: str) -> None:
    counts = client.get(f"/projects/{filled_project_id}").json()["counts"]

    assert counts == {"total": 9, "positive": 3, "unlabeled": 6, "negative": 0, "unsure": 0}


def test_projects_are_listed_in_pages_that_join(client: TestClient) -> None:
    created = [client.post("/projects", json={"name": f"p{i}"}).json()["id"] for i in range(5)]

    listed, token = [], None
    for n_expected in (2, 2, 1):
        parameters = {"page_size": 2} | ({"page_token": token} if token else {})
        page = client.get("/projects", params=parameters).json()
        assert len(page["projects"]) == n_expected
        listed += [project["id"] for project in page["projects"]]
        token = page["next_page_token"]
        client.delete(f"/projects/{listed[-1]}")  # moves no page that follows

    assert token is None
    assert listed == created[::-1]


NAMES = ["Überflutung", "STRASSE 50%", "straße 500", "a_b", "aXb", "e\u0301tat", "ΠΟΤΑΜΟΣ"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("überFLUT", ["Überflutung"]),
        ("strasse", ["straße 500", "STRASSE 50%"]),
        ("50%", ["STRASSE 50%"]),
        ("A_B", ["a_b"]),
        ("a\\", []),
        ("\u00c9TAT", ["e\u0301tat"]),
        ("ποταμός", []),
        ("ποταμος", ["ΠΟΤΑΜΟΣ"]),
        ("", NAMES[::-1]),
    ],
)
def test_projects_are_found_by_a_part_of_the_name(
    any_client: TestClient, name: str, found: list[str]
) -> None:
    for each in NAMES:
        any_client.post("/projects", json={"name": each})

    page = any_client.get("/projects", params={"name": name, "counts": True}).json()

    assert [project["name"] for project in page["projects"]] == found
    assert all(project["counts"]["total"] == 0 for project in page["projects"])


def test_pages_of_what_is_found_by_name_join(
    any_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.repositories.projects.NAMES_AT_A_TIME", 2)
    for i in range(11):
        any_client.post("/projects", json={"name": f"{'odd' if i % 2 else 'even'} {i}"})

    wanted = {"name": "ODD", "page_size": "2"}
    listed = [project["name"] for project in pages_of(any_client, wanted)]

    assert listed == ["odd 9", "odd 7", "odd 5", "odd 3", "odd 1"]


def pages_of(client: TestClient, parameters: dict[str, str]) -> Iterator[dict[str, Any]]:
    token = None
    while parameters:
        page = client.get("/projects", params=parameters).json()
        yield from page["projects"]
        token = page["next_page_token"]
        parameters = parameters | {"page_token": token} if token else {}


def test_a_page_token_counts_for_the_name_that_was_looked_for(client: TestClient) -> None:
    for i in range(3):
        client.post("/projects", json={"name": f"a {i}"})
    first = client.get("/projects", params={"name": "a", "page_size": 1}).json()
    other = {"name": "b", "page_token": first["next_page_token"]}

    refused = client.get("/projects", params=other)

    assert refused.status_code == 422
    assert "with other parameters" in refused.json()["detail"]


def test_change_leaves_the_rest_as_it_was(client: TestClient, project_id: str) -> None:
    changed = client.patch(f"/projects/{project_id}", json={"description": "new"}).json()

    assert changed["description"] == "new"
    assert changed["name"] == "floods"
    assert client.get(f"/projects/{project_id}").json() == changed


@pytest.mark.parametrize("name", ["name", "description", "language", "vectorizer"])
def test_change_to_null_is_refused(client: TestClient, project_id: str, name: str) -> None:
    before = client.get(f"/projects/{project_id}").json()

    response = client.patch(f"/projects/{project_id}", json={name: None})

    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert [error["pointer"] for error in response.json()["errors"]] == [f"/{name}"]
    assert client.get(f"/projects/{project_id}").json() == before
    assert client.patch(f"/projects/{project_id}", json={}).json() == before


def test_vectorizer_parameters_are_checked(client: TestClient, project_id: str) -> None:
    body = {"vectorizer": {"min_fd": 2}}

    for response in (
        client.post("/projects", json={"name": "a", **body}),
        client.patch(f"/projects/{project_id}", json=body),
    ):
        assert response.status_code == 422
        assert response.json()["code"] == "invalid_parameter"
        assert response.json()["errors"][0]["pointer"] == "/vectorizer/min_fd"


@pytest.mark.parametrize(
    ("vectorizer", "place", "told"),
    [
        ({"stop_words": ["a"] * 10_001}, "stop_words", "at most 10,000 are taken. Keep "),
        ({"extra_stop_words": ["a"] * 10_001}, "extra_stop_words", "at most 10,000 are taken. "),
        ({"min_df": 5, "max_df": 2}, "min_df", "lower min_df or raise max_df"),
        ({"min_df": 0.5, "max_df": 0.2}, "min_df", "lower min_df or raise max_df"),
    ],
)
def test_a_vectorizer_that_cannot_be_meant_is_refused_at_once(
    client: TestClient, filled_project_id: str, vectorizer: dict[str, Any], place: str, told: str
) -> None:
    for response in (
        client.post("/projects", json={"name": "a", "vectorizer": vectorizer}),
        client.patch(f"/projects/{filled_project_id}", json={"vectorizer": vectorizer}),
        client.post("/train", json={"project_id": filled_project_id, "vectorizer": vectorizer}),
    ):
        assert response.status_code == 422
        (error,) = response.json()["errors"]
        assert error["pointer"] == f"/vectorizer/{place}"
        assert told in error["detail"]


@pytest.mark.parametrize(
    "vectorizer",
    [{"stop_words": ["a"] * 10_000}, {"min_df": 2, "max_df": 0.5}, {"min_df": 2, "max_df": 1}],
)
def test_a_vectorizer_that_may_leave_words_is_taken(
    client: TestClient, vectorizer: dict[str, Any]
) -> None:
    response = client.post("/projects", json={"name": "a", "vectorizer": vectorizer})

    assert response.status_code == 201


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:[a-z]+)+!|[a-z]+",
        "a{99999999999999999999}",
        "(" * 5000 + "a" + ")" * 5000,
        "a" * 201,
        "(",
        "",
    ],
)
def test_token_patterns_that_cannot_be_used_are_refused(
    client: TestClient, filled_project_id: str, pattern: str
) -> None:
    asked = {"project_id": filled_project_id, "vectorizer": {"token_pattern": pattern}}

    for response in (
        client.post("/projects", json={"name": "a", "vectorizer": asked["vectorizer"]}),
        client.post("/train", json={"algorithm": "prototype", **asked}),
        client.post("/feature-selection", json={"method": "k_best", **asked}),
    ):
        assert response.status_code == 422
        assert response.json()["errors"][0]["pointer"] == "/vectorizer/token_pattern"


@pytest.mark.parametrize("name", ["", "  ", "\u2003", "a\nb", "a" * 201])
def test_a_name_is_a_line_that_is_not_blank(client: TestClient, project_id: str, name: str) -> None:
    for response in (
        client.post("/projects", json={"name": name}),
        client.patch(f"/projects/{project_id}", json={"name": name}),
    ):
        assert response.status_code == 422
        assert response.json()["errors"][0]["pointer"] == "/name"


def test_blanks_around_a_name_are_dropped(client: TestClient) -> None:
    project = client.post("/projects", json={"name": " ö  1\u2003"}).json()
    assert project["name"] == "ö  1"
    path = f"/projects/{project['id']}"
    assert client.patch(path, json={"name": "\u00a0floods "}).json()["name"] == "floods"
    # To change something else leaves the name as it is.
    assert client.patch(path, json={"description": " a "}).json()["name"] == "floods"


def test_projects_may_share_a_name(client: TestClient) -> None:
    ids = [client.post("/projects", json={"name": "floods"}).json()["id"] for _ in range(2)]
    names = {p["id"]: p["name"] for p in client.get("/projects").json()["projects"]}
    assert names == dict.fromkeys(ids, "floods")


def test_unknown_project_is_not_found(client: TestClient) -> None:
    for response in (
        client.get("/projects/nobody"),
        client.patch("/projects/nobody", json={}),
        client.delete("/projects/nobody"),
        client.put("/projects/nobody/champion", json={"model_id": "m"}),
    ):
        assert response.status_code == 404
        assert response.json()["code"] == "project_not_found"


def test_deleted_project_leaves_nothing(
    client: TestClient, model: dict[str, Any], settings: Settings
) -> None:
    files = [path for path in Path(settings.artifacts_url).rglob("*") if path.is_file()]
    assert len(files) == 3  # model, ranking, matrix

    client.get(f"/models/{model['id']}/terms")
    response = client.delete(f"/projects/{model['project_id']}")

    assert response.status_code == 204
    assert not client.app.state.predictor._loaded  # type: ignore[attr-defined]  # of FastAPI
    assert client.get(f"/projects/{model['project_id']}").status_code == 404
    assert client.get(f"/models/{model['id']}").status_code == 404
    assert client.get(f"/jobs/{model['job_id']}").status_code == 404
    assert not any(path.exists() for path in files)


def test_first_model_is_the_champion_until_another_is_chosen(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    project = f"/projects/{model['project_id']}"
    client.post("/train", json={"project_id": model["project_id"], "algorithm": "lgn"})
    result = client.get(f"/jobs/{run_job()}").json()["result"]
    second = result["model_id"]
    assert client.get(project).json()["champion_id"] == result["champion_id"] == model["id"]

    response = client.put(f"{project}/champion", json={"model_id": second})

    assert response.json()["is_champion"]
    assert client.get(project).json()["champion_id"] == second
    assert not client.get(f"/models/{model['id']}").json()["is_champion"]


def test_a_deleted_champion_is_told_and_the_next_model_takes_its_place(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    training = {"project_id": model["project_id"], "algorithm": "lgn"}
    asked = {"project_id": model["project_id"], "text": "water"}
    client.post("/train", json=training)
    second = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]
    client.delete(f"/models/{model['id']}")

    problem = client.get("/predict", params=asked).json()
    assert problem["code"] == "no_model"
    assert "was deleted" in problem["detail"]
    assert f"PUT /projects/{model['project_id']}/champion" in problem["detail"]
    assert f"the newest is {second}." in problem["detail"]

    client.post("/train", json=training)
    result = client.get(f"/jobs/{run_job()}").json()["result"]
    assert result["champion_id"] == result["model_id"]
    assert client.get("/predict", params=asked).json()["model_id"] == result["model_id"]


def test_champion_must_be_a_model_of_the_project(client: TestClient, model: dict[str, Any]) -> None:
    other = client.post("/projects", json={"name": "other"}).json()["id"]

    response = client.put(f"/projects/{other}/champion", json={"model_id": model["id"]})

    assert response.json()["code"] == "model_not_found"


def test_repeated_creation_gives_the_kept_answer(client: TestClient) -> None:
    headers = {"idempotency-key": "k1"}

    first = client.post("/projects", json={"name": "a"}, headers=headers)
    second = client.post("/projects", json={"name": "a"}, headers=headers)

    assert second.status_code == 201
    assert second.json() == first.json()
    assert second.headers["location"] == first.headers["location"]
    assert second.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert len(client.get("/projects").json()["projects"]) == 1


def test_kept_answers_go_with_their_project(client: TestClient, filled_project_id: str) -> None:
    body, headers = {"project_id": filled_project_id}, {"idempotency-key": "k1"}
    assert client.post("/train", json=body, headers=headers).status_code == 202
    assert client.delete(f"/projects/{filled_project_id}").status_code == 204

    for _ in range(2):
        again = client.post("/train", json=body, headers=headers)
        assert (again.status_code, again.json()["code"]) == (404, "project_not_found")


@pytest.mark.parametrize(
    ("path", "body"),
    [("/projects", {"name": "b"}), ("/train", {"project_id": "p"})],
    ids=["other body", "other path"],
)
def test_key_of_another_request_is_refused(
    client: TestClient, path: str, body: dict[str, str]
) -> None:
    headers = {"idempotency-key": "k1"}
    client.post("/projects", json={"name": "a"}, headers=headers)

    response = client.post(path, json=body, headers=headers)

    assert response.status_code == 422
    assert response.json()["code"] == "idempotency_key_reused"


def test_refused_creation_may_be_sent_again_with_its_key(client: TestClient) -> None:
    headers = {"idempotency-key": "k1"}
    body = {"name": "a", "vectorizer": {"min_df": -1}}
    assert client.post("/projects", json=body, headers=headers).status_code == 422

    response = client.post("/projects", json={"name": "a"}, headers=headers)

    assert response.status_code == 201


def test_a_list_counts_documents_where_it_is_asked_to(
    client: TestClient, model: dict[str, str]
) -> None:
    empty_id = client.post("/projects", json={"name": "empty"}).json()["id"]
    listed = client.get("/projects", params={"counts": "true"}).json()["projects"]

    newest = {project["id"]: project.pop("newest_model_id") for project in listed}
    assert newest == {empty_id: None, model["project_id"]: model["id"]}
    for project in listed:
        details = client.get(f"/projects/{project['id']}").json()
        assert project == {name: told for name, told in details.items() if name != "champion_id"}
    without = client.get("/projects").json()["projects"]
    assert [{*project, "counts"} for project in without] == [set(project) for project in listed]
