"""The Open Inference Protocol."""

import gzip
import json
import sys
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.schemas.inference import InputTensor
from core.version import __version__

FLOOD = "water of the river"
OTHER = "a goal in the second half"
UNKNOWN = "zzz"
Model = dict[str, Any]


def tensor(*texts: Any, **fields: Any) -> dict[str, Any]:
    return {
        "name": "text",
        "shape": [len(texts)],
        "datatype": "BYTES",
        "data": list(texts),
        **fields,
    }


def paths(model: Model) -> tuple[str, str]:
    """Return where the project is served, and the model itself."""
    project = f"/v2/models/{model['project_id']}"
    return project, f"{project}/versions/{model['id']}"


def test_the_server_tells_who_it_is(client: TestClient) -> None:
    assert client.get("/v2").json() == {
        "name": "seedbed",
        "version": __version__,
        "extensions": [],
    }
    assert client.get("/v2/health/live").json() == {"live": True}
    assert client.get("/v2/health/ready").json() == {"live": True, "ready": True}


def test_a_project_and_its_models_are_described(client: TestClient, model: Model) -> None:
    for path in paths(model):
        told = client.get(path).json()
        assert (told["name"], told["versions"]) == (model["project_id"], [model["id"]])
        assert told["inputs"] == [{"name": "text", "datatype": "BYTES", "shape": [-1]}]
        types = {output["name"]: output["datatype"] for output in told["outputs"]}
        assert types == {"label": "BYTES", "score": "FP64", "probability": "FP64", "cut": "FP64"}
        assert client.get(f"{path}/ready").json() == {"name": model["project_id"], "ready": True}


def test_it_answers_as_predict_does(client: TestClient, model: Model) -> None:
    texts = [FLOOD, OTHER, UNKNOWN]
    predictions = client.post("/predict", json={"model_id": model["id"], "texts": texts}).json()
    for path in paths(model):
        response = client.post(f"{path}/infer", json={"id": "42", "inputs": [tensor(*texts)]})

        answer = response.json()
        assert response.headers["model-id"] == model["id"]
        outputs = answer.pop("outputs")
        named = {"model_name": model["project_id"], "model_version": model["id"], "id": "42"}
        assert answer == named
        assert [output["name"] for output in outputs] == ["label", "score", "probability", "cut"]
        for output in outputs:
            assert output["shape"] == [3]
            assert output["data"] == [one[output["name"]] for one in predictions["predictions"]]
        assert outputs[2]["data"][2] is None  # no word of it is known


def test_only_the_outputs_asked_for_are_given(client: TestClient, model: Model) -> None:
    asked = [{"name": "score", "parameters": {"binary_data": False}}, {"name": "label"}]
    body = {"inputs": [tensor(FLOOD)], "outputs": asked}
    answer = client.post(f"{paths(model)[0]}/infer", json=body).json()
    assert [output["name"] for output in answer["outputs"]] == ["score", "label"]
    assert "id" not in answer
    every = client.post(f"{paths(model)[0]}/infer", json={**body, "outputs": []}).json()
    assert len(every["outputs"]) == 4  # as servers of the protocol do


@pytest.mark.parametrize(
    "asked",
    [
        tensor([FLOOD], [OTHER], shape=[2, 1]),
        tensor(FLOOD, OTHER, shape=[1, 2]),
        tensor(FLOOD, OTHER, name="input-0", parameters={"content_type": "str"}),
    ],
)
def test_texts_come_in_rows_and_under_any_name(
    client: TestClient, model: Model, asked: dict[str, Any]
) -> None:
    body = {"inputs": [asked], "model_name": "as the client of KServe sends it"}
    answer = client.post(f"{paths(model)[0]}/infer", json=body).json()
    assert answer["outputs"][0]["data"] == ["positive", "negative"]


def test_no_text_gives_no_prediction(client: TestClient, model: Model) -> None:
    answer = client.post(f"{paths(model)[0]}/infer", json={"inputs": [tensor()]}).json()
    assert [output["data"] for output in answer["outputs"]] == [[], [], [], []]


@pytest.mark.parametrize("headers", [{}, {"content-encoding": "gzip"}])
def test_a_body_without_content_type_is_json(
    client: TestClient, model: Model, headers: dict[str, str]
) -> None:
    body = json.dumps({"inputs": [tensor(FLOOD)]}).encode()
    content = gzip.compress(body) if headers else body
    response = client.post(f"{paths(model)[0]}/infer", content=content, headers=headers)
    assert response.json()["outputs"][0]["data"] == ["positive"]


@pytest.mark.parametrize(
    ("inputs", "pointer", "told"),
    [
        ([], "/inputs", "at least 1 item"),
        ([tensor(FLOOD), tensor(OTHER)], "/inputs", "at most 1 item"),
        ([tensor(FLOOD, datatype="FP32")], "/inputs/0/datatype", "'BYTES'"),
        ([tensor(FLOOD, shape=[2])], "/inputs/0", "has 1 texts, where the shape [2] has 2"),
        ([tensor(FLOOD, shape=[-1])], "/inputs/0/shape/0", "greater than or equal to 0"),
        ([tensor(FLOOD, shape=["1"])], "/inputs/0/shape/0", "must be a number"),
        ([tensor(FLOOD, shape=[10**4000] * 2)], "/inputs/0/shape/0", "less than or equal to"),
        ([tensor(FLOOD, shape=[1] * 65)], "/inputs/0/shape", "at most 64 items"),
        ([tensor(FLOOD, shape=["1"] * 2)], "/inputs/0/shape/0", "must be a number"),
        ([tensor(1)], "/inputs/0", "must be texts"),
        ([tensor(FLOOD, " ")], "/inputs/0/data/1", "The text is empty."),
        ([tensor(["a\0b", FLOOD], shape=[2])], "/inputs/0/data/0", "NUL"),
    ],
)
def test_what_cannot_be_predicted_is_refused(
    client: TestClient, model: Model, inputs: list[Any], pointer: str, told: str
) -> None:
    response = client.post(f"{paths(model)[0]}/infer", json={"inputs": inputs})

    problem = response.json()
    assert response.status_code == 422
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert told in problem["errors"][0]["detail"]
    assert problem["error"] == problem["detail"]  # what clients of the protocol read


def test_a_tensor_has_so_many_texts_at_most(
    client: TestClient, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.schemas.inference.MAX_TEXTS", 1)
    body = {"inputs": [tensor(FLOOD, OTHER)]}
    problem = client.post(f"{paths(model)[0]}/infer", json=body).json()
    assert "send more as application/x-ndjson to POST /predict" in problem["detail"]


def test_texts_that_are_nested_deep_take_no_step_for_each_list_around_each() -> None:
    depth, texts = 100, ["a"] * 1000
    data: list[Any] = texts
    for _ in range(depth):
        data = [data]
    calls: list[str] = []
    sys.setprofile(lambda frame, event, _: calls.append(event))
    try:
        read = InputTensor.model_validate(tensor(*data, shape=[len(texts)]))
    finally:
        sys.setprofile(None)
    assert read.texts == texts
    assert len(calls) < depth * len(texts)


def test_tensors_as_bytes_are_refused_with_what_to_do(client: TestClient, model: Model) -> None:
    response = client.post(
        f"{paths(model)[0]}/infer",
        content=b'{"inputs": []}\x01\0\0\0a',
        headers={"inference-header-content-length": "14"},
    )
    assert response.status_code == 422
    assert "binary_data=False" in response.json()["error"]


@pytest.mark.parametrize("suffix", ["", "/ready", "/infer"])
def test_what_is_not_there_is_told(client: TestClient, model: Model, suffix: str) -> None:
    def problem(path: str) -> Any:
        if suffix == "/infer":
            return client.post(path + suffix, json={"inputs": [tensor(FLOOD)]}).json()
        return client.get(path + suffix).json()

    other = client.post("/projects", json={"name": "other"}).json()["id"]
    assert problem("/v2/models/nothing")["code"] == "project_not_found"
    assert problem(f"/v2/models/{other}")["code"] == "no_model"
    assert problem(f"/v2/models/{other}/versions/{model['id']}")["code"] == "model_not_found"
    assert "no model" in problem(f"/v2/models/{other}")["error"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v2"), ("POST", "/v2/repository/index"), ("GET", "/v2/models/a/infer")],
)
def test_what_there_is_not_is_told_to_clients_of_the_protocol(
    client: TestClient, method: str, path: str
) -> None:
    problem = client.request(method, path).json()
    assert problem["error"] == problem["detail"]
