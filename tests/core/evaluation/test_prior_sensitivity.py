"""Specification D4: the curve from half the class prior to half as much again."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_equal

from core.classifiers.bagging_pu import BaggingPU
from core.classifiers.lp_pul import LPPUL
from core.classifiers.nnpu import NNPU
from core.classifiers.pnb import PNB
from core.classifiers.prototype import Prototype
from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.errors import NoUnlabeled
from core.evaluation.prior_sensitivity import FACTORS, prior_sensitivity

X, Y, Y_TRUE = make_pu_data(200, 40, random_state=0)
JUDGED = (Y_TRUE == 0) & (np.arange(200) % 5 == 0)


@pytest.mark.parametrize(
    "classifier", [UPU(class_prior=0.3, cut="zero"), PNB(class_prior=0.3), PNB(class_prior=0.9)]
)
def test_each_point_is_a_fit_at_its_prior(classifier):
    curve = prior_sensitivity(classifier, X, Y, is_negative=JUDGED)
    expected = np.minimum(0.99, np.multiply(FACTORS, classifier.class_prior))
    assert_allclose(curve["class_prior"], expected)
    unlabeled = X[(Y == 0) & ~JUDGED]
    for prior, share in zip(expected, curve["share_positive"], strict=True):
        classifier.set_params(class_prior=prior).fit(X, Y, is_negative=JUDGED)
        assert share == classifier.predict(unlabeled).mean()


@pytest.mark.parametrize(
    "classifier",
    [BaggingPU(n_estimators=10, class_prior=0.1, random_state=0), LPPUL(class_prior=0.3)],
)
def test_of_a_transduction_its_own_labels_count(classifier):
    (share,) = prior_sensitivity(classifier, X, Y, factors=[1])["share_positive"]
    assert share == classifier.fit(X, Y).transduction_[Y == 0].mean()


def test_columns_of_a_data_frame_may_have_names():
    X = np.eye(4, 2)
    frame, y = pa.table({"length": X[:, 0], "width": X[:, 1]}), [1, 0, 0, 0]
    classifier = PNB(class_prior=0.5)
    assert_equal(prior_sensitivity(classifier, frame, y), prior_sensitivity(classifier, X, y))
    assert classifier.fit(frame, y).feature_names_in_.tolist() == ["length", "width"]


def test_its_own_prior_keeps_the_order():
    curve = prior_sensitivity(NNPU(class_prior=0.3, random_state=0), X, Y)
    correlations = dict(zip(FACTORS, curve["rank_correlation"], strict=True))
    assert correlations[1] == pytest.approx(1)
    assert all(correlation < 1 for factor, correlation in correlations.items() if factor != 1)


@pytest.mark.parametrize("classifier", [Prototype(), UPU()])
def test_without_a_prior_there_is_nothing_to_vary(classifier):
    with pytest.raises(ValueError, match="no class_prior to vary"):
        prior_sensitivity(classifier, X, Y)


def test_a_pile_that_is_all_judged_is_no_pile():
    with pytest.raises(NoUnlabeled, match="none is left to rank"):
        prior_sensitivity(PNB(class_prior=0.3), X, Y, is_negative=Y == 0)


@pytest.mark.parametrize("factors", [(0, 1), (-1,), (np.inf,), (np.nan,)])
def test_factors_out_of_range_are_refused(factors):
    with pytest.raises(ValueError, match="factors must be above 0"):
        prior_sensitivity(UPU(class_prior=0.3), X, Y, factors=factors)


def test_equal_scores_have_no_correlation():
    curve = prior_sensitivity(PNB(class_prior=0.3), np.ones((40, 2)), np.arange(40) < 10)
    assert np.isnan(curve["rank_correlation"]).all()
