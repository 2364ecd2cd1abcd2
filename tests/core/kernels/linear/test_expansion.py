import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.datasets import make_pu_data
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.linear.expansion import Expansion
from core.kernels.linear.wide_rows import wide_rows
from core.kernels.rows.unit_rows import unit_rows
from core.validation import canonical_csr

X, Y, TRUTH = make_pu_data(300, 80, class_prior=0.3, random_state=0)
NO = np.zeros(6, dtype=bool)


def test_targets_are_spread_labels_of_the_first_samples():
    # A path of five samples, and one alone; the first is labeled, the second ranks first.
    rows = sp.csr_array(np.eye(6))
    path = sp.diags_array([[1.0, 1, 1, 1, 0]] * 2, offsets=[-1, 1], shape=(6, 6), format="csr")
    is_positive = np.arange(6) == 0
    expansion = Expansion(rows, path, is_positive, NO, ~NO, C=1.0)
    targets = expansion.targets(np.array([0, 5.0, 4, 3, 2, 1]), 1)

    degrees = np.array([1, 2, 2, 2, 1, np.inf])
    S = path.toarray() / np.sqrt(np.outer(degrees, degrees))
    mass = np.linalg.solve(np.eye(6) - 0.5 * S, np.array([1.0, 1, 0, 0, 0, 0]))
    expected = np.minimum(mass / np.median(mass[:2]), 1)
    expected[0] = 1
    assert_allclose(targets, expected, atol=1e-5)


def test_judged_negatives_stay_negative():
    rows = unit_rows(canonical_csr(X))
    is_negative = (Y == 0) & ~TRUTH.astype(bool)
    expansion = Expansion(
        rows, knn_graph(rows, 5), Y == 1, is_negative, np.ones(len(Y), dtype=bool), C=1.0
    )
    targets = expansion.targets(np.arange(float(len(Y))), 10)
    assert (targets[is_negative] == 0).all()
    assert (targets[Y == 1] == 1).all()


def test_both_classes_weigh_the_same():
    rows = unit_rows(canonical_csr(X))
    everything = np.ones(len(Y), dtype=bool)
    expansion = Expansion(
        wide_rows(rows), knn_graph(rows, 5), Y == 1, ~everything, everything, C=1e-9
    )
    # All weights of terms vanish: what is left is the log-odds of the classes.
    model = expansion.model(np.arange(float(len(Y))), 10)
    assert_allclose(model[-1], 0, atol=1e-4)
