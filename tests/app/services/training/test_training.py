import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import obstore
import pytest
from joblib import parallel_config
from sklearn.exceptions import ConvergenceWarning

from app.artifacts import Artifacts
from app.database import Database
from app.errors import (
    AppError,
    FeatureSelectionNotFound,
    InvalidParameter,
    NoPositives,
    NoUnlabeled,
    ProjectNotFound,
    StorageFull,
    StoreUnavailable,
    TooFewPositives,
)
from app.job_kinds import JobStatus
from app.orm import Label, Model
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.services import projects
from app.services.documents.judgements import set_labels
from app.services.feature_selection import selection_card
from app.services.prediction.prediction import Predictor
from app.services.ranking import ranking
from app.services.stored_files import load_arrays, load_model
from app.services.training import fitting, racing, training
from app.settings import Settings
from core import AutoTextClassifier
from core.auto import likeness
from core.doctor.flag_words import FLAG_WORDS
from core.persistence import to_state
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS
from tests.app.services.corpora import (
    FLOODS,
    SPORTS,
    InterruptedArtifacts,
    Log,
    add_documents,
    add_project,
    claim,
    complete,
    delete_project,
    queue,
    selected,
    stored_keys,
)

STAGES = ["vectorise", "weight", "fit", "hide", "calibrate", "rank", "examine", "save"]


def train(database: Database, artifacts: Artifacts, project_id: str, **asked: Any) -> Model:
    asked = {"algorithm": "prototype", "project_id": project_id, **asked}
    result = complete(training.request, training.run, database, artifacts, **asked)
    with database.reading() as session:
        return ModelRepository(session).get(result["model_id"])


def log_of(database: Database, artifacts: Artifacts, project_id: str, **asked: Any) -> Log:
    """Train, and return what was told meanwhile."""
    with database.writing.begin() as session:
        queue(session, training.request, project_id=project_id, **asked)
    log = Log()
    training.run(claim(database, artifacts, log))
    return log


def ask(database: Database, project_id: str, **asked: Any) -> dict[str, Any]:
    """Return what a job is told to do."""
    with database.writing.begin() as session:
        return queue(session, training.request, project_id=project_id, **asked).spec


def ranked_ids(database: Database, artifacts: Artifacts, model: Model) -> list[str]:
    return [row.id for row in ranking.rows(database, artifacts, model)]


def test_a_training_finds_the_hidden_positives(
    any_database: Database, artifacts: Artifacts
) -> None:
    model = train(any_database, artifacts, add_project(any_database))
    # d0 ... d5 are floods, of which d3 ... d5 are not labeled.
    assert set(ranked_ids(any_database, artifacts, model)[:6]) == {f"d{i}" for i in range(6)}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_trains_and_ranks_as_it_does_alone(
    database: Database, artifacts: Artifacts, algorithm: str
) -> None:
    # Four positives: fewer are refused by methods that split them.
    piles = {"positive": FLOODS[:4], "unlabeled": FLOODS[4:] + SPORTS, "negative": []}
    project_id = add_project(database, language="", **piles)
    model = train(database, artifacts, project_id, algorithm=algorithm)
    assert json.loads(json.dumps(model.card)) == model.card

    alone = make_text_classifier(algorithm, random_state=0)
    texts, y = FLOODS + SPORTS, np.arange(14) < 4
    alone.fit(texts, y)
    classifier = alone["classifier"]
    scores = classifier.training_scores(alone[:-1].transform(texts))
    rows = list(ranking.rows(database, artifacts, model))
    assert [row.id for row in rows] == [f"d{i}" for i in np.argsort(-scores, kind="stable")]
    np.testing.assert_allclose([row.score for row in rows], np.sort(scores)[::-1], rtol=1e-6)


def test_the_card_tells_what_was_done(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database, vectorizer={"min_df": 2})
    model = train(database, artifacts, project_id, params={"quantile": 0.1}, random_state=7)
    card = model.card
    assert card["params"]["quantile"] == 0.1
    assert card["params"]["threshold"] == "auto"
    assert not card["params"].keys() & {"pos_label", "random_state"}
    assert card["vectorizer"]["min_df"] == 2
    assert card["vectorizer"]["stop_words"] == "english"
    assert card["random_state"] == 7
    counts = {
        name: card[f"n_{name}"] for name in ("documents", "positive", "negative", "unlabeled")
    }
    assert counts == {"documents": 14, "positive": 3, "negative": 1, "unlabeled": 10}
    rows = list(ranking.rows(database, artifacts, model))
    assert card["n_predicted_positive"] == sum(row.predicted for row in rows)
    assert set(card["seconds"]) == set(STAGES)
    assert card["matrix"] == {"cached": False}
    assert "scikit-learn" in card["versions"]


def test_seed_and_class_prior_count_wherever_they_are_given(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database)
    ways: list[dict[str, Any]] = [
        {"random_state": 5, "class_prior": 0.25},
        {"params": {"random_state": 5, "class_prior": 0.25}},
    ]
    first, second = (
        train(database, artifacts, project_id, algorithm="bagging_pu", cut="prior", **way)
        for way in ways
    )
    assert (second.card["random_state"], second.card["class_prior"]) == (5, 0.25)
    parts = ("params", "class_prior_estimate", "cuts", "offset", "doctor")
    assert [first.card[part] for part in parts] == [second.card[part] for part in parts]
    other = train(database, artifacts, project_id, algorithm="bagging_pu", class_prior=0.25)
    assert other.card["offset"] != first.card["offset"]


def test_the_second_training_reads_the_matrix_and_has_the_same_digests(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database)
    first = train(database, artifacts, project_id)
    second = train(database, artifacts, project_id, algorithm="lgn")
    assert second.card["matrix"] == {"cached": True}
    for digest in ("texts_digest", "labels_digest"):
        assert first.card[digest] == second.card[digest]


def test_other_labels_change_their_digest_alone(database: Database, artifacts: Artifacts) -> None:
    first = train(database, artifacts, add_project(database))
    moved = add_project(database, unlabeled=FLOODS[3:] + SPORTS, negative=[])
    second = train(database, artifacts, moved)
    assert first.card["texts_digest"] == second.card["texts_digest"]
    assert first.card["labels_digest"] != second.card["labels_digest"]


def test_the_log_has_every_stage_and_progress_never_falls(
    database: Database, artifacts: Artifacts
) -> None:
    log = log_of(database, artifacts, add_project(database), algorithm="lgn")
    assert [stage for stage, _ in log.events] == STAGES
    assert log.fractions == sorted(log.fractions)
    assert log.fractions[-1] == 1
    data = log.events[0][1]
    assert data is not None
    assert data["matrix"] == "tokenised"
    assert data["n_documents"] == 14


def test_the_log_of_auto_has_the_stages_of_the_race_too(
    database: Database, artifacts: Artifacts
) -> None:
    log = log_of(database, artifacts, add_project(database), algorithm="auto")
    assert [stage for stage, _ in log.events] == [STAGES[0], "alike", "race", *STAGES[1:]]
    assert log.fractions[-1] == 1


def test_in_a_review_hiding_judgements_is_most_of_the_progress(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=FLOODS[:2], unlabeled=[*FLOODS[2:], *SPORTS])
    judged = [(f"d{i}", Label.POSITIVE) for i in range(2, 5)] + [("d7", Label.NEGATIVE)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)
    log = log_of(database, artifacts, project_id, algorithm="auto")
    ends = dict(zip(log.stages, log.fractions, strict=True))
    assert ends["hide"] - ends["fit"] == max(np.diff(list(ends.values())))
    assert log.fractions == sorted(log.fractions)
    assert log.fractions[-1] == 1


def test_of_seed_expansion_hiding_positives_is_most_of_the_progress(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=FLOODS[:5])
    log = log_of(database, artifacts, project_id, algorithm="seed_expansion")
    ends = dict(zip(log.stages, log.fractions, strict=True))
    assert [*ends] == STAGES
    assert ends["hide"] - ends["fit"] == max(np.diff(list(ends.values())))
    assert log.fractions == sorted(log.fractions)


def test_equal_scores_stay_in_the_order_of_the_documents(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, unlabeled=["cats", "dogs", "birds"], negative=[])
    model = train(database, artifacts, project_id)
    assert ranked_ids(database, artifacts, model)[3:] == ["d3", "d4", "d5"]


def test_the_first_model_is_the_champion(any_database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(any_database)
    assert train(any_database, artifacts, project_id).is_champion
    assert not train(any_database, artifacts, project_id).is_champion


def test_trainings_that_end_together_make_one_champion(
    any_database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(any_database)
    with any_database.writing.begin() as session:
        for _ in range(4):
            queue(session, training.request, project_id=project_id, algorithm="prototype")
    runs = [claim(any_database, artifacts) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(training.run, runs))
    with any_database.reading() as session:
        models = ModelRepository(session).page(project_id=project_id, limit=10)
    assert sorted(model.is_champion for model in models) == [False, False, False, True]
    assert len({key for key in stored_keys(artifacts) if key.startswith("matrices/")}) == 1


def test_an_attempt_that_lost_the_job_publishes_nothing(
    any_database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(any_database)
    with any_database.writing.begin() as session:
        job_id = queue(session, training.request, project_id=project_id, algorithm="lgn").id
    lost = claim(any_database, artifacts)
    with any_database.writing.begin() as session:
        JobRepository(session).hand_back(lost.job_id, lost.run_token)
    training.run(lost)
    assert not {key for key in stored_keys(artifacts) if not key.startswith("matrices/")}
    training.run(claim(any_database, artifacts))
    with any_database.reading() as session:
        assert len(ModelRepository(session).page(limit=10)) == 1
        assert JobRepository(session).get(job_id).status == JobStatus.SUCCEEDED


def test_a_project_deleted_meanwhile_leaves_no_file(
    any_database: Database, settings: Settings
) -> None:
    project_id = add_project(any_database)
    with any_database.writing.begin() as session:
        queue(session, training.request, project_id=project_id, algorithm="lgn")
    interrupted = InterruptedArtifacts(
        settings, "rankings/", lambda: delete_project(any_database, project_id)
    )
    training.run(claim(any_database, interrupted))
    assert not {key for key in stored_keys(interrupted) if not key.startswith("matrices/")}


def test_the_result_of_the_job_has_the_warnings_of_the_model(
    database: Database, artifacts: Artifacts
) -> None:
    asked = {"algorithm": "prototype", "project_id": add_project(database), "class_prior": 0.2}
    result = complete(training.request, training.run, database, artifacts, **asked)
    with database.reading() as session:
        card = ModelRepository(session).get(result["model_id"]).card
    assert result["warnings"] == card["warnings"]
    assert len(card["warnings"]) > 0


def test_without_a_name_algorithms_race_and_the_card_shows_all(
    database: Database, artifacts: Artifacts
) -> None:
    card = train(database, artifacts, add_project(database), algorithm="auto").card
    assert card["algorithm"] == "seed_expansion"
    assert card["choice"].startswith("seed_expansion was chosen for 14 documents: it mostly")
    assert [e["algorithm"] for e in card["race"] if e["is_winner"]] == ["seed_expansion"]
    assert sum(entry["is_baseline"] for entry in card["race"]) == 3
    assert all(0 < entry["place"] < 1 for entry in card["race"])
    assert card["params"]["n_neighbors"] == 10


def test_the_same_race_gives_the_same_model(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database)
    first = train(database, artifacts, project_id, algorithm="auto")
    # The model is then trained during the race.
    with parallel_config("threading", n_jobs=2):
        second = train(database, artifacts, project_id, algorithm="auto")
    assert first.ranking_file["sha256"] == second.ranking_file["sha256"]
    states = [joblib.hash(to_state(load_model(artifacts, m.file))) for m in (first, second)]
    assert states[0] == states[1]


def test_an_algorithm_that_is_lost_does_not_fail_the_job(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise FloatingPointError("lost")

    monkeypatch.setattr(ALGORITHMS["weighted_logistic_regression"], "_fit", fail)
    card = train(database, artifacts, add_project(database), algorithm="auto").card
    reasons = {entry["algorithm"]: entry["reason"] for entry in card["race"]}
    assert reasons["weighted_logistic_regression"] == "FloatingPointError: lost"
    assert card["algorithm"] == "seed_expansion"


@pytest.mark.parametrize("asked", [{"algorithm": "auto"}, {"algorithm": "knn_density"}])
def test_a_stage_is_done_when_all_its_steps_are(
    database: Database, artifacts: Artifacts, asked: dict[str, Any]
) -> None:
    log = log_of(database, artifacts, add_project(database, positive=FLOODS[:5]), **asked)
    assert log.fractions == sorted(log.fractions)
    shares: dict[str, list[float]] = {}
    for stage, pace in zip(log.stages, log.paces, strict=True):
        if pace is not None:
            shares.setdefault(stage, []).append(pace.stage_progress)
    for stage in ("calibrate", "examine"):
        told = shares[stage]
        assert told == sorted(told)
        assert len(set(told)) > 2
        assert told[-1] == 1


def test_where_all_algorithms_are_broken_so_is_the_job(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    for algorithm in ALGORITHMS.values():
        monkeypatch.setattr(algorithm, "fit", fail)
    with pytest.raises(RuntimeError, match="broken"):
        train(database, artifacts, add_project(database), algorithm="auto")


def test_a_time_budget_of_nothing_still_trains_something_fast_and_tells_of_it(
    database: Database, artifacts: Artifacts
) -> None:
    asked = {"algorithm": "auto", "time_budget": 1e-9}
    card = train(database, artifacts, add_project(database), **asked).card
    assert card["algorithm"] == "prototype"
    assert any("longer than the time budget" in warning for warning in card["warnings"])
    assert {e["reason"] for e in card["race"][1:]} == {racing.REASONS["time_budget"]}


def test_one_positive_is_trained_on_and_nothing_is_made_up(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=FLOODS[:1])
    model = train(database, artifacts, project_id, algorithm="auto")
    card = model.card
    assert {entry["place"] for entry in card["race"]} == {None}
    assert card["choice"].endswith("Nothing was compared. Too few positives to hide some of them.")
    assert card["class_prior_estimate"]["value"] is None
    assert card["class_prior_estimate"]["reason"] == "too_few_positives"
    assert card["calibration"]["reason"] == "too_few_positives"
    assert card["cut"] == {"rule": "own", "asked": "f1"}
    assert card["cuts"]["own"]["precision"] is None
    assert {row.probability for row in ranking.rows(database, artifacts, model)} == {None}


@pytest.mark.parametrize("algorithm", ["auto", "prototype"])
def test_positives_that_are_near_copies_are_one_that_nothing_is_made_up_of(
    database: Database, artifacts: Artifacts, algorithm: str
) -> None:
    random = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in random.choice(300, 12, replace=False)) for _ in range(150)]
    copies = [f"{texts[0]} link{i}" for i in range(8)]
    project_id = add_project(database, positive=copies, unlabeled=texts[1:], negative=[])
    card = train(database, artifacts, project_id, algorithm=algorithm).card
    assert card["class_prior_estimate"]["reason"] == "too_few_positives"
    assert card["calibration"]["reason"] == "too_few_positives"


def test_judged_negatives_are_learned_from_once_there_are_enough(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, negative=[f"{text} today" for text in SPORTS[:5]] * 2)
    card = train(database, artifacts, project_id, algorithm="auto").card
    assert card["algorithm"] == "judged_svm"
    assert card["vectorizer"]["ngram_range"] == [1, 2]


def test_of_a_review_the_judgements_tell_probabilities_and_the_cut(
    database: Database, artifacts: Artifacts
) -> None:
    sports = [f"{text} today" for text in SPORTS] + SPORTS
    project_id = add_project(
        database, positive=FLOODS[:2], unlabeled=[*FLOODS[2:], *sports], negative=[]
    )
    judged = [(f"d{i}", Label.POSITIVE) for i in range(2, 5)]
    judged += [(f"d{i}", Label.NEGATIVE) for i in range(6, 16)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)

    model = train(database, artifacts, project_id, algorithm="auto")

    card = model.card
    assert (card["algorithm"], card["cut"]) == ("judged_svm", {"rule": "prior", "asked": "f1"})
    assert card["calibration"]["reason"] is None
    assert card["calibration"]["assumption"].startswith("This assumes that documents nobody judged")
    # Two seeds, of which each may be left out.
    assert card["expected_positives"]["n_pile"] == len(FLOODS) - 2 + len(sports)
    prior = card["class_prior_estimate"]
    assert 0 < prior["low"] <= prior["value"] <= prior["high"] < 1
    assert card["cuts"]["prior"]["precision"]["value"] > 0.5
    assert card["cuts"]["f1"]["reason"] == "found_by_reading"
    shares = load_arrays(artifacts, model.ranking_file)["probabilities"]
    assert np.all(np.diff(shares) <= 0)
    new = [FLOODS[5], "the coach saw a late goal"]
    found = Predictor(artifacts, 2**30).predict(model, new)
    assert [p.label for p in found] == [Label.POSITIVE, Label.NEGATIVE]
    assert found[0].probability > 0.5 > found[1].probability


def test_after_a_round_of_review_the_cut_is_by_what_seeds_and_findings_tell(
    database: Database, artifacts: Artifacts
) -> None:
    floods = [f"{text} {word}" for text in FLOODS for word in ("today", "again", "here")]
    sports = [f"{text} {word}" for text in SPORTS for word in ("today", "again", "here")]
    pile = [*FLOODS[2:], *floods, *sports]
    project_id = add_project(database, positive=FLOODS[:2], unlabeled=pile, negative=[])
    judged = [(f"d{i}", Label.POSITIVE) for i in range(2, 6)] + [("d30", Label.NEGATIVE)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)

    card = train(database, artifacts, project_id, algorithm="auto").card

    assert card["algorithm"] == "seed_expansion"
    assert card["cut"] == {"rule": "prior", "asked": "f1"}
    assert card["calibration"]["reason"] is None
    assert len(floods) / 3 <= card["cuts"]["prior"]["n_accepted"] <= len(floods)
    findings = {finding["code"]: finding["message"] for finding in card["doctor"]}
    assert "judged positive" in findings["random_labeling"]
    assert "found by reading" in findings["no_better_than_chance"]


def test_what_seeds_told_before_a_review_is_held_to(
    database: Database, artifacts: Artifacts
) -> None:
    floods = [f"{text} {word}" for text in FLOODS for word in ("today", "again", "here")]
    pile = [*FLOODS[4:], *floods, *(f"{text} today" for text in SPORTS), *SPORTS]
    project_id = add_project(database, positive=FLOODS[:4], unlabeled=pile, negative=[])
    expected = [train(database, artifacts, project_id).card["expected_positives"]]
    assert (expected[0]["n_seeds"], expected[0]["n_pile"]) == (4, len(pile))
    assert len(expected[0]["ranks"]) == 4

    judged = [(f"d{i}", Label.POSITIVE) for i in range(4, 10)] + [("d30", Label.NEGATIVE)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)
    reviewed = train(database, artifacts, project_id, algorithm="prototype")
    assert reviewed.card["expected_positives"] == expected[0]

    # One more seed: what the others told is no estimate of theirs.
    add_documents(database, project_id, [("a river in flood", Label.POSITIVE)], first=900)
    expected.append(train(database, artifacts, project_id).card["expected_positives"])
    assert (expected[1]["n_seeds"], expected[1]["n_pile"]) == (5, len(pile))
    assert expected[1] != expected[0]


@pytest.mark.parametrize(("judged", "tells"), [("bank of", True), ("goal", False)])
def test_a_top_without_positives_tells_that_there_are_few(
    database: Database, artifacts: Artifacts, judged: str, *, tells: bool
) -> None:
    # What resembles the floods is on banks, and at the top; nobody would find goals there.
    banks = [f"the bank of the river was {word}" for word in ["green", "steep", "sandy", "dry"]]
    sports = [f"{text} {word}" for text in SPORTS for word in ("one", "two", "three", "four")]
    pile = [*FLOODS[4:6], *banks, *sports]
    project_id = add_project(database, positive=FLOODS[:4], unlabeled=pile, negative=[])
    first = train(database, artifacts, project_id).card
    read = [(f"d{i}", text) for i, text in enumerate([*FLOODS[:4], *pile]) if judged in text]
    with database.writing.begin() as session:
        set_labels(session, project_id, [(name, Label.NEGATIVE) for name, _ in read[:4]])

    card = train(database, artifacts, project_id).card

    assert (card["expected_positives"] == first["expected_positives"]) == tells
    if tells:
        values = [each["class_prior_estimate"]["value"] for each in (card, first)]
        assert values[0] < values[1]


def test_one_seed_and_one_found_are_trained_on(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(
        database, positive=FLOODS[:1], unlabeled=[*FLOODS[1:], *SPORTS], negative=[]
    )
    with database.writing.begin() as session:
        set_labels(session, project_id, [("d1", Label.POSITIVE), ("d7", Label.NEGATIVE)])
    card = train(database, artifacts, project_id).card
    assert card["expected_positives"] is None


def test_what_was_found_without_seeds_tells_nothing_of_the_pile(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=[], unlabeled=[*FLOODS, *SPORTS], negative=[])
    read = [("d9", Label.UNSURE), *((f"d{i}", Label.POSITIVE) for i in range(5))]
    with database.writing.begin() as session:
        set_labels(session, project_id, read)
    card = train(database, artifacts, project_id).card
    assert card["class_prior_estimate"]["value"] is not None
    assert card["expected_positives"] is None


@pytest.mark.parametrize("n_negative", [1, 4])
def test_seeds_that_are_all_the_same_tell_nothing_of_a_review(
    database: Database, artifacts: Artifacts, n_negative: int
) -> None:
    pile = [*FLOODS[1:], *SPORTS]
    project_id = add_project(database, positive=FLOODS[:1] * 2, unlabeled=pile, negative=[])
    judged = [(f"d{i}", Label.POSITIVE) for i in range(2, 5)]
    judged += [(f"d{7 + i}", Label.NEGATIVE) for i in range(n_negative)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)
    card = train(database, artifacts, project_id).card
    assert card["expected_positives"] is None
    assert card["class_prior_estimate"]["value"] is not None


def test_what_is_asked_of_the_vectorizer_goes_before_what_a_review_takes(
    database: Database,
) -> None:
    project_id = add_project(database, negative=SPORTS[:5] * 2)
    asked = {"algorithm": "auto", "vectorizer": {"ngram_range": [1, 1]}}
    assert ask(database, project_id, **asked)["vectorizer"]["ngram_range"] == [1, 1]
    asked["vectorizer"] = {"max_df": 1}
    max_df = ask(database, project_id, **asked)["vectorizer"]["max_df"]
    assert (max_df, type(max_df)) == (1.0, float)


def test_words_that_a_project_leaves_out_count_for_none_of_its_models(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database)
    with_it = train(database, artifacts, project_id)
    with database.writing.begin() as session:
        projects.change(session, project_id, vectorizer={"extra_stop_words": ["Water!"]})
    without = train(database, artifacts, project_id)
    predictor = Predictor(artifacts, 2**30)
    empty, water = (
        [predictor.predict(model, [text])[0].score for model in (with_it, without)]
        for text in ("", "water water")
    )
    assert water[0] > empty[0]
    assert water[1] == empty[1]


@pytest.mark.parametrize("algorithm", ["prototype", "lp_pul", "lgn"])
def test_probabilities_are_those_of_new_documents_and_add_up(
    database: Database, artifacts: Artifacts, algorithm: str
) -> None:
    project_id = add_project(database)
    model = train(database, artifacts, project_id, algorithm=algorithm)
    rows = list(ranking.rows(database, artifacts, model))
    told = [row.probability for row in rows if row.label == Label.UNLABELED]
    prior = model.card["class_prior_estimate"]
    expected, n_unlabeled = model.card["expected_positives"], model.card["n_unlabeled"]
    assert [expected[end] / n_unlabeled for end in ("value", "low", "high")] == pytest.approx(
        [prior[end] for end in ("value", "low", "high")]
    )
    # The mean over what the class prior may be is near its best guess.
    assert np.mean(told) == pytest.approx(prior["value"], rel=0.1)
    assert prior["low"] <= prior["value"] <= prior["high"]
    assert [row.probability for row in rows] == sorted(
        [row.probability for row in rows], reverse=True
    )
    predicted = Predictor(artifacts, 2**30).predict(model, [row.text for row in rows])
    if not predicted[0].approximate:
        assert [p.probability for p in predicted] == pytest.approx([r.probability for r in rows])


@pytest.mark.parametrize(
    ("cut", "n_accepted"), [("budget:3", 3), ("budget:10", 10), ("prior", None), ("mixture", None)]
)
def test_the_cut_is_the_one_asked_for(
    database: Database, artifacts: Artifacts, cut: str, n_accepted: int | None
) -> None:
    model = train(database, artifacts, add_project(database), cut=cut)
    assert model.card["cut"] == {"rule": cut, "asked": cut}
    unlabeled = ranking.rows(database, artifacts, model, ranking.Part(Label.UNLABELED))
    accepted = sum(row.predicted for row in unlabeled)
    assert accepted == model.card["cuts"][cut]["n_accepted"]
    assert n_accepted in (None, accepted)


@pytest.mark.parametrize("options", [{}, {"cut": "prior", "class_prior": 0.2}], ids=str)
def test_the_library_does_the_same(
    database: Database,
    artifacts: Artifacts,
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranked, rank = [], likeness.Likeness.left_out_ranks
    monkeypatch.setattr(
        likeness.Likeness,
        "left_out_ranks",
        lambda *masks, **rest: ranked.append(1) or rank(*masks, **rest),
    )
    draw = random.Random(0)
    floods, sports = (
        [" ".join(draw.choices(" ".join(part).split(), k=8)) for _ in range(n)]
        for part, n in ((FLOODS, 40), (SPORTS, 120))
    )
    parts = [floods[:10], [*floods[10:], *sports[1:], "!"], sports[:1]]
    project_id = add_project(
        database, **dict(zip(("positive", "unlabeled", "negative"), parts, strict=True))
    )
    model = train(database, artifacts, project_id, algorithm="auto", **options)
    ranking = load_arrays(artifacts, model.ranking_file)

    texts = [text for part in parts for text in part]
    places = np.arange(len(texts))
    library = AutoTextClassifier(**options)
    library.fit(texts, places < len(parts[0]), is_negative=places == len(texts) - 1)

    assert [entry.place for entry in library.entries_] == [e["place"] for e in model.card["race"]]
    assert library.pipeline_["classifier"].offset_ == model.card["offset"]
    assert library.calibrated_.class_prior.value == model.card["class_prior_estimate"]["value"]
    told = [(finding.code, finding.level) for finding in library.findings_]
    assert told == [(finding["code"], finding["level"]) for finding in model.card["doctor"]]
    by_number = np.argsort(ranking["numbers"])
    assert library.training_scores_.tolist() == ranking["scores"][by_number].tolist()
    # Both estimate no class prior that is given.
    assert len(ranked) == (0 if "class_prior" in options else 2)


def test_documents_may_come_in_any_order(database: Database, artifacts: Artifacts) -> None:
    draw = random.Random(0)
    floods, sports = (
        [" ".join(draw.choices(" ".join(part).split(), k=8)) for _ in range(n)]
        for part, n in ((FLOODS, 40), (SPORTS, 120))
    )
    positive, unlabeled, found = floods[:10], floods[10:] + sports, []
    for _ in range(2):
        project_id = add_project(database, positive=positive, unlabeled=unlabeled, negative=[])
        model = train(database, artifacts, project_id, algorithm="auto")
        rows = ranking.rows(database, artifacts, model)
        found.append((model.card, {row.text: row.score for row in rows}))
        draw.shuffle(positive)
        draw.shuffle(unlabeled)
    (card, scores), (other_card, other_scores) = found
    # Sums in another order differ by rounding, and what is iterated until it settles by a bit more.
    assert other_scores == pytest.approx(scores, abs=1e-4)
    assert other_card["offset"] == pytest.approx(card["offset"], abs=1e-4)
    assert other_card["n_predicted_positive"] == card["n_predicted_positive"]
    priors = [told["class_prior_estimate"]["value"] for told in (card, other_card)]
    assert priors[0] == pytest.approx(priors[1], rel=1e-4)


def test_where_all_is_judged_auto_learns_from_the_judgements_as_the_library_does(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=FLOODS, unlabeled=[], negative=SPORTS)
    model = train(database, artifacts, project_id, algorithm="auto")
    assert (model.algorithm, model.card["cut"]["rule"]) == ("judged_svm", "own")
    told = "judged_svm was chosen for 14 documents: all other documents are judged"
    assert model.card["choice"].startswith(told)
    assert model.card["calibration"]["reason"] == "no_unlabeled"

    is_positive = np.arange(14) < len(FLOODS)
    library = AutoTextClassifier()
    library.fit(FLOODS + SPORTS, is_positive, is_negative=~is_positive)
    assert [entry.reason for entry in library.entries_] == ["no_unlabeled"]
    assert library.pipeline_["classifier"].offset_ == model.card["offset"]


def test_positives_alone_are_nothing_to_choose_an_algorithm_by(database: Database) -> None:
    project_id = add_project(database, unlabeled=[], negative=[])
    with pytest.raises(NoUnlabeled):
        ask(database, project_id, algorithm="auto")


def test_a_budget_that_equal_scores_overrun_is_told(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, unlabeled=[FLOODS[3]] * 4 + SPORTS[:-1])
    for budget, n_warnings in ((2, 1), (4, 0)):
        model = train(database, artifacts, project_id, cut=f"budget:{budget}")
        assert model.card["cuts"][f"budget:{budget}"]["n_accepted"] == 4
        told = [warning for warning in model.card["warnings"] if "the budget of" in warning]
        assert len(told) == n_warnings
    assert not told


def test_judged_negatives_above_the_cut_are_counted_apart(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, negative=[FLOODS[0], SPORTS[-1]])
    card = train(database, artifacts, project_id, cut="budget:3").card
    assert card["n_predicted_positive"] == card["n_positive"] + 3
    assert card["n_negative_accepted"] == 1


def test_calibration_can_be_left_out(database: Database, artifacts: Artifacts) -> None:
    card = train(database, artifacts, add_project(database), calibrate=False).card
    assert card["calibration"]["reason"] == "not_asked"
    assert card["cuts"]["prior"] == {
        **dict.fromkeys(card["cuts"]["prior"]),
        "reason": "not_asked",
    }


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"cut": "budget:11"}, "/cut"),
        ({"cut": "prior", "calibrate": False}, "/cut"),
        ({"cut": "f1", "calibrate": False}, "/cut"),
        ({"cut": "lee_liu", "calibrate": False}, "/cut"),
        ({"algorithm": "auto", "params": {"alpha": 1}}, "/params"),
        ({"algorithm": "auto", "calibrate": False}, "/calibrate"),
    ],
)
def test_contradictions_are_refused_with_the_place(
    database: Database, asked: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        ask(database, add_project(database), **{"algorithm": "prototype", **asked})
    assert refusal.value.errors[0]["pointer"] == pointer


@pytest.mark.parametrize(
    ("asked", "cut"),
    [
        ({}, "f1"),
        ({"algorithm": "auto"}, "f1"),
        ({"params": {"quantile": 0.1}}, "own"),
        ({"algorithm": "upu", "params": {"cut": "zero"}}, "own"),
        ({"calibrate": False}, "own"),
        ({"cut": "own"}, "own"),
    ],
)
def test_the_usual_cut_is_that_of_the_largest_f1_unless_the_own_is_set(
    database: Database, asked: dict[str, Any], cut: str
) -> None:
    assert ask(database, add_project(database), **{"algorithm": "prototype", **asked})["cut"] == cut


def test_one_class_prior_may_stand_in_both_places(database: Database) -> None:
    asked = {"algorithm": "elkan_noto", "class_prior": 0.2, "params": {"class_prior": 0.2}}
    assert ask(database, add_project(database), **asked)["class_prior"] == 0.2


@pytest.mark.parametrize(
    ("algorithm", "params"),
    [
        ("elkan_noto", {"variant": "case_control"}),
        ("weighted_logistic_regression", {"cut": "prior"}),
    ],
)
def test_a_parameter_that_needs_the_class_prior_gets_that_of_the_training(
    database: Database, artifacts: Artifacts, algorithm: str, params: dict[str, Any]
) -> None:
    asked = {"algorithm": algorithm, "params": params, "class_prior": 0.4}
    model = train(database, artifacts, add_project(database), **asked)
    assert model.card["params"]["class_prior"] == 0.4


def test_a_class_prior_nobody_uses_is_a_warning(database: Database, artifacts: Artifacts) -> None:
    def is_warned_of(**asked: Any) -> bool:
        model = train(database, artifacts, add_project(database), class_prior=0.2, **asked)
        assert model.card["class_prior"] == 0.2
        return any("does not use the class prior" in told for told in model.card["warnings"])

    assert is_warned_of(calibrate=False)
    assert not is_warned_of()


def test_a_class_prior_below_one_document_is_warned_of_once(
    database: Database, artifacts: Artifacts
) -> None:
    asked = {"algorithm": "dist_pu", "class_prior": 0.001}
    card = train(database, artifacts, add_project(database), **asked).card
    assert "prior_clamped" in card["report"]["flags"]
    (told,) = (one for one in card["warnings"] if "moved to leave one" in one)
    assert told.startswith("The class prior that you gave leaves less than one positive")
    assert "prior_clamped" not in {finding["code"] for finding in card["doctor"]}


@pytest.mark.parametrize("algorithm", ["lp_pul", "prototype"])
def test_a_seed_that_shares_no_word_with_the_pile_is_a_warning(
    database: Database, artifacts: Artifacts, algorithm: str
) -> None:
    project_id = add_project(database, positive=["violet clouds"])
    model = train(database, artifacts, project_id, algorithm=algorithm)
    warning = model.card["warnings"][0]
    assert warning.startswith("No unlabeled document has a word in common with the positives")


def test_what_did_not_converge_is_a_warning(database: Database, artifacts: Artifacts) -> None:
    asked = {"algorithm": "naive_logistic_regression", "params": {"tol": 1e-300}}
    with pytest.warns(ConvergenceWarning):
        model = train(database, artifacts, add_project(database), **asked)
    assert "not_converged" in model.card["report"]["flags"]
    assert FLAG_WORDS["not_converged"] in model.card["warnings"]


@pytest.mark.parametrize("class_prior", [None, 0.4])
def test_where_no_score_differs_nothing_is_made_up(
    database: Database, artifacts: Artifacts, class_prior: float | None
) -> None:
    positive = ["堤防が決壊して町が水に浸かった", "大雨で地下室が浸水した"]
    unlabeled = ["選手が二点を決めた", "豪雨で道路が冠水した", "決算のあと株価が下がった", "。"]
    project_id = add_project(database, positive=positive, unlabeled=unlabeled, negative=[])
    asked = {"algorithm": "seed_expansion", "class_prior": class_prior}
    model = train(database, artifacts, project_id, **asked, vectorizer={"cjk": None})
    assert "set the vectorizer's cjk to bigrams" in model.card["warnings"][0]
    assert model.card["class_prior_estimate"]["value"] == class_prior
    assert model.card["calibration"]["reason"] == "nothing_shared"
    assert model.card["cuts"]["own"]["precision"] is None
    assert {row.probability for row in ranking.rows(database, artifacts, model)} == {None}

    split = train(database, artifacts, project_id, **asked)
    assert split.card["calibration"]["reason"] is None


def test_every_flag_of_the_core_has_its_sentence() -> None:
    core = Path(training.__file__).parents[3] / "core"
    sources = set(core.rglob("*.py"))
    of_selectors = set((core / "feature_selection").glob("*.py"))
    flags = {f for path in sources - of_selectors for f in flags_of(path)}
    assert flags >= {"unreliable"}
    assert flags <= set(FLAG_WORDS)
    flags = {f for path in of_selectors for f in flags_of(path)}
    assert flags >= {"constant_features_selected"}
    assert flags <= set(selection_card.WARNINGS)


def flags_of(path: Path) -> list[str]:
    return re.findall(r'add_flag\("(\w+)"', path.read_text())


def test_a_selection_restricts_the_terms(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_id = add_project(database)
    fit, shares_counts = fitting.fit, []

    def watched(*arguments: Any) -> Any:
        pipeline, X = fit(*arguments)
        shares_counts.append(np.shares_memory(X.indices, arguments[3].counts.indices))
        return pipeline, X

    monkeypatch.setattr(fitting, "fit", watched)
    selection = selected(database, artifacts, project_id, n_features=4)
    model = train(database, artifacts, project_id, **selection)
    assert model.card["n_terms"] == 4
    assert model.card["matrix"] == {"cached": True}
    # Terms are found again by their names after the texts changed.
    add_documents(database, project_id, [("an aardvark", Label.UNLABELED)], first=100)
    assert train(database, artifacts, project_id, **selection).card["n_terms"] == 4
    # What was selected is copied once.
    assert shares_counts == [True, True]


def test_a_selection_of_another_project_is_unknown(
    database: Database, artifacts: Artifacts
) -> None:
    selection = selected(database, artifacts, add_project(database))
    with pytest.raises(FeatureSelectionNotFound):
        ask(database, add_project(database), algorithm="prototype", **selection)


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"algorithm": "nothing"}, "/algorithm"),
        ({"algorithm": "prototype", "params": {"quantile": 7}}, "/params/quantile"),
        ({"algorithm": "prototype", "params": {"quantil": 0.1}}, "/params/quantil"),
        ({"algorithm": "prototype", "params": {"pos_label": 0}}, "/params/pos_label"),
        (
            {"algorithm": "sar_em", "params": {"propensity_features": [0]}},
            "/params/propensity_features",
        ),
        (
            {"algorithm": "propensity_weighting", "params": {"propensity": [0.5] * 8}},
            "/params/propensity",
        ),
        ({"algorithm": "prototype", "vectorizer": {"min_df": 0}}, "/vectorizer/min_df"),
        (
            {"algorithm": "prototype", "vectorizer": {"token_pattern": "("}},
            "/vectorizer/token_pattern",
        ),
        ({"class_prior": 1.5}, "/class_prior"),
        ({"class_prior": 0.5, "params": {"class_prior": 0.4}}, "/params/class_prior"),
        ({"algorithm": "pnb", "params": {"class_prior": 1.5}}, "/params/class_prior"),
        (
            {"algorithm": "bagging_pu", "random_state": 7, "params": {"random_state": 5}},
            "/params/random_state",
        ),
        ({"algorithm": "bagging_pu", "params": {"random_state": None}}, "/params/random_state"),
        ({"algorithm": "bagging_pu", "params": {"random_state": "a"}}, "/params/random_state"),
    ],
)
def test_a_wrong_value_is_pointed_at(
    database: Database, asked: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidParameter) as caught:
        ask(database, add_project(database), **asked)
    assert caught.value.errors is not None
    assert [error["pointer"] for error in caught.value.errors] == [pointer]


@pytest.mark.parametrize(
    ("documents", "error"),
    [
        ({"positive": []}, NoPositives),
        ({"unlabeled": [], "negative": []}, NoUnlabeled),
        ({"positive": FLOODS[:3]}, TooFewPositives),
    ],
)
def test_a_project_without_the_documents_is_refused(
    database: Database, documents: dict[str, list[str]], error: type[AppError]
) -> None:
    with pytest.raises(error):
        ask(database, add_project(database, **documents), algorithm="spy_em")


def test_an_algorithm_of_one_class_needs_no_pile(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database, unlabeled=[], negative=[])
    assert train(database, artifacts, project_id).card["n_unlabeled"] == 0


def test_a_fault_of_the_code_is_no_fault_of_the_documents(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ALGORITHMS["prototype"], "_fit", lambda *_: np.ones(3) + np.ones(4))
    with pytest.raises(ValueError, match="broadcast"):
        train(database, artifacts, add_project(database))


def test_an_unknown_project_is_refused(database: Database) -> None:
    with pytest.raises(ProjectNotFound):
        ask(database, "nothing")


def test_documents_that_do_not_suit_end_the_job_with_a_reason(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=["?", "!"])
    with database.writing.begin() as session:
        queue(session, training.request, project_id=project_id, algorithm="prototype")
    with pytest.raises(NoPositives, match="empty"):
        training.run(claim(database, artifacts))


@pytest.mark.parametrize("error", [StorageFull, StoreUnavailable])
@pytest.mark.parametrize("is_stuck", [False, True])
def test_a_ranking_that_cannot_be_stored_ends_the_job_and_its_model_goes(
    database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    error: type[AppError],
    *,
    is_stuck: bool,
) -> None:
    project_id = add_project(database)
    with database.writing.begin() as session:
        queue(session, training.request, project_id=project_id, algorithm="prototype")

    def fail(*_: Any) -> None:
        raise error("The store is as it is.")

    def deny(*_: Any) -> None:
        raise PermissionError("The file is write-protected.")

    if is_stuck:
        monkeypatch.setattr(obstore, "delete", deny)
    artifacts = InterruptedArtifacts(settings, "rankings/", fail)
    with pytest.raises(error):
        training.run(claim(database, artifacts))
    assert any(key.startswith("models/") for key in stored_keys(artifacts)) == is_stuck


def test_documents_deleted_after_the_request_end_the_job_with_a_reason(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=["the river"])
    with database.writing.begin() as session:
        queue(session, training.request, project_id=project_id, algorithm="prototype")
        DocumentRepository(session).delete(project_id, "d0")
    with pytest.raises(NoPositives):
        training.run(claim(database, artifacts))


@pytest.mark.parametrize(
    ("algorithm", "has_graph"), [("auto", True), ("seed_expansion", True), ("prototype", False)]
)
def test_calibration_takes_minutes_for_a_graph_only_where_the_algorithm_does(
    database: Database,
    artifacts: Artifacts,
    monkeypatch: pytest.MonkeyPatch,
    algorithm: str,
    has_graph: bool,
) -> None:
    # As if the graph took a minute of the ten that are allowed.
    monkeypatch.setattr(
        likeness, "rows_in_graph", lambda counts, seconds: (seconds >= 300) * counts.shape[0]
    )
    model = train(database, artifacts, add_project(database), algorithm=algorithm)
    assert (model.card["cuts"]["conductance"]["reason"] != "no_graph") == has_graph
