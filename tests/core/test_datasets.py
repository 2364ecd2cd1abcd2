import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.datasets import make_pu_data


def test_shares_of_positives_and_labels_are_exact():
    X, y, y_true = make_pu_data(200, 50, label_frequency=0.25, class_prior=0.4, random_state=0)
    assert X.shape == (200, 50)
    assert y_true.sum() == 80
    assert y.sum() == 20
    assert y_true[y == 1].all()


def test_at_least_one_positive_is_labeled():
    assert make_pu_data(20, label_frequency=0.01, random_state=0)[1].sum() == 1


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
