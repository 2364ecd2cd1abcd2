import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from core.class_prior.cross_fitted_ranks import cross_fitted_ranks
from core.datasets import make_pu_data
from core.errors import TooFewPositives
from core.kernels.linear.cross_fit import stratified_folds
from core.kernels.linear.training_space import training_space
from core.kernels.rows.row_hash import content_order

X, Y, _ = make_pu_data(120, 40, random_state=0)
IS_POSITIVE = Y == 1


def test_ranks_are_those_by_a_regression_that_did_not_see_the_sample():
    Z = training_space(X).Z
    fold = stratified_folds((IS_POSITIVE, ~IS_POSITIVE), 5, order=content_order(X, IS_POSITIVE))
    probability = np.empty(len(Y))
    for k in range(5):
        model = LogisticRegression(C=10, tol=1e-10, max_iter=10_000)
        model.fit(Z[fold != k], IS_POSITIVE[fold != k])
        probability[fold == k] = model.predict_proba(Z[fold == k])[:, 1]
    unlabeled = probability[~IS_POSITIVE]
    below = [(unlabeled < p).mean() + (unlabeled == p).mean() / 2 for p in probability]
    ranks = cross_fitted_ranks(X, IS_POSITIVE, ~IS_POSITIVE)
    half = 0.5 / len(unlabeled)
    expected = np.clip(below, half, 1 - half)
    assert ranks.positive == pytest.approx(expected[IS_POSITIVE])
    assert ranks.unlabeled == pytest.approx(np.sort(expected[~IS_POSITIVE]))


def test_of_many_unlabeled_samples_some_are_ranked_evenly(monkeypatch):
    whole = cross_fitted_ranks(X, IS_POSITIVE, ~IS_POSITIVE)
    monkeypatch.setattr("core.class_prior.cross_fitted_ranks.MAX_RANKED", 40)
    some = cross_fitted_ranks(X, IS_POSITIVE, ~IS_POSITIVE)
    assert some.positive.tolist() == whole.positive.tolist()
    step = -(-len(whole.unlabeled) // 40)
    assert some.unlabeled.tolist() == whole.unlabeled[step // 2 :: step].tolist()
    assert len(some.unlabeled) <= 40 < len(whole.unlabeled)


def test_a_single_positive_is_refused():
    is_positive = np.array([True, False, False])
    with pytest.raises(TooFewPositives, match="two positives"):
        cross_fitted_ranks(sp.csr_array(np.eye(3)), is_positive, ~is_positive)
