"""The test of whether positives cluster, over HTTP."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.app.routes.test_table_selections import add_table

#: Quicker than by default.
FEW = {"n_permutations": 99}


def table_csv(*, has_clusters: bool) -> str:
    """Return 300 rows, 40 of them in a cluster, of which 20 are labeled; or any 20 are."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    X[:40] += 5
    positive = np.arange(300) < 20 if has_clusters else random.permutation(300) < 20
    labeled = np.column_stack([X, positive]).tolist()
    rows = [",".join([*map(repr, row[:-1]), str(int(row[-1]))]) for row in labeled]
    return "\n".join(["a,b,c,d,label", *rows])


@pytest.mark.parametrize(
    ("has_clusters", "selector", "words"),
    [(True, "fscpu", "The positives cluster"), (False, "semi_jmi", "It cannot be said")],
)
def test_answer_is_the_result_of_the_job(
    client: TestClient,
    run_job: Callable[[], str],
    has_clusters: bool,
    selector: str,
    words: str,
) -> None:
    table = add_table(client, table_csv(has_clusters=has_clusters))
    answer = client.post("/cluster-assumption", json={"table_id": table, **FEW})
    run_job()
    job = client.get(answer.headers["location"]).json()

    assert (answer.status_code, job["kind"], job["status"]) == (
        202,
        "cluster_assumption",
        "succeeded",
    )
    result = job["result"]
    assert (result["is_met"], result["selector"]) == (has_clusters, selector)
    assert (result["p_value"] == 0.01) == has_clusters
    assert result["summary"].startswith(words)
    assert selector in result["summary"]
    assert (result["n_samples"], result["n_positive"], result["n_features"]) == (300, 20, 4)


def test_of_texts_that_cluster_no_search_by_clusters_is_named(
    client: TestClient, project_id: str, run_job: Callable[[], str]
) -> None:
    random = np.random.default_rng(0)
    river, ball = ["river", "flood", "water", "rain"], ["goal", "ball", "match", "team", "cup"]
    texts = [" ".join(random.choice(river, 3)) for _ in range(20)]
    texts += [" ".join(random.choice(ball, 3)) for _ in range(60)]
    for kind, part in (("positives", texts[:10]), ("unlabeled", texts[10:])):
        documents = [{"id": f"{kind}{i}", "text": text} for i, text in enumerate(part)]
        client.post(f"/projects/{project_id}/{kind}", json={"documents": documents})
    client.post("/cluster-assumption", json={"project_id": project_id, **FEW})
    result = client.get(f"/jobs/{run_job()}").json()["result"]

    assert result["is_met"]
    assert result["selector"] == "semi_mim"
    assert "take semi_mim for texts" in result["summary"]


def test_texts_of_a_project_are_tested(
    client: TestClient, filled_project_id: str, run_job: Callable[[], str]
) -> None:
    body = {"project_id": filled_project_id, "vectorizer": {"stop_words": "english"}, **FEW}
    assert client.post("/cluster-assumption", json=body).status_code == 202
    result = client.get(f"/jobs/{run_job()}").json()["result"]

    assert (result["n_samples"], result["n_positive"]) == (9, 3)


@pytest.mark.parametrize(
    ("change", "status", "code", "pointer"),
    [
        ({"n_permutations": 1}, 422, "invalid_request", "/n_permutations"),
        ({"n_permutations": "99"}, 422, "invalid_request", "/n_permutations"),
        ({"vectorizer": {"min_df": 2}}, 422, "invalid_parameter", "/vectorizer"),
        ({"project_id": "a"}, 422, "invalid_request", ""),
        ({"table_id": "nobody"}, 404, "table_not_found", None),
        ({"table_id": None, "project_id": "nobody"}, 404, "project_not_found", None),
    ],
)
def test_what_cannot_be_tested_is_refused(
    client: TestClient, change: dict[str, Any], status: int, code: str, pointer: str | None
) -> None:
    table = add_table(client, "a,label\n1,1\n2,1\n3,0\n")
    answer = client.post("/cluster-assumption", json={"table_id": table, **change})
    problem = answer.json()

    assert (answer.status_code, problem["code"]) == (status, code)
    assert [e["pointer"] for e in problem.get("errors", [])] == (
        [] if pointer is None else [pointer]
    )


def test_one_positive_does_not_cluster(client: TestClient) -> None:
    table = add_table(client, "a,label\n1,1\n2,0\n3,0\n")
    answer = client.post("/cluster-assumption", json={"table_id": table})

    assert (answer.status_code, answer.json()["code"]) == (409, "too_few_positives")


def test_repeated_request_is_one_job(client: TestClient) -> None:
    table = add_table(client, "a,label\n1,1\n2,1\n3,0\n")
    answers = [
        client.post(
            "/cluster-assumption", json={"table_id": table}, headers={"idempotency-key": "k"}
        )
        for _ in range(2)
    ]

    assert answers[0].json() == answers[1].json()
    assert len(client.get("/jobs", params={"kind": "cluster_assumption"}).json()["jobs"]) == 1
