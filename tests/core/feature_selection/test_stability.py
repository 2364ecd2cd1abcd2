from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp

from core.feature_selection.fscpu import FSCPU
from core.feature_selection.k_best import KBest
from core.feature_selection.stability import (
    bootstrap_selections,
    jaccard_index,
    kuncheva_index,
)
from core.progress import listening, stopping


def selections(n_selections, n_features, size, seed=0):
    random = np.random.default_rng(seed)
    masks = np.zeros((n_selections, n_features), dtype=bool)
    for mask in masks:
        mask[random.choice(n_features, size, replace=False)] = True
    return masks


def kuncheva_of_pair(a, b):
    """Kuncheva (2007), of two selections of one size."""
    d, k, r = len(a), a.sum(), (a & b).sum()
    return (r * d - k**2) / (k * (d - k))


@pytest.mark.parametrize(("n_selections", "n_features", "size"), [(2, 5, 1), (7, 12, 5), (4, 9, 8)])
def test_index_is_the_mean_of_kuncheva_over_pairs(n_selections, n_features, size):
    masks = selections(n_selections, n_features, size)
    pairs = [kuncheva_of_pair(a, b) for a, b in combinations(masks, 2)]

    assert kuncheva_index(masks) == pytest.approx(np.mean(pairs))


def test_equal_selections_are_perfectly_stable():
    masks = np.tile([True, False, True, False, False], (4, 1))

    assert kuncheva_index(masks) == pytest.approx(1)
    assert jaccard_index(masks) == 1


def test_random_selections_agree_as_by_chance():
    assert kuncheva_index(selections(400, 40, 10)) == pytest.approx(0, abs=0.01)


def test_selections_without_a_common_feature_are_below_chance():
    masks = np.eye(4, dtype=bool)

    # r = 0, so that -k^2 / (k (d - k)) = -1/3.
    assert kuncheva_index(masks) == pytest.approx(-1 / 3)
    assert jaccard_index(masks) == 0


def test_all_or_no_features_say_nothing():
    assert np.isnan(kuncheva_index(np.ones((3, 4))))
    assert np.isnan(kuncheva_index(np.zeros((3, 4))))
    assert jaccard_index(np.zeros((3, 4))) == 1


def test_index_of_unequal_sizes_follows_the_variances():
    # Frequencies 1, 1/2, 0 and share 1/2: 1 - mean(0, 1/2, 0) / (1/4).
    assert kuncheva_index([[1, 1, 0], [1, 0, 0]]) == pytest.approx(1 - (0.5 / 3) / 0.25)


def test_jaccard_is_the_mean_over_pairs():
    masks = selections(6, 10, 4)
    pairs = [(a & b).sum() / (a | b).sum() for a, b in combinations(masks, 2)]

    assert jaccard_index(masks) == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("index", [kuncheva_index, jaccard_index])
@pytest.mark.parametrize("masks", [[[True, False]], [True, False]])
def test_one_selection_cannot_be_compared(index, masks):
    with pytest.raises(ValueError, match="two selections or more"):
        index(masks)


class Spy(KBest):
    """Keeps what it was fitted to."""

    seen = []

    def fit(self, X, y):
        self.seen.append((np.asarray(X), y))
        return super().fit(X, y)


@pytest.fixture
def seen(monkeypatch):
    monkeypatch.setattr(Spy, "seen", [])
    return Spy.seen


def test_bootstraps_keep_the_numbers_of_both_classes(seen):
    random = np.random.default_rng(0)
    X, y = random.random((50, 3)), np.arange(50) < 7

    masks = bootstrap_selections(Spy(1), X, y, n_bootstraps=4, random_state=0)

    assert masks.shape == (4, 3)
    assert (masks.sum(axis=1) == 1).all()
    assert [labels.sum() for _, labels in seen] == [7] * 4
    # Features come in another order each time.
    samples = {tuple(sorted(row)) for row in X}
    for rows, labels in seen:
        assert {tuple(sorted(row)) for row in rows} < samples
        assert {tuple(sorted(row)) for row in rows[labels]} <= {tuple(sorted(row)) for row in X[:7]}
    assert len({rows.tobytes() for rows, _ in seen}) == 4


def test_features_alike_are_selected_as_by_chance():
    """Four copies: each is taken by half of the bootstraps, whatever their order is."""
    X = np.repeat(np.arange(40.0)[:, None], 4, axis=1)

    masks = bootstrap_selections(KBest(2), X, np.arange(40) > 30, n_bootstraps=400)

    # Of 400 draws of a half, the share is within 0.1, 4 times its error.
    np.testing.assert_allclose(masks.mean(axis=0), 0.5, atol=0.1)
    assert kuncheva_index(masks) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_selected_features_are_named_in_their_own_order(form):
    random = np.random.default_rng(0)
    y = np.arange(60) < 20
    X = random.random((60, 8)) * 0.1
    X[:, [2, 5]] += 5.0 * y[:, None]

    masks = bootstrap_selections(KBest(2), form(X), y, n_bootstraps=5)

    assert [np.flatnonzero(mask).tolist() for mask in masks] == [[2, 5]] * 5


def test_costs_stay_with_their_features():
    random = np.random.default_rng(0)
    X, y = random.random((60, 5)), np.arange(60) < 20
    selector = FSCPU(1, costs=[9, 9, 1, 9, 9], budget=1, max_iter=2, random_state=0)

    masks = bootstrap_selections(selector, X, y, n_bootstraps=3)

    assert [np.flatnonzero(mask).tolist() for mask in masks] == [[2]] * 3
    assert FSCPU(1).reordered(np.arange(5)).costs is None


def test_same_seed_gives_the_same_bootstraps():
    random = np.random.default_rng(0)
    X, y = random.random((40, 6)), np.arange(40) < 10
    first, second, other = (
        bootstrap_selections(KBest(2), X, y, n_bootstraps=5, random_state=seed)
        for seed in (3, 3, 4)
    )

    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_progress_is_that_of_all_bootstraps():
    fractions = []
    with listening(lambda _, fraction: fractions.append(fraction)):
        bootstrap_selections(KBest(1), np.eye(2), [1, 0], n_bootstraps=4)

    assert fractions == [0.25, 0.5, 0.75, 1]


def test_one_bootstrap_is_too_few():
    with pytest.raises(ValueError, match="n_bootstraps must be at least 2"):
        bootstrap_selections(KBest(1), [[1, 0], [0, 1]], [1, 0], n_bootstraps=1)


@pytest.mark.parametrize("n_finished", [0, 2])
def test_a_stop_leaves_the_bootstraps_that_were_finished(n_finished):
    answers = iter([False] * n_finished + [True])
    X, y = np.array([[5, 1], [6, 1], [0, 1], [1, 2]]), [1, 1, 0, 0]
    with stopping(lambda: next(answers)):
        masks = bootstrap_selections(KBest(1), X, y, n_bootstraps=5)
    assert masks.shape == (n_finished, 2)
