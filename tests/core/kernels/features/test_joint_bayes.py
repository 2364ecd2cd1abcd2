import numpy as np
from numpy.testing import assert_allclose

from core.kernels.features.joint_bayes import Data, State, fit_joint_model, log_posterior

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 4))
IS_LABELED = np.arange(25) < 10
Y, ROOT = (RNG.random(25) < 0.5) + 0.0, RNG.normal(size=(4, 4))
DATA = Data(X, Y, IS_LABELED, ROOT @ ROOT.T, 0.9)
STATE = State(RNG.random(15), RNG.random(4), RNG.random(15))
COEF = RNG.normal(size=4)


def central_difference(function, point, step=1e-5):
    slopes = [
        (function(point + change) - function(point - change)) / (2 * step)
        for change in step * np.eye(len(point))
    ]
    return np.array(slopes)


def test_gradients_are_those_of_differences():
    _, coef_slopes, row_slopes = log_posterior(DATA, COEF, STATE)
    by_coef = central_difference(lambda coef: log_posterior(DATA, coef, STATE)[0], COEF)
    assert_allclose(coef_slopes, by_coef, atol=1e-6)
    by_row = central_difference(
        lambda rows: log_posterior(DATA, COEF, STATE._replace(row_weights=rows))[0],
        STATE.row_weights,
    )
    assert_allclose(row_slopes, by_row, atol=1e-6)


def test_posterior_written_out():
    rows, precision, row_precision = STATE
    expected = 0.0
    for i in range(25):
        scale, trust = (1, 1) if i < 10 else (rows[i - 10], 0.9)
        score = scale * X[i] @ COEF
        expected += trust * (Y[i] * score - np.log(1 + np.exp(score)))
    expected -= COEF @ (np.diag(precision) + DATA.smoothness) @ COEF / 2
    expected -= (row_precision * rows**2).sum() / 2
    expected += np.log(1 / (1 + np.exp(-5 * rows))).sum()
    assert_allclose(log_posterior(DATA, COEF, STATE)[0], expected)


def test_labels_alone_give_logistic_regression_with_relevance_determination():
    features = RNG.normal(size=(400, 4))
    shares = 1 / (1 + np.exp(-(2 * features[:, 0] - features[:, 1])))
    y = RNG.random(400) < shares
    model = fit_joint_model(features, y, np.full(400, True), np.zeros((4, 4)), max_iter=500)
    assert model.is_converged
    fitted = 1 / (1 + np.exp(-features @ model.coef))
    # The fixed points of the weights and, by Laplace's variances, of the precisions. The two
    # features of noise only creep towards theirs, 0.
    slopes = features.T @ (y - fitted)
    assert_allclose(slopes[:2], (model.precision * model.coef)[:2], rtol=1e-3)
    curvature = (features.T * (fitted * (1 - fitted))) @ features + np.diag(model.precision)
    variances = np.diag(np.linalg.inv(curvature))
    assert_allclose((model.precision * (model.coef**2 + variances))[:2], 1, rtol=1e-2)
    assert np.abs(model.coef[2:]).max() < np.abs(model.coef[:2]).min()


def test_the_feature_that_decides_has_the_largest_weight():
    features = RNG.normal(size=(200, 4))
    model = fit_joint_model(features, features[:, 0] > 0, np.full(200, True), np.zeros((4, 4)))
    assert np.abs(model.coef).argmax() == 0


def test_rows_that_contradict_their_pseudo_label_lose_weight():
    features = RNG.normal(size=(300, 3))
    y = features[:, 0] > 0
    is_labeled, is_wrong = np.arange(300) < 150, np.arange(300) >= 280
    model = fit_joint_model(features, y ^ is_wrong, is_labeled, np.zeros((3, 3)))
    weights = model.row_weights
    assert weights[-20:].mean() < 0.5 * weights[:-20].mean()


def test_a_smooth_score_has_smaller_weights():
    features = RNG.normal(size=(200, 2))
    y, everywhere = features[:, 0] + RNG.normal(size=200) > 0, np.full(200, True)
    free = fit_joint_model(features, y, everywhere, np.zeros((2, 2)))
    bound = fit_joint_model(features, y, everywhere, 100 * np.eye(2))
    assert np.abs(bound.coef).max() < 0.5 * np.abs(free.coef).max()
