"""Specification D3."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.class_weight import compute_sample_weight

from core.classifiers.bagging_pu import BaggingPU
from core.datasets import make_pu_data
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.linear.squared_hinge_svm import fit_svm
from core.kernels.rows.row_hash import content_order
from core.validation import canonical_csr

COUNTS, Y, TRUTH = make_pu_data(120, 40, class_prior=0.4, random_state=0)
# In the order of their contents, which is that of the draws.
ORDER = content_order(canonical_csr(COUNTS))
X, Y, TRUTH = canonical_csr(COUNTS)[ORDER], Y[ORDER], TRUTH[ORDER]
IS_POSITIVE = Y == 1


def slow_fit(size, *, n_estimators, seed, is_negative, learner=fit_soft_logistic, **settings):
    """Fit each classifier in turn; return scores out of bag, mean scores and counts."""
    random = np.random.RandomState(seed)
    unlabeled = np.flatnonzero(~IS_POSITIVE & ~is_negative)
    always = np.flatnonzero(IS_POSITIVE | is_negative)
    scores = np.full((n_estimators, 120), np.nan)
    all_scores = np.empty((n_estimators, 120))
    for t, child in enumerate(random.randint(np.iinfo(np.int32).max, size=n_estimators)):
        bag = unlabeled[np.random.RandomState(child).randint(len(unlabeled), size=size)]
        rows = np.append(always, bag)
        labels = IS_POSITIVE[rows]
        coef, intercept = learner(
            X[rows], labels, compute_sample_weight("balanced", labels), **settings
        )
        all_scores[t] = (X @ coef + intercept) / np.linalg.norm(coef)
        out = np.setdiff1d(unlabeled, bag)
        scores[t, out] = all_scores[t, out]
    n_out = (~np.isnan(scores)).sum(axis=0)
    mean = np.nansum(scores, axis=0) / np.maximum(n_out, 1)
    return mean, all_scores.mean(axis=0), n_out


@pytest.mark.parametrize("learner", ["logistic", "svm"])
@pytest.mark.parametrize("has_judged", [False, True])
def test_unlabeled_samples_are_scored_by_classifiers_that_did_not_see_them(learner, has_judged):
    judged = ~IS_POSITIVE & (TRUTH == 0) & (np.arange(120) % 5 == 0) & has_judged
    classifier = BaggingPU(n_estimators=12, learner=learner, random_state=3)
    classifier.fit(X, Y, is_negative=judged)
    fit = {"logistic": (fit_soft_logistic, {"tol": 1e-8}), "svm": (fit_svm, {})}
    learn, settings = fit[learner]
    out_of_bag, mean, n_out = slow_fit(
        IS_POSITIVE.sum(), n_estimators=12, seed=3, is_negative=judged, learner=learn, **settings
    )
    unlabeled = ~IS_POSITIVE & ~judged
    assert classifier.report_["least_out_of_bag"] == n_out[unlabeled].min()
    scores = classifier.transduction_scores_
    assert_allclose(scores[unlabeled], out_of_bag[unlabeled], atol=0.01)
    assert_allclose(scores[~unlabeled], mean[~unlabeled], atol=0.01)
    assert_allclose(classifier.score_samples(X), mean, atol=0.01)


def test_what_was_in_every_sample_is_flagged():
    rows = sp.csr_array([[1.0, 0], [1, 1], [0, 1]])
    classifier = BaggingPU(n_estimators=5, random_state=0).fit(rows, [1, 1, 0])
    assert "always_in_bag" in classifier.report_["flags"]
    assert_allclose(classifier.transduction_scores_, classifier.score_samples(rows))


def test_samples_are_as_many_as_asked_for_or_as_positives_or_ten_for_one():
    assert BaggingPU(n_estimators=2).fit(X, Y).report_["max_samples"] == IS_POSITIVE.sum()
    one = np.arange(120) == np.flatnonzero(Y)[0]
    assert BaggingPU(n_estimators=2).fit(X, one).report_["max_samples"] == 10
    for asked, size in ((7, 7), (10**9, (~IS_POSITIVE).sum())):
        bagging = BaggingPU(n_estimators=2, max_samples=asked).fit(X, Y)
        assert bagging.report_["max_samples"] == size


def test_the_prior_sets_the_share_that_is_accepted():
    classifier = BaggingPU(class_prior=0.25, random_state=0).fit(X, Y)
    assert np.mean(classifier.transduction_[~IS_POSITIVE]) == pytest.approx(0.25, abs=0.01)


def test_the_seed_decides():
    first, second, other = (
        BaggingPU(n_estimators=5, random_state=seed).fit(X, Y).coef_ for seed in (0, 0, 1)
    )
    assert_array_equal(first, second)
    assert np.abs(first - other).max() > 1e-3


def test_only_judged_negatives_are_enough():
    classifier = BaggingPU(n_estimators=3, random_state=0).fit(X, Y, is_negative=~IS_POSITIVE)
    assert classifier.report_["max_samples"] == 0
    assert classifier.report_["self_recall"] > 0.9


def test_unlabeled_samples_without_terms_are_nothing_to_compare_with():
    rows = sp.csr_array([[1.0, 0], [1, 1], [0, 0]])
    with pytest.raises(ValueError, match="every unlabeled sample is empty"):
        BaggingPU().fit(rows, [1, 1, 0])
