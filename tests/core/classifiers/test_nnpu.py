"""Specification D4; the risks are tested with the kernel."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.preprocessing import normalize

from core.classifiers.nnpu import NNPU
from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.kernels.linear.pu_risks import LOSSES

COUNTS, Y, Y_TRUE = make_pu_data(120, 40, random_state=0)
X = normalize(COUNTS)


def negative_risk(classifier):
    """Return the estimate of the risk of negatives on the training set, r."""
    g, loss = classifier.score_samples(X), LOSSES[classifier.loss]
    return loss(-g[Y == 0])[0].mean() - classifier.class_prior_ * loss(-g[Y == 1])[0].mean()


def overfitted(**parameters):
    """Return a network that is trained for too long with too large a prior."""
    options = {"class_prior": 0.8, "hidden_layer_sizes": [20], "alpha": 0.0, "random_state": 0}
    return NNPU(**{**options, **parameters}).fit(X, Y)


def test_unbiased_risk_falls_below_zero_and_the_non_negative_one_stays():
    unbiased, non_negative = overfitted(non_negative=False), overfitted()
    assert negative_risk(unbiased) < -1
    assert negative_risk(non_negative) > -0.2
    assert unbiased.report_["n_steps_back"] == 0
    assert non_negative.report_["n_steps_back"] > 0


def test_without_steps_back_it_is_unbiased_risk_estimation():
    by_batches = NNPU(
        class_prior=0.2,
        non_negative=False,
        n_batches=1,
        n_epochs=2000,
        alpha=0.025,
        random_state=0,
    ).fit(X, Y)
    # alpha / 2 |w|² is alpha / 4 |w|² of twice the alpha; the intercept alone differs.
    at_once = UPU(class_prior=0.2, loss="logistic", alpha=0.05).fit(X, Y)
    scores = by_batches.score_samples(X), at_once.score_samples(X)
    assert np.corrcoef(*scores)[0, 1] > 0.999


def slow_nnpu(X, is_negative, class_prior, loss, n_steps):
    """Return the scores of a linear model after steps of Adam on all samples, and the steps back.

    With beta 0, gamma 1 and the penalty 0.005.
    """
    is_positive, is_unlabeled = Y == 1, (Y == 0) & ~is_negative
    groups = [np.flatnonzero(group) for group in (is_positive, is_unlabeled, is_negative)]
    n_positive, _, n_negative = map(len, groups)
    share = n_negative / (n_negative + max(n_positive, n_negative))
    Z = np.column_stack([X / np.sqrt((X**2).sum(axis=1).mean()), np.ones(len(X))])
    w, mean, square, n_back = np.zeros(Z.shape[1]), 0, 0, 0
    for t in range(1, n_steps + 1):
        parts = [Z[group] for group in groups]
        accepted = class_prior * parts[0].T @ loss(parts[0] @ w)[1] / n_positive
        (p, p_slope), (u, u_slope), (_, n_slope) = (loss(-(part @ w)) for part in parts)
        r_slope = class_prior * parts[0].T @ p_slope / n_positive - parts[1].T @ u_slope / len(u)
        if u.mean() - class_prior * p.mean() < 0:
            gradient, n_back = -r_slope, n_back + 1
        else:
            certain = share * (1 - class_prior) / max(1, n_negative)
            gradient = accepted + (1 - share) * r_slope - certain * parts[2].T @ n_slope
        gradient[:-1] += 0.005 * w[:-1]
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        w = w - 0.01 * mean / (1 - 0.9**t) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)
    return Z @ w, n_back


@pytest.mark.parametrize("has_judged", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
def test_scores_equal_those_of_the_slow_twin(loss, has_judged):
    is_negative = (Y_TRUE == 0) & (np.arange(120) % 9 == 0) & has_judged
    classifier = NNPU(class_prior=0.7, loss=loss, n_batches=1, n_epochs=150)
    classifier.fit(X, Y, is_negative=is_negative)
    scores, n_back = slow_nnpu(X.toarray(), is_negative, 0.7, LOSSES[loss], 150)
    assert_allclose(classifier.score_samples(X), scores, atol=1e-4 * np.abs(scores).max())
    assert 0 < classifier.report_["n_steps_back"] == n_back < 150


def test_steps_back_wait_for_beta():
    assert overfitted(beta=0.5).report_["n_steps_back"] < overfitted().report_["n_steps_back"]


def test_linear_scores_take_judged_negatives():
    is_negative = (Y_TRUE == 0) & (np.arange(120) % 5 == 0)
    is_like = (Y_TRUE == 0) & ~is_negative
    without, with_judged = (
        NNPU(class_prior=0.2, random_state=0).fit(X, Y, is_negative=mask).score_samples(X)
        for mask in (None, is_negative)
    )
    assert with_judged[is_like].mean() < without[is_like].mean()


def test_probabilities_come_with_the_logistic_loss_only():
    classifier = NNPU(n_epochs=2, random_state=0).fit(X, Y)
    assert_allclose(classifier.predict_proba(X)[:, 1], expit(classifier.score_samples(X)))
    assert not hasattr(NNPU(loss="sigmoid"), "predict_proba")


def test_report_holds_the_prior_and_the_risk():
    classifier = NNPU(class_prior=0.2, n_epochs=2, random_state=0).fit(X, Y)
    report = classifier.report_
    assert (report["class_prior"], report["class_prior_source"]) == (0.2, "given")
    g, loss = classifier.score_samples(X), LOSSES["logistic"]
    expected = 0.2 * loss(g[Y == 1])[0].mean() + max(0, negative_risk(classifier))
    assert_allclose(report["risk"], expected)
    assert report["n_iter"] == 2  # a batch for each of two passes over 102 rows
