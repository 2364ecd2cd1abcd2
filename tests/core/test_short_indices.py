"""Matrices of more than 2**31 entries have long indices; a limit of a few stands for that one."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import core.short_indices as module
import core.validation
from core.classifiers.one_class_svm import OneClassSVM
from core.datasets import make_pu_data
from core.feature_selection.lasso import LassoSelector
from core.short_indices import short_indices
from core.validation import canonical_csr

LEARNERS = [OneClassSVM(), OneClassSVM(solver="sgd", random_state=0), LassoSelector(5)]
NAMES = ["exact", "sgd", "lasso"]


@pytest.fixture(scope="module")
def data():
    X, y, _ = make_pu_data(60, random_state=0)
    return canonical_csr(X), y


def long(X, dtype=np.int64):
    X = X.copy()
    X.indptr, X.indices = X.indptr.astype(np.int64), X.indices.astype(dtype)
    return X


def learned(learner):
    return learner.scores_ if isinstance(learner, LassoSelector) else learner.coef_


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("learner", LEARNERS, ids=NAMES)
def test_learners_take_long_indices_of_few_entries(learner, dtype, data, monkeypatch):
    X, y = data
    expected = learned(learner.fit(X, y))
    # As they come of a matrix too large for short ones.
    monkeypatch.setattr(core.validation, "canonical_csr", lambda X: long(X, dtype))
    assert_array_equal(learned(learner.fit(X, y)), expected)


@pytest.mark.parametrize("learner", LEARNERS, ids=NAMES)
def test_too_many_entries_are_refused_with_what_to_take_instead(learner, data, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 70)
    with pytest.raises(ValueError, match=r"takes at most 70 entries of a matrix, got .* or take "):
        learner.fit(*data)


def test_short_ones_are_not_copied(data):
    assert short_indices(data[0], "lasso", "") is data[0]
