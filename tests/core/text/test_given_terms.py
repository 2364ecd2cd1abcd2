"""Terms that are given in place of learning them."""

import warnings

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline

from core.classifiers.prototype import Prototype
from core.text import TokenCounter

TEXTS = ["a river flood", "late goal", "flood of the river"]


@pytest.mark.parametrize("as_type", [list, tuple, np.array, iter])
def test_columns_are_in_the_order_given(as_type):
    counter = TokenCounter().fit_terms(as_type(["river", "goal", "flood"]))
    assert counter.transform(TEXTS).toarray().tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert counter.get_feature_names_out().tolist() == ["river", "goal", "flood"]


def test_they_are_counted_as_by_scikit_learn():
    terms = ["river", "of the", "a", "river flood"]
    counts = CountVectorizer(vocabulary=terms, ngram_range=(1, 2)).transform(TEXTS)
    with pytest.warns(UserWarning, match="'a' is read as ''"):
        counter = TokenCounter(ngram_range=(1, 2)).fit_terms(terms)
    assert counter.transform(TEXTS).toarray().tolist() == counts.toarray().tolist()


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ("river", "terms is a str, but must be a list of str in the order of the columns"),
        ({"river", "flood"}, "terms is a set"),
        ({"river": 1, "flood": 0}, r"sorted\(vocabulary, key=vocabulary.get\)"),
        (["river", 3], "terms holds 3, which is not a str"),
        ([], "terms is empty"),
        (["river", "flood", "river"], "terms holds 'river' more than once"),
    ],
)
def test_what_has_no_order_or_is_no_term_is_refused(terms, told):
    with pytest.raises(ValueError, match=told):
        TokenCounter().fit_terms(terms)


def test_hashed_columns_have_no_terms():
    with pytest.raises(ValueError, match="n_features=8 hashes terms"):
        TokenCounter(n_features=8).fit_terms(["river"])


@pytest.mark.parametrize(
    ("parameters", "term", "reading"),
    [
        ({}, "River", "'River' is read as 'river'"),
        ({}, "river flood", "'river flood' is read as 'river flood'"),
        ({"stop_words": "english"}, "the", "'the' is read as ''"),
        ({"analyzer": "char_wb", "ngram_range": (3, 3)}, "t r", "'t r' is read as ' t   r '"),
    ],
)
def test_terms_that_no_text_has_are_told(parameters, term, reading):
    with pytest.warns(UserWarning, match=f"never counted: {reading}. Give"):
        counter = TokenCounter(**parameters).fit_terms([term])
    assert not counter.transform([term, f"of {term}"]).nnz


def test_learned_terms_are_taken_without_a_word():
    learned = TokenCounter(ngram_range=(1, 2)).fit(TEXTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TokenCounter(ngram_range=(1, 2)).fit_terms(learned.terms_)


def test_a_frozen_counter_keeps_them_in_a_pipeline():
    counter = TokenCounter().fit_terms(["flood", "river"])
    pipeline = make_pipeline(FrozenEstimator(counter), Prototype()).fit(TEXTS, [1, 0, 0])
    assert pipeline[0].get_feature_names_out().tolist() == ["flood", "river"]
