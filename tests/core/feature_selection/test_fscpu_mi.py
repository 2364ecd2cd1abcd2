"""Specification of feature selection, sections 2.3 and 4."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.feature_selection import fscpu_mi
from core.feature_selection.fscpu import FSCPU
from core.feature_selection.fscpu_mi import FSCPUMI, StandardizedSum, pair_information
from core.kernels.features.compact_ga import search_masks
from tests.core.feature_selection.test_fscpu import X, Y, blobs

SETTINGS = {"n_clusters": 4, "max_iter": 60, "random_state": 0}


def slow_pair_information(first, second, labels):
    """By the definition, over joint cells of two coded features and the labels."""
    cells = list(zip(first, second, strict=True))
    total = 0.0
    for cell in set(cells):
        is_cell = np.array([other == cell for other in cells])
        for label in (False, True):
            joint = (is_cell & (labels == label)).mean()
            if joint:
                total += joint * np.log(joint / (is_cell.mean() * (labels == label).mean()))
    return total


def test_information_of_pairs_is_that_of_the_definition():
    values = np.random.default_rng(0).integers(0, 3, size=(60, 4)).astype(float)
    labels = np.random.default_rng(1).random(60) < 0.3
    pairs = pair_information(values, labels, 5)
    for i in range(4):
        for j in range(4):
            expected = slow_pair_information(values[:, i], values[:, j], labels) if i != j else 0
            assert_allclose(pairs[i, j], expected, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_columns_of_the_cluster_are_selected(seed):
    selector = FSCPUMI(2, n_clusters=4, max_iter=300, random_state=seed).fit(*blobs(seed))
    assert selector.get_support(indices=True).tolist() == [0, 1]


def test_without_information_it_is_fscpu(monkeypatch):
    monkeypatch.setattr(fscpu_mi, "pair_information", lambda X, *_: np.zeros((6, 6)))
    actual, expected = FSCPUMI(2, **SETTINGS).fit(X, Y), FSCPU(2, **SETTINGS).fit(X, Y)
    assert_array_equal(actual.scores_, expected.scores_)
    assert actual.objective_ == expected.objective_


def test_without_clusters_it_searches_by_information_alone():
    pairs = pair_information(X, Y == 1, 5)
    settings = {"learning_rate": 0.05, "clip_rate": 0.2, "max_iter": 60}

    def search(criterion):
        random = np.random.default_rng(0)
        return search_masks(criterion, np.ones(6), 2, random=random, **settings).probabilities

    def information(*masks):
        return tuple(mask @ pairs @ mask / 2 for mask in masks)

    both = FSCPUMI(2)
    both.objective_ = []
    criterion = both._criterion(X, Y == 1, lambda *masks: (0.3, 0.3))
    assert_array_equal(search(criterion), search(information))


def test_sums_are_those_of_terms_over_their_deviations():
    rng, terms = np.random.default_rng(0), StandardizedSum()
    log = []
    for _ in range(20):
        pair = rng.normal(size=(2, 2)) * [3, 0.1] + [5, 100]
        log.extend(pair)
        assert_allclose(terms.add(pair), (pair / np.std(log, axis=0)).sum(axis=1), rtol=1e-9)


def test_constant_terms_are_left_out():
    terms = StandardizedSum()
    assert_array_equal(terms.add(np.array([[2.0, 1], [2, 1]])), [0, 0])
    assert_array_equal(terms.add(np.array([[2.0, 1], [2, 3]])) > 0, [True, True])
