import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.classifiers.seed_expansion import Expansion, SeedExpansion
from core.datasets import make_pu_data
from core.kernels.knn_graph import knn_graph
from core.kernels.unit_rows import unit_rows
from core.validation import canonical_csr

X, Y, TRUTH = make_pu_data(300, 80, class_prior=0.3, random_state=0)
NO = np.zeros(6, dtype=bool)


def fit(**parameters):
    return SeedExpansion(random_state=0, **parameters).fit(X, Y)


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
    expansion = Expansion(rows, knn_graph(rows, 5), Y == 1, ~everything, everything, C=1e-9)
    # All weights of terms vanish: what is left is the log-odds of the classes.
    model = expansion.model(np.arange(float(len(Y))), 10)
    assert_allclose(model[-1], 0, atol=1e-4)


def test_scores_are_the_sum_of_what_terms_add():
    classifier = fit()
    contributions = classifier.explain(X).sum(axis=1)
    has_terms = np.diff(canonical_csr(X).indptr) > 0
    expected = classifier.score_samples(X)[has_terms]
    assert_allclose(contributions[has_terms] + classifier.intercept_, expected, atol=1e-5)


@pytest.mark.parametrize("class_prior", [0.1, 0.4])
def test_a_given_prior_is_the_share_that_is_accepted(class_prior):
    classifier = fit(class_prior=class_prior)
    assert_allclose(classifier.predict(X)[Y == 0].mean(), class_prior, atol=0.01)
    assert classifier.report_["class_prior_source"] == "given"


def test_few_samples_are_expanded_in_a_small_pile():
    classifier = SeedExpansion(random_state=0).fit(X[:30], Y[:30])
    assert max(classifier.report_["n_expanded"]) == (Y[:30] == 0).sum() // 5


def test_without_latent_directions_scores_are_linear():
    classifier = fit(n_components=0)
    rows = unit_rows(canonical_csr(X))
    expected = rows @ classifier.coef_ + classifier.intercept_
    has_terms = np.diff(rows.indptr) > 0
    assert_allclose(classifier.score_samples(X)[has_terms], expected[has_terms])


def test_hidden_positives_of_a_mixture_are_found():
    classifier = fit()
    hidden = TRUTH[Y == 0].astype(bool)
    accepted = classifier.predict(X)[Y == 0] == 1
    assert (accepted == hidden).mean() > 0.9
