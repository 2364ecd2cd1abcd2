import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.base import clone

from core.pipeline import make_text_classifier, score_texts
from core.registry import ALGORITHMS
from core.text import TokenCounter

TEXTS = [
    "red apple pie",
    "green apple juice",
    "apple tart with sugar",
    "fast red car",
    "old car and new engine",
    "engine of a green car",
    "sweet apple cake",
    "car wheels",
]
Y = np.array([1, 1, 1, 0, 0, 0, 1, 0])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_texts_go_in_and_predictions_come_out(algorithm):
    pipeline = make_text_classifier(algorithm, random_state=0)
    pipeline.fit(iter(TEXTS), Y)
    assert set(pipeline.predict(["apple cake", "old engine", ""])) <= {0, 1}
    assert pipeline["weights"].representation == ALGORITHMS[algorithm].representation


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_steps_fitted_apart_on_read_only_counts_predict_the_same(algorithm):
    is_negative = np.array([False] * 4 + [True] + [False] * 3)
    whole = make_text_classifier(algorithm, random_state=0)
    whole.fit(TEXTS, Y, classifier__is_negative=is_negative)

    apart = make_text_classifier(algorithm, random_state=0)
    counts = apart[:1].fit_transform(TEXTS)
    for part in (counts.data, counts.indices, counts.indptr):
        part.flags.writeable = False
    apart[1:].fit(counts, Y, classifier__is_negative=is_negative)

    assert whole["classifier"].report_["n_negative"] == 1
    assert_array_equal(apart.decision_function(TEXTS), whole.decision_function(TEXTS))
    assert_array_equal(apart[1:].decision_function(counts), whole.decision_function(TEXTS))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_scores_without_checks_are_the_same_one_by_one_and_together(algorithm):
    mask = np.array([False, *[True] * 17])
    pipeline = make_text_classifier(algorithm, feature_mask=mask, random_state=0).fit(TEXTS, Y)
    new_texts = [*TEXTS, "", "an apple in an old car and an apple", "unheard"]
    expected = pipeline.score_samples(new_texts)
    scores, counts = score_texts(pipeline, new_texts)
    assert_array_equal(scores, expected)
    assert_array_equal(counts.toarray(), pipeline[:-2].transform(new_texts).toarray())
    alone = [score_texts(pipeline, [text])[0].tolist() for text in new_texts]
    assert alone == [[score] for score in expected]


def test_a_feature_mask_leaves_the_other_terms_out():
    terms = TokenCounter().fit(TEXTS).get_feature_names_out()
    mask = np.isin(terms, ["apple", "car"])
    pipeline = make_text_classifier("prototype", feature_mask=mask).fit(TEXTS, Y)
    assert [name for name, _ in pipeline.steps] == ["counts", "selection", "weights", "classifier"]
    assert pipeline[:-1].get_feature_names_out().tolist() == ["apple", "car"]
    assert pipeline["classifier"].n_features_in_ == 2


def test_parameters_reach_their_steps():
    pipeline = make_text_classifier(
        "prototype",
        {"quantile": 0.5},
        vectorizer={"min_df": 2, "ngram_range": [1, 2], "norm": "l1", "representation": "binary"},
        pos_label="yes",
    )
    assert pipeline["counts"].get_params()["ngram_range"] == (1, 2)
    assert pipeline["counts"].min_df == 2
    assert pipeline["weights"].norm == "l1"
    assert pipeline["weights"].representation == "binary"
    assert pipeline["classifier"].quantile == 0.5
    assert pipeline["classifier"].pos_label == "yes"


def test_random_state_reaches_the_algorithms_that_take_one():
    assert make_text_classifier("lgn", random_state=3)["classifier"].random_state == 3
    assert make_text_classifier("lgn", {"random_state": 4}, random_state=3)[-1].random_state == 4
    make_text_classifier("prototype", random_state=3)


@pytest.mark.parametrize(
    ("params", "expected"), [({}, 0.2), ({"class_prior": None}, 0.2), ({"class_prior": 0.3}, 0.3)]
)
def test_the_class_prior_goes_to_algorithms_that_take_one(params, expected):
    assert make_text_classifier("upu", params, class_prior=0.2)[-1].class_prior == expected
    make_text_classifier("prototype", class_prior=0.2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"algorithm": "prototyp"}, ["'prototyp'", "Did you mean 'prototype'", "lgn"]),
        ({"algorithm": "auto"}, ["'auto'", "core.AutoTextClassifier"]),
        ({"params": {"quantil": 0.1}}, ["'quantil'", "'prototype'", "Did you mean 'quantile'"]),
        ({"params": {"pos_label": 1}}, ["'pos_label'"]),
        ({"params": {"quantile": 2}}, ["quantile", "[0.0, 1.0]", "2"]),
        ({"params": 0.1}, ["params must be a dict", "float"]),
        ({"vectorizer": TokenCounter()}, ["vectorizer must be a dict", "TokenCounter"]),
        ({"params": {"threshold": "max"}}, ["threshold", "'quantile'", "'max'"]),
        ({"vectorizer": {"ngrams": 2}}, ["'ngrams'", "ngram_range"]),
        ({"vectorizer": {"min_df": 0}}, ["min_df", "[1, inf)", "0"]),
        ({"vectorizer": {"ngram_range": 2}}, ["ngram_range", "(1, 2)"]),
        ({"vectorizer": {"ngram_range": [1, [2]]}}, ["ngram_range"]),
        ({"vectorizer": {"stop_words": "german."}}, ["stop_words", "'german'"]),
        ({"vectorizer": {"norm": "l3"}}, ["norm", "'l2'"]),
    ],
)
def test_mistakes_are_named_at_once(arguments, words):
    with pytest.raises(ValueError, match=r".") as error:
        make_text_classifier(**{"algorithm": "prototype"} | arguments)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_data_frames_that_scikit_learn_is_to_give_are_not_asked_for(output):
    mask = np.arange(18) < 17
    with config_context(transform_output=output):
        pipeline = make_text_classifier("prototype", feature_mask=mask).fit(TEXTS, Y)
        assert pipeline.predict(["red apple", "old car"]).tolist() == [1, 0]
    with pytest.raises(ValueError, match="Unable to configure output for TokenCounter"):
        pipeline.set_output(transform=output)


def test_a_pipeline_can_be_cloned():
    pipeline = make_text_classifier(feature_mask=[True, False])
    assert_array_equal(clone(pipeline)["selection"].mask, [True, False])
