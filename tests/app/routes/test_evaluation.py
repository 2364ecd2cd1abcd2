"""Evaluation of a model without negatives, over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.errors import UnsuitableDocuments
from tests.app.routes.test_class_prior import N_HIDDEN, N_OTHERS, N_SEEDS, pile_id

__all__ = ["pile_id"]
PRIOR = N_HIDDEN / (N_HIDDEN + N_OTHERS)


def train(client: TestClient, project_id: str, run_job: Callable[[], str], **values: Any) -> str:
    body = {"project_id": project_id, "algorithm": "prototype", **values}
    assert client.post("/train", json=body).status_code == 202
    return str(client.get(f"/jobs/{run_job()}").json()["result"]["model_id"])


def evaluate(
    client: TestClient, model_id: str, run_job: Callable[[], str], **values: Any
) -> dict[str, Any]:
    answer = client.post(f"/models/{model_id}/evaluation", json=values)
    assert answer.status_code == 202
    run_job()
    job: dict[str, Any] = client.get(answer.headers["location"]).json()
    assert (job["kind"], job["status"]) == ("evaluation", "succeeded")
    return job


@pytest.mark.parametrize("algorithm", ["prototype", "lp_pul", "seed_expansion"])
def test_figures_are_kept_with_the_model(
    client: TestClient, pile_id: str, run_job: Callable[[], str], algorithm: str
) -> None:
    model_id = train(client, pile_id, run_job, algorithm=algorithm)
    job = evaluate(client, model_id, run_job, n_splits=3)
    answer = client.get(f"/models/{model_id}/evaluation").json()
    found = answer["evaluation"]

    assert answer == {"model_id": model_id, "evaluation": found, "test": None}
    assert found == {**job["result"], "is_current": True}
    assert client.get(f"/models/{model_id}").json()["evaluation"] == found
    assert found["spread"] == {**dict.fromkeys(found["spread"]), "reason": "one_repeat"}
    assert (found["model_id"], found["job_id"]) == (model_id, job["id"])
    assert (found["n_splits"], found["n_positive"], found["n_unlabeled"]) == (3, N_SEEDS, 120)
    estimate = client.get(f"/models/{model_id}").json()["class_prior_estimate"]
    of_card = {name: estimate[name] for name in ("value", "low", "high", "reason")}
    assert found["class_prior"] == {**of_card, "source": "model"}
    assert found["auc_unlabeled"]["value"] > 0.8  # the kinds share but few words
    assert found["recall"]["value"] * N_SEEDS == pytest.approx(
        round(found["recall"]["value"] * N_SEEDS)
    )
    for name in ("recall", "auc_unlabeled", "class_prior", "precision", "f1", "accuracy", "auc"):
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]


def test_given_prior_is_taken(client: TestClient, pile_id: str, run_job: Callable[[], str]) -> None:
    model_id = train(client, pile_id, run_job, class_prior=PRIOR)
    of_training = evaluate(client, model_id, run_job)["result"]
    of_request = evaluate(client, model_id, run_job, class_prior=PRIOR / 2)["result"]

    assert of_training["class_prior"] == {
        "value": PRIOR,
        "low": PRIOR,
        "high": PRIOR,
        "reason": None,
        "source": "given",
    }
    assert of_request["class_prior"]["value"] == PRIOR / 2
    answer = client.get(f"/models/{model_id}/evaluation").json()
    assert answer["evaluation"] == {**of_request, "is_current": True}
    recall, accepted = of_request["recall"]["value"], of_request["accepted"]
    assert of_request["precision"]["value"] == pytest.approx(PRIOR / 2 * recall / accepted)
    assert of_request["lee_liu"] == pytest.approx(recall**2 / accepted)


@pytest.mark.parametrize(("given", "is_moved"), [(0, True), (0.001, True), (0.1, False)])
@pytest.mark.parametrize("of_request", [True, False])
def test_a_given_prior_that_had_to_be_moved_is_told(
    client: TestClient,
    pile_id: str,
    run_job: Callable[[], str],
    given: float,
    is_moved: bool,
    of_request: bool,
) -> None:
    asked = {"class_prior": given}
    model_id = train(client, pile_id, run_job, **({} if of_request else asked))
    found = evaluate(client, model_id, run_job, **(asked if of_request else {}))["result"]
    assert any("was moved to leave one" in each for each in found["warnings"]) == is_moved
    assert found["class_prior"]["value"] == max(given, 1 / (N_HIDDEN + N_OTHERS))


def test_prior_is_estimated_where_the_model_has_none(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job, calibrate=False)
    estimated = evaluate(client, model_id, run_job, n_splits=2)["result"]["class_prior"]

    assert estimated["source"] == "estimated"
    assert estimated["low"] <= estimated["value"] <= estimated["high"]


def test_the_cut_of_the_model_is_evaluated(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job, cut="budget:12", calibrate=False)
    found = evaluate(client, model_id, run_job, n_splits=3)["result"]

    assert found["cut"] == "budget:12"
    assert found["accepted"] == pytest.approx(12 / 120)
    assert found["bounds"]["recall"]["high"] >= found["recall"]["value"]
    assert "With the cut budget:12" in found["summary"]


def test_a_cut_that_accepts_nothing_of_what_is_left_has_no_recall(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    # All positives are found by reading, and others rank above what is left.
    others = [f"river water goal{i}" for i in range(9)]
    added = {"documents": [*others, "goal match team coach score league rain"]}
    assert client.post(f"/projects/{pile_id}/unlabeled", json=added).status_code == 200
    listed = client.get(f"/projects/{pile_id}/documents", params={"page_size": 1000}).json()
    ids = [document["id"] for document in listed["documents"]][N_SEEDS:]
    judged = [{"id": id_, "label": "positive"} for id_ in ids[:N_HIDDEN]]
    judged += [{"id": id_, "label": "negative"} for id_ in ids[-10:-1]]
    assert client.put(f"/projects/{pile_id}/labels", json=judged).status_code == 200
    model_id = train(client, pile_id, run_job, cut="prior")
    found = evaluate(client, model_id, run_job, n_splits=3, n_repeats=2, class_prior=0.1)["result"]

    nothing = {"value": None, "low": None, "high": None, "reason": "nothing_predicted"}
    for name in ("recall", "precision", "f1", "accuracy", "unbiased_risk", "proxy_accuracy"):
        assert found[name] == nothing
    assert (found["accepted"], found["lee_liu"], found["spread"]["recall"]) == (0, None, None)
    assert found["auc"]["value"] > 0.8
    assert f"none of the {N_SEEDS} positives that were hidden" in found["summary"]
    assert client.get(f"/models/{model_id}/evaluation").json()["evaluation"]["recall"] == nothing


def test_repeats_deal_the_positives_out_anew(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job, class_prior=PRIOR)
    once = evaluate(client, model_id, run_job, n_splits=2)["result"]
    found = evaluate(client, model_id, run_job, n_splits=2, n_repeats=4)["result"]

    assert (found["n_repeats"], found["spread"]["reason"]) == (4, None)
    assert found["spread"]["auc_unlabeled"] > 0
    assert found["auc_unlabeled"] != once["auc_unlabeled"]
    # Each repeat finds a whole number of the positives.
    n_found = 4 * N_SEEDS * found["recall"]["value"]
    assert n_found == pytest.approx(round(n_found))
    points = found["curve"]["points"]
    assert points[-1] == {
        "accepted": 1,
        "recall": 1,
        "false_positive_rate": 1,
        "precision": pytest.approx(PRIOR),
    }
    assert len(points) <= 100


def test_evaluation_tells_that_it_is_older_than_the_texts(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job, class_prior=PRIOR)
    evaluate(client, model_id, run_job, n_splits=2)
    client.post(f"/projects/{pile_id}/unlabeled", json={"documents": ["one more"]})

    found = client.get(f"/models/{model_id}/evaluation").json()["evaluation"]
    assert found["is_current"] is False
    assert client.get(f"/models/{model_id}").json()["evaluation"] == found
    assert client.get("/models").json()["models"][0]["evaluation"] == found


def test_terms_of_a_selection_are_kept(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    body = {"project_id": pile_id, "method": "k_best", "n_features": 8}
    client.post("/feature-selection", json=body)
    selection = client.get(f"/jobs/{run_job()}").json()["result"]["feature_selection_id"]
    model_id = train(client, pile_id, run_job, feature_selection_id=selection)

    assert evaluate(client, model_id, run_job)["result"]["recall"]["value"] > 0.5


def test_model_of_other_labels_is_not_evaluated(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job)
    document = client.get(f"/projects/{pile_id}/documents", params={"q": "goal"}).json()
    changed = [{"id": document["documents"][0]["id"], "label": "negative"}]
    assert client.post(f"/models/{model_id}/evaluation", json={}).status_code == 202
    client.put(f"/projects/{pile_id}/labels", json=changed)
    refused = client.post(f"/models/{model_id}/evaluation", json={})

    assert (refused.status_code, refused.json()["code"]) == (409, "model_outdated")
    assert "Train again" in refused.json()["detail"]
    with pytest.raises(UnsuitableDocuments, match="Train again"):
        run_job()  # the one that was queued before
    assert client.get(f"/models/{model_id}").json()["evaluation"] is None


def test_what_there_is_not_says_what_to_do(client: TestClient, model: dict[str, Any]) -> None:
    path = f"/models/{model['id']}/evaluation"
    answer = client.get(path)

    assert (answer.status_code, answer.json()["code"]) == (404, "evaluation_not_found")
    assert f"POST {path}" in answer.json()["detail"]
    assert client.get("/models/nobody/evaluation").json()["code"] == "model_not_found"
    assert client.post("/models/nobody/evaluation", json={}).json()["code"] == "model_not_found"


def test_one_positive_cannot_be_hidden(
    client: TestClient, project_id: str, run_job: Callable[[], str]
) -> None:
    for kind, texts in {"positives": ["rain water"], "unlabeled": ["a goal", "water"]}.items():
        client.post(f"/projects/{project_id}/{kind}", json={"documents": texts})
    model_id = train(client, project_id, run_job)
    answer = client.post(f"/models/{model_id}/evaluation", json={})

    assert (answer.status_code, answer.json()["code"]) == (409, "too_few_positives")
    assert "Label more" in answer.json()["detail"]


def test_a_prior_that_the_positives_contradict_gives_no_figure(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job, cut="budget:12")
    found = evaluate(client, model_id, run_job, class_prior=0.9)["result"]

    # Twelve of 120 are accepted; so are 0.9 times the recall, if the prior holds.
    assert 0.9 * found["recall"]["low"] > 0.1
    for name in ("precision", "f1", "false_positive_rate", "accuracy", "auc"):
        nothing = {"value": None, "low": None, "high": None, "reason": "class_prior_too_large"}
        assert found[name] == nothing
    assert found["curve"]["reason"] == "class_prior_too_large"
    for name in ("precision", "false_positive_rate"):
        assert {point[name] for point in found["curve"]["points"]} == {None}
    assert "100%" not in found["summary"].partition("predicted positive")[2]


def test_a_prior_of_the_training_that_the_positives_contradict_gives_no_figure(
    client: TestClient, pile_id: str, run_job: Callable[[], str]
) -> None:
    model_id = train(client, pile_id, run_job, class_prior=0.95)
    card = client.get(f"/models/{model_id}").json()
    assert card["calibration"]["reason"] == "class_prior_too_large"
    found = evaluate(client, model_id, run_job)["result"]

    nothing = {"value": None, "low": None, "high": None, "reason": "class_prior_too_large"}
    for name in ("precision", "f1", "accuracy", "unbiased_risk", "proxy_accuracy", "auc"):
        assert found[name] == nothing
    assert found["curve"]["reason"] == "class_prior_too_large"
    assert found["bounds"]["precision"]["high"] is not None
    assert found["summary"].endswith("positives allow, so the precision is unknown.")


def test_positives_that_share_no_word_with_the_pile_are_no_evaluation(
    client: TestClient, project_id: str, run_job: Callable[[], str]
) -> None:
    for kind, texts in {"positives": ["aa bb", "bb cc"], "unlabeled": ["dd ee", "ee ff"]}.items():
        client.post(f"/projects/{project_id}/{kind}", json={"documents": texts})
    model_id = train(client, project_id, run_job)
    answer = client.post(f"/models/{model_id}/evaluation", json={})

    assert (answer.status_code, answer.json()["code"]) == (409, "unsuitable_documents")
    assert "Add positives in the words" in answer.json()["detail"]


def test_two_unlabeled_documents_have_no_prior(
    client: TestClient, project_id: str, run_job: Callable[[], str]
) -> None:
    for kind, texts in {
        "positives": ["rain water", "flood water"],
        "unlabeled": ["a goal", "water again"],
    }.items():
        client.post(f"/projects/{project_id}/{kind}", json={"documents": texts})
    found = evaluate(client, train(client, project_id, run_job), run_job)["result"]

    assert found["precision"]["reason"] == "class_prior_unknown"
    assert found["curve"]["reason"] == "class_prior_unknown"
    assert {point["precision"] for point in found["curve"]["points"]} == {None}
    assert found["n_splits"] == 2
    assert found["recall"]["value"] is not None


@pytest.mark.parametrize(
    "body", [{"n_splits": 1}, {"n_repeats": 0}, {"class_prior": 1.5}, {"splits": 3}]
)
def test_what_is_not_valid_is_refused(
    client: TestClient, model: dict[str, Any], body: dict[str, Any]
) -> None:
    problem = client.post(f"/models/{model['id']}/evaluation", json=body).json()

    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == [f"/{next(iter(body))}"]
