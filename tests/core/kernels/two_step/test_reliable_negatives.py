import numpy as np
import scipy.sparse as sp

from core.kernels.two_step.reliable_negatives import (
    count_terms,
    fallback_size,
    lowest,
    usable_rows,
)

X = sp.csr_array([[1.0, 2, 0], [0, 0, 0], [0, 3, 0], [0, 0, 0], [1, 1, 1]])


def test_empty_rows_are_not_used():
    positive, unlabeled = usable_rows(X, np.array([True, True, False, False, False]))
    assert positive.tolist() == [True, False, False, False, False]
    assert unlabeled.tolist() == [False, False, True, False, True]


def test_terms_are_counted_once_for_each_document():
    assert count_terms(X, np.array([True, False, True])).tolist() == [1, 0, 0, 0, 2]


def test_lowest_scores_are_taken_among_the_candidates():
    scores = np.array([3.0, 1, 2, 0, 1])
    is_candidate = np.array([True, True, True, False, True])
    assert np.flatnonzero(lowest(scores, is_candidate, 2)).tolist() == [1, 4]
    assert lowest(scores, is_candidate, 9).tolist() == is_candidate.tolist()


def test_fallback_is_a_twentieth_but_no_fewer_than_the_positives():
    assert fallback_size(3, 100) == 5
    assert fallback_size(3, 101) == 6
    assert fallback_size(8, 100) == 8
