import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.datasets import make_pu_data
from core.kernels.linear.contrast import with_contrast
from core.kernels.linear.wide_rows import WideRows
from core.kernels.rows.unit_rows import unit_rows
from core.validation import canonical_csr

X, Y, _ = make_pu_data(60, 20, class_prior=0.3, random_state=0)
IS_POSITIVE = Y == 1
#: Some stand for several of the pile, positives that have copies there among them.
WEIGHT = np.random.default_rng(0).integers(0, 4, len(Y))


@pytest.fixture
def features():
    latent = np.random.default_rng(1).normal(size=(len(Y), 3))
    return WideRows(unit_rows(canonical_csr(X)), latent)


@pytest.fixture
def model():
    return np.random.default_rng(2).normal(size=20 + 3 + 1)


@pytest.mark.parametrize(("n_hidden", "share"), [(0, 0.5), (8, 0.5), (100, 0.04)])
def test_terms_weigh_more_by_what_positives_have_more_of(features, model, n_hidden, share):
    rows = features.sparse.toarray()
    pile = np.repeat(rows, WEIGHT, axis=0)
    contrast = rows[IS_POSITIVE].mean(axis=0) - pile.mean(axis=0)
    by_model = np.repeat(np.hstack([rows, features.dense]) @ model[:-1], WEIGHT)
    factor = share * by_model.std() / (pile @ contrast).std()
    added = with_contrast(model, features, IS_POSITIVE, WEIGHT, n_hidden) - model
    assert_allclose(added[:20], factor * contrast, atol=1e-6)
    assert_allclose(added[20:-1], 0)
    assert_allclose(added[-1], -factor * (pile @ contrast).mean(), atol=1e-6)


def test_the_scale_of_the_scores_does_not_matter(features, model):
    doubled = with_contrast(2 * model, features, IS_POSITIVE, WEIGHT, 20)
    assert_allclose(doubled, 2 * with_contrast(model, features, IS_POSITIVE, WEIGHT, 20))


def test_a_pile_that_nothing_tells_apart_adds_nothing():
    features = WideRows(canonical_csr([[1.0, 0]] * 4), np.empty((4, 0)))
    model = np.array([1.0, -1, 0.5])
    in_pile = (np.arange(4) > 1).astype(int)
    same = with_contrast(model, features, np.arange(4) < 2, in_pile, 1)
    assert_allclose(same, model)


def test_what_positives_have_more_of_by_rounding_alone_adds_nothing(model):
    kinds = [[1.0, 2, 0, 0], [0, 1, 5, 0], [3, 0, 0, 7], [2, 2, 1, 0], [1, 0, 4, 2]]
    features = WideRows(unit_rows(canonical_csr(kinds * 4)), np.empty((20, 0)))
    in_pile = (np.arange(20) > 4).astype(int)
    same = with_contrast(model[:5], features, np.arange(20) < 5, in_pile, 1)
    assert_allclose(same, model[:5])
