"""Methods that look at directions, or have a unit of the data, rank alike at any scale."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.errors import Refused
from core.kernels.rows.unit_rows import unit_rows
from core.registry import ALGORITHMS
from tests.core.conftest import seeded

OF_UNIT_ROWS = [
    *("biased_svm", "judged_svm", "knn_density", "lp_pul", "nearest_neighbor", "one_class_kmeans"),
    *("one_class_svm", "pebl", "pn_svm", "prototype", "pu_lp", "roc_svm", "seed_expansion"),
]
OF_LOGISTIC_REGRESSION = [
    *("bagging_pu", "elkan_noto", "naive_logistic_regression", "propensity_weighting", "sar_em"),
    "weighted_logistic_regression",
]
IN_A_UNIT = ["dist_pu", "nnpu", "pusb", "upu", "vpu"]


@pytest.mark.parametrize("unit", [2.0**-700, 2.0**700])
@pytest.mark.parametrize("name", [*OF_UNIT_ROWS, *IN_A_UNIT])
def test_scores_do_not_depend_on_the_scale(name, unit, pu_data):
    X, y, _ = pu_data
    X = X.astype(float)
    classifier = seeded(ALGORITHMS[name]())
    expected = classifier.fit(X, y).decision_function(X)
    actual = classifier.fit(X * unit, y).decision_function(X * unit)
    assert_allclose(actual, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", IN_A_UNIT)
def test_samples_without_a_finite_length_are_refused(name):
    X = np.full((8, 4), 1e308)
    with pytest.raises(ValueError, match="values are too large"):
        ALGORITHMS[name]().fit(X, [1, 1, 1, 1, 0, 0, 0, 0])


@pytest.mark.parametrize("unit", [1e80, 1e150, 1e300])
@pytest.mark.parametrize("name", OF_LOGISTIC_REGRESSION)
def test_values_too_large_for_a_logistic_regression_are_refused(name, unit, pu_data):
    X, y, _ = pu_data
    classifier = seeded(ALGORITHMS[name]())
    for samples in (X.astype(float), X.toarray()[:, :5].astype(float) + 1):
        with pytest.raises(Refused, match="values are too large"):
            classifier.fit(samples * unit, y)


@pytest.mark.parametrize("name", IN_A_UNIT)
def test_a_row_that_outweighs_all_others_is_flagged(name, pu_data):
    X, y, _ = pu_data
    longest = unit_rows(X).tolil()
    for times, is_flagged in ((99, False), (101, True)):
        longest[0] = times * unit_rows(X)[[0]]
        flags = seeded(ALGORITHMS[name]()).fit(longest.tocsr(), y).report_["flags"]
        assert ("outlying_length" in flags) == is_flagged
