import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score

from core.datasets import make_clustered_pu_data, make_pu_data


def test_shares_of_positives_and_labels_are_exact():
    X, y, y_true = make_pu_data(200, 50, label_frequency=0.25, class_prior=0.4, random_state=0)
    assert X.shape == (200, 50)
    assert y_true.sum() == 80
    assert y.sum() == 20
    assert y_true[y == 1].all()


def test_at_least_one_positive_is_labeled():
    assert make_pu_data(20, label_frequency=0.01, random_state=0)[1].sum() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_samples", 0),
        ("n_features", 9),
        ("label_frequency", 0),
        ("label_frequency", 50),
        ("class_prior", 30),
        ("class_prior", 1),
        ("n_words", 0),
        ("sparse", "no"),
    ],
)
def test_texts_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of make_pu_data must be"):
        make_pu_data(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("label_frequency", 10),
        ("n_clusters", 3),
        ("n_clusters", (0, 1)),
        ("n_clusters", (1, 2, 3)),
        ("n_positive", 4501),
        ("n_copies", 21),
    ],
)
def test_tables_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        make_clustered_pu_data(**{name: value})


def test_texts_are_counts_of_the_mean_length():
    X, _, _ = make_pu_data(400, 50, n_words=25, random_state=0)
    assert X.has_canonical_format
    assert_array_equal(X.data, X.data.round())
    lengths = X.sum(axis=1)
    assert abs(lengths.mean() - 25) < 4 * np.sqrt(25 / 400)  # four standard errors


def test_half_of_the_words_come_from_the_topic():
    X, _, y_true = make_pu_data(1000, 100, random_state=0)
    negative, positive = (X[y_true == label].sum(axis=0) for label in (0, 1))
    zipf = 1 / np.arange(1, 101)
    background = zipf / zipf.sum() / 2
    expected = background.copy()
    expected[10:20] += 0.05
    assert_allclose(negative / negative.sum(), expected, atol=0.01)
    expected = background.copy()
    expected[20:30] += 0.05
    assert_allclose(positive / positive.sum(), expected, atol=0.01)


def test_dense_equals_sparse():
    sparse, dense = (make_pu_data(20, sparse=kind, random_state=0)[0] for kind in (True, False))
    assert_array_equal(sparse.toarray(), dense)


@pytest.mark.parametrize("n_features", [10, 100_000])
def test_narrow_and_wide_data_work(n_features):
    assert make_pu_data(10, n_features, random_state=0)[0].shape == (10, n_features)


@pytest.mark.parametrize("n_clusters", [(8, 1), (1, 2), None])
@pytest.mark.parametrize(("label_frequency", "n_labeled"), [(0.1, 50), (0.5, 250)])
def test_clustered_table_is_as_described(n_clusters, label_frequency, n_labeled):
    X, y, y_true, is_relevant = make_clustered_pu_data(
        n_clusters, label_frequency=label_frequency, random_state=0
    )
    assert X.shape == (4500, 50)
    assert_allclose([X.min(axis=0), X.max(axis=0)], [np.zeros(50), np.ones(50)], atol=1e-12)
    assert y_true.sum() == 500
    assert y.sum() == n_labeled
    assert (y <= y_true).all()
    assert is_relevant.sum() == 25
    irrelevant = np.abs(np.corrcoef(X[:, ~is_relevant], rowvar=False))
    pairs = irrelevant[np.triu_indices(25, 1)]
    assert np.sort(pairs)[-5:].min() > 0.97
    assert np.sort(pairs)[-6] < 0.1


def test_clusters_lie_around_their_centres():
    X, _, y_true, is_relevant = make_clustered_pu_data((1, 1), random_state=0)
    relevant = X[:, is_relevant]
    spread = relevant[y_true == 1].std(axis=0) / relevant[y_true == 0].std(axis=0)
    assert_allclose(spread, 1, atol=0.15)
    distance = relevant[y_true == 1].mean(axis=0) - relevant[y_true == 0].mean(axis=0)
    # Two uniform centres are 10 / 3 apart on average, in units of sqrt(10) about 1.05.
    assert 0.6 < np.abs(distance / relevant[y_true == 0].std(axis=0)).mean() < 1.6


def test_positives_without_clusters_lie_farther_out_than_all_others():
    X, _, y_true, is_relevant = make_clustered_pu_data(
        None, n_irrelevant=0, n_copies=0, random_state=0
    )
    assert is_relevant.all()
    # Scaling to [0, 1] keeps the distance from the middle almost.
    distance = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
    assert roc_auc_score(y_true, distance) > 0.99


def test_clustered_table_repeats_itself():
    first, second = (make_clustered_pu_data((8, 2), random_state=3) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert_array_equal(one, other)
