"""Specification E7; the numbers are those of its toy example."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from core.class_prior.pen_l1 import pen_l1, pen_l1_prior
from core.kernels.scores.binned_density import log_odds_of_ranks

TOY = np.array([0.6, 0.2]), np.array([0.3, 0.5]), 0.05


def test_minimum_is_that_of_the_toy_example():
    found = minimize_scalar(
        pen_l1, bounds=(0, 1), method="bounded", args=TOY, options={"xatol": 1e-9}
    )
    assert_allclose([found.x, found.fun], [0.569444, 0.465278], atol=1e-6)


def test_many_priors_are_as_one_by_one():
    priors = np.array([0.2, 0.6, 0.9])
    assert_allclose(pen_l1(priors, *TOY), [pen_l1(prior, *TOY) for prior in priors])


@pytest.mark.parametrize("seed", range(3))
def test_width_and_penalty_are_those_of_least_error_on_what_is_left_out(seed):
    random = np.random.default_rng(seed)
    scores = random.beta(6, 2, 17), np.append(random.beta(6, 2, 12), random.beta(2, 5, 28))
    p, u = (np.sort(log_odds_of_ranks(side, 40)) for side in scores)
    unit = np.median(np.abs(np.subtract.outer(u, u))[np.triu_indices(40, k=1)])
    centres = np.append(u, p[(p < u.min()) | (p > u.max())])
    shuffle = np.random.default_rng(0).permutation
    fold_p, fold_u = shuffle(np.arange(17) % 5), shuffle(np.arange(40) % 5)
    values = []
    for prior in np.arange(1, 100) / 100:
        tried = []
        for width, penalty in product((0.1, 0.3, 1, 3), (1e-3, 1e-2, 1e-1, 1)):
            P, U = (
                np.exp(-((side[:, None] - centres) ** 2) / (2 * (width * unit) ** 2))
                for side in (p, u)
            )
            error = 0.0
            for k in range(5):
                known = prior * P[fold_p != k].mean(axis=0) - U[fold_u != k].mean(axis=0)
                left_out = prior * P[fold_p == k].mean(axis=0) - U[fold_u == k].mean(axis=0)
                error -= np.maximum(known, 0) / penalty @ left_out
            tried.append((error, pen_l1(prior, P.mean(axis=0), U.mean(axis=0), penalty)))
        values.append(min(tried)[1])
    assert pen_l1_prior(*scores) == (1 + np.argmin(values)) / 100


@pytest.mark.parametrize("seed", range(5))
def test_no_share_is_found_where_no_unlabeled_sample_looks_positive(seed):
    random = np.random.default_rng(seed)
    assert pen_l1_prior(random.beta(20, 2, 300), random.beta(2, 20, 1000)) == 0.01


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_hidden_share_is_found_where_the_classes_are_apart(share):
    random = np.random.default_rng(1)
    n_hidden = round(share * 2000)
    unlabeled = np.append(random.beta(20, 2, n_hidden), random.beta(2, 20, 2000 - n_hidden))
    assert pen_l1_prior(random.beta(20, 2, 300), unlabeled) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize(("n_positive", "n_unlabeled"), [(1, 50), (2, 1), (1, 1)])
def test_one_score_cannot_be_left_out(n_positive, n_unlabeled):
    with pytest.raises(ValueError, match=f"got {n_positive} and {n_unlabeled}"):
        pen_l1_prior(np.full(n_positive, 0.5), np.linspace(0, 1, n_unlabeled))
