import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.cluster import spectral_clustering
from sklearn.metrics import mutual_info_score
from threadpoolctl import threadpool_info, threadpool_limits

from core.datasets import make_pu_data
from core.feature_selection import mrmr_ufs2
from core.feature_selection.mrmr_ufs2 import MRMRUFS2, cluster_information
from core.kernels.features.discrete_features import discretize

RNG = np.random.default_rng(0)
Y = np.arange(80) < 20


@pytest.mark.parametrize("seed", range(5))
def test_one_of_two_copies_is_selected_and_what_is_independent(seed):
    rng = np.random.default_rng(seed)
    first, other = rng.random((2, 80))
    support = MRMRUFS2(2, random_state=seed).fit(np.column_stack([first, first, other]), Y).support_
    assert support[2]
    assert support[:2].sum() == 1


def test_groups_are_found_by_one_thread(monkeypatch):
    """Several take six times as long over the few distances of k-means."""
    numbers = set()

    def watched(*args, **kwargs):
        numbers.update(each["num_threads"] for each in threadpool_info())
        return spectral_clustering(*args, **kwargs)

    monkeypatch.setattr(mrmr_ufs2, "spectral_clustering", watched)
    with threadpool_limits(2):
        MRMRUFS2(2, random_state=0).fit(RNG.random((80, 4)), Y)
    assert numbers == {1}


@pytest.mark.parametrize("seed", range(3))
def test_the_most_relevant_of_each_group_of_features_is_selected(seed):
    # Three groups of rows far apart, three groups of features that hardly differ.
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(3), 50)
    patterns = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])[groups] + 0.03 * rng.normal(
        size=(150, 3)
    )
    noise = rng.normal(size=(150, 18)) * np.linspace(0.02, 0.12, 18)[rng.permutation(18)]
    X = patterns[:, np.arange(18) % 3] + noise
    edges = [np.linspace(column.min(), column.max(), 6)[1:-1] for column in X.T]
    relevance = np.array(
        [
            mutual_info_score(np.digitize(column, edge), groups)
            for column, edge in zip(X.T, edges, strict=True)
        ]
    )
    relevance = relevance.round(9)  # of equally relevant features the first
    best = [first + 3 * int(relevance[first::3].argmax()) for first in range(3)]
    selector = MRMRUFS2(3, random_state=seed).fit(X, np.arange(150) % 4 == 0)
    assert_allclose(selector.scores_, relevance)
    assert selector.feature_order_[:3].tolist() == sorted(best, key=lambda j: -relevance[j])


def test_information_is_that_of_scikit_learn():
    values, clusters = RNG.integers(0, 4, size=(80, 3)), RNG.integers(0, 6, size=80)
    expected = [mutual_info_score(column, clusters) for column in values.T]
    actual = cluster_information(discretize(sp.csr_array(values.astype(float))), clusters)
    assert_allclose(actual, expected)


def test_features_that_make_the_clusters_are_more_relevant_than_noise():
    centres = np.repeat([[0, 0], [8, 8]], 40, axis=0)
    X = np.column_stack([centres + RNG.normal(size=(80, 2)), RNG.normal(size=(80, 2))])
    selector = MRMRUFS2(2, random_state=0).fit(X, Y)
    assert selector.scores_[:2].min() > 2 * selector.scores_[2:].max()


def test_labels_do_not_matter():
    X = RNG.random((80, 6))
    expected = MRMRUFS2(3, random_state=0).fit(X, Y)
    actual = MRMRUFS2(3, random_state=0).fit(X, RNG.permutation(Y))
    assert actual.feature_order_.tolist() == expected.feature_order_.tolist()
    assert_allclose(actual.scores_, expected.scores_)


def test_single_precision_gives_the_same_where_values_are_exact():
    X = RNG.random((700, 12)) < np.linspace(0.002, 0.3, 12)
    y = np.arange(700) < 20
    expected = MRMRUFS2(3, random_state=0).fit(X.astype(np.float64), y)
    actual = MRMRUFS2(3, random_state=0).fit(X.astype(np.float32), y)
    assert actual.feature_order_.tolist() == expected.feature_order_.tolist()


def test_all_features_are_ranked_by_relevance():
    selector = MRMRUFS2(6, random_state=0).fit(RNG.random((80, 6)), Y)
    assert (np.diff(selector.scores_[selector.feature_order_]) <= 0).all()


@pytest.mark.parametrize("seed", range(8, 13))
def test_a_feature_comes_before_its_complement(seed):
    says = (np.random.default_rng(seed).random((60, 4)) < 0.4) * 1.0
    selector = MRMRUFS2(8, random_state=0).fit(np.c_[says, 1 - says], np.arange(60) < 10)
    ranking = selector.feature_order_.tolist()
    assert all(ranking.index(first) < ranking.index(first + 4) for first in range(4))


def test_of_many_rows_a_sample_is_grouped():
    selector = MRMRUFS2(2, max_samples=30, random_state=0).fit(RNG.random((80, 3)), Y)
    assert selector.report_["n_rows"] == 30


def test_words_of_the_topics_are_the_most_relevant_and_fall_into_few_groups():
    X, y, _ = make_pu_data(300, 80, class_prior=0.6, random_state=0)
    selector = MRMRUFS2(10, random_state=0).fit(X, y)
    is_topical = (np.arange(80) >= 8) & (np.arange(80) < 24)
    assert is_topical[selector.scores_.argsort()[-10:]].all()
    # Each topic is a group of words that say the same; the other groups give the rest.
    assert 1 <= is_topical[selector.support_].sum() <= 4
