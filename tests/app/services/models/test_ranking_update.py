from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.errors import (
    MemoryLimit,
    ModelNotFound,
    RankingReplaced,
    StoreUnavailable,
    UnsuitableDocuments,
)
from app.orm import Label, Model
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.documents import deletions, documents
from app.services.intake.intake_report import Report
from app.services.intake.rows import checked_row
from app.services.models import models, ranking_update
from app.services.ranking import ranking
from app.services.ranking.ranking_file import RankingFile
from app.services.stored_files import load_arrays, load_model, load_scorer
from app.services.training.calibrating import COLUMNS
from app.settings import Settings
from core.pipeline import score_texts
from tests.app.services.corpora import (
    FLOODS,
    SPORTS,
    InterruptedArtifacts,
    Log,
    add_documents,
    add_project,
    claim,
    complete,
    stored_keys,
)
from tests.app.services.training.test_training import train

#: Known words in another order, no known word, and the text of a positive.
MORE = ["a goal in the streets near the river", "zzz", FLOODS[0], "water", "rain in the match"]


def add_more(database: Database, model: Model, first: int = 100) -> None:
    rows = [(text, Label.UNLABELED) for text in MORE]
    add_documents(database, model.project_id, rows, first=first)


def update(database: Database, artifacts: Artifacts, model: Model) -> dict[str, Any]:
    asked = {"model_id": model.id}
    return complete(ranking_update.request, ranking_update.run, database, artifacts, **asked)


def reread(database: Database, model: Model) -> Model:
    with database.reading() as session:
        return ModelRepository(session).get(model.id)


def ranked(database: Database, artifacts: Artifacts, model: Model) -> list[Any]:
    return list(ranking.rows(database, artifacts, reread(database, model)))


def file_of(database: Database, artifacts: Artifacts, model: Model) -> RankingFile:
    return RankingFile(load_arrays(artifacts, reread(database, model).ranking_file))


def remove(database: Database, model: Model, *names: str) -> None:
    with database.writing.begin() as session:
        for name in names:
            deletions.remove(session, model.project_id, name)


def queue(database: Database, model: Model) -> str:
    with database.writing.begin() as session:
        return ranking_update.request(session, model_id=model.id).id


@pytest.mark.parametrize("algorithm", ["prototype", "lgn", "lp_pul"])
def test_new_documents_are_put_in_with_the_scores_of_new_texts(
    database: Database, artifacts: Artifacts, algorithm: str
) -> None:
    asked = {"algorithm": algorithm, "calibrate": algorithm != "lgn"}
    model = train(database, artifacts, add_project(database), **asked)
    before = {row.id: row.score for row in ranked(database, artifacts, model)}
    add_more(database, model)
    result = update(database, artifacts, model)
    rows = ranked(database, artifacts, model)

    n_documents, is_approximate = len(before) + len(MORE), algorithm == "lp_pul"
    assert result == {
        "model_id": model.id,
        "n_scored": len(MORE),
        "n_documents": n_documents,
        "approximate": is_approximate,
    }
    scores, _ = score_texts(load_model(artifacts, model.file), MORE)
    expected = before | {f"d{100 + i}": score for i, score in enumerate(scores.tolist())}
    assert {row.id: row.score for row in rows} == pytest.approx(expected)
    # Equal scores stay in the order of the documents.
    assert rows == sorted(rows, key=lambda row: (-row.score, int(row.id[1:])))
    assert {row.probability is None for row in rows} == {not asked["calibrate"]}
    card = reread(database, model).card
    state = {name: card["ranking"][name] for name in ("n_documents", "approximate")}
    assert state == {"n_documents": n_documents, "approximate": is_approximate}
    assert {**card, "ranking": None} == {**model.card, "ranking": None}


def test_probabilities_are_those_of_the_calibration(
    database: Database, artifacts: Artifacts
) -> None:
    model = train(database, artifacts, add_project(database))
    classifier = load_model(artifacts, model.file)["classifier"]
    curves = classifier.calibration_, *classifier.calibration_ends_
    first = file_of(database, artifacts, model)
    add_more(database, model)
    update(database, artifacts, model)
    appended = file_of(database, artifacts, model)
    # Gone are documents between whose scores the curves bend.
    remove(database, model, *(f"d{i}" for i in range(1, 13)))
    update(database, artifacts, model)
    add_more(database, model, first=200)
    update(database, artifacts, model)
    last = file_of(database, artifacts, model)

    assert (len(appended), len(last)) == (14 + len(MORE), 2 + 2 * len(MORE))
    for file in (appended, last):
        for name, curve in zip(COLUMNS, curves, strict=True):
            expected = curve.predict(file.scores)
            np.testing.assert_allclose(file.columns[name], expected, rtol=1e-6)
            expected = np.interp(file.scores, first.scores[::-1], first.columns[name][::-1])
            is_known = np.isin(file.scores, first.scores)
            assert is_known.sum() >= 2
            found = file.columns[name][is_known]
            np.testing.assert_allclose(found, expected[is_known], rtol=1e-6)


@pytest.mark.parametrize("how", ["replaced", "removed"])
def test_all_are_scored_anew_where_texts_may_have_changed(
    any_database: Database, artifacts: Artifacts, how: str
) -> None:
    model = train(any_database, artifacts, add_project(any_database))
    n_before = model.card["n_documents"]
    add_more(any_database, model)
    if how == "removed":
        remove(any_database, model, "d0")
    else:
        replace_text(any_database, model.project_id, "d0", SPORTS[0])
    result = update(any_database, artifacts, model)

    assert result["n_scored"] == result["n_documents"] == n_before + len(MORE) - (how == "removed")
    rows = ranked(any_database, artifacts, model)
    assert len(rows) == result["n_documents"]
    scores, _ = score_texts(load_model(artifacts, model.file), [row.text for row in rows])
    np.testing.assert_allclose([row.score for row in rows], scores)
    assert update(any_database, artifacts, model)["n_scored"] == 0


def replace_text(database: Database, project_id: str, name: str, text: str) -> None:
    row = checked_row(1, name, text, None, 12, 1000)
    target = documents.Target(project_id, Label.UNLABELED)
    documents.add(database, iter([row]), target, Report(), folder=Path())


def test_the_file_before_is_removed_and_with_nothing_new_nothing_is_written(
    database: Database, artifacts: Artifacts
) -> None:
    model = train(database, artifacts, add_project(database))
    keys = stored_keys(artifacts)
    add_more(database, model)
    update(database, artifacts, model)
    now = reread(database, model)
    keys = keys - {model.ranking_file["key"]} | {now.ranking_file["key"]}
    assert stored_keys(artifacts) == keys
    assert update(database, artifacts, model)["n_scored"] == 0
    assert (stored_keys(artifacts), reread(database, model).card) == (keys, now.card)


def test_a_ranking_that_is_newer_than_its_revision_says_is_current_then(
    database: Database, artifacts: Artifacts
) -> None:
    model = train(database, artifacts, add_project(database))
    with database.writing.begin() as session:
        # As if the last documents had come in while the training read them.
        ProjectRepository(session).advance_revision(model.project_id, is_rewritten=False)
    with database.reading() as session:
        assert not models.with_current_ranking(session, [model])
    assert update(database, artifacts, model)["n_scored"] == 0
    now = reread(database, model)
    with database.reading() as session:
        assert models.with_current_ranking(session, [now]) == {model.id}
    assert now.ranking_file == model.ranking_file


def test_new_documents_removed_before_they_are_read_leave_the_ranking_as_it_is(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = train(database, artifacts, add_project(database))
    add_documents(database, model.project_id, [("water", Label.UNLABELED)], first=100)

    def load_late(artifacts: Artifacts, file: dict[str, Any]) -> Any:
        remove(database, model, "d100")
        return load_scorer(artifacts, file)

    monkeypatch.setattr(ranking_update, "load_scorer", load_late)
    assert update(database, artifacts, model)["n_scored"] == 0
    now = reread(database, model)
    assert (now.ranking_file, now.card) == (model.ranking_file, model.card)


def run_interrupted(
    database: Database, settings: Settings, interrupt: Callable[[], object]
) -> None:
    """Run the oldest job, and something else just before its file is written."""
    ranking_update.run(claim(database, InterruptedArtifacts(settings, "rankings/", interrupt)))


def test_an_evaluation_stored_meanwhile_stays(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    model = train(database, artifacts, add_project(database))
    add_more(database, model)
    queue(database, model)

    def evaluate() -> None:
        with database.writing.begin() as session:
            now = ModelRepository(session).get(model.id)
            now.card = {**now.card, "evaluation": {"auc": 0.5}}

    run_interrupted(database, settings, evaluate)
    card = reread(database, model).card
    assert card["evaluation"] == {"auc": 0.5}
    assert card["ranking"]["n_documents"] == 14 + len(MORE)


def test_of_two_updates_at_once_the_later_one_fails_and_loses_nothing(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    model = train(database, artifacts, add_project(database))
    add_more(database, model)
    queue(database, model)

    def overtake() -> None:
        add_more(database, model, first=200)
        update(database, artifacts, model)

    with pytest.raises(RankingReplaced, match=f"Start again with POST /models/{model.id}/ranking"):
        run_interrupted(database, settings, overtake)
    assert len(ranked(database, artifacts, model)) == 14 + 2 * len(MORE)
    (key,) = (key for key in stored_keys(artifacts) if key.startswith("rankings/"))
    assert key == reread(database, model).ranking_file["key"]


def test_a_file_replaced_before_it_is_read_is_told_as_such(
    database: Database, artifacts: Artifacts
) -> None:
    model = train(database, artifacts, add_project(database))
    add_more(database, model)
    queue(database, model)
    run = claim(database, artifacts)
    update(database, artifacts, model)
    with pytest.raises(RankingReplaced):
        ranking_update._known(run, model)


@pytest.mark.parametrize("how", ["missing", "damaged"])
def test_a_ranking_that_is_lost_is_made_anew(
    database: Database, artifacts: Artifacts, how: str
) -> None:
    model = train(database, artifacts, add_project(database))
    before = {name: np.copy(x) for name, x in file_of(database, artifacts, model).columns.items()}
    path = artifacts.path(model.ranking_file)
    if how == "missing":
        path.unlink()
    else:
        path.write_bytes(b"x" + path.read_bytes()[1:])
    assert update(database, artifacts, model)["n_scored"] == 14
    columns = file_of(database, artifacts, model).columns
    assert columns.keys() == {"scores", *COLUMNS}
    for name, column in before.items():
        np.testing.assert_allclose(columns[name], column, rtol=1e-6)


def test_a_ranking_out_of_reach_is_not_made_anew(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = train(database, artifacts, add_project(database))

    def fail(*_: object) -> None:
        raise StoreUnavailable("No answer.")

    monkeypatch.setattr(ranking_update, "load_arrays", fail)
    with pytest.raises(StoreUnavailable):
        update(database, artifacts, model)


def test_a_model_deleted_meanwhile_leaves_no_file(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    model = train(database, artifacts, add_project(database))
    add_more(database, model)
    queue(database, model)

    def delete() -> None:
        with database.writing.begin() as session:
            keys = models.delete(session, model.id)
        artifacts.delete(*keys)

    with pytest.raises(ModelNotFound):
        run_interrupted(database, settings, delete)
    assert not {key for key in stored_keys(artifacts) if not key.startswith("matrices/")}


def test_an_attempt_that_lost_the_job_changes_nothing(
    database: Database, artifacts: Artifacts, settings: Settings
) -> None:
    model = train(database, artifacts, add_project(database))
    add_more(database, model)
    job_id = queue(database, model)
    keys = stored_keys(artifacts)

    def lose() -> None:
        with database.writing.begin() as session:
            JobRepository(session).get(job_id).run_token = "another attempt"

    run_interrupted(database, settings, lose)
    assert stored_keys(artifacts) == keys
    assert reread(database, model).ranking_file == model.ranking_file


def test_a_project_without_documents_keeps_what_it_has(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, positive=FLOODS[:1], unlabeled=SPORTS[:1], negative=[])
    model = train(database, artifacts, project_id)
    remove(database, model, "d0", "d1")
    with pytest.raises(UnsuitableDocuments, match="no document left"):
        update(database, artifacts, model)
    assert reread(database, model).ranking_file == model.ranking_file


def test_stages_are_told_with_their_documents(database: Database, artifacts: Artifacts) -> None:
    model = train(database, artifacts, add_project(database))
    add_more(database, model)
    queue(database, model)
    log = Log()
    ranking_update.run(claim(database, artifacts, log))
    assert [stage for stage, _ in log.events] == ["vectorise", "rank", "save"]
    assert log.events[0][1] is not None
    assert log.events[0][1]["n_tokenised"] == len(MORE)
    assert log.fractions == sorted(log.fractions)
    assert log.fractions[-1] == 1


@pytest.mark.parametrize("vectorizer", [{}, {"n_features": 2**20}], ids=["words", "hashed"])
def test_a_ranking_that_does_not_fit_is_refused(
    database: Database, artifacts: Artifacts, vectorizer: dict[str, Any]
) -> None:
    model = train(database, artifacts, add_project(database), vectorizer=vectorizer)
    with database.writing.begin() as session:
        # What the process of the job takes anyway counts.
        with pytest.raises(MemoryLimit, match="Raise the limit"):
            ranking_update.request(session, model_id=model.id, memory_mb=176)
        ranking_update.request(session, model_id=model.id, memory_mb=177)
