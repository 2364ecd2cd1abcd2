import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.stats import kstest
from sklearn import config_context

from core.datasets import make_clustered_pu_data, make_pu_data
from core.errors import BadParameter, NoUnlabeled, Refused, TooFewPositives
from core.feature_selection import cluster_assumption as module
from core.feature_selection.cluster_assumption import cluster_assumption, subset_values
from core.kernels.clusters.cluster_subset import best_cluster_subset

SMALL = {"n_samples": 800, "n_positive": 100, "n_relevant": 16, "n_irrelevant": 4, "n_copies": 0}


@pytest.mark.parametrize("weight", [1.0, 2.5])
def test_values_are_those_of_each_labeling_alone(weight):
    rng = np.random.default_rng(0)
    clusters = rng.integers(0, 5, size=40)
    clusters[clusters == 2] = 3
    clusters[0] = 5
    labeled = np.array([rng.permutation(40)[:7] for _ in range(20)])
    expected = []
    for rows in labeled:
        n_positive = np.bincount(clusters[rows], minlength=6)
        sizes = n_positive + weight * (np.bincount(clusters, minlength=6) - n_positive)
        expected.append(best_cluster_subset(n_positive, sizes)[0])
    assert_allclose(subset_values(labeled, clusters, weight), expected)


def answers(n_clusters, label_frequency):
    tables = [
        make_clustered_pu_data(
            n_clusters, **SMALL, label_frequency=label_frequency, random_state=seed
        )
        for seed in range(3)
    ]
    return [
        cluster_assumption(X, y == 1, n_permutations=99, random_state=0) for X, y, _, _ in tables
    ]


def test_clusters_of_positives_are_found():
    found = answers((3, 1), 0.3)
    assert [one.p_value for one in found] == [0.01] * 3
    # By chance, centres may be drawn close to each other.
    assert sum(one.is_met for one in found) >= 2
    assert all(one.selector == ("fscpu" if one.is_met else "semi_jmi") for one in found)


def test_positives_far_out_on_all_sides_are_no_clusters():
    assert not any(one.is_met for one in answers(None, 0.3))


def test_with_many_labels_information_is_the_better_guide():
    found = answers((3, 1), 1)
    assert any(one.is_met for one in found)
    assert {one.selector for one in found} == {"semi_jmi"}


@pytest.mark.parametrize("max_positives", [40, 20])
def test_p_values_of_random_labels_are_uniform(monkeypatch, max_positives):
    monkeypatch.setattr(module, "MAX_POSITIVES", max_positives)
    monkeypatch.setattr(module, "N_CLUSTERINGS", 3)
    monkeypatch.setattr(module, "N_STEPS", 4)
    p_values = []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        X = np.vstack([rng.normal(size=(100, 3)), rng.normal(4, size=(60, 3))])
        answer = cluster_assumption(
            X, rng.permutation(160) < 40, n_permutations=99, random_state=rng.integers(99)
        )
        p_values.append(answer.p_value)
    # Kolmogorov's test at 1 %, and the level: 150 draws exceed 15 once in 500 times.
    assert kstest(p_values, "uniform").pvalue > 0.01
    assert np.sum(np.array(p_values) <= 0.05) <= 15


@pytest.mark.parametrize(("limit", "n_rows"), [("MAX_UNLABELED", 300), ("MAX_POSITIVES", 15)])
def test_a_sample_of_the_rows_stands_for_all(monkeypatch, limit, n_rows):
    X, y, _, _ = make_clustered_pu_data((3, 1), **SMALL, label_frequency=0.3, random_state=0)
    whole = cluster_assumption(X, y == 1, n_permutations=99, random_state=0)
    monkeypatch.setattr(module, limit, n_rows)
    part = cluster_assumption(X, y == 1, n_permutations=99, random_state=0)
    assert part.is_met
    assert 0.5 < part.value / whole.value < 2


def test_positives_beyond_a_sample_take_no_memory(monkeypatch):
    widths = []

    def watched(labeled, clusters, weight):
        widths.append(labeled.shape[1])
        return subset_values(labeled, clusters, weight)

    monkeypatch.setattr(module, "subset_values", watched)
    X = np.random.default_rng(0).random((1200, 2))
    cluster_assumption(X, np.arange(1200) < 1100, n_permutations=9, random_state=0)
    assert set(widths) == {1000}


def test_texts_stay_sparse_and_of_a_topic_they_cluster(monkeypatch):
    monkeypatch.setattr(sp.csr_array, "toarray", None)
    X, y, _ = make_pu_data(400, 200, label_frequency=0.3, class_prior=0.2, random_state=0)
    answer = cluster_assumption(X, y == 1, n_permutations=99, random_state=0)
    assert answer.p_value == 0.01
    assert answer.is_met


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_data_frames_as_output_of_scikit_learn_change_nothing(output):
    X, y, _ = make_pu_data(80, 120, random_state=0)
    expected = cluster_assumption(X, y == 1, n_permutations=19, random_state=0)
    with config_context(transform_output=output):
        assert cluster_assumption(X, y == 1, n_permutations=19, random_state=0) == expected


def test_sparse_tables_are_treated_as_dense_ones():
    X, y, _ = make_pu_data(200, 30, random_state=0)
    dense = cluster_assumption(X.toarray(), y == 1, n_permutations=9, random_state=0)
    assert cluster_assumption(X, y == 1, n_permutations=9, random_state=0) == dense


def test_one_feature_has_clusters_too():
    # Half of the twenty rows of the first value are positive.
    X, is_positive = np.repeat([[0.0], [1]], [20, 40], axis=0), np.arange(60) < 10
    answer = cluster_assumption(X, is_positive, n_permutations=9, random_state=0)
    assert answer.value == pytest.approx(0.5)


def test_the_unit_of_the_features_does_not_matter():
    X, y, _, _ = make_clustered_pu_data((3, 1), **SMALL, label_frequency=0.3, random_state=0)
    X = X.astype(np.float32)
    expected = cluster_assumption(X, y == 1, n_permutations=99, random_state=0)
    # A power of 2, so that every value keeps its digits.
    assert cluster_assumption(X * 2.0**-30, y == 1, n_permutations=99, random_state=0) == expected


def test_what_cannot_be_answered_is_refused():
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(NoUnlabeled):
        cluster_assumption(X, np.ones(6, dtype=bool))
    with pytest.raises(Refused, match="2 sample"):
        cluster_assumption(np.eye(2), [True, False])
    with pytest.raises(TooFewPositives, match="got 1"):
        cluster_assumption(X, np.arange(6) == 0)
    with pytest.raises(ValueError, match="shape"):
        cluster_assumption(X, [True, False])
    with pytest.raises(BadParameter, match="n_permutations=0"):
        cluster_assumption(X, np.arange(6) < 2, n_permutations=0)


@pytest.mark.parametrize("labels", [[1, 1, -1, -1, -1, -1], ["yes", "yes", "no", "no", "no", "no"]])
def test_labels_are_no_mask(labels):
    with pytest.raises(ValueError, match="is_positive must be a mask"):
        cluster_assumption(np.arange(12.0).reshape(6, 2), labels)
