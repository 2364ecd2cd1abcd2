"""Documents that come with vectors, over HTTP."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

NDJSON = {"content-type": "application/x-ndjson"}
#: What is looked for has vectors along the first, the rest along the second.
WANTED, OTHER = np.random.default_rng(0).standard_normal((2, 50))
N_WANTED, N_OTHERS, N_SEEDS = 40, 120, 5


@pytest.fixture
def project(project_id: str) -> str:
    return f"/projects/{project_id}"


def made() -> list[dict[str, Any]]:
    """Return documents whose words say nothing; those that are looked for come first."""
    random = np.random.default_rng(1)
    documents = []
    for i in range(N_WANTED + N_OTHERS):
        vector = (WANTED if i < N_WANTED else OTHER) + 0.3 * random.standard_normal(50)
        words = random.choice([f"word{k}" for k in range(500)], 6)
        documents.append({"id": f"d{i}", "text": " ".join(words), "vector": vector.tolist()})
    return documents


def train(
    client: TestClient, project: str, run_job: Callable[[], str], **asked: Any
) -> dict[str, Any]:
    body = {"project_id": project.rpartition("/")[2], "algorithm": "prototype", **asked}
    location = client.post("/train", json=body).headers["location"]
    run_job()
    job = client.get(location).json()
    assert job["status"] == "succeeded", job["error"]
    found: dict[str, Any] = client.get(f"/models/{job['result']['model_id']}").json()
    return found


def fill(client: TestClient, project: str, documents: list[dict[str, Any]]) -> None:
    client.post(f"{project}/positives", json={"documents": documents[:N_SEEDS]})
    lines = "\n".join(map(json.dumps, documents[N_SEEDS:]))
    assert client.post(f"{project}/unlabeled", content=lines, headers=NDJSON).is_success


@pytest.fixture
def documents(client: TestClient, project: str) -> list[dict[str, Any]]:
    """Return made documents, which are in the project."""
    documents = made()
    fill(client, project, documents)
    return documents


def as_lines(*documents: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, documents))


def ranked(client: TestClient, model: dict[str, Any], n: int) -> set[str]:
    page = client.get(f"/models/{model['id']}/ranking", params={"page_size": n}).json()
    return {document["id"] for document in page["documents"]}


def test_what_has_no_word_in_common_is_found_by_its_vector(
    client: TestClient, project: str, run_job: Callable[[], str]
) -> None:
    fill(client, project, made())
    assert client.get(f"{project}/documents/d7").json()["vector_size"] == 50

    model = train(client, project, run_job)

    assert ranked(client, model, N_WANTED) == {f"d{i}" for i in range(N_WANTED)}
    findings = {finding["code"]: finding["level"] for finding in model["doctor"]}
    assert findings["missing_vectors"] == "fine"
    of_words = client.get(f"/models/{model['id']}/terms").json()
    assert all(term["term"].startswith("word") for term in of_words["terms_for"])
    explained = client.get(f"/models/{model['id']}/documents/d7/explanation").json()
    assert explained["terms"][0]["term"] == "(vector)"
    assert explained["is_current"]


def test_predictions_go_by_the_vector_in_each_format(
    client: TestClient, project: str, documents: list[dict[str, Any]], run_job: Callable[[], str]
) -> None:
    model = train(client, project, run_job)
    path, asked = f"/predict?model_id={model['id']}", [documents[7], documents[-1]]

    in_json = client.post(path, json={"documents": asked}).json()["predictions"]
    lines = client.post(path, content="\n".join(map(json.dumps, asked)), headers=NDJSON).text

    assert in_json[0]["score"] > in_json[1]["score"]
    assert [json.loads(line) for line in lines.splitlines()] == in_json
    page = client.get(f"/models/{model['id']}/ranking", params={"page_size": 1000}).json()
    scores = {document["id"]: document["score"] for document in page["documents"]}
    assert [one["score"] for one in in_json] == pytest.approx([scores["d7"], scores["d159"]])
    without = client.post(path, json={"texts": [documents[7]["text"]]}).json()["predictions"]
    assert without[0]["score"] < in_json[0]["score"]


def test_a_vector_to_predict_has_the_length_that_the_model_knows(
    client: TestClient, project: str, documents: list[dict[str, Any]], run_job: Callable[[], str]
) -> None:
    model = train(client, project, run_job)
    path, short = f"/predict?model_id={model['id']}", {"text": "word1", "vector": [1.0, 2.0, 3.0]}

    refused = client.post(path, json={"documents": [short, documents[7]]})
    assert refused.status_code == 422
    lines = client.post(path, content=as_lines(short, documents[7]), headers=NDJSON).text
    first, second = map(json.loads, lines.splitlines())
    assert (first["error"]["line"], first["error"]["code"]) == (1, "invalid_vector")
    assert "score" in second
    labeled = as_lines({**short, "label": "positive"}, {**documents[7], "label": "positive"})
    tested = client.post(f"/models/{model['id']}/test", content=labeled, headers=NDJSON).json()
    assert [error["line"] for error in tested["errors"]] == [1]
    assert tested["n_positive"] == 1
    for told in (refused.text, lines, tested["errors"][0]["reason"]):
        assert "has 3 numbers, and those that the model learned from have 50" in told
    without = train(client, project, run_job, vectorizer={"analyzer": "char"})
    path = f"/predict?model_id={without['id']}"
    assert client.post(path, json={"documents": [short]}).is_success


def test_a_new_vector_replaces_the_document(
    client: TestClient, project: str, documents: list[dict[str, Any]], run_job: Callable[[], str]
) -> None:
    model = train(client, project, run_job)
    changed = {**documents[7], "vector": OTHER.tolist()}

    report = client.post(f"{project}/unlabeled", json=[documents[6], changed]).json()

    assert (report["unchanged"], report["replaced"]) == (1, 1)
    client.post(f"/models/{model['id']}/ranking")
    run_job()
    wanted = {f"d{i}" for i in range(N_WANTED) if i != 7}
    assert ranked(client, model, N_WANTED - 1) == wanted
    assert ranked(client, train(client, project, run_job), N_WANTED - 1) == wanted


def test_a_vector_goes_with_its_text(
    client: TestClient, project: str, documents: list[dict[str, Any]], run_job: Callable[[], str]
) -> None:

    def sent(**fields: Any) -> tuple[dict[str, Any], int | None]:
        report = client.post(f"{project}/unlabeled", json=[{"id": "d7", **fields}]).json()
        return report, client.get(f"{project}/documents/d7").json()["vector_size"]

    report, size = sent(text=documents[7]["text"], metadata={"a": 1})
    assert (report["replaced"], report["warnings"], size) == (1, [], 50)
    report, size = sent(text=documents[7]["text"])
    assert (report["unchanged"], size) == (1, 50)
    report, size = sent(text="another text")
    assert (report["replaced"], size) == (1, None)
    model = train(client, project, run_job)
    (finding,) = [f for f in model["doctor"] if f["code"] == "missing_vectors"]
    assert (finding["level"], finding["documents"]) == ("caution", ["d7"])


def test_added_documents_are_ranked_by_their_vectors(
    client: TestClient, project: str, run_job: Callable[[], str]
) -> None:
    documents = made()
    fill(client, project, documents[:-10])
    model = train(client, project, run_job)
    new = {"id": "new", "text": "unknown", "vector": WANTED.tolist()}
    client.post(f"{project}/unlabeled", json=[*documents[-10:], new])
    client.post(f"/models/{model['id']}/ranking")
    run_job()
    assert "new" in ranked(client, model, N_WANTED + 1)


def test_labeled_documents_are_tested_with_their_vectors(
    client: TestClient, project: str, documents: list[dict[str, Any]], run_job: Callable[[], str]
) -> None:
    path = f"/models/{train(client, project, run_job)['id']}/test"
    unknown = {"text": "unknown", "vector": OTHER.tolist(), "label": "negative"}
    asked = [{"text": "unknown", "vector": WANTED.tolist(), "label": "positive"}, unknown]
    assert client.post(path, json=asked).json()["average_precision"]["value"] == 1
    odd = {**unknown, "vector": [1, 2]}
    test = client.post(path, json=[odd | {"vector": None}, *asked, unknown, odd]).json()
    assert [error["code"] for error in test["errors"]] == ["invalid_vector"]
    assert test["n_negative"] == 2
    without, again = test["warnings"]
    assert without.startswith("1 of 3 test documents has no vector")
    assert again.startswith("1 more has the text and the label of another test document.")
    # Texts of the project are known, whatever their vectors.
    known = [{"text": d["text"], "vector": d["vector"], "label": "positive"} for d in documents[:3]]
    known[0]["vector"] = OTHER.tolist()
    assert client.post(path, json=[*known, unknown]).json()["n_in_project"] == 3


def test_a_row_that_undoes_the_one_before_changes_nothing(client: TestClient, project: str) -> None:
    document = {"id": "a", "text": "a text", "vector": [1, 2, 3]}
    client.post(f"{project}/unlabeled", json=[document])
    before = client.get(project).json()
    other = {**document, "vector": [-3, 1, 2]}

    report = client.post(f"{project}/unlabeled", json=[other, document]).json()

    assert (report["replaced"], report["repeated"]) == (2, 1)
    assert client.get(project).json() == before


@pytest.mark.parametrize(
    "vectorizer",
    [{"analyzer": "char", "ngram_range": [2, 3]}, {"token_pattern": "[a-z]+[0-9]*"}],
)
def test_where_other_tokens_are_counted_vectors_are_passed_over(
    client: TestClient,
    project: str,
    documents: list[dict[str, Any]],
    run_job: Callable[[], str],
    vectorizer: dict[str, Any],
) -> None:
    model = train(client, project, run_job, vectorizer=vectorizer)
    path = f"/predict?model_id={model['id']}"
    with_vector, without = client.post(
        path, json={"documents": [documents[7], {"text": documents[7]["text"]}]}
    ).json()["predictions"]
    assert with_vector["score"] == without["score"]
    terms = client.get(f"/models/{model['id']}/terms").json()
    assert not any("vec" in one["term"] for one in terms["terms_for"])


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        ([], "A vector has 1 to 4,096 numbers; not 0."),
        ([1] * 4097, "A vector has 1 to 4,096 numbers; not 4,097."),
        ([0, 0.0], "The vector is 0 throughout: it has no direction."),
        ("0.5", "The vector is no list of finite numbers."),
        ([1, None], "The vector is no list of finite numbers."),
        ([1, 10**400], "The vector is no list of finite numbers."),
        ([1, True], "The vector is no list of finite numbers."),
        ({"a": 1}, "The vector is no list of finite numbers."),
    ],
)
def test_a_vector_without_direction_is_refused_with_its_row(
    client: TestClient, project: str, vector: Any, reason: str
) -> None:
    rows = [{"text": "good", "vector": [1, 2]}, {"text": "bad", "vector": vector}]
    report = client.post(f"{project}/positives", json=rows).json()
    assert (report["inserted"], report["rejected"]) == (1, 1)
    assert report["errors"] == [{"index": 1, "code": "invalid_vector", "reason": reason}]


def test_of_a_text_that_is_refused_the_vector_does_not_count(
    client: TestClient, project: str
) -> None:
    rows = [{"text": "", "vector": [1, 2]}, {"text": "good", "vector": [1, 2, 3]}]
    report = client.post(f"{project}/positives", json=rows).json()
    assert (report["inserted"], report["errors"][0]["code"]) == (1, "empty_text")


def test_vectors_of_an_upload_have_one_length(client: TestClient, project: str) -> None:
    rows = [{"text": f"a text {i}", "vector": [1] * n} for i, n in enumerate((3, 2, 3))]
    report = client.post(f"{project}/positives", json=rows).json()
    reason = "The vector has 2 numbers, and those before it 3."
    assert report["errors"] == [{"index": 1, "code": "invalid_vector", "reason": reason}]
    assert report["inserted"] == 2


@pytest.mark.parametrize(
    ("vector", "told"),
    [
        ([0, 0], "has no direction"),
        ([1] * 3, "those before it 2"),
    ],
)
def test_a_text_to_predict_whose_vector_is_refused_is_told_so(
    client: TestClient, model: dict[str, Any], vector: list[float], told: str
) -> None:
    documents = [{"text": "water", "vector": [1, 2]}, {"text": "water", "vector": vector}]
    path = f"/predict?model_id={model['id']}"
    good, bad = client.post(path, json={"documents": documents}).json()["predictions"]
    assert good["label"] == "positive"
    assert told in bad["error"]["reason"]


@pytest.mark.parametrize(
    ("vector", "place"),
    [
        ([], ""),
        ([1, None], "/1"),
        (["1", 2], "/0"),
        ([1, True], "/1"),
        ([1, 10**400], "/1"),
        ([1] * 4097, ""),
    ],
)
def test_what_is_no_vector_refuses_a_request_for_predictions(
    client: TestClient, model: dict[str, Any], vector: Any, place: str
) -> None:
    body = {"documents": [{"text": "water", "vector": vector}]}
    problem = client.post(f"/predict?model_id={model['id']}", json=body)
    assert problem.status_code == 422
    (error,) = problem.json()["errors"]
    assert error["pointer"] == f"/documents/0/vector{place}"
    assert "JSON body takes" not in error["detail"]


def test_another_vector_is_a_conflict_where_that_is_asked_for(
    client: TestClient, project: str
) -> None:
    path = f"{project}/unlabeled?on_conflict=error"
    document = {"id": "a", "text": "a text", "vector": [1, 2, 3]}
    assert client.post(path, json=[{**document, "vector": None}]).json()["inserted"] == 1
    assert client.post(path, json=[document]).json()["replaced"] == 1
    assert client.post(path, json=[document]).json()["unchanged"] == 1
    changed = {**document, "vector": [3, 2, -1]}
    report = client.post(path, json=[changed, {**document, "id": "b"}]).json()
    assert report["errors"][0]["reason"] == "There is a document with this id and another vector."


def test_a_number_beyond_all_is_refused(client: TestClient, project: str) -> None:
    line = '{"text": "bad", "vector": [1e999, 1]}\n{"text": "good"}'
    report = client.post(f"{project}/positives", content=line, headers=NDJSON).json()
    assert report["errors"][0]["code"] == "invalid_vector"


def test_a_vector_stays_one_where_fields_are_named(client: TestClient, project: str) -> None:
    rows = [{"title": "a text", "vector": [1, 2, 3], "source": "mail"}]
    client.post(f"{project}/positives?text_column=title", json=rows)
    (document,) = client.get(f"{project}/documents").json()["documents"]
    assert (document["vector_size"], document["metadata"]) == (3, {"source": "mail"})


def test_a_csv_with_vectors_is_told_that_they_do_not_count(
    client: TestClient, project: str
) -> None:
    content = 'id,text,vector\na,a text,"[1, 2]"\n'
    headers = {"content-type": "text/csv"}
    report = client.post(f"{project}/positives", content=content, headers=headers).json()
    told = (
        "'vector' was kept as metadata: vectors count as lists of numbers, in JSON, NDJSON and "
        "Parquet."
    )
    assert report["warnings"] == [told]


def test_what_is_no_list_stays_metadata_where_that_is_asked_for(
    client: TestClient, project: str
) -> None:
    rows = [{"text": "a text", "vector": "mosquito"}]
    client.post(f"{project}/positives?extra_fields=metadata", json=rows)
    (document,) = client.get(f"{project}/documents").json()["documents"]
    assert (document["vector_size"], document["metadata"]) == (None, {"vector": "mosquito"})


def test_an_atomic_upload_keeps_vectors(client: TestClient, project: str) -> None:
    rows = [{"id": "a", "text": "a text", "vector": [1, 2, 3]}]
    client.post(f"{project}/positives?atomic=true", json=rows)
    assert client.get(f"{project}/documents/a").json()["vector_size"] == 3
