import numpy as np
from scipy.stats import chi2_contingency

from core.feature_selection.semi_iamb import SemiIAMB

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
    assert selector.feature_order_[:2].tolist() == [1, 3]
    assert selector.report_["flags"] == []


def test_a_feature_that_joined_first_leaves_where_later_ones_tell_all_it_does():
    # Labeled are 0.1, 0.5, 0.5 and 0.9 of the rows without, with one and with both of two causes.
    # Both together tell most at first: 0.119 nats, each of them 0.082.
    causes = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 300, axis=0)
    is_labeled = np.concatenate([np.arange(300) < n for n in (30, 150, 150, 270)])
    both = causes.all(axis=1, keepdims=True)
    selector = SemiIAMB(1, alpha=ALPHA).fit(np.hstack([both, causes]), is_labeled)
    assert selector.report_["blanket_size"] == 2
    assert selector.feature_order_.tolist() == [1, 2, 0]


def test_blanket_is_filled_up_and_cut_off():
    assert SemiIAMB(3, alpha=ALPHA).fit(X, S).get_support().sum() == 3
    selector = SemiIAMB(1, alpha=ALPHA).fit(X, S)
    assert selector.get_support(indices=True).tolist() == [1]
    assert selector.report_["flags"] == ["blanket_larger"]


def test_a_single_feature_joins_where_the_p_value_of_the_g_test_is_small_enough():
    for column in X.T:
        table = np.array([[(column == a) & (b == S) for b in (0, 1)] for a in (0, 1)]).sum(axis=2)
        expected = chi2_contingency(table, correction=False, lambda_="log-likelihood").pvalue
        selectors = [SemiIAMB(1, alpha=expected * factor) for factor in (0.99999, 1.00001)]
        joined = [each.fit(column[:, None], S).report_["blanket_size"] for each in selectors]
        assert joined == [0, 1]
