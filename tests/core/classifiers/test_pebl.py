"""Specification C2; the toy example is its own, the relaxations are by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from core.classifiers.pebl import PEBL
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.iterative_svm import iterative_svm
from core.validation import canonical_csr

TOY = np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]])
LABELS = [1, 1, 0, 0, 0, 0]


def assert_trained_from(X, y, negatives, **fit_parameters):
    """Check that the SVMs started from these rows, by comparing with SVMs that do."""
    classifier = PEBL().fit(X, y, **fit_parameters)
    is_negative = np.isin(np.arange(len(y)), negatives)
    coef, intercept, facts = iterative_svm(
        unit_rows(canonical_csr(X)), np.array(y) == 1, is_negative
    )
    assert classifier.report_["n_reliable_negatives"] == len(negatives)
    assert classifier.report_ | facts == classifier.report_
    assert_allclose(classifier.coef_, coef, atol=1e-4)
    assert_allclose(classifier.intercept_, intercept, atol=1e-4)
    return classifier.report_


def test_rows_without_the_positive_term_of_the_worked_example_are_negative():
    # Rates (1, 0.5, 0) among positives, (0.25, 0.5, 0.75) among unlabeled: the tie is no evidence.
    report = assert_trained_from(TOY, LABELS, [3, 4, 5])
    assert report["n_positive_terms"] == 1
    assert "rn_relaxed" not in report["flags"]


def test_counts_do_not_matter_to_the_first_step():
    report = PEBL().fit(TOY * [[3], [1], [7], [1], [2], [5]], LABELS).report_
    assert report["n_positive_terms"] == 1
    assert report["n_reliable_negatives"] == 3


def test_stronger_terms_are_asked_for_where_all_samples_have_a_positive_one():
    X = np.array([[1.0, 1, 0], [1, 1, 0], [0, 1, 1], [0, 1, 1], [0, 1, 0], [1, 0, 0]])
    # Rates among unlabeled are 1/4 and 3/4: the first term is four times as frequent among
    # positives, the second is not twice as frequent.
    report = assert_trained_from(X, LABELS, [2, 3, 4])
    assert report["n_positive_terms"] == 1
    assert "rn_relaxed" in report["flags"]


def test_stronger_terms_are_asked_for_where_next_to_none_is_without_a_positive_one():
    # The second term is in all positives and in almost all others, the first in few others.
    unlabeled = np.tile([0.0, 1, 1], (300, 1))
    unlabeled[:2, 1] = 0
    unlabeled[2:32, 0] = 1
    X = np.vstack([[[1.0, 1, 0], [1, 1, 0]], unlabeled])
    report = assert_trained_from(X, [1, 1] + [0] * 300, [2, 3, *range(34, 302)])
    assert report["n_positive_terms"] == 1
    assert "rn_relaxed" in report["flags"]


def test_fewest_positive_terms_are_taken_at_last():
    X = np.array([[1.0, 1, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1], [0, 1, 1]])
    # Both rates among unlabeled are 2/3: no term is twice as frequent.
    report = assert_trained_from(X, [1, 1, 0, 0, 0], [3, 4])
    assert "rn_relaxed" in report["flags"]


def test_without_positive_terms_all_samples_are_negative():
    report = PEBL().fit([[1.0, 1], [1, 2], [3, 1]], [1, 0, 0]).report_
    assert report["n_positive_terms"] == 0
    assert "rn_all" in report["flags"]


def test_judged_negatives_are_reliable_from_the_start():
    assert_trained_from(TOY, LABELS, [2, 3, 4, 5], is_negative=np.arange(6) == 2)


def test_rounds_that_end_at_the_limit_are_flagged():
    # The last two are rejected by the first machine, which knows only the fourth as negative.
    X = [[1.0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 9, 1], [1, 0, 9, 0], [1, 0, 9, 0]]
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        report = PEBL(max_iter=1).fit(X, [1, 1, 0, 0, 0]).report_
    assert not report["converged"]
    assert "not_converged" in report["flags"]
    report = PEBL().fit(X, [1, 1, 0, 0, 0]).report_
    assert report["converged"]
    assert "not_converged" not in report["flags"]
