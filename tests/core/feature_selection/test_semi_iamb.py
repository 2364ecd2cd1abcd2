import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency

from core.feature_selection.semi_iamb import SemiIAMB, _tests
from core.kernels.features.discrete_features import discretize
from core.kernels.features.mutual_information import Information
from core.validation import canonical_csr

RNG = np.random.default_rng(1)
S = RNG.random(2000) < 0.3
CAUSE = S ^ (RNG.random(2000) < 0.1)
#: Depends on S through the cause alone.
ECHO = CAUSE ^ (RNG.random(2000) < 0.2)
OTHER = S ^ (RNG.random(2000) < 0.2)
NOISE = RNG.random(2000) < 0.5
#: By chance, one of the two that do not belong joins in 1 of 500 draws.
ALPHA = 1e-3
X = np.column_stack([ECHO, CAUSE, NOISE, OTHER]).astype(float)


def test_blanket_has_no_feature_that_follows_from_the_others():
    selector = SemiIAMB(2, alpha=ALPHA).fit(X, S)
    assert selector.report_["blanket_size"] == 2
    assert selector.ranking_[:2].tolist() == [1, 3]
    assert selector.report_["flags"] == []


def test_blanket_is_filled_up_and_cut_off():
    assert SemiIAMB(3, alpha=ALPHA).fit(X, S).get_support().sum() == 3
    selector = SemiIAMB(1, alpha=ALPHA).fit(X, S)
    assert selector.get_support(indices=True).tolist() == [1]
    assert selector.report_["flags"] == ["blanket_larger"]


def test_statistic_of_an_empty_blanket_is_that_of_the_g_test():
    information = Information(discretize(canonical_csr(X)), S)
    p_value, g = _tests(information, [])
    for j, column in enumerate(X.T):
        table = np.array([[(column == a) & (b == S) for b in (0, 1)] for a in (0, 1)]).sum(axis=2)
        expected = chi2_contingency(table, correction=False, lambda_="log-likelihood")
        assert_allclose([g[j], p_value[j]], [expected.statistic, expected.pvalue], rtol=1e-8)
