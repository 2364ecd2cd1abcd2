import numpy as np
import pytest
import scipy.sparse as sp

from core.class_prior.elkan_noto import elkan_noto_prior
from core.class_prior.given_or_estimated import given_or_estimated_prior
from core.datasets import make_pu_data

X, Y, Y_TRUE = make_pu_data(100, random_state=0)
IS_POSITIVE = Y == 1
NOBODY = np.zeros(100, dtype=bool)


def test_given_prior_is_taken():
    assert given_or_estimated_prior(0.3, X, IS_POSITIVE, NOBODY) == (0.3, "given")


def test_given_prior_leaves_a_positive_among_the_unlabeled():
    assert given_or_estimated_prior(1e-9, X, IS_POSITIVE, NOBODY) == (1 / (Y == 0).sum(), "given")


def test_prior_is_estimated_without_judged_negatives():
    is_negative = (Y_TRUE == 0) & (np.arange(100) < 50)
    rest = ~is_negative
    expected = elkan_noto_prior(X[rest], IS_POSITIVE[rest])
    assert given_or_estimated_prior(None, X, IS_POSITIVE, is_negative) == (expected, "elkan_noto")


def test_estimate_from_a_single_positive_is_told():
    is_positive = np.arange(100) == np.flatnonzero(Y)[0]
    _, source = given_or_estimated_prior(None, X, is_positive, NOBODY)
    assert source == "elkan_noto_in_sample"


def test_a_pile_that_is_all_judged_is_refused():
    with pytest.raises(ValueError, match="none is unlabeled"):
        given_or_estimated_prior(0.5, X, IS_POSITIVE, ~IS_POSITIVE)


def test_an_estimate_at_the_edge_is_none():
    # Words of their own: positives that were left out are nothing like labeled ones.
    prior = given_or_estimated_prior(
        None, sp.csr_array(np.eye(30)), np.arange(30) < 10, NOBODY[:30]
    )
    assert prior == (0.5, "unknown")
