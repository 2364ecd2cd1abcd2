import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import normalized_mutual_info_score

from core.feature_selection.sselect import SSelect

RNG = np.random.default_rng(0)
Y = np.repeat([1, 0], [20, 40])
# Two groups, their first feature smooth and with the labels, the second one noise.
X = np.column_stack([np.where(Y, 5, 0) + RNG.normal(size=60), RNG.uniform(0, 10, size=60)])


def test_the_feature_that_parts_the_groups_is_first():
    assert SSelect(1).fit(X, Y).feature_order_.tolist() == [0, 1]


def test_scores_written_out():
    features = RNG.normal(size=(60, 4))
    scaled = (features - features.min(axis=0)) / np.ptp(features, axis=0)
    squares = ((scaled[:, None] - scaled) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    is_listed = squares.argsort(axis=1).argsort(axis=1) < 5
    W = np.exp(-squares / (2 * squares[is_listed].mean())) * (is_listed | is_listed.T)
    degrees, expected = W.sum(axis=1), []
    for f in scaled.T:
        g = f - f @ degrees / degrees.sum()
        roughness = g @ (np.diag(degrees) - W) @ g / (g @ (degrees * g))
        agreement = normalized_mutual_info_score(g > 0, Y, average_method="max")
        expected.append(-(0.1 * roughness + 0.9 * (1 - agreement)))
    assert_allclose(SSelect(1).fit(features, Y).scores_, expected)


def test_with_all_weight_on_the_graph_labels_are_not_looked_at():
    other = RNG.permutation(Y)
    expected = SSelect(1, roughness_weight=1).fit(X, Y).scores_
    assert_allclose(SSelect(1, roughness_weight=1).fit(X, other).scores_, expected)


def test_with_no_weight_on_the_graph_only_labels_count():
    separated = np.column_stack([RNG.random(60), Y])
    scores = SSelect(1, roughness_weight=0).fit(separated, Y).scores_
    assert_allclose(scores[1], 0, atol=1e-12)
    assert -1 <= scores[0] < -0.5


def test_scale_and_shift_of_features_do_not_matter():
    expected = SSelect(1).fit(X, Y).scores_
    assert_allclose(SSelect(1).fit(1000 * X + [5, 7], Y).scores_, expected)


def test_a_constant_column_does_not_matter_however_large():
    wide = np.random.default_rng(0).normal(size=(300, 20))
    y = (wide[:, 0] > 1).astype(int)
    expected = SSelect(5).fit(wide, y)
    selector = SSelect(5).fit(np.column_stack([wide, np.full(300, 1e8)]), y)
    assert selector.report_["n_edges"] == expected.report_["n_edges"]
    assert_allclose(selector.scores_[:-1], expected.scores_)


def test_length_of_texts_does_not_matter_to_the_cosine():
    counts = RNG.poisson(0.5, size=(60, 20)) * RNG.uniform(0.5, 2, size=(60, 20))
    counts[:, 0] = 1
    # Of the features, too, only the graph is compared: its edges are those of equal directions.
    lengths = RNG.integers(1, 9, size=(60, 1))
    first = SSelect(1, metric="cosine").fit(sp.csr_array(counts), Y)
    second = SSelect(1, metric="cosine").fit(sp.csr_array(counts * lengths), Y)
    assert first.report_["n_edges"] == second.report_["n_edges"]


def test_empty_texts_are_isolated():
    counts = np.vstack([np.zeros((2, 5)), RNG.poisson(2, size=(58, 5))])
    assert SSelect(1, metric="cosine").fit(counts, Y).report_["n_isolated"] == 2


def test_a_feature_comes_before_its_complement():
    for seed in range(30):
        X = np.random.default_rng(seed).integers(0, 2, size=(30, 4))
        X[:, 3] = 1 - X[:, 1]
        ranking = SSelect(1).fit(X, np.arange(30) < 8).feature_order_.tolist()
        assert ranking.index(1) < ranking.index(3)
