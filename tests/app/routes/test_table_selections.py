"""Feature selections of tables, over HTTP."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.artifacts import Artifacts, Folder
from app.database import Database
from tests.app.conftest import run_oldest_job
from tests.app.databases import on_sqlite

N_FEATURES = 9
#: Shifted among the positives.
TELLING = ["c1", "c4"]
Select = Callable[..., dict[str, Any]]


def table_csv(scale: float = 1.0) -> str:
    random = np.random.default_rng(0)
    X = random.normal(size=(240, N_FEATURES)) * scale
    X[:48, [1, 4]] += 6 * scale
    lines = [",".join([*(f"c{i}" for i in range(N_FEATURES)), "label"])]
    lines += [",".join([*map(repr, row.tolist()), str(int(i < 24))]) for i, row in enumerate(X)]
    return "\n".join(lines)


def add_table(client: TestClient, body: str) -> str:
    answer = client.post(
        "/tables",
        params={"label_column": "label", "positive": "1"},
        content=body,
        headers={"content-type": "text/csv"},
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.fixture
def client(any_client: TestClient) -> TestClient:
    return any_client


@pytest.fixture
def table_id(client: TestClient) -> str:
    return add_table(client, table_csv())


@pytest.fixture
def select(
    client: TestClient, table_id: str, any_database: Database, artifacts: Artifacts
) -> Select:
    """Return what requests a selection, runs its job and returns it."""

    def select(**asked: Any) -> dict[str, Any]:
        answer = client.post("/feature-selection", json={"table_id": table_id, **asked})
        assert answer.status_code == 202, answer.text
        assert answer.json()["table_id"] == asked.get("table_id", table_id)
        run_oldest_job(any_database, artifacts)
        result = client.get(answer.headers["location"]).json()["result"]
        found: dict[str, Any] = client.get(
            f"/feature-selections/{result['feature_selection_id']}"
        ).json()
        return found

    return select


def test_features_are_ranked_by_name(client: TestClient, table_id: str, select: Select) -> None:
    found = select(method="k_best", n_features=2)
    table = client.get(f"/tables/{table_id}").json()

    assert {feature["name"] for feature in found["features"][:2]} == set(TELLING)
    assert len(found["features"]) == found["n_features"] == N_FEATURES
    assert {feature["direction"] for feature in found["features"][:2]} == {"for"}
    assert found["features"][0]["n_positive"] is found["features"][0]["n_documents"] is None
    assert found["mask"] == [column["name"] in TELLING for column in table["columns"]]
    assert (found["n_samples"], found["n_positive"], found["n_selected"]) == (240, 24, 2)
    assert found["table_digest"] == table["digest"]
    assert found["stability"] is None
    assert set(found["seconds"]) == {"read", "select", "save"}
    assert {"numpy", "scikit-learn"} <= set(found["versions"])


@on_sqlite
def test_half_of_the_features_is_the_default(select: Select) -> None:
    assert select(method="k_best")["n_selected"] == 5


@on_sqlite
def test_unit_of_the_features_does_not_matter(client: TestClient, select: Select) -> None:
    other = add_table(client, table_csv(scale=1000))
    asked: list[dict[str, Any]] = [{}, {"table_id": other}]
    features = [select(method="k_best", **table)["features"] for table in asked]

    names, scores = ([[f[key] for f in found] for found in features] for key in ("name", "score"))
    assert names[0] == names[1]
    assert scores[0] == pytest.approx(scores[1])


@on_sqlite
@pytest.mark.parametrize("method", ["k_best", "random_features", "semi_jmi"])
def test_same_seed_gives_the_same_selection(select: Select, method: str) -> None:
    first, second = (select(method=method, n_features=2, random_state=3) for _ in range(2))

    for found in (first, second):
        for name in ("id", "job_id", "created_at", "seconds"):
            found.pop(name)
    assert first == second


@on_sqlite
def test_stability_tells_how_alike_bootstraps_are(select: Select) -> None:
    asked = {"method": "k_best", "n_features": 2, "stability": {"n_bootstraps": 5}}
    found = select(**asked)

    figures = {"kuncheva": 1, "kuncheva_reason": None, "jaccard": 1}
    assert found["stability"] == {"n_bootstraps": 5, **figures}
    frequencies = {feature["name"]: feature["frequency"] for feature in found["features"]}
    assert frequencies == {f"c{i}": float(f"c{i}" in TELLING) for i in range(N_FEATURES)}
    assert select(**asked)["stability"] == found["stability"]


@on_sqlite
def test_stability_where_all_is_selected_says_why_it_is_none(
    client: TestClient, select: Select
) -> None:
    body = "a,b,label\n" + "".join(f"{i},7,{int(i > 7)}\n" for i in range(10))
    table = add_table(client, body)

    found = select(method="all_features", table_id=table, stability={"n_bootstraps": 3})

    assert found["stability"]["kuncheva"] is None
    assert "selected all features" in found["stability"]["kuncheva_reason"]
    assert found["stability"]["jaccard"] == 1
    # Fewer features cannot be asked for.
    assert found["warnings"] == ["Features of one value only: 1. They come last in the ranking."]


@on_sqlite
def test_constant_and_equal_features_are_told_of(client: TestClient, select: Select) -> None:
    body = "a,b,c,d,label\n" + "".join(f"{i},{2 * i},{i},7,{int(i > 7)}\n" for i in range(10))
    table = add_table(client, body)

    found = select(method="k_best", table_id=table, n_features=4)

    assert [feature["name"] for feature in found["features"]] == ["a", "b", "c", "d"]
    assert found["report"]["flags"] == ["constant_features_selected"]
    assert len(found["warnings"]) == 3


def test_features_not_looked_at_have_no_score(select: Select) -> None:
    found = select(method="mrmr", n_features=2, params={"prefilter": 3})

    scores = [feature["score"] for feature in found["features"]]
    assert scores[3:] == [None] * (N_FEATURES - 3)
    assert None not in scores[:3]


@on_sqlite
@pytest.mark.parametrize(
    ("change", "status", "code", "pointer"),
    [
        ({"n_features": 0}, 422, "invalid_request", "/n_features"),
        ({"n_features": 10}, 422, "invalid_parameter", "/n_features"),
        ({"n_features": 1.5}, 422, "invalid_request", "/n_features"),
        ({"n_features": "3"}, 422, "invalid_request", "/n_features"),
        ({"n_features": True}, 422, "invalid_request", "/n_features"),
        (
            {"params": {"n_features_to_select": 10}},
            422,
            "invalid_parameter",
            "/params/n_features_to_select",
        ),
        ({"params": {"colour": 1}}, 422, "invalid_parameter", "/params/colour"),
        ({"method": "magic"}, 422, "invalid_parameter", "/method"),
        (
            {"method": "fscpu", "n_features": 2, "params": {"costs": [3] * N_FEATURES}},
            422,
            "invalid_parameter",
            "/params/costs",
        ),
        (
            {"method": "fscpu", "params": {"costs": [1] * N_FEATURES, "budget": 0.5}},
            422,
            "invalid_parameter",
            "/params/costs",
        ),
        ({"vectorizer": {"min_df": 2}}, 422, "invalid_parameter", "/vectorizer"),
        ({"stability": {"n_bootstraps": 1}}, 422, "invalid_request", "/stability/n_bootstraps"),
        ({"stability": {"n_bootstraps": "9"}}, 422, "invalid_request", "/stability/n_bootstraps"),
        ({"project_id": "a"}, 422, "invalid_request", ""),
        ({"table_id": None}, 422, "invalid_request", ""),
        ({"table_id": "nobody"}, 404, "table_not_found", None),
    ],
)
def test_selection_that_cannot_run_is_refused(
    client: TestClient,
    table_id: str,
    change: dict[str, Any],
    status: int,
    code: str,
    pointer: str | None,
) -> None:
    body = {"table_id": table_id, "method": "k_best", **change}
    answer = client.post("/feature-selection", json=body)
    problem = answer.json()

    assert (answer.status_code, problem["code"]) == (status, code)
    assert [e["pointer"] for e in problem.get("errors", [])] == (
        [] if pointer is None else [pointer]
    )
    assert client.get("/jobs").json()["jobs"] == []


@on_sqlite
def test_few_positives_are_refused_or_told_of(client: TestClient, select: Select) -> None:
    body = "a,b,label\n" + "".join(f"{i},{i % 3},{int(i < 1)}\n" for i in range(12))
    table = add_table(client, body)
    refused = client.post("/feature-selection", json={"table_id": table, "method": "fscpu"})

    assert (refused.status_code, refused.json()["code"]) == (409, "too_few_positives")
    assert refused.json()["errors"][0]["pointer"] == "/method"
    assert select(table_id=table, method="semi_jmi")["report"]["flags"] == ["few_positives"]


@on_sqlite
def test_fewer_rows_than_clusters_are_told_of(client: TestClient, select: Select) -> None:
    body = "a,b,label\n" + "".join(f"{i},{i % 3},{int(i < 4)}\n" for i in range(12))
    found = select(table_id=add_table(client, body), method="fscpu")

    assert "fewer_clusters" in found["report"]["flags"]
    assert any("too few rows for as many clusters" in warning for warning in found["warnings"])


def test_selection_of_a_table_cannot_restrict_texts(client: TestClient, select: Select) -> None:
    project = client.post("/projects", json={"name": "floods"}).json()["id"]
    selection = select(method="k_best")["id"]
    body = {"project_id": project, "feature_selection_id": selection}

    assert client.post("/train", json=body).json()["code"] == "feature_selection_not_found"


def test_jobs_of_a_table_are_listed_alone(
    client: TestClient, table_id: str, select: Select
) -> None:
    job_id = select(method="k_best")["job_id"]
    select(table_id=add_table(client, table_csv(2.0)), method="k_best")
    listed = client.get("/jobs", params={"table_id": table_id}).json()["jobs"]
    assert [job["id"] for job in listed] == [job_id]
    unknown = client.get("/jobs", params={"table_id": "nobody"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "table_not_found")


def test_selections_are_listed_the_newest_first(client: TestClient, select: Select) -> None:
    first, second = (select(method="k_best") for _ in range(2))
    other = add_table(client, table_csv(2.0))
    third = select(table_id=other, method="k_best")

    def listed(**query: Any) -> tuple[list[dict[str, Any]], str | None]:
        page = client.get("/feature-selections", params=query).json()
        return page["feature_selections"], page["next_page_token"]

    named = ("id", "project_id", "table_id", "job_id", "created_at", "method")
    told = [{name: each[name] for name in named} for each in (third, second, first)]
    start, token = listed(page_size=2)
    assert start == told[:2]
    assert listed(page_size=2, page_token=token) == (told[2:], None)
    assert listed(table_id=first["table_id"]) == (told[1:], None)
    assert listed(table_id=other) == (told[:1], None)


def test_selections_of_what_is_not_there_are_not_found(client: TestClient) -> None:
    for name in ("project", "table"):
        answer = client.get("/feature-selections", params={f"{name}_id": "nobody"})
        assert (answer.status_code, answer.json()["code"]) == (404, f"{name}_not_found")


def test_a_deleted_selection_leaves_its_table_alone(
    client: TestClient, select: Select, artifacts: Artifacts
) -> None:
    gone, kept = (select(method="k_best") for _ in range(2))

    assert client.delete(f"/feature-selections/{gone['id']}").status_code == 204

    for answer in (client.get, client.delete):
        assert answer(f"/feature-selections/{gone['id']}").status_code == 404
    listed = client.get("/feature-selections").json()["feature_selections"]
    assert [each["id"] for each in listed] == [kept["id"]]
    files = [key for folder in Folder for key, _ in artifacts.list(folder)]
    assert sorted(files) == [f"feature_selections/{kept['id']}", f"tables/{kept['table_id']}"]
    assert client.get(f"/jobs/{gone['job_id']}").json()["status"] == "succeeded"
