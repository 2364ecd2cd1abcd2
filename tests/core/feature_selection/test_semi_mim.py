import numpy as np
from numpy.testing import assert_allclose

from core.feature_selection.semi_mim import SemiMIM

S = np.array([1, 1, 0, 0, 0, 0, 0, 0])
# XOR: the first two features tell nothing one by one.
X1, X2 = np.array([0, 0, 1, 1] * 2), np.array([0, 1] * 4)
XOR = X1 ^ X2
X3 = np.array([0, 1, 1, 0, 0, 1, 0, 1])


def test_scores_of_the_worked_examples():
    X = np.column_stack([S, np.arange(8) < 4, np.arange(8) % 2 == 0]).astype(float)
    selector = SemiMIM(2).fit(X, S)
    assert_allclose(selector.scores_, [0.562335, 0.215762, 0], atol=1e-6)
    assert selector.get_support().tolist() == [True, True, False]
    X = np.column_stack([X1, X2, X3])
    assert_allclose(SemiMIM(1).fit(X, XOR).scores_, [0, 0, 0.1308], atol=5e-5)


def test_ranking_survives_the_loss_of_labels():
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.4
    X = (rng.random((20_000, 6)) < np.where(y[:, None], 0.3, 0.3 - 0.04 * np.arange(6))).astype(
        float
    )
    labeled = y & (rng.random(20_000) < 0.5)
    assert SemiMIM(1).fit(X, labeled).feature_order_[:4].tolist() == [5, 4, 3, 2]
