import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import normalize

from core.class_prior.consensus import consensus_value
from core.class_prior.cross_fitted_ranks import cross_fitted_ranks
from core.class_prior.given_or_estimated import given_or_estimated_prior
from core.datasets import make_pu_data
from core.kernels.rows.near_copies import are_distinct
from tests.core.conftest import peak_bytes
from tests.core.texts_with_copies import texts_with_copies

X, Y, Y_TRUE = make_pu_data(100, random_state=0)
X = normalize(X)
IS_POSITIVE = Y == 1
NOBODY = np.zeros(100, dtype=bool)


def test_given_prior_is_taken():
    assert given_or_estimated_prior(0.3, X, IS_POSITIVE, NOBODY) == (0.3, "given")


def test_given_prior_leaves_a_positive_among_the_unlabeled():
    assert given_or_estimated_prior(1e-9, X, IS_POSITIVE, NOBODY) == (1 / (Y == 0).sum(), "given")


def test_prior_is_estimated_without_judged_negatives():
    is_negative = (Y_TRUE == 0) & (np.arange(100) < 50)
    rest = ~is_negative
    expected = consensus_value(cross_fitted_ranks(X[rest], IS_POSITIVE[rest], ~IS_POSITIVE[rest]))
    found = given_or_estimated_prior(None, X, IS_POSITIVE, is_negative)
    assert found == (expected, "cross_fitted_ranks")


def test_copies_of_a_positive_are_no_further_positives():
    first = np.flatnonzero(Y)[:1]
    rows = np.r_[np.arange(100), first, first]
    is_positive = np.r_[IS_POSITIVE, True, True]
    found = given_or_estimated_prior(None, X[rows], is_positive, np.zeros(102, dtype=bool))
    assert found == given_or_estimated_prior(None, X, IS_POSITIVE, NOBODY)


def test_near_copies_of_a_positive_are_no_further_positives():
    X, is_positive = texts_with_copies(100, 20, 5)
    nobody, kept = is_positive & False, are_distinct(X, is_positive)
    assert kept.sum() == 100
    found = given_or_estimated_prior(None, X, is_positive, nobody)
    assert found == given_or_estimated_prior(None, X[kept], is_positive[kept], nobody[kept])


def test_what_takes_no_part_costs_no_copy_of_the_matrix():
    X, y, _ = make_pu_data(4000, 300, random_state=0)
    rows = np.r_[np.flatnonzero(y)[:1], np.arange(4000)]
    X, is_positive = normalize(X[rows]), y[rows] == 1
    nobody, is_negative = np.zeros(4001, dtype=bool), ~is_positive & (np.arange(4001) < 50)
    peaks = [
        peak_bytes(lambda each=each: given_or_estimated_prior(None, X, *each))
        for each in ((is_positive & (rows != rows[0]), nobody), (is_positive, is_negative))
    ]
    assert peaks[1] - peaks[0] < X.data.nbytes / 2


def test_from_a_single_positive_the_prior_is_unknown():
    is_positive = np.arange(100) == np.flatnonzero(Y)[0]
    assert given_or_estimated_prior(None, X, is_positive, NOBODY) == (0.1, "unknown")


def test_a_prior_that_nothing_tells_is_one_document_of_a_small_pile():
    is_positive = np.arange(5) == 0
    prior = given_or_estimated_prior(None, sp.csr_array(np.eye(5)), is_positive, NOBODY[:5])
    assert prior == (1 / 4, "unknown")


def test_a_pile_that_is_all_judged_is_refused():
    with pytest.raises(ValueError, match="none is unlabeled"):
        given_or_estimated_prior(0.5, X, IS_POSITIVE, ~IS_POSITIVE)


def test_positives_that_share_nothing_with_the_pile_tell_nothing():
    prior = given_or_estimated_prior(
        None, sp.csr_array(np.eye(30)), np.arange(30) < 10, NOBODY[:30]
    )
    assert prior == (0.1, "unknown")


def test_an_estimate_at_the_edge_tells_nothing(monkeypatch):
    monkeypatch.setattr("core.class_prior.given_or_estimated.consensus_value", lambda ranks: 1.0)
    assert given_or_estimated_prior(None, X, IS_POSITIVE, NOBODY) == (0.1, "unknown")


def test_the_share_of_a_large_class_is_found():
    X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    prior, _ = given_or_estimated_prior(None, X, y == 1, np.zeros(600, dtype=bool))
    assert prior == pytest.approx(y_true[y == 0].mean(), abs=0.1)
