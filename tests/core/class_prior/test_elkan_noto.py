"""Specification D1 and E1; the numbers are those of its toy example."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.class_prior.elkan_noto import elkan_noto_prior, label_frequency
from core.datasets import make_pu_data


def samples(n_positive, n_hidden, n_negative):
    """Return positives, hidden ones and negatives that a regression can tell but by the label."""
    counts = [n_positive + n_hidden, n_negative]
    X = sp.csr_array(np.repeat([[1.0, 0], [0, 1]], counts, axis=0))
    return X, np.arange(sum(counts)) < n_positive


@pytest.mark.parametrize(
    ("n_positive", "n_hidden", "n_negative"), [(20, 40, 60), (20, 80, 20), (5, 5, 95)]
)
def test_prior_of_labels_at_random_is_found(n_positive, n_hidden, n_negative):
    X, is_positive = samples(n_positive, n_hidden, n_negative)
    expected = n_hidden / (n_hidden + n_negative)
    assert_allclose(elkan_noto_prior(X, is_positive, C=1e5), expected, rtol=0.05)


@pytest.mark.parametrize(
    ("estimator", "expected"), [("e1", 0.5), ("e2", 1.5 / 2.25), ("e3", 0.5 + 0.1 * 0.975)]
)
def test_label_frequencies_of_the_toy_example(estimator, expected):
    # The 99.5 % quantile of six values lies 0.975 of the way from the fifth to the last one.
    labeled = np.array([0.5, 0.4, 0.6, 0.25, 0.1, 0.4])
    is_positive = np.arange(6) < 3
    assert_allclose(label_frequency(labeled, is_positive, estimator=estimator), expected)


@pytest.mark.parametrize("estimator", ["e2", "e3"])
def test_other_estimators_find_the_prior_of_separable_samples(estimator):
    X, is_positive = samples(20, 40, 60)
    prior = elkan_noto_prior(X, is_positive, estimator=estimator, C=1e5)
    assert_allclose(prior, 0.4, rtol=0.1)


def test_single_set_and_case_control_forms_agree_on_the_toy_example():
    # c = 0.5, 100 positives and 900 unlabeled: pi = l / c, pi_U = (pi - l) / (1 - l).
    share, label_frequency = 0.1, 0.5
    single_set = (share / label_frequency - share) / (1 - share)
    assert_allclose(100 / 900 * (1 - label_frequency) / label_frequency, single_set)


def test_estimate_does_not_depend_on_the_unit_of_the_features():
    X, y, _ = make_pu_data(200, random_state=0)
    assert_allclose(elkan_noto_prior(X * 1000, y == 1), elkan_noto_prior(X, y == 1), rtol=1e-3)


def test_a_single_positive_is_not_left_out():
    X, is_positive = samples(1, 4, 20)
    assert 1 / 24 <= elkan_noto_prior(X, is_positive) <= 23 / 24


@pytest.mark.parametrize("settings", [{"estimator": "E1"}, {"C": 0}])
def test_a_setting_that_is_none_is_refused(settings):
    (name,) = settings
    with pytest.raises(ValueError, match=f"'{name}' parameter of elkan_noto_prior"):
        elkan_noto_prior(*samples(5, 5, 5), **settings)
    with pytest.raises(ValueError, match="'estimator' parameter of label_frequency"):
        label_frequency(np.array([0.5]), np.array([True]), estimator="mean")
