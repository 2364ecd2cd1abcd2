"""Specification D5; the threshold is that of its toy example."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.preprocessing import normalize

from core.classifiers.dist_pu import DistPU
from core.classifiers.nnpu import NNPU
from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.prior_cut import prior_cut, prior_threshold, risk_cut


def test_threshold_is_that_of_the_toy_example():
    assert prior_threshold(np.array([0.1, 0.9, 0.4, 0.7, 0.2]), 0.4) == 0.7


@pytest.mark.parametrize("class_prior", [0.1, 0.3, 0.6, 0.7, 0.9])
def test_threshold_accepts_the_share_of_the_prior(class_prior):
    # 10 * (1 - 0.9) and its like are not whole in floating point.
    scores = np.arange(10.0)
    accepted = (scores >= prior_threshold(scores, class_prior)).mean()
    assert_allclose(accepted, class_prior)


def test_threshold_of_no_positives_is_the_largest_score():
    assert prior_threshold(np.arange(3.0), 0.0) == 2


def test_cut_lies_between_samples():
    assert prior_cut(np.array([4.0, 1, 3, 2]), 0.5) == 2.5
    assert prior_cut(np.array([2.0, 2, 2]), 0.5) == 1


@pytest.mark.parametrize(
    ("rule", "is_given", "expected"),
    [("auto", True, 2.5), ("auto", False, 0), ("zero", True, 0), ("prior", False, 2.5)],
)
def test_share_is_accepted_where_it_is_known(rule, is_given, expected):
    assert risk_cut(rule, np.array([4.0, 1, 3, 2]), 0.5, is_given=is_given) == expected


@pytest.mark.parametrize("algorithm", [DistPU, NNPU, UPU])
def test_risk_estimators_accept_the_share_they_are_given(algorithm):
    counts, y, y_true = make_pu_data(120, 40, random_state=0)
    X, judged = normalize(counts), (y_true == 0) & (np.arange(120) % 5 == 0)
    is_unlabeled = (y == 0) & ~judged
    options = {"random_state": 0} if "random_state" in algorithm().get_params() else {}
    classifier = algorithm(class_prior=0.2, **options).fit(X, y, is_negative=judged)
    n_accepted = classifier.predict(X[is_unlabeled]).sum()
    assert n_accepted == np.ceil(0.2 * is_unlabeled.sum())
    assert algorithm(class_prior=0.2, cut="zero", **options).fit(X, y).offset_ == 0
    assert algorithm(**options).fit(X, y).offset_ == 0
