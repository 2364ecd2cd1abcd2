import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits

from core.kernels.rows.near_copies import (
    RARE,
    SAME,
    groups_among,
    may_have_copies,
    near_copy_groups,
)
from core.kernels.rows.row_hash import content_order


def sets(rows, n_features=2000):
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    indices = np.array([i for row in rows for i in sorted(row)], dtype=np.int32)
    return sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(rows), n_features))


def drawn(random, n, low=0):
    return set((low + random.choice(1000, n, replace=False)).tolist())


def slow_groups(rows):
    """Return the groups with all pairs compared, joined by walks; each is a frozen set of rows."""
    different = {frozenset(row) for row in rows}
    n_with = {f: sum(f in row for row in different) for f in set().union(*rows)}
    least = 2 * np.log(len(different)) + RARE

    def are_alike(a, b):
        shared = a & b
        rarity = sum(np.log(len(different) / n_with[f]) for f in shared)
        return len(shared) >= SAME * np.sqrt(len(a) * len(b)) and rarity >= least

    group = list(range(len(rows)))
    for i, row in enumerate(rows):
        for j in range(i):
            if row and rows[j] and are_alike(row, rows[j]):
                old, new = group[i], group[j]
                group = [new if g == old else g for g in group]
    return {frozenset(np.flatnonzero(np.array(group) == g).tolist()) for g in group}


def test_each_row_is_alike_to_the_first_of_its_group_along_a_chain_of_changes():
    features = list(range(20))
    rows = []
    for i in range(100):
        features[i % 20] = 100 + i
        rows.append(set(features))
    found = near_copy_groups(
        sets([*rows, *(drawn(np.random.default_rng(i), 20, 500) for i in range(50))])
    )
    for row, first in enumerate(found[:100]):
        assert len(rows[row] & rows[first]) >= SAME * 20
    assert len(set(found[:100].tolist())) < 60


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_those_of_all_pairs_but_for_a_few_missed(seed):
    random = np.random.default_rng(seed)
    texts = [drawn(random, 15) for _ in range(60)]
    copies = [text | drawn(random, 2, low=1000) for text in texts[:20] for _ in range(4)]
    rows = [*texts, *copies, set(), set(), {1}, {1}]
    found = near_copy_groups(sets(rows))
    groups = {frozenset(np.flatnonzero(found == g).tolist()) for g in found.tolist()}
    expected = slow_groups(rows)
    # Nothing is joined that is not alike, and hardly a pair is missed.
    assert all(any(group <= other for other in expected) for group in groups)
    assert len(groups & expected) >= 0.9 * len(expected)
    assert all(found[list(group)].min() == min(group) for group in groups)


def test_values_and_other_features_of_a_group_do_not_matter():
    random = np.random.default_rng(0)
    rows = [drawn(random, 20) for _ in range(50)]
    X = sets([*rows, rows[3]])
    X.data = random.random(X.nnz) + 0.1
    assert near_copy_groups(X)[50] == 3


@pytest.mark.parametrize("seed", range(5))
def test_in_the_order_of_contents_groups_are_the_same_wherever_rows_stand(seed):
    random = np.random.default_rng(seed)
    texts = [drawn(random, 12) for _ in range(40)]
    # Chains of variants, of which some pairs are missed.
    for _ in range(100):
        text = texts[random.integers(len(texts))]
        texts.append(set(random.permutation([*text])[:-1].tolist()) | drawn(random, 2, low=1000))
    X = sets(texts)
    shuffled = random.permutation(len(texts))
    groups = []
    for rows in (np.arange(len(texts)), shuffled):
        rows = rows[content_order(X[rows])]
        found = near_copy_groups(X[rows])
        groups.append({frozenset(rows[found == g].tolist()) for g in found.tolist()})
    assert groups[0] == groups[1]
    assert len(groups[0]) < len(texts) - 30


@pytest.mark.parametrize("seed", range(3))
def test_among_some_rows_groups_are_those_of_all_pairs_of_these(seed):
    random = np.random.default_rng(seed)
    texts = [drawn(random, 15) for _ in range(60)]
    rows = [*texts, *(text | drawn(random, 1, low=1000) for text in texts[:20] for _ in range(3))]
    some = random.random(len(rows)) < 0.5
    found = near_copy_groups(sets(rows), among=some)
    assert (found[~some] == np.flatnonzero(~some)).all()
    places = np.flatnonzero(some)
    groups = {frozenset(np.flatnonzero(found[some] == g).tolist()) for g in found[some].tolist()}
    expected = slow_groups([rows[place] for place in places])
    assert len(groups & expected) >= 0.9 * len(expected)
    assert len(groups) < len(places)


@pytest.mark.parametrize("seed", range(20))
def test_groups_among_some_rows_are_the_same_in_whatever_order_the_others_stand(seed):
    features = np.random.default_rng(seed).permutation(1000).tolist()
    short, long, last = features[:3], features[10:22], features[-2:]
    # Rows of the length of ``long`` mostly have one signature, whatever one feature is.
    others = [{*long, short[0]}, {*long, last[0]}]
    unlike = [set(features[40 + 8 * i : 48 + 8 * i]) for i in range(14 + seed)]
    groups = [
        groups_among(
            sets([set(short), {*short, last[1]}, *pair, *unlike]), np.arange(18 + seed) < 2
        )
        for pair in (others, others[::-1])
    ]
    assert (groups[0] == groups[1]).all()


def test_few_rows_of_which_no_two_are_alike_are_groups_of_their_own():
    random = np.random.default_rng(0)
    rows = [*(drawn(random, 15) for _ in range(40)), set(), set()]
    copied = sets([*rows, *rows])
    assert near_copy_groups(copied, among=np.arange(84) < 42).tolist() == list(range(84))


def test_of_more_than_a_hundred_rows_it_is_taken_for_granted_that_some_may_be_copies():
    rows = sp.eye_array(101, format="csr")
    assert not may_have_copies(rows[:100])
    assert may_have_copies(rows)


@pytest.mark.parametrize(
    "X",
    [
        np.ones((12, 30)),
        np.random.default_rng(0).random((50, 9)),
        load_digits(return_X_y=True)[0],
        load_breast_cancer(return_X_y=True)[0],
        np.eye(5)[[0, 0, 1, 1, 1]],
        np.zeros((3, 4)),
    ],
    ids=["all alike", "a table of numbers", "digits", "breast cancer", "a word or two", "empty"],
)
def test_rows_that_are_alike_by_chance_are_no_copies(X):
    assert near_copy_groups(sp.csr_array(X)).tolist() == list(range(len(X)))
