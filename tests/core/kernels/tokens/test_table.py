"""The oracle is a dict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernels.tokens import hash as token_hash
from core.kernels.tokens import sorted_terms as token_sorted_terms
from core.kernels.tokens import sorted_words as token_sorted_words
from core.kernels.tokens.hash import MARGIN
from core.kernels.tokens.packed_terms import PackedTerms
from core.kernels.tokens.sorted_terms import sort_terms
from core.kernels.tokens.table import new_table, numbers_of_bytes
from core.kernels.tokens.terms import add_strings, columns_of_hashes, packed_terms

WORDS = st.lists(st.text(alphabet="abcdefgh日é", min_size=1, max_size=20), min_size=1, max_size=40)
TERMS = st.lists(st.lists(st.sampled_from(["a", "b", "abcdefghi", "é"]), min_size=1, max_size=4))


def table_of(terms, *, is_split):
    return add_strings(new_table(), terms, is_split=is_split)


@given(WORDS)
def test_each_string_has_one_number_from_0_on(words):
    table, numbers = table_of(words, is_split=False)
    number = {word: i for i, word in enumerate(dict.fromkeys(words))}
    assert numbers.tolist() == [number[word] for word in words]
    assert packed_terms(table, np.arange(len(number))) == list(number)


def sorted_strings(*tables):
    """Return all terms of tables as they are sorted, and those of each table by their places."""
    terms, places = sort_terms(tables)
    return packed_terms(terms, np.arange(len(terms.first))), [
        packed_terms(terms, of_one) for of_one in places
    ]


@pytest.mark.parametrize("most_bits", [64, 0])
@given(st.lists(TERMS, min_size=1, max_size=4))
def test_terms_of_all_tables_are_in_the_order_of_their_strings(most_bits, terms_of_each):
    tables = [
        table_of([" ".join(words) for words in terms], is_split=True)[0] for terms in terms_of_each
    ]
    strings = [packed_terms(table, np.arange(table.sizes[0])) for table in tables]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_sorted_terms, "MOST_BITS", most_bits)
        all_strings, by_places = sorted_strings(*tables)
    assert all_strings == sorted(set().union(*strings))
    assert by_places == strings


@given(st.lists(st.text(min_size=1, max_size=30), max_size=30))
def test_strings_are_ordered_as_python_does(terms):
    # Long common beginnings, zeros and line ends are where bytes in words of eight can go wrong.
    terms = {*terms, *(f"{'ab' * 6}{term}" for term in terms), *(f"{term}\0" for term in terms)}
    table, _ = table_of(list(terms), is_split=False)
    assert sorted_strings(table)[0] == sorted(terms)


@given(st.sets(st.text("ab\0é", max_size=20), min_size=1), st.sampled_from([55, 63, 64, 65, 1000]))
def test_strings_with_long_common_beginnings_are_ordered_as_python_does(ends, n_common):
    terms = [*(f"{'x' * n_common}{end}" for end in ends), *(f"{'y' * 80}{end}" for end in ends)]
    table, _ = table_of([*terms, "x", "z"], is_split=False)
    assert sorted_strings(table)[0] == sorted([*terms, "x", "z"])


def test_few_passes_tell_two_long_strings_apart(monkeypatch):
    passes = []
    monkeypatch.setattr(
        token_sorted_words, "_big_endian", recorded(token_sorted_words._big_endian, passes)
    )
    terms = ["x" * 100_000 + "b", "x" * 100_000 + "a"]
    table, _ = table_of(terms, is_split=False)
    assert sorted_strings(table)[0] == terms[::-1]
    assert len(passes) == token_sorted_words._COMMON_BYTES / 8


def recorded(function, calls):
    """Return the function, each call of which is appended to ``calls``."""
    return lambda *args: calls.append(args) or function(*args)


def test_a_table_grows():
    words = [f"{'a long beginning ' * (i % 2)}{i}" for i in range(50_000)]
    table, numbers = table_of(words, is_split=False)
    assert numbers.tolist() == list(range(50_000))
    assert table_of(words, is_split=False)[0].sizes.tolist() == table.sizes.tolist()
    assert packed_terms(table, numbers) == words


def test_long_strings_with_one_hash_are_told_apart_by_their_bytes():
    # Two blocks of eight bytes: the second undoes what the first one did.
    first = b"01234567"
    as_number = np.frombuffer(first, dtype=np.uint64)[0]
    other = np.uint64(12345)
    mixed = token_hash.mixed.py_func
    with np.errstate(over="ignore"):
        rest = np.frombuffer(b"89abcdef", dtype=np.uint64)[0]
        undone = mixed(as_number, 0) ^ rest ^ mixed(other, 0)
    strings_ = np.frombuffer(
        first + b"89abcdef" + other.tobytes() + undone.tobytes() + bytes(MARGIN), dtype=np.uint8
    )
    assert token_hash.hash_bytes(strings_, 0, 16) == token_hash.hash_bytes(strings_, 16, 16)
    both = PackedTerms(strings_, np.array([0, 16, 32]))
    table, numbers = add_strings(new_table(), both, is_split=False)
    assert numbers.tolist() == [0, 1]
    # At a glance only the first is found: the other has to be looked up by itself.
    assert looked_up(table, strings_, np.array([0, 16]), np.array([16, 16])) == [0, -1]


def looked_up(table, source, starts, lengths):
    """Return what ``numbers_of_bytes`` finds."""
    n = len(starts)
    hashes, numbers = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.int64)
    lengths = lengths.astype(np.int32)
    numbers_of_bytes(table, source, starts.astype(np.int32), lengths, hashes, numbers, n)
    return numbers.tolist()


@given(WORDS, WORDS)
def test_strings_are_found_at_once_as_one_by_one(known, asked):
    table, _ = table_of(known, is_split=False)
    number = {word: i for i, word in enumerate(dict.fromkeys(known))}
    encoded = [word.encode() for word in [*known, *asked]]
    source = np.frombuffer(b"".join(encoded) + bytes(MARGIN), dtype=np.uint8)
    ends = np.cumsum([len(word) for word in encoded])
    lengths = np.diff(ends, prepend=0)
    expected = [number.get(word, -1) for word in [*known, *asked]]
    assert looked_up(table, source, ends - lengths, lengths) == expected


@pytest.mark.parametrize("n_features", [1, 7, 2**20])
def test_columns_of_the_least_hash_are_those_of_scikit_learn(n_features):
    # scikit-learn's _hashing_fast.pyx: (2147483647 - (n_features - 1)) % n_features.
    hashes = np.array([-(2**31), -1, 2**31 - 1])
    expected = [(2147483647 - (n_features - 1)) % n_features, 1 % n_features]
    expected.append((2**31 - 1) % n_features)
    assert columns_of_hashes(hashes, n_features).tolist() == expected
