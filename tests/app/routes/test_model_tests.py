"""Tests of a model on labeled documents, over HTTP."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator
from sklearn.metrics import average_precision_score, f1_score

from app.commands.shell_words import in_shell
from app.media_types import PARQUET, XLSX
from app.services.prediction import prediction_stream
from tests.app.conftest import FLOODS
from tests.app.parquet import parquet_of
from tests.app.workbooks import bytes_of, workbook

NDJSON = {"content-type": "application/x-ndjson"}
DOCUMENTS = [
    {"id": "a", "text": "water in the houses at the river", "label": "positive"},
    {"text": "a goal in the second half", "label": "negative"},
    {"text": "shares of the river cruise fell", "label": "negative"},
    {"text": "rain, and the dam is at its limit", "label": "positive"},
    {"text": "nothing in common", "label": "positive"},
]


def lines(documents: list[Any]) -> bytes:
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


def test_figures_are_those_of_the_predictions_and_are_kept(
    client: TestClient, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction_stream, "BLOCK_ROWS", 2)
    path = f"/models/{model['id']}"
    answer = client.post(f"{path}/test", json={"documents": DOCUMENTS})
    found = answer.json()

    assert answer.status_code == 200
    asked = {"model_id": model["id"], "texts": [d["text"] for d in DOCUMENTS]}
    predictions = client.post("/predict", json=asked).json()["predictions"]
    scores = np.array([p["score"] for p in predictions])
    truth = np.array([d["label"] == "positive" for d in DOCUMENTS])
    predicted = scores >= found["cut"]
    assert (found["n_positive"], found["n_negative"], found["n_in_project"]) == (3, 2, 0)
    assert found["f1"]["value"] == pytest.approx(f1_score(truth, predicted))
    assert found["average_precision"]["value"] == pytest.approx(
        average_precision_score(truth, scores)
    )
    assert found["confusion"]["true_positives"] == (truth & predicted).sum()
    # There is no evaluation beside it yet.
    kept = client.get(f"{path}/evaluation").json()
    assert kept == {"model_id": model["id"], "evaluation": None, "test": found}
    assert client.get(path).json()["test"]["f1"] == found["f1"]


def test_a_csv_has_its_labels_in_a_column(client: TestClient, model: dict[str, Any]) -> None:
    path, csv = f"/models/{model['id']}/test", {"content-type": "text/csv"}
    told = client.post(path, json={"documents": DOCUMENTS}).json()
    rows = [
        f'{d.get("id", i)};"{d["text"]}"; {d["label"].title()}' for i, d in enumerate(DOCUMENTS)
    ]
    rows += ["x;no label;", "y;another;maybe", "z;too few"]
    body = "\n".join(["key;words;label", *rows]).encode()
    columns = {"text_column": "words", "id_column": "key", "delimiter": "semicolon"}
    found = client.post(path, params=columns, content=body, headers=csv).json()
    assert found["n_rejected"] == 3
    codes = ["missing_label", "unknown_label", "invalid_csv"]
    assert [(error["line"], error["code"]) for error in found["errors"]] == list(
        zip((7, 8, 9), codes, strict=True)
    )
    same = ("n_positive", "n_negative", "confusion", "precision", "average_precision")
    assert {name: found[name] for name in same} == {name: told[name] for name in same}

    # A ranking that was judged.
    ranked = b"id,rank,label,text\na,1,positive,water in the houses\nb,2,negative,a goal\n"
    assert client.post(path, content=ranked, headers=csv).json()["n_positive"] == 1
    sheet = workbook(["Body", "label"], ["water in the houses", "positive"], ["a goal", "negative"])
    asked = {"params": {"text_column": "Body"}, "headers": {"content-type": XLSX}}
    assert client.post(path, content=bytes_of(sheet), **asked).json()["n_negative"] == 1
    frame = parquet_of({"Body": ["water in the houses", "a goal"], "label": [1, 0]})
    asked["headers"] = {"content-type": PARQUET}
    assert client.post(path, content=frame, **asked).json()["n_negative"] == 1
    without = client.post(path, content=b"text\nwater\n", headers=csv).json()
    assert "There is no column 'label'; its columns are: 'text'." in without["detail"]
    own = client.post(path, params={"text_column": "label"}, content=ranked, headers=csv)
    assert (own.status_code, "no text to predict" in own.json()["detail"]) == (422, True)
    for name, value in (("text_column", "t"), ("delimiter", "tab"), ("id_column", "")):
        refused = client.post(path, params={name: value}, json={"documents": DOCUMENTS})
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, f"?{name}")


def test_labels_of_a_table_may_be_those_of_other_programs(
    client: TestClient, model: dict[str, Any]
) -> None:
    path, csv = f"/models/{model['id']}/test", {"content-type": "text/csv"}
    pairs = [("1", "0"), ("yes", "no"), ("TRUE", "FALSE"), ("included", "excluded")]
    pairs += [("Relevant", "irrelevant"), ("positive", "negative")]
    rows = [f"water {i},{yes}\na goal {i},{no}\n" for i, (yes, no) in enumerate(pairs)]
    found = client.post(path, content="text,label\n" + "".join(rows), headers=csv).json()
    assert (found["n_positive"], found["n_negative"]) == (len(pairs), len(pairs))
    assert found["n_rejected"] == 0

    unknown = client.post(path, content="text,label\nwater,2\ngoal,no\n", headers=csv).json()
    (error,) = unknown["errors"]
    assert error["reason"].startswith("The label must be one of: positive, negative (1, yes, ")
    # A field of JSON has the names that the schema lists.
    told = client.post(path, content=lines([{"text": "water", "label": "yes"}]), headers=NDJSON)
    assert told.json()["report"]["errors"][0]["code"] == "unknown_label"


@pytest.mark.parametrize("media_type", ["text/csv", NDJSON["content-type"]])
def test_labels_may_have_names_of_their_own(
    client: TestClient, model: dict[str, Any], media_type: str
) -> None:
    path, headers = f"/models/{model['id']}/test", {"content-type": media_type}
    labels = ["Fraud", "normal", "normal|Fraud ", "positive", "", "7"]
    texts = [f"water {i}" for i in range(len(labels))]
    if media_type == "text/csv":
        pairs = zip(texts, labels, strict=True)
        body = "text,label\n" + "".join(f"{text},{label}\n" for text, label in pairs)
    else:
        given = [*labels[:-1], 7]
        rows = [{"text": t, "label": label} for t, label in zip(texts, given, strict=True)]
        body = lines(rows).decode()

    def test(**params: str) -> Any:
        return client.post(path, content=body, headers=headers, params=params)

    found = test(positive=" Fraud").json()
    assert (found["n_positive"], found["n_negative"]) == (2, 3)
    assert [error["code"] for error in found["errors"]] == ["missing_label"]

    unknown = test(positive="fraud")
    assert (unknown.status_code, unknown.json()["errors"][0]["pointer"]) == (422, "?positive")
    assert "No document has the label 'fraud'. Labels are: 'Fraud', 'normal'" in unknown.text
    assert test(positive=" ").status_code == 422
    assert test().json()["n_positive"] == 1


def test_labels_that_say_nothing_are_told_with_what_to_do(
    client: TestClient, model: dict[str, Any]
) -> None:
    body = lines([{"text": f"water {i}", "label": f"kind {i % 12}"} for i in range(40)])
    told = client.post(f"/models/{model['id']}/test", content=body, headers=NDJSON).json()["detail"]

    assert "Labels are: 'kind 0', 'kind 1', " in told
    assert told.endswith(
        "'kind 9' and maybe others. Name the one that is positive: send positive=LABEL."
    )
    assert in_shell(told).endswith("Name the one that is positive: add --positive LABEL.")


def test_stream_may_be_compressed_and_bad_lines_are_left_out(
    client: TestClient, model: dict[str, Any]
) -> None:
    bad: list[Any] = [
        {"text": "no label"},
        {"text": "x", "label": "unlabeled"},
        {"text": " ", "label": "positive"},
        {"txt": "x", "label": "positive"},
        {"text": "x", "label": ["positive"]},
        "a text alone",
        3,
        {"text": "x", "label": "positive", "id": 3.5},
    ]
    number = b'{"text": "x", "label": "positive", "metadata": {"a": ' + b"9" * 5000 + b"}}"
    content = lines(bad) + b"\n{\n" + number + b"\n" + lines(DOCUMENTS)
    answer = client.post(
        f"/models/{model['id']}/test",
        content=gzip.compress(content),
        headers={**NDJSON, "content-encoding": "gzip"},
    )
    found = answer.json()

    assert found["n_positive"] + found["n_negative"] == len(DOCUMENTS)
    assert found["n_rejected"] == len(bad) + 2
    assert [(error["line"], error["code"]) for error in found["errors"]] == [
        (1, "missing_label"),
        (2, "unknown_label"),
        (3, "empty_text"),
        (4, "missing_text"),
        (5, "unknown_label"),
        (6, "missing_label"),
        (7, "invalid_json"),
        (8, "invalid_id"),
        (10, "invalid_json"),
        (11, "invalid_metadata"),
    ]
    assert (
        found["recall"]
        == (
            client.post(f"/models/{model['id']}/test", json={"documents": DOCUMENTS}).json()[
                "recall"
            ]
        )
    )


def test_documents_of_the_training_are_warned_of(client: TestClient, model: dict[str, Any]) -> None:
    known = [{"text": text, "label": "positive"} for text in FLOODS]
    found = client.post(f"/models/{model['id']}/test", json={"documents": known + DOCUMENTS}).json()

    assert found["n_in_project"] == len(FLOODS)
    (warning,) = (warning for warning in found["warnings"] if "flatter the figures" in warning)
    assert warning.endswith("The first, by index: 0, 1, 2.")


def test_a_text_that_comes_again_counts_once(client: TestClient, model: dict[str, Any]) -> None:
    path = f"/models/{model['id']}/test"
    once = client.post(path, json={"documents": DOCUMENTS}).json()
    again = [{**DOCUMENTS[0], "id": "z"}, {"text": DOCUMENTS[1]["text"], "label": "negative"}]
    found = client.post(path, json={"documents": [*DOCUMENTS, *again]}).json()

    (warning,) = (w for w in found["warnings"] if w not in once["warnings"])
    assert warning.startswith("2 more have the text and the label of another test document.")
    assert warning.endswith("The first, by index: 5, 6.")
    told = {"tested_at": "", "warnings": []}
    assert {**found, **told} == {**once, **told}


def test_a_text_with_both_labels_is_refused_with_the_places(
    client: TestClient, model: dict[str, Any]
) -> None:
    path = f"/models/{model['id']}/test"
    once = client.post(path, json={"documents": DOCUMENTS}).json()
    both = [{"text": "both of them", "label": label} for label in ("positive", "negative")]
    both[1]["id"] = "b"
    content = lines([*both, *DOCUMENTS]) + b" \n" + lines([both[0]])
    found = client.post(path, content=content, headers=NDJSON).json()

    assert (found["n_rejected"], found["confusion"]) == (3, once["confusion"])
    assert [(error["line"], error["code"]) for error in found["errors"]] == [
        (line, "contradictory_label") for line in (1, 2, 9)
    ]
    assert [error.get("id") for error in found["errors"]] == [None, "b", None]
    first, second, _ = (error["reason"] for error in found["errors"])
    assert first.startswith("The text is positive here, but negative at line 2, id 'b'.")
    assert second.startswith("The text is negative here, but positive at line 1.")

    nothing = client.post(path, json={"documents": both})
    assert (nothing.status_code, nothing.json()["code"]) == (422, "rows_rejected")
    assert "The first, index 0: The text is positive here" in nothing.json()["detail"]


def test_one_class_says_which_figures_are_missing(
    client: TestClient, model: dict[str, Any]
) -> None:
    positive = [d for d in DOCUMENTS if d["label"] == "positive"]
    found = client.post(f"/models/{model['id']}/test", json={"documents": positive}).json()

    assert found["precision"] == {
        "value": None,
        "low": None,
        "high": None,
        "reason": "no_negatives",
    }
    assert found["recall"]["value"] is not None
    assert "Add documents" in found["warnings"][0]


@pytest.mark.parametrize(
    ("documents", "told"),
    [
        ([], "so nothing was tested. Each needs"),
        (
            [{"text": "x"}, 7],
            " 0: The row has no field 'label'; its fields are: 'text'. Each needs",
        ),
        ([{"label": "positive", "body": "x"}], " 0: The row has no field 'text'; its fields are"),
    ],
)
def test_upload_without_a_valid_document_is_refused(
    client: TestClient, model: dict[str, Any], documents: list[Any], told: str
) -> None:
    for answer in (
        client.post(f"/models/{model['id']}/test", json={"documents": documents}),
        client.post(f"/models/{model['id']}/test", content=lines(documents), headers=NDJSON),
    ):
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "rows_rejected")
        assert problem["report"]["rejected"] == len(documents)
        assert told in problem["detail"].replace("line 1:", "index 0:")
    assert client.get(f"/models/{model['id']}").json()["test"] is None


@pytest.mark.parametrize("body", [[{**DOCUMENTS[0], "id": 7}], {"documents": DOCUMENTS}])
def test_bodies_that_are_taken_are_described(
    client: TestClient, model: dict[str, Any], body: Any
) -> None:
    description = client.get("/openapi.json").json()
    operation = description["paths"]["/models/{model_id}/test"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]

    whole = {**schema, "components": description["components"]}
    Draft202012Validator(whole).validate(body)
    assert client.post(f"/models/{model['id']}/test", json=body).json()["n_rejected"] == 0


def test_what_cannot_be_read_is_refused(client: TestClient, model: dict[str, Any]) -> None:
    path = f"/models/{model['id']}/test"

    for content_type in ("text/plain", ""):
        answer = client.post(path, content=b"text\n", headers={"content-type": content_type})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
        offered = f": application/json, application/x-ndjson, text/csv, {XLSX}, {PARQUET}."
        assert answer.json()["detail"].endswith(offered)
    for body in ({"ids": ["a"]}, {}):
        problem = client.post(path, json=body).json()
        assert problem["code"] == "invalid_request"
        assert '{"documents": [...]}' in problem["detail"]
        assert "ids" not in problem["detail"]
    assert client.post("/models/nobody/test", json={}).json()["code"] == "model_not_found"


def test_test_stands_beside_the_evaluation(
    client: TestClient, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    path = f"/models/{model['id']}"
    tested = client.post(f"{path}/test", json={"documents": DOCUMENTS}).json()
    client.post(f"{path}/evaluation", json={"n_splits": 2, "class_prior": 0.3})
    run_job()

    kept = client.get(f"{path}/evaluation").json()
    assert kept["test"] == tested
    of_model = client.get(path).json()["test"]
    assert of_model["tested_at"] == tested["tested_at"]
    assert tested["tested_at"].endswith("Z")
    assert kept["evaluation"]["n_splits"] == 2
