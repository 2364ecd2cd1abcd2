"""No result depends on the order of the samples, but for ties and for what a seed draws (1.4)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

#: What keeps a method from drawing, from dealing the samples out to folds, or from a choice among
#: equally near neighbors.
WITHOUT_FOLDS = {
    "AveragedPNB": {"class_prior": 0.4},
    "RandomRanking": {"random_state": 0},
    "SeedExpansion": {"class_prior": 0.4, "n_neighbors": 0},
}
#: Those that draw whatever the parameters are: samples, starts, folds or batches.
DRAWING = {
    "BaggingPU", "BiasedSVM", "DistPU", "ElkanNoto", "NMFPUL", "NNPU", "OneClassKMeans", "PEPUC",
    "PNSVM", "RocSVM", "SpyEM", "UPNB", "VPU", "WeightedLogisticRegression",
}  # fmt: skip


def test_order_of_the_samples_is_irrelevant(classifier, pu_data):
    name = type(classifier).__name__
    if name in DRAWING:
        pytest.skip("draws samples by their number")
    X, y, _ = pu_data
    order = np.random.default_rng(0).permutation(len(y))
    classifier.set_params(**WITHOUT_FOLDS.get(name, {}))
    expected = clone(classifier).fit(X, y)
    actual = classifier.fit(X[order], y[order])
    assert_allclose(actual.score_samples(X), expected.score_samples(X), rtol=1e-4, atol=1e-4)
    assert_allclose(actual.offset_, expected.offset_, rtol=1e-4, atol=1e-4)
    assert actual.report_["flags"] == expected.report_["flags"]
