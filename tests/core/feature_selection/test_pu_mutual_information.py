import numpy as np
from numpy.testing import assert_allclose

from core.feature_selection.pu_mutual_information import PUMutualInformation

S = np.array([1, 1, 0, 0, 0, 0, 0, 0])
X = np.column_stack([S, np.arange(8) < 4, np.arange(8) % 2 == 0]).astype(float)
# Half of all eight samples are positive: two labeled ones, and two of the six others.
PRIOR = 1 / 3


def test_scores_of_the_worked_example():
    selector = PUMutualInformation(1, class_prior=PRIOR).fit(X[:, 1:], S)
    assert_allclose(selector.scores_, [0.693147, 0], atol=1e-6)
    assert selector.report_["flags"] == []


def test_class_prior_that_contradicts_a_feature_is_flagged():
    selector = PUMutualInformation(1, class_prior=PRIOR).fit(X, S)
    assert selector.report_["flags"] == ["prior_too_large"]
    assert PUMutualInformation(1, class_prior=0.01).fit(X, S).report_["flags"] == []
