import numpy as np
import pytest

from core.review.copies import copied_ones, near_copies
from tests.core.conftest import peak_bytes

WORDS = [f"word{i}" for i in range(40)]


@pytest.mark.parametrize("seed", range(3))
def test_as_a_comparison_of_sets_of_words_has_it(seed):
    random = np.random.default_rng(seed)
    texts = [list(random.choice(WORDS[:14], 9, replace=False)) for _ in range(40)]
    expected = []
    for row, text in enumerate(texts):
        # 8 of 9 words or all are more than 0.8, 7 of 9 less.
        kept = (other for other in range(row) if expected[other] == other)
        alike = (other for other in kept if len(set(text) & set(texts[other])) >= 8)
        expected.append(next(alike, row))
    assert expected != list(range(40))
    assert near_copies([" ".join(text) for text in texts]).tolist() == expected


@pytest.mark.parametrize("seed", range(3))
def test_copies_of_some_texts_are_those_among_all(seed):
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS[:14], 9, replace=False)) for _ in range(60)]
    first = near_copies(texts)
    firsts = np.unique(first)
    some = [texts[place] for place in firsts]
    found = copied_ones(some, texts)
    assert firsts[found].tolist() == first.tolist()
    assert copied_ones(some, ["", "a late goal"]).tolist() == [-1, -1]
    assert copied_ones(some, []).tolist() == []


def test_all_pairs_of_thousands_of_copies_do_not_fill_the_memory():
    text = " ".join(WORDS[:20])
    copies = [f"{text} {i}" for i in range(3_000)]
    assert not copied_ones([text], copies).any()
    assert peak_bytes(lambda: copied_ones([text], copies)) < 8 * len(copies) ** 2


def test_a_copy_of_a_copy_is_compared_with_the_first_alone():
    # 10 of 12 words are in common with the next, 8 of 12 with the one after it.
    texts = [" ".join(WORDS[start : start + 12]) for start in (0, 2, 4)]
    assert near_copies(texts).tolist() == [0, 0, 2]


def test_texts_without_words_are_no_copies():
    assert near_copies(["", "!", "", "?"]).tolist() == [0, 1, 2, 3]


def test_texts_without_blanks_are_compared_too():
    text = "河水漫过了堤岸淹没了城里所有的街道和房屋"
    texts = [text, text + "了", "球队在最后一分钟丢了一球"]
    assert near_copies(texts).tolist() == [0, 0, 2]


@pytest.mark.parametrize(("n_own", "first"), [(5, 0), (6, 1)])
def test_pages_of_one_template_differ_in_more_than_a_few_words(n_own, first):
    common = [f"common{i}" for i in range(200)]
    pages = [" ".join(common + [f"page{page}word{i}" for i in range(n_own)]) for page in range(2)]
    assert near_copies(pages).tolist() == [0, first]
    assert near_copies([" ".join(common), pages[0]]).tolist() == [0, first]
