import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from core.class_prior.expanded_share import GivenShare
from core.datasets import make_pu_data
from core.kernels.graphs.knn_graph import knn_graph, no_edges
from core.kernels.linear.expansion import Expansion, fit_balanced
from core.kernels.linear.wide_rows import wide_rows
from core.kernels.rows.unit_rows import unit_rows
from core.validation import canonical_csr

X, Y, TRUTH = make_pu_data(300, 80, class_prior=0.3, random_state=0)
NO = np.zeros(6, dtype=bool)


def test_targets_are_spread_labels_of_the_first_samples():
    # A path of five samples, and one alone; the first is labeled, the second ranks first.
    rows = sp.csr_array(np.eye(6))
    path = sp.diags_array([[1.0, 1, 1, 1, 0]] * 2, offsets=[-1, 1], shape=(6, 6), format="csr")
    is_positive = np.arange(6) == 0
    expansion = Expansion(rows, path, is_positive, NO, ~NO, C=1.0)
    targets = expansion.targets(np.array([0, 5.0, 4, 3, 2, 1]), 1)

    degrees = np.array([1, 2, 2, 2, 1, np.inf])
    S = path.toarray() / np.sqrt(np.outer(degrees, degrees))
    mass = np.linalg.solve(np.eye(6) - 0.5 * S, np.array([1.0, 1, 0, 0, 0, 0]))
    expected = np.minimum(mass / np.median(mass[:2]), 1)
    expected[0] = 1
    assert_allclose(targets, expected, atol=1e-5)


def test_judged_negatives_stay_negative():
    rows = unit_rows(canonical_csr(X))
    is_negative = (Y == 0) & ~TRUTH.astype(bool)
    expansion = Expansion(
        rows, knn_graph(rows, 5), Y == 1, is_negative, np.ones(len(Y), dtype=bool), C=1.0
    )
    targets = expansion.targets(np.arange(float(len(Y))), 10)
    assert (targets[is_negative] == 0).all()
    assert (targets[Y == 1] == 1).all()


def test_both_classes_weigh_the_same():
    rows = unit_rows(canonical_csr(X))
    everything = np.ones(len(Y), dtype=bool)
    expansion = Expansion(
        wide_rows(rows), knn_graph(rows, 5), Y == 1, ~everything, everything, C=1e-9
    )
    # All weights of terms vanish: what is left is the log-odds of the classes.
    model = expansion.model(np.arange(float(len(Y))), 10)
    assert_allclose(model[-1], 0, atol=1e-4)


def test_a_weight_is_so_many_copies_and_C_is_of_the_samples_without_them():
    rows = unit_rows(canonical_csr(X))
    weight = np.where(Y == 1, 1, np.random.default_rng(0).integers(1, 4, len(Y)))
    copied = np.repeat(np.arange(len(Y)), weight)

    def learned(of, C, weight=None):
        is_positive = Y[of] == 1
        everything = np.ones(len(of), dtype=bool)
        features, graph = wide_rows(rows[of]), no_edges(len(of))
        expansion = Expansion(features, graph, is_positive, ~everything, everything, C, weight)
        likeness = (rows[of] @ rows[Y == 1].sum(axis=0)).round(9)
        return [*expansion.model(likeness, 25), *expansion.model(likeness, 60)]

    expected = learned(copied, C=len(Y) / len(copied))
    assert_allclose(learned(np.arange(len(Y)), 1.0, weight), expected, atol=2e-3)


def test_the_first_ranking_is_that_of_a_regression_where_there_is_no_graph():
    rows, is_positive = wide_rows(unit_rows(canonical_csr(X))), Y == 1
    everything = np.ones(len(Y), dtype=bool)
    weight = np.where(is_positive, 1, np.random.default_rng(0).integers(1, 9, len(Y)))
    labels = is_positive, ~everything, everything
    ranking = Expansion(rows, no_edges(len(Y)), *labels, 1.0, weight).first_ranking()
    # As C is for the samples without what they stand for.
    counted = weight * len(Y) / weight.sum()
    scores = rows.products(fit_balanced(rows, is_positive, counted, C=1.0)[0])
    assert ranking[is_positive].tolist() == [0] * is_positive.sum()
    assert_array_equal(np.argsort(-ranking[~is_positive]), np.argsort(-scores[~is_positive]))


def test_the_first_regression_counts_weights():
    rows, is_positive = wide_rows(unit_rows(canonical_csr(X))), Y == 1
    weight = np.random.default_rng(0).integers(0, 4, len(Y))
    coef, intercept = fit_balanced(rows, is_positive, weight, C=1.0)
    sums = [weight[~is_positive].sum(), weight[is_positive].sum()]
    each = weight * np.where(is_positive, *(sum(sums) / (2 * np.array(sums[::-1]))))
    model = LogisticRegression(tol=1e-8, max_iter=10_000).fit(rows.sparse, is_positive, each)
    assert_allclose(coef, model.coef_[0], atol=2e-3)
    assert_allclose(intercept, model.intercept_[0], atol=2e-3)


def test_rounds_grow_by_the_samples_of_the_pile():
    rows = unit_rows(canonical_csr(X))
    everything, is_positive = np.ones(len(Y), dtype=bool), Y == 1
    weight = np.where(is_positive, 1, 10)
    expansion = Expansion(
        wide_rows(rows), no_edges(len(Y)), is_positive, ~everything, everything, 1.0, weight
    )
    share = GivenShare(0.4)
    _, sizes = expansion.grown_model(share, 20, 2)
    assert sizes == [10, 20, 40, 40, *[round(0.2 * 10 * (~is_positive).sum())] * 2]
