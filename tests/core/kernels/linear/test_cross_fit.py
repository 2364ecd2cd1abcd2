"""Specification D1, step 2, and part E: probabilities are those of samples that were left out."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from core.kernels.linear.cross_fit import cross_fitted_probabilities, stratified_folds
from core.progress import listening

X = sp.csr_array(np.random.default_rng(0).normal(size=(23, 4)))
IS_POSITIVE = np.arange(23) % 3 == 0


@pytest.mark.parametrize("random", [None, np.random.RandomState(0)])
def test_folds_have_their_shares_of_each_stratum(random):
    fold = stratified_folds([IS_POSITIVE, ~IS_POSITIVE], 4, random)
    assert np.bincount(fold[IS_POSITIVE]).tolist() == [2, 2, 2, 2]
    assert np.bincount(fold[~IS_POSITIVE]).tolist() == [4, 4, 4, 3]


def test_samples_are_dealt_out_in_the_order_that_is_given():
    first = np.array([True, False, False, True, True])
    fold = stratified_folds([first, ~first], 2, order=np.arange(5)[::-1])
    assert fold.tolist() == [0, 1, 0, 1, 0]


def test_each_part_is_scored_by_a_model_of_the_others():
    # Eight positives and fifteen others, each kind dealt out in turn.
    fold = np.where(IS_POSITIVE, np.cumsum(IS_POSITIVE), np.cumsum(~IS_POSITIVE)) - 1
    fold %= 4
    actual = cross_fitted_probabilities(X, IS_POSITIVE, n_folds=4, C=2.0)
    for k in range(4):
        model = LogisticRegression(C=2.0, tol=1e-10, max_iter=1000)
        model.fit(X[fold != k], IS_POSITIVE[fold != k])
        assert_allclose(actual[fold == k], model.predict_proba(X[fold == k])[:, 1], atol=1e-5)


@pytest.mark.parametrize("n_positive", [1, 22])
def test_the_only_one_of_a_kind_is_not_left_out(n_positive):
    is_positive = np.arange(23) < n_positive
    model = LogisticRegression(C=10.0, tol=1e-10, max_iter=1000).fit(X, is_positive)
    actual = cross_fitted_probabilities(X, is_positive)
    assert_allclose(actual, model.predict_proba(X)[:, 1], atol=1e-4)


def test_what_is_neither_is_left_out():
    is_unlabeled = ~IS_POSITIVE & (np.arange(23) > 7)
    rest = IS_POSITIVE | is_unlabeled
    actual = cross_fitted_probabilities(X, IS_POSITIVE, is_unlabeled)
    assert_allclose(actual[rest], cross_fitted_probabilities(X[rest], IS_POSITIVE[rest]))
    assert np.isnan(actual[~rest]).all()


def test_the_seed_deals_the_samples_out():
    first, second, other = (
        cross_fitted_probabilities(X, IS_POSITIVE, random=np.random.RandomState(seed))
        for seed in (0, 0, 1)
    )
    assert_array_equal(first, second)
    assert np.abs(first - other).max() > 1e-3


def test_progress_is_reported():
    told = []
    with listening(lambda stage, fraction: told.append((stage, fraction))):
        cross_fitted_probabilities(X, IS_POSITIVE, n_folds=2)
    assert told == [("cross-fit", 0), ("cross-fit", 0.5)]
