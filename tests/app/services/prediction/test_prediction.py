import os
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unicodedata import normalize
from uuid import uuid4

import numpy as np
import pytest

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from app.orm import Label, Model
from app.services.prediction import prediction
from app.services.prediction.prediction import (
    PREDICTOR_TERM_BYTES,
    SPOT_CHARACTERS,
    SPOT_SECONDS,
    Predictor,
)
from app.services.stored_files import load_model
from app.settings import Settings
from core.calibration.score_calibration import ScoreCalibration
from core.explanation import explain_texts, top_terms
from core.nearest_documents import NearestDocuments
from core.persistence import save
from core.pipeline import make_text_classifier
from tests.app.processes import PATIENCE
from tests.app.services.corpora import FLOODS, SPORTS

NEW = ["water of the river in the cellars", "a late goal of the team", ""]


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the keys of the models that are loaded, in turn."""
    keys: list[str] = []

    def load_and_note(artifacts: Artifacts, file: dict[str, Any]) -> Any:
        keys.append(file["key"])
        return load_model(artifacts, file)

    monkeypatch.setattr(prediction, "load_model", load_and_note)
    return keys


@pytest.fixture
def pipeline() -> Any:
    return trained("prototype")


def trained(algorithm: str) -> Any:
    """Return a model that tells floods from sports."""
    texts, y = FLOODS + SPORTS, np.array([1] * 6 + [0] * 8)
    pipeline = make_text_classifier(algorithm, vectorizer={"stop_words": "english"})
    pipeline.fit(texts, y)
    counts = pipeline["counts"].transform(texts)
    nearest = NearestDocuments().fit(pipeline, counts, y, np.arange(len(texts)))
    pipeline["classifier"].nearest_ = nearest
    return pipeline


@pytest.fixture
def add_model(artifacts: Artifacts, pipeline: Any) -> Callable[[], Model]:
    def add() -> Model:
        model = Model(id=uuid4().hex)
        model.file = artifacts.save(f"models/{model.id}", lambda path: save(pipeline, path))
        return model

    return add


def no_ids(_numbers: list[int]) -> dict[int, str]:
    return {}


def test_predictions_are_those_of_the_pipeline(
    artifacts: Artifacts, pipeline: Any, add_model: Callable[[], Model]
) -> None:
    predictions = Predictor(artifacts, 10**9).predict(add_model(), NEW, ids_of=no_ids)
    assert [p.score for p in predictions] == pipeline.score_samples(NEW).tolist()
    assert [p.label for p in predictions] == [Label.POSITIVE, Label.NEGATIVE, Label.NEGATIVE]
    assert {p.cut for p in predictions} == {pipeline["classifier"].offset_}
    told = [[(t.term, t.weight) for t in p.terms or []] for p in predictions]
    assert told == explain_texts(pipeline, NEW)
    assert {p.probability for p in predictions} == {None}
    assert {p.approximate for p in predictions} == {False}
    assert [p.rest for p in predictions] == pytest.approx([0, 0, 0])


@pytest.mark.parametrize("algorithm", ["prototype", "nearest_neighbor"])
def test_of_no_texts_there_are_no_predictions(artifacts: Artifacts, algorithm: str) -> None:
    model = Model(id=uuid4().hex)
    model.file = artifacts.save("models/one", lambda path: save(trained(algorithm), path))
    assert Predictor(artifacts, 10**9).predict(model, []) == []


@pytest.mark.parametrize(("algorithm", "is_sum"), [("lgn", True), ("averaged_pnb", False)])
def test_the_rest_of_a_long_text_is_that_of_its_other_words_and_of_none(
    artifacts: Artifacts, algorithm: str, is_sum: bool
) -> None:
    text = " ".join(FLOODS)
    pipeline = trained(algorithm)
    model = Model(id=uuid4().hex)
    model.file = artifacts.save(f"models/{model.id}", lambda path: save(pipeline, path))

    (prediction,) = Predictor(artifacts, 10**9).predict(model, [text], ids_of=no_ids)

    assert len(prediction.terms or []) == 10
    if not is_sum:
        assert prediction.rest is None
        return
    classifier, X = pipeline["classifier"], pipeline[:-1].transform([text])
    others = sorted(classifier.explain(X).data, key=abs)[:-10]
    assert others
    assert prediction.rest == pytest.approx(sum(others) + classifier.intercept_)


def test_a_text_without_a_known_word_has_no_probability(
    artifacts: Artifacts, pipeline: Any
) -> None:
    scores = pipeline.score_samples(FLOODS + SPORTS)
    calibration = ScoreCalibration(0.3).fit(scores, np.array([0.9, 0.8]))

    def predicted(texts: list[str]) -> list[tuple[float | None, str | None]]:
        model = Model(id=uuid4().hex)
        model.file = artifacts.save(f"models/{model.id}", lambda path: save(pipeline, path))
        predictions = Predictor(artifacts, 10**9).predict(model, texts)
        return [(p.probability, p.probability_reason) for p in predictions]

    assert predicted(NEW[:1]) == [(None, "not_calibrated")]
    pipeline["classifier"].calibration_ = calibration
    known = np.float32(calibration.predict(pipeline.score_samples(NEW[:1]))[0])
    unknown = (None, "no_known_words")
    assert predicted([NEW[0], "zzzqq xxyyq", ""]) == [(float(known), None), unknown, unknown]


def test_letters_apart_from_their_marks_are_the_same_text(artifacts: Artifacts) -> None:
    texts = ["Überschwemmung am Fluß", "Elfmeter im Finale", "Tor in der Verlängerung"]
    pipeline = make_text_classifier("prototype").fit(texts, [1, 0, 0])
    model = Model(id=uuid4().hex)
    model.file = artifacts.save(f"models/{model.id}", lambda path: save(pipeline, path))
    asked = ["Überschwemmung", normalize("NFD", "Überschwemmung")]
    predictor = Predictor(artifacts, 10**9)
    composed, apart = predictor.predict(model, asked)
    assert composed.score == apart.score > 0


@pytest.fixture
def asked_once(
    artifacts: Artifacts, add_model: Callable[[], Model], monkeypatch: pytest.MonkeyPatch
) -> tuple[Predictor, Model]:
    """Return a predictor that has answered once, and the model that it did so by."""
    # The first answer may take seconds, for what has to be compiled.
    monkeypatch.setattr("app.services.prediction.prediction.ROW_SECONDS", PATIENCE)
    predictor, model = Predictor(artifacts, 10**9), add_model()
    predictor.predict(model, NEW[:1])
    return predictor, model


def test_predictions_without_a_look_at_the_row_are_the_same(
    asked_once: tuple[Predictor, Model],
) -> None:
    predictor, model = asked_once
    for texts in (NEW, *([text] for text in NEW)):
        assert predictor.predict_again(model.id, texts) == predictor.predict(model, texts)


def test_a_model_that_is_not_known_or_was_not_used_lately_has_to_be_looked_up(
    asked_once: tuple[Predictor, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    predictor, model = asked_once
    assert predictor.predict_again("another", NEW) is None
    monkeypatch.setattr("app.services.prediction.prediction.ROW_SECONDS", -1.0)
    assert predictor.predict_again(model.id, NEW) is None


def test_quick_is_a_short_text_by_a_model_that_was_quick(
    asked_once: tuple[Predictor, Model],
) -> None:
    predictor, model = asked_once
    predictor._loaded[model.id].seconds = SPOT_SECONDS
    assert predictor.is_quick(model.id, NEW[0])
    assert not predictor.is_quick(model.id, "a" * (SPOT_CHARACTERS + 1))
    assert not predictor.is_quick("another", NEW[0])
    predictor._loaded[model.id].seconds = 2 * SPOT_SECONDS
    assert not predictor.is_quick(model.id, NEW[0])


def test_a_model_has_to_be_looked_up_once_its_file_is_gone_or_another(
    asked_once: tuple[Predictor, Model], artifacts: Artifacts
) -> None:
    predictor, model = asked_once
    path = artifacts.path(model.file)
    content = path.read_bytes()
    for change in (path.unlink, lambda: path.write_bytes(content[:-1])):
        change()
        assert predictor.predict_again(model.id, NEW) is None


def test_words_come_only_when_asked_for(
    artifacts: Artifacts, add_model: Callable[[], Model]
) -> None:
    assert Predictor(artifacts, 10**9).predict(add_model(), NEW[:1])[0].terms is None


def test_no_texts_make_no_predictions(artifacts: Artifacts, add_model: Callable[[], Model]) -> None:
    assert Predictor(artifacts, 10**9).predict(add_model(), []) == []


def test_the_words_of_a_model(
    artifacts: Artifacts, pipeline: Any, add_model: Callable[[], Model]
) -> None:
    found = Predictor(artifacts, 10**9).terms(add_model(), 3)
    both = found["terms_for"], found["terms_against"]
    told = [[(t.term, t.weight) for t in terms] for terms in both]
    assert told == list(top_terms(pipeline, n_terms=3))


def test_a_model_is_loaded_once_for_many_threads(
    artifacts: Artifacts, add_model: Callable[[], Model], loads: list[str]
) -> None:
    predictor, model = Predictor(artifacts, 10**9), add_model()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: predictor.predict(model, NEW), range(16)))
    assert all(answer == answers[0] for answer in answers)
    assert loads == [model.file["key"]]


def test_a_graph_method_counts_what_its_predictions_keep(artifacts: Artifacts) -> None:
    pipeline = make_text_classifier("lp_pul").fit(FLOODS + SPORTS, [1] * 6 + [0] * 8)
    model = Model(id=uuid4().hex)
    model.file = artifacts.save(f"models/{model.id}", lambda path: save(pipeline, path))
    predictor = Predictor(artifacts, 10**9)
    predictor.predict(model, NEW)
    known = model.file["size"] + PREDICTOR_TERM_BYTES * len(pipeline["counts"].terms_)
    assert predictor._n_bytes() == known + pipeline["classifier"].n_prediction_bytes


def test_hashed_terms_count_nothing_for_their_names(artifacts: Artifacts) -> None:
    pipeline = make_text_classifier("prototype", vectorizer={"n_features": 2**10})
    pipeline.fit(FLOODS + SPORTS, [1] * 6 + [0] * 8)
    model = Model(id=uuid4().hex)
    model.file = artifacts.save(f"models/{model.id}", lambda path: save(pipeline, path))
    predictor = Predictor(artifacts, 10**9)
    predictor.predict(model, NEW)
    assert predictor._n_bytes() == model.file["size"]


def test_the_model_used_longest_ago_goes_first(
    artifacts: Artifacts, add_model: Callable[[], Model], loads: list[str]
) -> None:
    first, second, third = add_model(), add_model(), add_model()
    size = first.file["size"] + PREDICTOR_TERM_BYTES * len(
        load_model(artifacts, first.file)["counts"].terms_
    )
    predictor = Predictor(artifacts, 2 * size)
    for model in (first, second, first, third, first, second):
        predictor.predict(model, NEW)
    assert loads == [model.file["key"] for model in (first, second, third, second)]


def test_no_more_models_are_kept_than_a_part_of_the_files_that_may_be_open(
    artifacts: Artifacts, add_model: Callable[[], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (8, 1024))
    predictor, models = Predictor(artifacts, 10**9), [add_model() for _ in range(3)]
    for model in models:
        predictor.predict(model, NEW)
    assert list(predictor._loaded) == [model.id for model in models[1:]]


def test_models_that_were_deleted_elsewhere_go_when_another_comes(
    artifacts: Artifacts, add_model: Callable[[], Model]
) -> None:
    predictor, deleted, other = Predictor(artifacts, 10**9), add_model(), add_model()
    predictor.predict(deleted, NEW)
    artifacts.delete(deleted.file["key"])
    predictor.predict(other, NEW)
    assert list(predictor._loaded) == [other.id]


def test_a_model_larger_than_the_limit_still_answers(
    artifacts: Artifacts, add_model: Callable[[], Model], loads: list[str]
) -> None:
    predictor, model = Predictor(artifacts, 1), add_model()
    predictor.predict(model, NEW)
    predictor.predict(model, NEW)
    assert loads == [model.file["key"]]


def test_a_lost_file_is_told_each_time(
    artifacts: Artifacts, settings: Settings, add_model: Callable[[], Model]
) -> None:
    model, predictor = add_model(), Predictor(artifacts, 10**9)
    path = Path(settings.artifacts_url, model.file["key"])
    content = path.read_bytes()
    path.unlink()
    for _ in range(2):
        with pytest.raises(ArtifactUnavailable):
            predictor.predict(model, NEW)
    path.write_bytes(content)
    assert len(predictor.predict(model, NEW)) == 3


def test_a_loaded_model_outlives_its_file(
    artifacts: Artifacts, add_model: Callable[[], Model], pipeline: Any
) -> None:
    model = add_model()
    loaded = load_model(artifacts, model.file)
    path = artifacts.path(model.file)
    other = path.with_name("other")
    other.write_bytes(b"")
    os.replace(other, path)
    path.unlink()
    assert loaded.score_samples(NEW).tolist() == pipeline.score_samples(NEW).tolist()


def test_a_file_that_was_cut_short_is_not_looked_into(
    artifacts: Artifacts, add_model: Callable[[], Model]
) -> None:
    predictor, model = Predictor(artifacts, 10**9), add_model()
    predictor.predict(model, NEW)
    os.truncate(artifacts.path(model.file), 0)
    assert predictor.predict_again(model.id, NEW) is None
    with pytest.raises(ArtifactUnavailable):
        predictor.predict(model, NEW, ids_of=no_ids)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells of pages on Linux")
def test_no_page_of_a_model_is_written_to(
    artifacts: Artifacts, add_model: Callable[[], Model]
) -> None:
    predictor, model = Predictor(artifacts, 10**9), add_model()
    predictor.predict(model, NEW, ids_of=no_ids)
    maps = Path("/proc/self/smaps").read_text()
    _, *of_model = maps.split(str(artifacts.path(model.file)))
    assert of_model
    for mapping in of_model:
        assert re.search(r"Private_Dirty: +(\d+)", mapping)[1] == "0"  # type: ignore[index]  # None fails, too
