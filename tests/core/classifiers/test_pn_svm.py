"""Specification C3, a reconstruction; the example is by hand."""

import numpy as np
from numpy.testing import assert_allclose

from core.classifiers.pn_svm import PNSVM
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.iterative_svm import fit_two_class_svm
from core.validation import canonical_csr

# Document frequencies (2, 1, 0) and (1, 2, 3), rescaled (1, 0, -) and (0, 0.5, 1): strengths 1 and
# -0.5 for the terms of positives, so that the first is the core. Row 2 has it and points where the
# positives do, with a cosine of 0.92388 to their mean, as each of them.
X = np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]])
LABELS = [1, 1, 0, 0, 0, 0]


def assert_trained_on(classifier, X, positives, negatives):
    rows = np.arange(X.shape[0])
    coef, intercept = fit_two_class_svm(
        unit_rows(canonical_csr(X)),
        np.isin(rows, positives),
        np.isin(rows, negatives),
        C=1.0,
        balanced=True,
    )
    assert_allclose(classifier.coef_, coef, atol=1e-4)
    assert_allclose(classifier.intercept_, intercept, atol=1e-4)


def test_core_terms_find_negatives_and_a_likely_positive():
    classifier = PNSVM(random_state=0).fit(X, LABELS)
    report = classifier.report_
    assert report["n_core_terms"] == 1
    assert report["n_reliable_negatives"] == 3
    assert report["n_added_negatives"] == 0
    assert report["n_likely_positives"] == 1
    assert_trained_on(classifier, X, [0, 1, 2], [3, 4, 5])


def test_samples_near_a_cluster_of_negatives_join_it():
    # A pile of rows (0, 1, 1); the one with a trace of the core term is as near to them.
    pile = np.tile([[0.0, 1, 1]], (5, 1))
    near = [[0.001, 1, 1]]
    Z = np.vstack([X[:2], pile, near])
    classifier = PNSVM(random_state=0).fit(Z, [1, 1, 0, 0, 0, 0, 0, 0])
    # Near, but not nearer than members are on average: those lie on their centroid.
    assert classifier.report_["n_added_negatives"] == 0
    spread = np.vstack([X[:2], pile, [[0, 3, 1], [0, 1, 3]], near])
    classifier = PNSVM(random_state=0).fit(spread, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    assert classifier.report_["n_added_negatives"] == 1
    assert_trained_on(classifier, spread, [0, 1], range(2, 10))


def test_likely_positives_are_limited():
    report = PNSVM(max_likely=0, random_state=0).fit(X, LABELS).report_
    assert report["n_likely_positives"] == 0


def test_one_seed_takes_likely_positives_by_a_fixed_cosine():
    # The seed's second term is in one row of the pile, its first in three: only the second is core.
    one = np.array([[1.0, 1, 0], [1, 1, 1], [1, 0, 1], [1, 0, 1], [0, 0, 1]])
    classifier = PNSVM(random_state=0).fit(one, [1, 0, 0, 0, 0])
    assert classifier.report_["n_core_terms"] == 1
    assert classifier.report_["n_reliable_negatives"] == 3
    # Its cosines: 0.82 with the seed; 0.79 with the mean (0.47, 0, 0.80) of the negatives.
    assert classifier.report_["n_likely_positives"] == 1


def test_smallest_share_of_core_terms_is_taken_where_all_samples_have_one():
    # Rescaled frequencies (1, 0) and (1, 0.5): strengths 0 and -0.5, the first term is the core.
    # It makes up a half, a third and a third of the terms of the pile; the first of these has the
    # same terms as a positive, and so becomes a likely one.
    pile = np.array([[1.0, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 0, 1, 1]])
    two = np.array([[1.0, 1, 0, 0, 0], [1, 0, 0, 0, 0]])
    stacked = np.vstack([two, pile])
    classifier = PNSVM(random_state=0).fit(stacked, [1, 1, 0, 0, 0])
    assert classifier.report_["n_core_terms"] == 1
    assert classifier.report_["n_reliable_negatives"] == 2
    assert "rn_relaxed" in classifier.report_["flags"]
    assert_trained_on(classifier, stacked, [0, 1, 2], [3, 4])


def test_judged_negatives_are_negative_from_the_start():
    judged = np.arange(6) == 2
    classifier = PNSVM(random_state=0).fit(X, LABELS, is_negative=judged)
    assert classifier.report_["n_reliable_negatives"] == 4
    assert "rn_all" in classifier.report_["flags"]
    assert_trained_on(classifier, X, [0, 1], [2, 3, 4, 5])
