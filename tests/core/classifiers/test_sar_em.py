"""Specification D8."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score

from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.classifiers.sar_em import SAREM, _log_likelihood, hidden_posterior
from core.datasets import make_pu_data
from core.options import checked


def biased_labels(n_samples=3000):
    """Return samples, labeled the more often the larger their last feature, and the truth."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_samples, 3))
    truth = random.random(n_samples) < expit(4 * X[:, 0] - 4 * X[:, 1])
    propensity = expit(2 * X[:, 2])
    return X, truth & (random.random(n_samples) < propensity), propensity, truth


def test_the_posterior_of_the_example():
    assert_allclose(hidden_posterior(logit([0.6]), logit([0.5])), [0.428571], atol=1e-6)


def test_the_posterior_is_that_of_the_formula():
    f, e = np.meshgrid([0.01, 0.3, 0.9], [0.05, 0.5, 0.99])
    expected = f * (1 - e) / (1 - f * e)
    assert_allclose(hidden_posterior(logit(f), logit(e)), expected)


def test_the_log_likelihood_is_that_of_labels_and_classes():
    # Labeled: f e. Not labeled: f (1 - e) with the posterior, 1 - f with the rest.
    posterior = np.array([1, 0.25, 0])
    actual = _log_likelihood(logit([0.6] * 3), logit([0.3] * 3), posterior == 1, posterior)
    expected = [np.log(0.18), 0.25 * np.log(0.42) + 0.75 * np.log(0.4), np.log(0.4)]
    assert_allclose(actual, expected)


def test_who_is_labeled_is_told_apart_from_who_is_positive():
    X, y, propensity, truth = biased_labels()
    classifier = SAREM(propensity_features=[2], C=100).fit(X, y)
    assert classifier.report_["converged"]
    assert np.corrcoef(classifier.propensity_, propensity)[0, 1] > 0.95
    assert np.abs(classifier.propensity_ - propensity).mean() < 0.1
    accuracy = np.mean(classifier.predict(X) == truth)
    assert accuracy > np.mean(NaiveLogisticRegression(C=100).fit(X, y).predict(X) == truth)
    assert accuracy > 0.85
    assert classifier.coef_[2] == 0


def test_the_propensity_depends_on_the_number_of_terms():
    X, _, truth = make_pu_data(600, 60, random_state=0)
    n_terms = np.diff(X.indptr)
    y = (truth == 1) & (n_terms > np.median(n_terms))
    classifier = SAREM().fit(X, y)
    longer = classifier.propensity_[n_terms > np.median(n_terms)].mean()
    assert longer > 2 * classifier.propensity_[n_terms <= np.median(n_terms)].mean()
    scores = classifier.score_samples(X)
    assert average_precision_score(truth[~y], scores[~y]) > 0.9


def test_judged_negatives_stay_negative():
    X, y, _, truth = biased_labels(500)
    judged = ~truth & (np.arange(500) % 2 == 0)
    with_judged = SAREM(propensity_features=[2]).fit(X, y, is_negative=judged)
    assert with_judged.predict_proba(X[judged])[:, 1].mean() < 0.2
    without = SAREM(propensity_features=[2]).fit(X, y)
    assert np.abs(with_judged.propensity_ - without.propensity_).max() > 1e-3


def test_where_every_positive_seems_labeled_a_flag_says_so():
    X, _, truth = make_pu_data(300, 60, random_state=0)
    assert "all_labeled" in SAREM().fit(X, truth).report_["flags"]


def test_iterations_end_at_the_limit():
    with pytest.warns(ConvergenceWarning, match="did not converge in 3 iterations"):
        classifier = SAREM(max_iter=3).fit(*make_pu_data(100, 40, random_state=0)[:2])
    assert classifier.n_iter_ == 3
    assert classifier.report_["converged"] is False
    assert "not_converged" in classifier.report_["flags"]


@pytest.mark.parametrize("columns", [[-1], [0.5], ["x"], [[0]]])
def test_what_are_no_numbers_of_columns_are_refused_at_once(columns):
    with pytest.raises(ValueError, match="numbers of columns, from 0"):
        checked(SAREM(propensity_features=columns))


def test_columns_that_do_not_exist_are_refused():
    with pytest.raises(ValueError, match=r"in \[0, 3\)"):
        SAREM(propensity_features=[5]).fit(np.eye(3), [1, 0, 0])


def test_an_empty_list_of_columns_is_none():
    X, y, _ = make_pu_data(100, 40, random_state=0)
    listed = SAREM(propensity_features=[]).fit(sp.csr_array(X), y)
    assert_array_equal(listed.coef_, SAREM().fit(X, y).coef_)
