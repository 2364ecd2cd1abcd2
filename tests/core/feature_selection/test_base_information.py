import numpy as np
import pytest

from core.registry import FEATURE_SELECTORS

RNG = np.random.default_rng(0)
Y = np.arange(200) < 60
#: Only the first feature tells of the labels.
X = RNG.normal(size=(200, 6))
X[Y, 0] += 2


@pytest.fixture(params=["semi_mim", "semi_jmi", "semi_iamb", "mrmr", "pu_mutual_information"])
def selector(request):
    return FEATURE_SELECTORS[request.param](1)


def test_an_outlier_hides_a_feature_from_even_bins_but_not_from_quantiles(selector):
    spoilt = X.copy()
    spoilt[-1, 0] = 1e6
    assert selector.fit(X, Y).feature_order_[0] == 0
    assert selector.fit(spoilt, Y).feature_order_[0] != 0
    assert selector.set_params(binning="quantile").fit(spoilt, Y).feature_order_[0] == 0


def test_quantiles_follow_the_order_of_the_values_alone(selector):
    selector.set_params(binning="quantile")
    expected = selector.fit(X, Y).scores_
    assert np.array_equal(selector.fit(np.exp(X), Y).scores_, expected)
