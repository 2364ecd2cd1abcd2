"""However texts come and are counted, the counts are the same to the bit."""

import gc
import os
from collections import defaultdict

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from core.kernels.rows import row_blocks
from core.kernels.tokens import blocks as token_blocks
from core.kernels.tokens import counts as token_counts
from core.kernels.tokens import store as token_store
from core.kernels.tokens import vocabulary as token_vocabulary
from core.text import TokenCounter

RANDOM = np.random.default_rng(0)
WORDS = [
    *(f"w{n}" for n in range(300)),
    "ΟΔΟΣ",
    "İstanbul",
    "a_rather_long_word",
    "2026",
    "20267",
    "19999",
    "é",
    "日本語",
    "बाढ़",
    "\ud800x",
]
TEXTS = [" ".join(RANDOM.choice(WORDS, RANDOM.integers(0, 60))) for _ in range(200)]
VALID = [text.replace("\ud800", "") for text in TEXTS]
MODES = [
    {},
    {"ngram_range": (1, 3), "stop_words": ["w1", "w2"]},
    {"analyzer": "char_wb", "ngram_range": (2, 4), "binary": True},
    {"token_pattern": r"[^ ]+", "ngram_range": (2, 2)},
    {"n_features": 50, "cjk": "bigrams", "marks": True},
    {"cjk": "characters", "long_numbers_as_zeros": True},
    {
        "cjk": "bigrams",
        "long_numbers_as_zeros": True,
        "ngram_range": (1, 2),
        "extra_stop_words": ["W3, 日本語 12345"],
    },
    {"min_df": 3, "max_df": 0.2, "max_features": 100},
]
EXTENDABLE = [mode for mode in MODES if "min_df" not in mode]


@pytest.fixture(autouse=True)
def few_texts_are_many(monkeypatch):
    for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
        monkeypatch.setattr(token_counts, name, 1000)


def assert_same(actual, expected):
    assert actual.shape == expected.shape
    assert actual.has_canonical_format
    for part in ("indptr", "indices", "data"):
        one, other = getattr(actual, part), getattr(expected, part)
        assert one.dtype == other.dtype
        assert_array_equal(one, other)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_blocks_workers_and_files_do_not_matter(mode, monkeypatch, tmp_path):
    counter = TokenCounter(**mode)
    expected = counter.fit_transform(TEXTS)
    terms = counter.terms_
    for n_bytes, n_texts, n_jobs, n_own in [
        (500, 50_000, 1, 0),
        (3000, 30, 2, 50),
        (500, 9, 2, 5000),
    ]:
        monkeypatch.setattr(token_vocabulary, "MOST_OWN_TERMS", n_own)
        monkeypatch.setattr(token_blocks, "BLOCK_BYTES", n_bytes)
        monkeypatch.setattr(token_blocks, "BLOCK_TEXTS", n_texts)
        with parallel_config("threading", n_jobs=n_jobs):
            for folder in (None, tmp_path):
                assert_same(counter.fit_transform(iter(TEXTS), folder=folder), expected)
                assert counter.terms_ == terms
                assert_same(counter.transform(iter(TEXTS), folder=folder), expected)


def test_many_texts_that_are_none_are_told_by_the_first(monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_TEXTS", 10)
    texts = [b"caf\xe9"] * 200
    with (
        parallel_config("threading", n_jobs=2),
        pytest.raises(ValueError, match="text 0 is not UTF-8"),
    ):
        TokenCounter().fit(texts)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_most_features_of_binary_counts_are_those_in_most_texts(n_jobs, monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_TEXTS", 30)
    limits = {"binary": True, "max_features": 60}
    with parallel_config("threading", n_jobs=n_jobs):
        counter = TokenCounter(**limits).fit(VALID)
    expected = CountVectorizer(**limits).fit(VALID)
    assert list(counter.terms_) == expected.get_feature_names_out().tolist()


def test_the_backend_of_joblib_does_not_matter(monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_BYTES", 20_000)
    expected = TokenCounter().fit_transform(TEXTS)
    with parallel_config("loky", n_jobs=2):
        counter = TokenCounter()
        assert_same(counter.fit_transform(TEXTS), expected)
        assert_same(counter.transform(TEXTS), expected)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_bytes_are_as_good_as_str(mode):
    expected = TokenCounter(**mode).fit_transform(VALID)
    mixed = [text.encode() if i % 3 else text for i, text in enumerate(VALID)]
    assert_same(TokenCounter(**mode).fit_transform(mixed), expected)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_few_texts_in_plain_python_are_counted_alike(mode, monkeypatch):
    expected = TokenCounter(**mode).fit_transform(TEXTS)
    for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
        monkeypatch.setattr(token_counts, name, 1 << 20)
    counter = TokenCounter(**mode)
    assert_same(counter.fit_transform(TEXTS), expected)
    assert_same(counter.transform(TEXTS), expected)


@pytest.mark.parametrize("mode", EXTENDABLE, ids=str)
@pytest.mark.parametrize("n_before", [1, 150, 199])
@pytest.mark.parametrize("many_terms", [1, 1000])
def test_further_texts_give_what_all_at_once_give(
    mode, n_before, many_terms, monkeypatch, tmp_path
):
    whole = TokenCounter(**mode)
    expected = whole.fit_transform(TEXTS)
    counter = TokenCounter(**mode)
    assert counter.is_extendable
    monkeypatch.setattr(token_counts, "MANY_TERMS", many_terms)
    # A first text without terms could not be learned from alone.
    texts = [TEXTS[0] or "w0", *TEXTS[1:]]
    counts = counter.fit_transform(texts[:n_before])
    for folder in (None, tmp_path):
        other = TokenCounter(**mode).fit_terms(counter.terms_)
        assert_same(other.extend(counts, texts[n_before:], folder=folder), expected)
        assert other.terms_ == whole.terms_
        assert_same(other.transform(texts), expected)


@pytest.mark.parametrize(
    "mode", [{"min_df": 2}, {"max_df": 0.5}, {"max_features": 9}, {"min_df": 1.0}]
)
def test_terms_that_were_left_out_cannot_be_counted_later(mode):
    counter = TokenCounter(**mode)
    counts = counter.fit_transform(
        ["seed", "seed seed bed", "seed"][: 1 if mode == {"min_df": 1.0} else 3]
    )
    assert not counter.is_extendable
    with pytest.raises(ValueError, match="left out before"):
        counter.extend(counts, ["bed"])


def test_counts_of_another_counter_cannot_be_extended():
    counter = TokenCounter().fit(["seed bed"])
    with pytest.raises(ValueError, match="3 columns, but there are 2 terms"):
        counter.extend(TokenCounter().fit_transform(["one two three"]), ["bed"])


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize(
    "limits",
    [{}, {"min_df": 3}, {"min_df": 0.01, "max_df": 0.2}, {"max_features": 40, "max_df": 20}],
    ids=str,
)
def test_terms_are_chosen_from_counts_as_from_texts(mode, limits, monkeypatch, tmp_path):
    if "n_features" in mode and limits:
        pytest.skip("hashed terms are not left out")
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", 500)
    mode = {name: mode[name] for name in mode if name not in ("min_df", "max_df", "max_features")}
    whole = TokenCounter(**mode)
    counts = whole.fit_transform(TEXTS)
    direct = TokenCounter(**mode, **limits)
    expected = direct.fit_transform(TEXTS)
    for terms, folder in ((whole.terms_, None), (list(whole.terms_), tmp_path)):
        counter = TokenCounter(**mode, **limits)
        assert_same(counter.fit_counts(counts, terms, folder=folder), expected)
        assert list(counter.terms_) == list(direct.terms_)
        assert_same(counter.transform(TEXTS), expected)


def test_terms_of_no_text_are_left_out():
    whole = TokenCounter()
    counts = whole.fit_transform(["seed bed", "seed", "bud"])
    counter = TokenCounter()
    assert counter.fit_counts(counts[1:], whole.terms_).toarray().tolist() == [[0, 1], [1, 0]]
    assert counter.terms_ == ["bud", "seed"]
    with pytest.raises(ValueError, match="no term is left"):
        TokenCounter(min_df=3).fit_counts(counts, whole.terms_)


def test_rows_are_taken_in_any_order(monkeypatch, tmp_path):
    counts = TokenCounter().fit_transform(TEXTS)
    for places in (RANDOM.permutation(200), np.arange(5, 17), np.array([], dtype=np.intp)):
        for n_entries in (100, 10**6):
            monkeypatch.setattr(token_store, "BLOCK_ENTRIES", n_entries)
            for folder in (None, tmp_path):
                assert_same(token_store.rows_at(counts, places, folder), counts[places])


def test_no_terms_stay_until_the_next_collection_of_garbage():
    gc.collect()
    gc.disable()
    try:
        TokenCounter(token_pattern="[^ ]+").fit_transform(["seldom seed"])
        held = [each for each in gc.get_objects() if isinstance(each, defaultdict)]
        assert not any("seldom" in each for each in held)
    finally:
        gc.enable()


def test_nothing_is_left_in_the_folder(tmp_path):
    counts = TokenCounter().fit_transform(TEXTS, folder=tmp_path)
    assert not os.listdir(tmp_path)
    assert counts.sum() > 0
    # No file stays open either: that would be a warning.
    with pytest.raises(ValueError, match="no term is left"):
        TokenCounter(min_df=len(TEXTS) + 1, max_df=1000).fit_transform(TEXTS, folder=tmp_path)
    with pytest.raises(ValueError, match="text 200 is not a str"):
        TokenCounter().fit(TEXTS).transform([*TEXTS, None], folder=tmp_path)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_bytes_that_are_not_utf_8_are_named(n_jobs, monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_BYTES", 500)
    # The first half of a character at the end, the second half at the start of the next.
    texts = [*VALID[:100], "é".encode()[:1], "é".encode()[1:], *VALID[:50]]
    with parallel_config("threading", n_jobs=n_jobs):
        for some, number in [(texts, 100), (texts[100:], 0)]:
            with pytest.raises(ValueError, match=f"text {number} is not UTF-8"):
                TokenCounter().fit(some)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_of_the_source_is_raised_through(n_jobs, monkeypatch):
    monkeypatch.setattr(token_blocks, "BLOCK_BYTES", 500)

    def texts():
        yield from VALID
        raise ConnectionError("the database is gone")

    counter = TokenCounter().fit(VALID)
    with parallel_config("threading", n_jobs=n_jobs):
        for method in (counter.fit_transform, counter.transform):
            with pytest.raises(ConnectionError, match="is gone"):
                method(texts())


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(
    "mode",
    [
        {},
        {"ngram_range": (1, 3), "binary": True},
        {"analyzer": "char", "ngram_range": (1, 2)},
        {"analyzer": "char_wb", "ngram_range": (3, 5)},
        {"token_pattern": r"\S+", "lowercase": False},
    ],
    ids=str,
)
def test_hashed_terms_are_in_the_columns_of_scikit_learn(mode, is_compiled, monkeypatch):
    for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
        monkeypatch.setattr(token_counts, name, 1000 if is_compiled else 1 << 20)
    for n_features in (1, 97, 2**20):
        peer = HashingVectorizer(n_features=n_features, alternate_sign=False, norm=None, **mode)
        expected = peer.fit_transform(VALID).astype(np.float32)
        expected.sort_indices()
        counter = TokenCounter(n_features=n_features, **mode)
        assert_same(counter.fit_transform(VALID), expected)
        assert_same(counter.transform(VALID), expected)


@pytest.mark.parametrize("n_features", [1, 97])
def test_hashed_terms_are_named_by_their_columns(n_features):
    counter = TokenCounter(n_features=n_features).fit(VALID)
    names = [f"hash {column}" for column in range(n_features)]
    assert list(counter.terms_) == counter.get_feature_names_out().tolist() == names
    assert (counter.terms_[-1], counter.terms_[-2:]) == (names[-1], names[-2:])


@pytest.mark.parametrize(
    "mode",
    [
        {"ngram_range": (1, 2)},
        {"analyzer": "char", "ngram_range": (2, 5)},
        {"analyzer": "char_wb", "ngram_range": (1, 4)},
    ],
    ids=str,
)
def test_one_long_text_is_counted_whole(mode):
    text = " ".join(f"w{n % 700} ab" for n in range(12_000)) + "é" * 20_000
    expected = CountVectorizer(**mode).fit_transform([text, "w1"])
    expected.sort_indices()
    counter = TokenCounter(**mode)
    for actual in (counter.fit_transform([text, "w1"]), counter.transform([text, "w1"])):
        assert_array_equal(actual.data, expected.data)
        assert_array_equal(actual.indices, expected.indices)
