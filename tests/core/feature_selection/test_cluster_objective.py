"""Specification of feature selection, sections 3.1, 3.7 and 3.8."""

import numpy as np
import pytest
from joblib import parallel_config
from scipy.stats import spearmanr
from threadpoolctl import threadpool_limits

from core.feature_selection.cluster_objective import (
    PaperObjective,
    QuickObjective,
    pair_evaluation,
)

RNG = np.random.default_rng(0)
#: Columns 0 to 3 hold a cluster of positives, the others nothing.
IS_POSITIVE = np.arange(900) < 60
X = RNG.uniform(size=(900, 10))
X[:120, :4] = 0.5 + 0.04 * RNG.normal(size=(120, 4))
MASKS = RNG.random((40, 10)) < 0.5
MASKS = MASKS[MASKS.any(axis=1)]


@pytest.fixture(autouse=True)
def one_thread():
    with threadpool_limits(1):
        yield


def quick(n_selected=5, max_unlabeled=1500, seed=0):
    return QuickObjective(
        X,
        IS_POSITIVE,
        n_clusters=6,
        n_selected=n_selected,
        max_unlabeled=max_unlabeled,
        random=np.random.default_rng(seed),
    )


def paper():
    return PaperObjective(X, IS_POSITIVE, n_clusters=6, random=np.random.default_rng(0))


def values(objective, masks=MASKS):
    return np.array([objective.value(mask, objective.draw_start()) for mask in masks])


@pytest.mark.parametrize("objective", [quick(), quick(max_unlabeled=100), quick(500), paper()])
def test_values_lie_between_the_share_of_positives_and_one(objective):
    found = values(objective)
    assert (found >= IS_POSITIVE.mean() - 1e-6).all()
    assert (found <= 1 + 1e-6).all()


def test_quick_look_orders_masks_as_the_paper_does():
    # Both draw random starts; means over a few of them are compared.
    slow = np.mean([values(objective) for objective in [paper()] * 3], axis=0)
    fast = np.mean([values(quick(seed=seed)) for seed in range(6)], axis=0)
    assert spearmanr(slow, fast).statistic > 0.8


def test_sample_stands_for_all_rows():
    whole = np.mean([values(quick(seed=seed)) for seed in range(6)], axis=0)
    sample = np.mean([values(quick(max_unlabeled=300, seed=seed)) for seed in range(6)], axis=0)
    assert quick(max_unlabeled=300).n_rows == 360
    assert spearmanr(whole, sample).statistic > 0.8


def test_covariances_are_diagonal_where_rows_are_few():
    # Four rows for each of six clusters and each feature.
    assert quick(n_selected=37).covariance == "full"
    assert quick(n_selected=38).covariance == "diagonal"


def test_two_threads_give_the_same_values():
    pairs = [MASKS[i : i + 2] for i in range(0, 10, 2)]
    found = []
    for n_jobs in (1, 2):
        objective = quick()
        objective.is_large = True
        with parallel_config("threading", n_jobs=n_jobs), pair_evaluation(objective) as evaluate:
            found.append([evaluate(*pair) for pair in pairs])
    assert found[0] == found[1]
