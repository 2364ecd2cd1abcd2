"""Bad input to the classifiers, as a client meets it, with the codes of the core."""

import json
from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.worker import job_process
from app.worker.worker import Worker
from core.registry import ALGORITHMS
from tests.app.conftest import FLOODS, PILE, fill
from tests.app.processes import eventually

#: Texts without a word.
EMPTY = ["?", "!", "..."]


def trained(client: TestClient, run_job: Callable[[], str], **body: Any) -> dict[str, Any]:
    response = client.post("/train", json=body)
    assert response.status_code == 202, response.text
    job = client.get(f"/jobs/{run_job()}").json()
    model: dict[str, Any] = client.get(f"/models/{job['result']['model_id']}").json()
    return model


def test_one_seed_is_too_few_for_methods_that_split(client: TestClient, project_id: str) -> None:
    fill(client, project_id, FLOODS[:1], PILE)
    splitting = [name for name in ALGORITHMS if ALGORITHMS[name]().min_positives > 1]
    assert splitting
    for algorithm in splitting:
        body = {"project_id": project_id, "algorithm": algorithm}
        problem = client.post("/train", json=body).json()

        assert (problem["status"], problem["code"]) == (409, "too_few_positives"), algorithm
        assert "take seed_expansion, prototype, lp_pul or nmfpul" in problem["detail"]
        assert [error["pointer"] for error in problem["errors"]] == ["/algorithm"]


def test_one_seed_is_enough_for_the_method_without_the_split(
    client: TestClient, project_id: str
) -> None:
    fill(client, project_id, FLOODS[:1], PILE)
    body = {"project_id": project_id, "algorithm": "spy_em", "params": {"method": "i-em"}}

    assert client.post("/train", json=body).status_code == 202


def test_only_one_class_methods_do_without_a_pile(client: TestClient, project_id: str) -> None:
    fill(client, project_id, FLOODS * 2, [])
    codes = {
        name: client.post("/train", json={"project_id": project_id, "algorithm": name})
        .json()
        .get("code")
        for name in ALGORITHMS
    }

    assert codes == {
        name: "no_unlabeled" if algorithm.requires_unlabeled else None
        for name, algorithm in ALGORITHMS.items()
    }


@pytest.mark.parametrize("algorithm", ["pnb", "upu"])
def test_a_pile_that_is_all_judged_is_enough_or_refused(
    client: TestClient, project_id: str, algorithm: str
) -> None:
    fill(client, project_id, FLOODS, PILE)
    labels = [{"id": f"u{i}", "label": "negative"} for i in range(len(PILE))]
    assert client.put(f"/projects/{project_id}/labels", json=labels).status_code == 200
    answer = client.post("/train", json={"project_id": project_id, "algorithm": algorithm}).json()

    assert answer.get("code") == {"pnb": None, "upu": "no_unlabeled"}[algorithm]


@pytest.mark.parametrize(
    ("value", "code_in_params"),
    [
        ("-0.1", "invalid_parameter"),
        ("1.1", "invalid_parameter"),
        ('"many"', "invalid_parameter"),
        ("NaN", "invalid_request"),
        ("Infinity", "invalid_request"),
    ],
)
def test_a_class_prior_that_is_no_share_is_refused(
    client: TestClient, filled_project_id: str, value: str, code_in_params: str
) -> None:
    ours = f'"project_id": "{filled_project_id}", "algorithm": "pnb"'
    for member, code, pointer in (
        (f'"class_prior": {value}', "invalid_request", "/class_prior"),
        (f'"params": {{"class_prior": {value}}}', code_in_params, "/params/class_prior"),
    ):
        response = client.post(
            "/train",
            content=f"{{{ours}, {member}}}",
            headers={"content-type": "application/json"},
        )
        assert (response.status_code, response.json()["code"]) == (422, code)
        assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("member", "pointer"),
    [
        ('"vectorizer": {"stop_words": ["a", NaN]}', "/vectorizer/stop_words/1"),
        ('"params": {"x": {"y": [1, {"z": NaN}]}}', "/params/x/y/1/z"),
        ('"vectorizer": {"float": {"list": -Infinity}}', "/vectorizer/float/list"),
    ],
)
def test_a_number_that_is_none_is_pointed_at_inside_of_parameters(
    client: TestClient, filled_project_id: str, member: str, pointer: str
) -> None:
    body = f'{{"project_id": "{filled_project_id}", "algorithm": "pnb", {member}}}'
    response = client.post("/train", content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


@pytest.mark.parametrize("body", [b'{"model_id": "a"}', b"[]", b"no JSON"])
@pytest.mark.parametrize("path", ["/models/m/ranking", "/jobs/j/cancel"])
def test_a_body_where_none_is_read_is_refused(client: TestClient, path: str, body: bytes) -> None:
    response = client.post(path, content=body)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert "takes no body" in response.json()["detail"]
    assert client.post(path, content=b" {} ").status_code == 404


@pytest.mark.parametrize("value", ["0.3", True])
@pytest.mark.parametrize("name", ["class_prior", "random_state"])
def test_text_is_no_number(
    client: TestClient, filled_project_id: str, name: str, value: object
) -> None:
    response = client.post("/train", json={"project_id": filled_project_id, name: value})
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert error["pointer"] == f"/{name}"
    assert error["detail"].startswith("must be a number, not")


@pytest.mark.parametrize("value", ["no", "false", 0])
def test_text_is_no_yes_or_no(client: TestClient, filled_project_id: str, value: object) -> None:
    for path, name in (("/train", "calibrate"), ("/predict", "explain")):
        body = {"project_id": filled_project_id, name: value}
        body |= {"texts": ["a"]} if path == "/predict" else {}
        response = client.post(path, json=body)
        assert response.status_code == 422
        assert [error["pointer"] for error in response.json()["errors"]] == [f"/{name}"]


# Three of the nine documents are positives, more than the smallest share below: it is that of
# the six others.
@pytest.mark.parametrize(("given", "taken"), [(0, 1 / 6), (1, 5 / 6), (0.2, 0.2)])
def test_a_class_prior_leaves_a_positive_and_a_negative(
    client: TestClient,
    filled_project_id: str,
    run_job: Callable[[], str],
    given: float,
    taken: float,
) -> None:
    model = trained(
        client, run_job, project_id=filled_project_id, algorithm="pnb", class_prior=given
    )

    assert model["class_prior"] == given
    assert model["report"]["class_prior"] == pytest.approx(taken)


def test_a_class_prior_of_null_is_none(client: TestClient, filled_project_id: str) -> None:
    body = {"project_id": filled_project_id, "class_prior": None}
    assert client.post("/train", json=body).status_code == 202


def test_a_parameter_that_needs_another_is_pointed_at(
    client: TestClient, filled_project_id: str
) -> None:
    body = {
        "project_id": filled_project_id,
        "algorithm": "elkan_noto",
        "params": {"variant": "case_control"},
    }
    problem = client.post("/train", json=body).json()

    assert (problem["status"], problem["code"]) == (422, "invalid_parameter")
    assert [error["pointer"] for error in problem["errors"]] == ["/params/variant"]
    assert client.post("/train", json={**body, "class_prior": 0.3}).status_code == 202


def test_all_faults_of_parameters_are_told(client: TestClient, filled_project_id: str) -> None:
    body = {
        "project_id": filled_project_id,
        "algorithm": "pnb",
        "params": {"alpha": -1, "x": 2, "class_prior": 0.2},
        "vectorizer": {"min_df": "many", "colour": 3},
    }
    problem = client.post("/train", json=body).json()

    pointers = {error["pointer"] for error in problem["errors"]}
    assert (problem["status"], problem["code"]) == (422, "invalid_parameter")
    assert pointers == {"/params/alpha", "/params/x", "/vectorizer/min_df", "/vectorizer/colour"}
    assert problem["detail"] == " ".join(error["detail"] for error in problem["errors"][:3])


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("min-df", "min-df"),
        ("min.df", "min.df"),
        ("a b", "a b"),
        ("", ""),
        ("it's", "it's"),
        ("a/b~", "a~1b~0"),
        ("größe", "größe"),
        ("is not a known", "is not a known"),
        # Words of the messages that follow.
        ("known", "known"),
        ("a", "a"),
    ],
)
def test_an_unknown_name_of_any_signs_is_told_with_the_other_faults(
    client: TestClient, filled_project_id: str, name: str, step: str
) -> None:
    faults = {name: 2, "colour": 3}
    body = {
        "project_id": filled_project_id,
        "algorithm": "pnb",
        "params": {**faults, "alpha": -1},
        "vectorizer": {**faults, "max_df": -3},
    }
    problems = [
        client.post("/train", json=body).json(),
        client.patch(f"/projects/{filled_project_id}", json={"vectorizer": faults}).json(),
    ]

    of_vectorizer = [f"/vectorizer/{step}", "/vectorizer/colour"]
    of_training = [f"/params/{step}", "/params/colour", "/params/alpha", *of_vectorizer]
    assert [(p["status"], p["code"]) for p in problems] == [(422, "invalid_parameter")] * 2
    pointers = [[error["pointer"] for error in problem["errors"]] for problem in problems]
    assert sorted(pointers[0]) == sorted([*of_training, "/vectorizer/max_df"])
    assert pointers[1] == of_vectorizer


def test_a_parameter_is_not_blamed_for_the_fault_of_another(
    client: TestClient, filled_project_id: str
) -> None:
    body = {
        "project_id": filled_project_id,
        "algorithm": "elkan_noto",
        "params": {"variant": "case_control", "class_prior": 2},
    }
    problem = client.post("/train", json=body).json()

    assert [error["pointer"] for error in problem["errors"]] == ["/params/class_prior"]


@pytest.mark.parametrize("n_unknown", [99, 100, 101])
def test_no_more_faults_than_a_hundred_are_told(
    client: TestClient, filled_project_id: str, n_unknown: int
) -> None:
    unknown = {f"x{i}": i for i in range(n_unknown)}
    body = {"project_id": filled_project_id, "algorithm": "pnb", "params": unknown}

    assert len(client.post("/train", json=body).json()["errors"]) == min(n_unknown, 100)


def test_parameters_beyond_number_are_not_looked_at_one_by_one(
    client: TestClient, filled_project_id: str
) -> None:
    unknown = {f"x{i}": i for i in range(1001)}
    body = {"project_id": filled_project_id, "algorithm": "pnb", "params": unknown}
    (error,) = client.post("/train", json=body).json()["errors"]

    assert error["pointer"] == "/params"
    assert "at most 1000" in error["detail"]


@pytest.mark.parametrize(
    ("algorithm", "parameter"),
    [
        ("bagging_pu", "max_samples"),
        ("elkan_noto", "n_folds"),
        ("knn_density", "n_neighbors"),
        ("lp_pul", "n_neighbors"),
        ("nmfpul", "n_topics"),
        ("one_class_kmeans", "n_clusters"),
        ("pn_svm", "n_clusters"),
        ("roc_svm", "n_clusters"),
    ],
)
def test_more_than_there_is_may_be_asked_for(
    client: TestClient,
    filled_project_id: str,
    run_job: Callable[[], str],
    algorithm: str,
    parameter: str,
) -> None:
    asked = {"project_id": filled_project_id, "algorithm": algorithm, "params": {parameter: 50}}
    model = trained(client, run_job, **asked)

    rows = client.get(f"/models/{model['id']}/ranking").json()["documents"]
    assert len(rows) == len(FLOODS) + len(PILE)
    assert np.isfinite([row["score"] for row in rows]).all()


def test_a_job_that_cannot_be_done_says_why_in_the_same_words(
    client: TestClient, settings: Settings
) -> None:
    cases = [
        (EMPTY, PILE, {"algorithm": "prototype"}, "no_positives"),
        (FLOODS, EMPTY, {"algorithm": "lp_pul"}, "no_unlabeled"),
        (FLOODS[:1] + EMPTY, PILE, {"algorithm": "spy_em"}, "too_few_positives"),
        (EMPTY, EMPTY, {"algorithm": "prototype"}, "unsuitable_documents"),
    ]
    expected = {}
    for positives, unlabeled, asked, code in cases:
        project_id = client.post("/projects", json={"name": code}).json()["id"]
        fill(client, project_id, positives, unlabeled)
        answer = client.post("/train", json={"project_id": project_id, **asked})
        assert answer.status_code == 202, answer.text
        expected[answer.json()["id"]] = code

    def errors() -> dict[str, str]:
        jobs = client.get("/jobs", params={"status": "failed"}).json()["jobs"]
        return {job["id"]: job["error"]["code"] for job in jobs}

    job_process.prepare(job_process.MODULES)
    worker = Worker(settings)
    thread = Thread(target=worker.run)
    thread.start()
    try:
        eventually(lambda: len(errors()) == len(cases), f"the jobs fail: {json.dumps(errors())}")
    finally:
        worker.stop()
        thread.join()
    assert errors() == expected
