import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.kernels.linear.squared_hinge_svm import fit_svm
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.iterative_svm import iterative_svm
from core.progress import listening


def corpus():
    """Return unit rows of two overlapping topics, positives, and a few negatives."""
    random = np.random.default_rng(0)
    topic = np.arange(120) < 40
    rates = np.where(topic[:, None], [0.8] * 4 + [0.4] * 4, [0.4] * 4 + [0.8] * 4)
    X = sp.csr_array(random.poisson(rates).astype(float))
    is_positive = np.arange(120) < 15
    is_negative = np.arange(120) >= 112
    return unit_rows(X), is_positive, is_negative


def plain_loop(Z, is_positive, is_negative, max_iter):
    """Return all SVMs, and the sets of negatives they were trained on."""
    positive, negative = set(np.flatnonzero(is_positive)), set(np.flatnonzero(is_negative))
    undecided = {i for i in range(Z.shape[0]) if Z[[i]].nnz} - positive - negative
    svms, sets = [], []
    while len(svms) < max_iter:
        rows = sorted(positive | negative)
        labels = np.array([i in positive for i in rows])
        weight = np.where(labels, 1 / len(positive), 1 / len(negative)) * len(rows) / 2
        svms.append(fit_svm(Z[rows], labels, weight))
        sets.append(set(negative))
        coef, intercept = svms[-1]
        rejected = {i for i in undecided if (Z[[i]] @ coef)[0] + intercept < 0}
        if not rejected:
            break
        negative |= rejected
        undecided -= rejected
    return svms, sets


def test_rounds_equal_a_plain_loop():
    Z, is_positive, is_negative = corpus()
    svms, sets = plain_loop(Z, is_positive, is_negative, 20)
    coef, intercept, facts = iterative_svm(Z, is_positive, is_negative, max_loss=None)
    assert len(svms) > 2
    # Each stops near the optimum, from another start.
    assert_allclose(coef, svms[-1][0], atol=1e-4)
    assert_allclose(intercept, svms[-1][1], atol=1e-4)
    assert facts["n_iter"] == len(svms)
    assert facts["n_reliable_negatives"] == 8
    assert facts["n_final_negatives"] == len(sets[-1])
    assert facts["converged"]


@pytest.mark.parametrize(("max_loss", "chosen"), [(0, "first"), (1, "last"), (None, "last")])
def test_first_machine_is_kept_where_the_last_one_loses_positives(max_loss, chosen):
    Z, is_positive, is_negative = corpus()
    svms, _ = plain_loop(Z, is_positive, is_negative, 20)
    coef, _, facts = iterative_svm(Z, is_positive, is_negative, max_loss=max_loss)
    last_scores = Z[is_positive] @ svms[-1][0] + svms[-1][1]
    assert facts["lost"] == np.mean(last_scores < 0) > 0
    assert facts["chosen"] == chosen
    assert_allclose(coef, svms[0 if chosen == "first" else -1][0], atol=1e-4)


def test_rounds_are_limited_and_told():
    Z, is_positive, is_negative = corpus()
    told = []
    with listening(lambda stage, fraction: told.append((stage, fraction))):
        *_, facts = iterative_svm(Z, is_positive, is_negative, max_iter=2)
    assert facts["n_iter"] == 2
    assert not facts["converged"]
    assert told == [("iterate", 0.5), ("iterate", 1.0)]


def test_empty_rows_never_become_negatives():
    Z, is_positive, is_negative = corpus()
    padded = sp.vstack([Z, sp.csr_array((5, Z.shape[1]))], format="csr")
    no = np.zeros(5, dtype=bool)
    expected = iterative_svm(Z, is_positive, is_negative)
    actual = iterative_svm(padded, np.r_[is_positive, no], np.r_[is_negative, no])
    assert_allclose(actual[0], expected[0])
    assert actual[2] == expected[2]


def test_without_balance_every_sample_counts_the_same():
    Z, is_positive, is_negative = corpus()
    rows = is_positive | is_negative
    coef, intercept, _ = iterative_svm(Z, is_positive, is_negative, balanced=False, max_iter=1)
    expected = fit_svm(Z[rows], is_positive[rows])
    assert_allclose(coef, expected[0])
    assert_allclose(intercept, expected[1])
