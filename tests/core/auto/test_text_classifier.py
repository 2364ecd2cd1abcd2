import copy
import pickle
import random
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score
from sklearn.utils import get_tags

from core import AutoTextClassifier, explain_texts, load, save, top_terms
from core.classifiers import Prototype
from core.errors import NoPositives, NoUnlabeled

TOPICS = [
    ["flood", "water", "river", "rain", "dam", "storm"],
    ["goal", "match", "team", "cup", "win", "coach"],
    ["bank", "loan", "share", "market", "debt", "rate"],
]
N_TEXTS, N_LABELED = 300, 12
TRUTH = np.arange(N_TEXTS) % 3 == 0
Y = (TRUTH & (np.arange(N_TEXTS) < 3 * N_LABELED)).astype(int)


def made_texts() -> list[str]:
    draw = random.Random(0)
    return [" ".join(draw.choices([*TOPICS[i % 3], "in", "a"], k=8)) for i in range(N_TEXTS)]


TEXTS = made_texts()
NEW = ["rain, a flood, and water in the river", "a cup for the team"]


@pytest.fixture(scope="module")
def model() -> Any:
    return AutoTextClassifier().fit(TEXTS, Y)


def test_positives_come_first_and_what_is_expected_of_them_is_so(model: Any) -> None:
    is_unlabeled = Y == 0
    truth, scores = TRUTH[is_unlabeled], model.training_scores_[is_unlabeled]
    assert average_precision_score(truth, scores) > 0.95
    prior = model.calibrated_.class_prior
    assert prior.low < truth.mean() < prior.high
    assert model.cut_rule_ == "f1"
    assert model.predict(NEW).tolist() == [1, 0]
    assert {finding.code for finding in model.findings_} >= {"few_positives", "random_labeling"}


def test_a_model_that_predicted_predicts_when_mapped(model: Any, tmp_path: Path) -> None:
    texts = NEW * 2_000  # compiled code reads them
    expected = model.predict_proba(texts)
    joblib.dump(model, tmp_path / "model")
    assert (joblib.load(tmp_path / "model", mmap_mode="r").predict_proba(texts) == expected).all()


def test_the_race_is_shown_and_the_winner_trained(model: Any) -> None:
    names = [entry.candidate.algorithm for entry in model.entries_]
    assert names[0] == "seed_expansion"
    assert "random_ranking" in names
    assert model.entries_[model.winner_].outcome is not None
    assert all(len(repr(entry)) < 300 for entry in model.entries_)
    assert (model.pipeline_.score_samples(TEXTS) == model.training_scores_).all()


def test_probabilities_rise_with_scores_and_are_of_both_classes(model: Any) -> None:
    probabilities = model.predict_proba(TEXTS)
    order = np.argsort(model.score_samples(TEXTS))
    assert (np.diff(probabilities[order, 1]) >= 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_the_same_comes_out_again_from_any_iterable(model: Any) -> None:
    again = clone(model).fit((text.encode() for text in TEXTS), Y)
    assert (again.training_scores_ == model.training_scores_).all()
    assert (again.predict_proba(NEW) == model.predict_proba(NEW)).all()


@pytest.mark.parametrize("class_prior", [None, 0.3])
def test_two_threads_train_the_same_model(class_prior: float | None) -> None:
    labels = np.where(Y, "wanted", "other")
    options: Any = {"class_prior": class_prior, "pos_label": "wanted"}
    alone = AutoTextClassifier(**options).fit(TEXTS, labels)
    with joblib.parallel_config("threading", n_jobs=2):
        beside = AutoTextClassifier(**options).fit(TEXTS, labels)
    assert beside.training_scores_.tolist() == alone.training_scores_.tolist()
    assert beside.predict(NEW).tolist() == alone.predict(NEW).tolist() == ["wanted", "other"]
    assert beside.pipeline_["classifier"].report_ == alone.pipeline_["classifier"].report_
    assert [entry.trained for entry in beside.entries_] == [None] * len(beside.entries_)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("winner", [0, 1])
def test_only_the_winner_warns_and_at_the_line_of_the_caller(
    n_jobs: int, winner: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.auto.text_classifier.winner", lambda entries: winner)
    labels = np.where(Y, "flood", "other")
    with (
        joblib.parallel_config("threading", n_jobs=n_jobs),
        pytest.warns(UserWarning, match="'flood' sorts before 'other'") as told,
    ):
        AutoTextClassifier(pos_label="flood").fit(TEXTS, labels)
    assert [one.filename for one in told] == [__file__]


def test_its_score_is_that_of_lee_and_liu(model: Any) -> None:
    # All 50 positives and nothing else: recall 1, squared, over a half.
    rows = [*np.flatnonzero(TRUTH)[:50], *np.flatnonzero(~TRUTH)[:50]]
    texts, truth = [TEXTS[i] for i in rows], TRUTH[rows].astype(int)
    predicted = model.predict(texts)
    expected = predicted[truth == 1].mean() ** 2 / predicted.mean()
    assert model.score(texts, truth) == pytest.approx(expected)
    assert expected > 1.5


def test_it_tells_that_it_has_two_classes() -> None:
    assert not get_tags(AutoTextClassifier()).classifier_tags.multi_class


@pytest.mark.filterwarnings("ignore:the positive label")
def test_labels_may_be_words() -> None:
    words = np.where(Y == 1, "flood", "other")
    model = AutoTextClassifier(pos_label="flood").fit(TEXTS, words)
    assert model.classes_.tolist() == ["other", "flood"]
    assert model.predict(NEW).tolist() == ["flood", "other"]


@pytest.mark.filterwarnings("ignore:the positive label")
@pytest.mark.parametrize(
    "labels",
    [
        np.where(Y == 1, "flood", "u").astype(object),  # as a column of words in pandas is
        Y.astype(float),
        Y.astype(bool).astype(object),
    ],
)
def test_labels_may_be_of_any_type(model: Any, labels: Any) -> None:
    other = AutoTextClassifier().fit(TEXTS, labels)
    assert other.classes_.tolist() == [labels[np.argmin(Y)], labels[np.argmax(Y)]]
    assert (other.training_scores_ == model.training_scores_).all()
    assert (other.predict(NEW) == other.classes_[::-1]).all()


def test_an_order_of_labels_that_misleads_is_told_once() -> None:
    with pytest.warns(UserWarning, match="'flood' sorts before 'unlabeled'") as told:
        AutoTextClassifier().fit(TEXTS, np.where(Y == 1, "flood", "unlabeled"))
    assert sum("sorts before" in str(one.message) for one in told) == 1


def test_what_is_accepted_lies_on_the_upper_side_of_0(model: Any) -> None:
    assert ((model.decision_function(TEXTS) >= 0) == (model.predict(TEXTS) == 1)).all()


@pytest.mark.parametrize("n", [1, 7])
def test_a_budget_is_the_number_of_texts_that_are_accepted(n: int) -> None:
    model = AutoTextClassifier(cut=f"budget:{n}").fit(TEXTS, Y)
    assert model.cut_rule_ == f"budget:{n}"
    assert int((model.training_scores_[Y == 0] >= model.pipeline_["classifier"].offset_).sum()) == n


def test_a_class_prior_that_is_known_is_kept() -> None:
    model = AutoTextClassifier(class_prior=0.2, cut="prior").fit(TEXTS, Y)
    assert model.calibrated_.class_prior.value == 0.2
    accepted = model.predict(TEXTS)[Y == 0].mean()
    assert accepted == pytest.approx(0.2, abs=1 / (Y == 0).sum())


@pytest.mark.parametrize(("given", "n_taken"), [(0, 1), (1, (Y == 0).sum() - 1)])
def test_a_class_prior_leaves_a_positive_and_a_negative(given: int, n_taken: int) -> None:
    model = AutoTextClassifier(class_prior=given, cut="prior").fit(TEXTS, Y)
    assert model.calibrated_.class_prior.value == pytest.approx(n_taken / (Y == 0).sum())


def test_of_a_class_prior_that_cannot_be_there_are_no_probabilities() -> None:
    model = AutoTextClassifier(class_prior=0.95).fit(TEXTS, Y)
    with pytest.raises(ValueError, match=r"class_prior_too_large\): give a smaller"):
        model.predict_proba(NEW)


def test_another_cut_needs_no_other_training() -> None:
    own = AutoTextClassifier(cut="own").fit(TEXTS, Y)
    predicted = own.predict(TEXTS).tolist()
    moved = own.recut("f1").recut("budget:7")
    fitted = AutoTextClassifier(cut="budget:7").fit(TEXTS, Y)
    assert moved.cut_rule_ == fitted.cut_rule_
    assert moved.predict(TEXTS).tolist() == fitted.predict(TEXTS).tolist()
    assert moved.pipeline_["classifier"].report_ == fitted.pipeline_["classifier"].report_
    assert moved.recut("own").predict(TEXTS).tolist() == predicted


def test_what_to_expect_of_a_cut_is_the_sum_of_the_probabilities(model: Any) -> None:
    is_unlabeled = Y == 0
    p, is_accepted = model.predict_proba(TEXTS)[is_unlabeled, 1], model.predict(TEXTS)[is_unlabeled]
    figures = model.expected_figures()
    assert figures.n_accepted == is_accepted.sum()
    assert figures.n_hidden[0] == pytest.approx(p.sum())
    assert figures.precision[0] == pytest.approx(p[is_accepted == 1].mean())
    assert figures.precision[1] <= figures.precision[0] <= figures.precision[2]
    of_others = model.expected_figures("budget:7")
    assert of_others.n_accepted == 7
    assert of_others.n_hidden == figures.n_hidden


def test_no_cut_is_expected_to_accept_empty_texts() -> None:
    texts = ["", "", *TEXTS[2:]]
    y = Y * (np.arange(N_TEXTS) > 1)
    model, n_unlabeled = AutoTextClassifier().fit(texts, y), int((y == 0).sum())
    expected = model.expected_figures(f"budget:{n_unlabeled}")
    assert expected.n_accepted == n_unlabeled - 2
    assert expected == model.recut(f"budget:{n_unlabeled}").expected_figures()


def test_a_cut_that_is_not_there_is_told() -> None:
    model = AutoTextClassifier().fit(TEXTS, np.arange(N_TEXTS) == 0)
    with pytest.raises(ValueError, match=r"no probabilities \(too_few_positives\)"):
        model.expected_figures()
    with pytest.raises(ValueError, match=r"no cut by 'prior' \(.+\): take 'own'"):
        model.recut("prior")
    with pytest.raises(ValueError, match="more than the 299 unlabeled"):
        model.recut("budget:300")
    with pytest.raises(ValueError, match=r"'budget:N'; it is None"):
        model.recut(None)


def test_judged_negatives_are_learned_from() -> None:
    is_negative = ~TRUTH & (np.arange(N_TEXTS) < 60)
    model = AutoTextClassifier().fit(TEXTS, Y, is_negative=is_negative)
    assert model.entries_[0].candidate.algorithm == "judged_svm"


def test_of_one_positive_there_is_a_ranking_and_no_probability() -> None:
    y = np.arange(N_TEXTS) == 0
    model = AutoTextClassifier().fit(TEXTS, y)
    assert model.cut_rule_ == "own"
    assert average_precision_score(TRUTH[1:], model.training_scores_[1:]) > 0.8
    assert model.calibrated_.class_prior.reason == "too_few_positives"
    with pytest.raises(ValueError, match=r"\(too_few_positives\): .*; copies count once"):
        model.predict_proba(NEW)


@pytest.mark.parametrize(
    "positives", [["flood water"] * 2, ["the flood", "a flood"], ["river"] * 9]
)
def test_positives_that_are_copies_are_one_however_short(positives: list[str]) -> None:
    y = np.arange(len(positives) + N_TEXTS) < len(positives)
    model = AutoTextClassifier().fit([*positives, *TEXTS], y)
    assert model.calibrated_.reason == "too_few_positives"


@pytest.mark.parametrize(
    ("changes", "X", "y", "message"),
    [
        ({"cut": "median"}, TEXTS, Y, "cut must be one of"),
        ({"cut": "budget:0"}, TEXTS, Y, "cut must be one of"),
        ({"cut": "budget:289"}, TEXTS, Y, "more than the 288 unlabeled samples"),
        ({"vectorizer": {"min_dv": 2}}, TEXTS, Y, "min_df"),
        ({"time_budget": 0}, TEXTS, Y, "time_budget"),
        ({}, TEXTS[:-1], Y, "inconsistent numbers"),
        ({}, "one text", Y, "not one text"),
        ({}, TEXTS, None, "y is missing: pass labels, such as 1 for positives"),
    ],
)
def test_what_cannot_be_is_refused(changes: Any, X: Any, y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AutoTextClassifier(**changes).fit(X, y)


def test_what_could_not_be_learned_cannot_predict() -> None:
    refused = AutoTextClassifier(cut="budget:289")
    with pytest.raises(ValueError, match="budget"):
        refused.fit(TEXTS, Y)
    with pytest.raises(NotFittedError):
        refused.predict(NEW)


def test_what_fails_to_learn_anew_does_not_predict_as_before(model: Any) -> None:
    again = copy.copy(model)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        again.fit(TEXTS[1:], np.where(Y, "flood", "unlabeled"))
    with pytest.raises(NotFittedError):
        again.predict(NEW)
    assert model.predict(NEW).tolist() == [1, 0]


def test_seeds_may_be_drawn(model: Any) -> None:
    one, same = (
        AutoTextClassifier(random_state=np.random.RandomState(0)).fit(TEXTS, Y) for _ in range(2)
    )
    assert one.seed_ == same.seed_ != model.seed_
    assert (one.training_scores_ == same.training_scores_).all()


def test_without_positives_or_unlabeled_texts_nothing_is_learned() -> None:
    with pytest.raises(NoPositives):
        AutoTextClassifier(pos_label=1).fit(TEXTS, np.zeros(N_TEXTS, dtype=int))
    with pytest.raises(NoUnlabeled):
        AutoTextClassifier(pos_label=1).fit(TEXTS, np.ones(N_TEXTS, dtype=int))


def test_where_all_is_judged_the_judgements_are_learned_from() -> None:
    model = AutoTextClassifier().fit(TEXTS, TRUTH, is_negative=~TRUTH)
    (entry,) = model.entries_
    assert (entry.candidate.algorithm, entry.reason) == ("judged_svm", "no_unlabeled")
    assert model.cut_rule_ == "own"
    assert (model.predict(TEXTS) == TRUTH).mean() > 0.95
    with pytest.raises(ValueError, match="no_unlabeled"):
        model.predict_proba(TEXTS)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_the_whole_of_it_can_be_copied(model: Any, copied: Any) -> None:
    other = copied(model)
    assert (other.predict_proba(NEW) == model.predict_proba(NEW)).all()
    assert other.entries_[0].candidate == model.entries_[0].candidate


def test_a_file_of_the_pipeline_keeps_probabilities_and_cut(model: Any, tmp_path: Path) -> None:
    save(model.pipeline_, tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert (loaded.predict_proba(NEW) == model.predict_proba(NEW)).all()
    assert (loaded.predict(NEW) == model.predict(NEW)).all()
    with pytest.raises(ValueError, match=r"class AutoTextClassifier: save its pipeline_"):
        save(model, tmp_path / "whole")


def test_it_is_explained_as_its_pipeline_is(model: Any) -> None:
    assert top_terms(model) == top_terms(model.pipeline_)
    assert explain_texts(model, NEW) == explain_texts(model.pipeline_, NEW)


def test_findings_say_what_to_do(model: Any) -> None:
    for finding in model.findings_:
        assert finding.message.endswith(".")
        assert "The algorithm reports" not in finding.message


def test_that_a_setting_of_the_race_lies_at_an_edge_is_no_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = Prototype._fit

    def at_the_edge(self: Prototype, *arguments: Any) -> None:
        fit(self, *arguments)
        self.add_flag("grid_edge")
        self.add_flag("prior_clamped")

    monkeypatch.setattr(Prototype, "_fit", at_the_edge)
    told = {finding.code for finding in AutoTextClassifier().fit(TEXTS, Y).findings_}
    assert "prior_clamped" in told
    assert "grid_edge" not in told
