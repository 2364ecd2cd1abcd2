"""Specification E5, alternation of best bin estimation and leaving out likely positives."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from core.class_prior.bbe import best_bin_prior
from core.class_prior.ted import ted_prior
from core.datasets import make_pu_data
from core.kernels.linear.cross_fit import stratified_folds
from core.kernels.rows.row_hash import content_order


@pytest.mark.parametrize("class_prior", [0.2, 0.5])
def test_hidden_share_is_found(class_prior):
    X, y, y_true = make_pu_data(1000, 60, class_prior=class_prior, random_state=0)
    hidden = y_true[y == 0].mean()
    assert ted_prior(X, y == 1, random_state=0) == pytest.approx(hidden, abs=0.1)


def test_seed_decides():
    X, y, _ = make_pu_data(200, random_state=0)
    assert ted_prior(X, y == 1, random_state=3) == ted_prior(X, y == 1, random_state=3)


def test_smallest_samples_are_taken():
    X, _, _ = make_pu_data(30, random_state=0)
    assert 0 < ted_prior(X, np.arange(30) < 4, random_state=0) < 1


def slow_half(X, is_positive, X_held_out, held_out_positive):
    """Return the estimate of one half, by the logistic regression of scikit-learn."""
    unlabeled, is_kept = np.flatnonzero(~is_positive), np.ones(len(X), dtype=bool)
    for _ in range(20):
        labels = is_positive[is_kept]
        weights = np.where(labels, 0.5 / labels.sum(), 0.5 / (~labels).sum()) * len(labels)
        model = LogisticRegression(tol=1e-8, max_iter=1000).fit(X[is_kept], labels, weights)
        scores = model.decision_function(X_held_out)
        prior = best_bin_prior(scores[held_out_positive], scores[~held_out_positive])
        likeliest = unlabeled[np.argsort(-model.decision_function(X[unlabeled]))]
        is_kept[:] = True
        is_kept[likeliest[: min(int(prior * len(unlabeled)), len(unlabeled) - 1)]] = False
    return prior


def test_turns_are_those_of_the_definition():
    random = np.random.default_rng(1)
    y = random.random(160) < 0.5
    X = random.normal(size=(160, 4)) + y[:, None]
    # The length of the samples is the unit of the penalty.
    X /= np.sqrt((X**2).sum() / len(X))
    is_positive = y & (random.random(160) < 0.5)
    sides, order = [is_positive, ~is_positive], content_order(sp.csr_array(X), is_positive)
    half = stratified_folds(sides, 2, np.random.RandomState(0), order) == 0
    priors = [
        slow_half(X[one], is_positive[one], X[~one], is_positive[~one]) for one in (half, ~half)
    ]
    assert ted_prior(X, is_positive, random_state=0) == pytest.approx(np.mean(priors))
