"""The oracle is scikit-learn's CountVectorizer."""

import re
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from core.kernels.tokens import blocks as token_blocks
from core.kernels.tokens import counts as token_counts
from core.persistence import load, save
from core.progress import listening
from core.text import TokenCounter
from core.text.stop_words import STOP_WORDS

# Unicode of all planes, mixed with few words so that terms and frequencies meet.
WORDS = st.sampled_from(
    ["Seed", "seed", "the", "bed", "ÜBER", "straße", "İstanbul", "a", "日本語", "ΟΔΟΣ", "x٣²"]
)
TEXTS = st.lists(
    st.lists(WORDS | st.text(max_size=8), max_size=12).map(" ".join), min_size=1, max_size=8
)
PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "analyzer": st.sampled_from(["word", "word", "char", "char_wb"]),
        "lowercase": st.booleans(),
        "binary": st.booleans(),
        "token_pattern": st.sampled_from([r"(?u)\b\w\w+\b", r"\w+", r"\S+", r"#(\w+)", "[a-z]"]),
        "stop_words": st.sampled_from([None, "english", ["seed", "日本語"]]),
        "ngram_range": st.sampled_from([(1, 1), (1, 2), (2, 2), (2, 3), (1, 3)]),
        "min_df": st.sampled_from([1, 2, 0.0, 0.3, 1.0]),
        "max_df": st.sampled_from([1.0, 0.5, 2, 5]),
        "max_features": st.sampled_from([None, 1, 3, 20]),
    },
)


def outcome(vectorizer, texts):
    """Return the terms and counts, or None where there are none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn doubts the stop words
            X = vectorizer.fit_transform(texts)
    except ValueError:
        return None
    return vectorizer.get_feature_names_out().tolist(), sp.csr_array(X), vectorizer


@pytest.mark.parametrize("is_compiled", [False, True])
@settings(max_examples=150)
@given(texts=TEXTS, parameters=PARAMETERS, new_texts=TEXTS)
def test_counts_are_those_of_scikit_learn(texts, parameters, new_texts, is_compiled):
    with pytest.MonkeyPatch.context() as patch:
        if is_compiled:
            # The first text is a block of its own; a second one is what it takes.
            for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
                patch.setattr(token_counts, name, 0)
            texts, new_texts = [*texts, ""], [*new_texts, ""]
        assert_as_scikit_learn(texts, parameters, new_texts)


NUMBERED = st.lists(
    st.lists(
        st.sampled_from(["2026", "20267", "07781234567", "77777ab", "²³²³²", "٣٤٥٦٧", "seed"])
        | st.text("0189 .-é日", max_size=14),
        max_size=8,
    ).map(" ".join),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize("stop_words", [None, ["00000", "seed"]])
@settings(max_examples=60)
@given(texts=NUMBERED)
def test_long_numbers_of_one_length_are_one_term(texts, stop_words, is_compiled):
    def tokens(text):
        words = re.findall(r"\w\w+", text)
        return [re.sub("^[0-9]{5,}$", lambda number: "0" * len(number[0]), word) for word in words]

    options = {"ngram_range": (1, 2), "stop_words": stop_words}
    expected = outcome(CountVectorizer(tokenizer=tokens, token_pattern=None, **options), texts)
    with pytest.MonkeyPatch.context() as patch:
        if is_compiled:
            for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
                patch.setattr(token_counts, name, 0)
        actual = outcome(TokenCounter(long_numbers_as_zeros=True, **options), texts)
    assert (actual is None) == (expected is None)
    if expected is not None:
        assert actual[0] == expected[0]
        assert_same_matrix(actual[1], expected[1])


def assert_as_scikit_learn(texts, parameters, new_texts):
    expected = outcome(CountVectorizer(**parameters), texts)
    actual = outcome(TokenCounter(**parameters), iter(texts))
    if expected is None:
        assert actual is None
        return
    assert actual[0] == expected[0]
    assert_same_matrix(actual[1], expected[1])
    assert_same_matrix(
        actual[2].transform(iter(new_texts)), sp.csr_array(expected[2].transform(new_texts))
    )


def assert_same_matrix(actual, expected):
    expected.sort_indices()
    assert actual.shape == expected.shape
    assert actual.has_canonical_format
    assert actual.indices.dtype == actual.indptr.dtype == np.int32
    assert actual.data.dtype == np.float32
    for part in ("indptr", "indices", "data"):
        assert_array_equal(getattr(actual, part), getattr(expected, part))


def test_ties_of_max_features_are_broken_as_scikit_learn_does():
    random = np.random.default_rng(0)
    texts = [" ".join(f"w{n}" for n in random.integers(0, 300, 20)) for _ in range(60)]
    for n in (5, 50, 150):
        expected = CountVectorizer(max_features=n).fit(texts).get_feature_names_out()
        assert TokenCounter(max_features=n).fit(texts).terms_ == expected.tolist()


def test_texts_are_read_a_block_at_a_time(monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_TEXTS", 4)
    alive, most = set(), 0

    class Text(str):
        def __init__(self, _):
            nonlocal most
            alive.add(id(self))
            most = max(most, len(alive))

        def __del__(self):
            alive.discard(id(self))

    TokenCounter().fit_transform(Text(f"some words {n}") for n in range(50))
    assert most <= 16  # four blocks of 50 texts


def test_progress_is_reported_where_the_number_of_texts_is_known(monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_TEXTS", 2)
    texts = ["two words"] * 8

    def reports(texts, **parameters):
        seen = []
        with listening(lambda stage, fraction, **_: seen.append((stage, fraction))):
            TokenCounter().fit_transform(texts, **parameters)
        return seen

    quarters = [("tokenise", fraction) for fraction in (0.25, 0.5, 0.75, 1.0, 1.0)]
    assert reports(texts) == reports(iter(texts)) == quarters  # a list iterator knows its length
    assert reports((text for text in texts), total=8) == quarters
    assert reports(text for text in texts) == [("tokenise", 1.0)]


@pytest.mark.parametrize(
    ("texts", "parameters", "advice"),
    [
        ([], {}, "Give longer texts"),
        (["a", "!"], {}, "Give longer texts"),
        (["the", "and"], {"stop_words": "english"}, "stop_words"),
        (["seed", "bed"], {"extra_stop_words": ["seed bed"]}, "extra_stop_words"),
        (["😀", "👍👍"], {}, "emoji and other signs are counted with the analyzer char_wb"),
        (["seed bed", "seed"], {"min_df": 2, "max_df": 0.5}, "lower min_df or raise max_df"),
        (["seed", "bed"], {"min_df": 2}, "Lower min_df or raise max_df"),
    ],
)
def test_no_term_left_says_what_to_do(texts, parameters, advice):
    with pytest.raises(ValueError, match=advice):
        TokenCounter(**parameters).fit(texts)


@pytest.mark.parametrize("bad", [None, 3, bytearray(b"seed"), np.nan, ["seed"]])
def test_what_is_no_text_is_named(bad):
    with pytest.raises(ValueError, match="text 1 is not a str or bytes"):
        TokenCounter().fit(["seed", bad])


NAType = type("NAType", (), {})  # as in pandas


@pytest.mark.parametrize("missing", [None, np.nan, NAType()])
def test_a_missing_text_says_what_to_do(missing):
    with pytest.raises(ValueError, match=r'text 1 is .*: fill it, say by texts\.fillna\(""\)'):
        TokenCounter().fit(["seed", missing])


def test_an_error_of_the_source_of_texts_is_not_hidden():
    def texts():
        yield "seed"
        raise TypeError("the database is gone")

    with pytest.raises(TypeError, match="the database is gone"):
        TokenCounter().fit(texts())


@pytest.mark.parametrize("text", ["seed", b"seed"])
def test_one_text_is_no_collection(text):
    with pytest.raises(ValueError, match="not one text"):
        TokenCounter().fit(text)


class DataFrame:
    """What a table of pandas is here: an iterable of the names of its columns."""

    shape = (1, 2)

    def __iter__(self):
        return iter(["id", "text"])


class ColumnsFrame:
    """What a table of polars is here: an iterable of its columns."""

    shape, columns = (1, 2), ["id", "text"]

    def __iter__(self):
        return iter([["1"], ["seed"]])


@pytest.mark.parametrize(
    "table",
    [
        DataFrame(),
        ColumnsFrame(),
        {"id": ["1"], "text": ["seed"]},
        np.array([["1", "seed"]]),
    ],
)
def test_a_table_is_not_read_as_the_names_of_its_columns(table):
    counter = TokenCounter()
    with pytest.raises(ValueError, match=r"one column of texts, such as df\['text'\]"):
        counter.fit(table)
    with pytest.raises(ValueError, match="one column of texts"):
        counter.fit(["seed"]).transform(table)


@pytest.mark.parametrize(
    "parameters",
    [
        {"token_pattern": "("},
        {"token_pattern": "(a)(b)"},
        {"stop_words": "klingon"},
        {"stop_words": ["seed", 3]},
        {"extra_stop_words": "english"},
        {"extra_stop_words": ["seed", 3]},
        {"ngram_range": (2, 1)},
        {"ngram_range": (1.0, 2.0)},
        {"ngram_range": (True, 2)},
        {"ngram_range": (1, [2])},
        {"ngram_range": 1},
        {"ngram_range": (1, 6)},
        {"min_df": -1},
        {"min_df": 3, "max_df": 2},
        {"min_df": 0.3, "max_df": 0.2},
        {"max_df": 1.5},
        {"max_features": 0},
        {"cjk": "bigrams", "analyzer": "char"},
        {"cjk": "characters", "analyzer": "char_wb"},
        {"marks": True, "analyzer": "char_wb"},
        {"marks": True, "token_pattern": r"\S+"},
        {"long_numbers_as_zeros": True, "analyzer": "char"},
        {"long_numbers_as_zeros": True, "token_pattern": r"\d+"},
    ],
)
def test_parameters_out_of_range_are_refused_by_name(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        TokenCounter(**parameters).fit(["seed"])


def test_an_unknown_language_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="german") as error:
        TokenCounter(stop_words="klingon").fit(["seed"])
    assert all(language in str(error.value) for language in STOP_WORDS)


@pytest.mark.parametrize(
    ("words", "parameters", "told"),
    [
        (["The", "of"], {}, "'The' is read as 'the'[.] Give them as lowercase, token_pattern"),
        (["don't", "new york"], {}, "\"don't\" is read as 'don', 'new york' is read as 'new york'"),
        (["日本語"], {"cjk": "bigrams"}, "'日本語' is read as '日本 本語'"),
        ({f"Word{n}" for n in range(7)}, {}, "'Word4' is read as 'word4', and 2 more"),
    ],
)
def test_stop_words_that_leave_nothing_out_are_told(words, parameters, told):
    with pytest.warns(UserWarning, match=f"stop words leave nothing out: .*{told}"):
        TokenCounter(stop_words=words, **parameters).fit(["The seed of new york"])


@pytest.mark.parametrize("stop_words", [None, "english", ["bud"]])
def test_extra_stop_words_are_left_out_besides_the_others(stop_words):
    texts = ["The seed and the bud, by the editors.", "A bed by the editors"]
    counter = TokenCounter(stop_words=stop_words, extra_stop_words={"editors", "seed"}).fit(texts)
    left = set(TokenCounter(stop_words=stop_words).fit(texts).terms_) - {"editors", "seed"}
    assert set(counter.terms_) == left
    assert counter.transform(["seed"]).nnz == 0


@pytest.mark.parametrize(
    ("parameters", "extra", "left"),
    [
        ({}, ["Sent from my Phone!"], ["bed", "日本語"]),
        ({"lowercase": False}, ["Sent from my Phone!"], ["Bed", "phone", "日本語"]),
        ({"ngram_range": (1, 2)}, ["phone sent", "my from"], ["bed", "bed 日本語", "日本語"]),
        (
            {"cjk": "bigrams", "stop_words": ["bed"]},
            ["日本", "my"],
            ["from", "phone", "sent", "本語"],
        ),
        ({"token_pattern": "[a-z-]+", "stop_words": ["my"]}, ["bed phone"], ["from", "sent"]),
    ],
)
def test_extra_stop_words_are_read_as_texts_are(parameters, extra, left):
    counter = TokenCounter(**parameters, extra_stop_words=extra)
    assert counter.fit(["Sent from my phone: Bed 日本語"]).terms_ == left


def test_extra_stop_words_leave_out_no_characters():
    counter = TokenCounter(analyzer="char", ngram_range=(5, 5), extra_stop_words=["seeds"])
    assert counter.fit(["seeds"]).terms_ == ["seeds"]


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        (["The"], {"lowercase": False}),
        (["The", "the", "a"], {}),
        (["The"], {"analyzer": "char"}),
        ("english", {}),
    ],
)
def test_other_stop_words_do_not_warn(words, parameters):
    TokenCounter(stop_words=words, **parameters).fit(["The seed"])


@pytest.mark.parametrize("kind", [list, set, frozenset])
def test_stop_words_may_be_a_set_that_is_saved(kind, tmp_path):
    counter = clone(TokenCounter(stop_words=kind(["the", "of", "a"]))).fit(["the seed of a bed"])
    save(counter, tmp_path / "counter")
    assert counter.terms_ == ["bed", "seed"]
    assert load(tmp_path / "counter").transform(["the bed"]).toarray().tolist() == [[1, 0]]


@pytest.mark.parametrize("language", STOP_WORDS)
def test_stop_words_are_tokens_in_lower_case(language):
    counter = TokenCounter(token_pattern=r"(?u)\b\w+\b")
    assert set(counter.fit(STOP_WORDS[language]).terms_) == STOP_WORDS[language]


def test_fitting_again_forgets_the_terms_of_before():
    counter = TokenCounter().fit(["seed"])
    assert counter.transform(["seed"]).sum() == 1
    assert counter.fit(["bed"]).transform(["seed"]).sum() == 0
    assert counter.fit_terms(["seed"]).transform(["seed"]).sum() == 1
