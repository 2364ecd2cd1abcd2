"""Specification K3 and the toy example of B8."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.rocchio import rocchio_cosines

UNLABELED = sp.csr_array([[0.0, 1], [0.8, 0.6], [0.6, 0.8]])
POSITIVE_MEAN = np.array([1.0, 0])


def random_means(n_groups=3):
    random = np.random.default_rng(0)
    Z = unit_rows(sp.csr_array(random.poisson(0.7, size=(30, 8)).astype(float)))
    means = random.random((8, n_groups + 1))
    return Z, means[:, 0], means[:, 1:]


def test_cosines_of_the_worked_example():
    negative_mean = np.asarray(UNLABELED.mean(axis=0))[:, None]
    negative, positive = rocchio_cosines(UNLABELED, POSITIVE_MEAN, negative_mean, alpha=16, beta=4)
    assert_allclose(positive[:, 0], [-0.220826, 0.647755, 0.408527], atol=1e-6)
    assert_allclose(negative[:, 0], [0.965226, 0.788268, 0.929030], atol=1e-6)
    prototypes = (np.array([14.133333, -3.2]), positive), (np.array([3.466667, 12.8]), negative)
    for prototype, cosines in prototypes:
        expected = UNLABELED @ (prototype / np.linalg.norm(prototype))
        assert_allclose(cosines[:, 0], expected, atol=1e-6)


@pytest.mark.parametrize(("alpha", "beta"), [(16, 4), (0.3, 0.7), (1, 0), (2, 2)])
def test_cosines_equal_those_with_formed_prototypes(alpha, beta):
    Z, p, means = random_means()
    negative, positive = rocchio_cosines(Z, p, means, alpha=alpha, beta=beta)
    for j, u in enumerate(means.T):
        for own, other, cosines in ((u, p, negative), (p, u, positive)):
            prototype = alpha * own - beta * other
            expected = Z @ (prototype / np.linalg.norm(prototype))
            assert_allclose(cosines[:, j], expected, atol=1e-12)


def test_exchanging_alpha_and_beta_changes_no_decision():
    Z, p, means = random_means()
    margins = []
    for alpha, beta in [(16, 4), (4, 16), (0.8, 0.2)]:
        negative, positive = rocchio_cosines(Z, p, means[:, :1], alpha=alpha, beta=beta)
        margins.append(negative - positive)
    assert_allclose(margins[1], margins[0], atol=1e-12)
    assert_allclose(margins[2], margins[0], atol=1e-12)


def test_prototype_that_vanishes_is_similar_to_nothing():
    negative, positive = rocchio_cosines(
        UNLABELED, POSITIVE_MEAN, POSITIVE_MEAN[:, None], alpha=1, beta=1
    )
    assert not negative.any()
    assert not positive.any()
