import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline

from core.calibration.calibrated_classifier import CalibratedPUClassifier
from core.classifiers.prototype import Prototype
from core.explanation import explain_counts, explain_texts, top_terms
from core.pipeline import make_text_classifier, score_texts
from core.registry import FEATURE_SELECTORS
from core.text import TermWeighting, TokenCounter
from tests.core.test_pipeline import TEXTS, Y


def test_explanations_are_the_strongest_contributions_to_the_score():
    pipeline = make_text_classifier("prototype").fit(TEXTS, Y)
    text = "apple pie in a red car"
    explanation = explain_texts(pipeline, [text, "", "unheard"])
    terms, values = zip(*explanation[0], strict=True)
    assert set(terms) == {"apple", "pie", "red"}  # "car" is in no positive text
    assert terms[0] == "apple"
    assert list(values) == sorted(values, reverse=True)
    assert_allclose(sum(values), pipeline.score_samples([text])[0])
    assert explanation[1:] == [[], []]
    assert explain_texts(pipeline, [text], n_terms=1) == [explanation[0][:1]]
    _, counts = score_texts(pipeline, [text, "", "unheard"])
    assert explain_counts(pipeline, counts) == explanation


def test_what_no_feature_adds_is_the_same_for_each_sample(classifier, fitted, pu_data):
    X, _, _ = pu_data
    model = fitted(classifier)
    rest = model.score_samples(X) - model.explain(X).sum(axis=1)
    assert (np.ptp(rest) < 1e-9) == model.has_additive_score


def test_pipelines_made_by_hand_are_explained_but_scored_by_themselves():
    pipeline = make_pipeline(
        TokenCounter(), TermWeighting(), FEATURE_SELECTORS["k_best"](2), Prototype()
    )
    pipeline.fit(TEXTS, Y)
    assert [term for term, _ in explain_texts(pipeline, ["the sweet apple"])[0]] == ["apple"]
    assert [term for term, _ in top_terms(pipeline)[0]] == ["apple"]
    with pytest.raises(ValueError, match="score_samples"):
        score_texts(pipeline, TEXTS)


class Steps(Pipeline):
    """One that names its own columns."""

    def get_feature_names_out(self, input_features=None):
        raise AssertionError("millions of hashed terms need no names")


@pytest.mark.parametrize("mask", [None, np.arange(2**14) % 2 == 1], ids=["all", "selected"])
def test_explanations_name_only_the_hashed_terms_they_have(mask):
    pipeline = make_text_classifier(
        "prototype", vectorizer={"n_features": 2**14}, feature_mask=mask
    ).fit(TEXTS, Y)
    names = pipeline[:-1].get_feature_names_out()
    added = pipeline[-1].explain(pipeline[:-1].transform(["the red apple pie"]))
    expected = dict(zip(names[added.indices], added.data, strict=True))
    pipeline = Steps(pipeline.steps)
    (explanation,) = explain_texts(pipeline, ["the red apple pie"])
    assert dict(explanation) == {name: value for name, value in expected.items() if value}
    weights = pipeline[-1].feature_weights()
    assert [name for name, _ in top_terms(pipeline, n_terms=1)[0]] == [names[weights.argmax()]]


def test_vectorizers_of_others_are_explained():
    pipeline = make_pipeline(TfidfVectorizer(), Prototype()).fit(TEXTS, Y)
    assert [term for term, _ in explain_texts(pipeline, ["sweet apple"])[0]] == ["apple", "sweet"]


def test_top_terms_are_those_for_and_those_against():
    pipeline = make_text_classifier("lgn").fit(TEXTS, Y)
    weights = dict(zip(pipeline[:-1].get_feature_names_out(), pipeline[-1].coef_, strict=True))
    weakest_first = sorted(weights.items(), key=lambda item: item[1])
    terms_for, terms_against = top_terms(pipeline, n_terms=3)
    assert [value for _, value in terms_for] == [value for _, value in weakest_first[:-4:-1]]
    assert [value for _, value in terms_against] == [value for _, value in weakest_first[:3]]
    assert all(weights[term] == value for term, value in [*terms_for, *terms_against])
    assert min(dict(terms_for).values()) > 0 > max(dict(terms_against).values())


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ([3.0, -2e-11, 1e-13, -3e-17], [3.0, -2e-11]),
        ([3e-9, -2e-9, 1e-20, -2e-22], [3e-9, -2e-9, 1e-20]),
        ([4e-17, -3e-17, 0, 0], []),
        ([0, 0, 0, 0], []),
    ],
)
def test_rounding_is_told_as_no_term(weights, told):
    pipeline = make_text_classifier("prototype").fit(["a1 b1 c1 d1", "e1 f1"], [1, 0])
    names = pipeline[:-1].get_feature_names_out()
    pipeline[-1].coef_ = np.array([*weights, 0, 0])

    terms_for, terms_against = top_terms(pipeline)
    # Each word of the text has the same weight in its row.
    (explanation,) = explain_texts(pipeline, ["a1 b1 c1 d1"])

    expected = {names[weights.index(value)]: value for value in told}
    assert dict(terms_for) | dict(terms_against) == expected
    assert [term for term, _ in explanation] == list(expected)


@pytest.mark.parametrize("algorithm", ["elkan_noto", "one_class_nb"])
def test_of_equal_texts_no_word_tells_anything(algorithm):
    texts = ["flood river"] * 12
    pipeline = make_text_classifier(algorithm, random_state=0).fit(texts, [1] * 4 + [0] * 8)

    assert top_terms(pipeline) == ([], [])
    assert explain_texts(pipeline, texts[:1]) == [[]]


def test_explanations_need_a_fit_and_a_term():
    pipeline = make_text_classifier("prototype")
    with pytest.raises(NotFittedError):
        top_terms(pipeline)
    with pytest.raises(NotFittedError):
        explain_texts(pipeline, ["apple"])
    pipeline.fit(["red apple", "fast car"], [1, 0])
    with pytest.raises(ValueError, match="'n_terms' parameter of top_terms"):
        top_terms(pipeline, n_terms=0)
    with pytest.raises(ValueError, match="'n_terms' parameter of explain_texts"):
        explain_texts(pipeline, ["apple"], n_terms=-1)


def test_classifiers_of_others_tell_nothing():
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(TEXTS, Y)
    for call in (lambda: explain_texts(pipeline, ["a"]), lambda: top_terms(pipeline)):
        with pytest.raises(TypeError, match=r"LogisticRegression, is not of ALGORITHMS"):
            call()


def test_of_a_search_the_best_pipeline_is_explained():
    search = GridSearchCV(make_text_classifier("prototype"), {}, cv=2).fit(TEXTS, Y)
    for call in (lambda: explain_texts(search, ["a"]), lambda: top_terms(search)):
        with pytest.raises(TypeError, match=r"GridSearchCV is no pipeline: .*best_estimator_"):
            call()
    assert top_terms(search.best_estimator_, n_terms=1)[0][0][0] == "apple"


def test_a_calibrated_pipeline_is_explained_as_it_is():
    texts, y = ["red apple", "green apple", "fast car", "apple pie", "slow car"], [1, 1, 0, 0, 0]
    model = CalibratedPUClassifier(make_text_classifier("prototype")).fit(texts, y)
    assert explain_texts(model, texts) == explain_texts(model.estimator_, texts)
    assert top_terms(model) == top_terms(model.estimator_)
    columns = CalibratedPUClassifier(Prototype()).fit([[1, 0], [2, 0], [0, 1]], [1, 0, 0])
    with pytest.raises(TypeError, match="CalibratedPUClassifier knows no words"):
        top_terms(columns)


def test_a_classifier_of_columns_knows_no_words():
    classifier = Prototype().fit([[1, 0], [0, 1]], [1, 0])
    for call in (lambda: explain_texts(classifier, ["a"]), lambda: top_terms(classifier)):
        with pytest.raises(TypeError, match=r"Prototype knows no words: .*make_text_classifier"):
            call()
