from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels.linear.pu_risks import Groups
from core.kernels.networks import networks
from core.kernels.networks.networks import Adam, Mix
from core.progress import listening

RANDOM = np.random.default_rng(0)
X = sp.csr_array(RANDOM.random((8, 5)) * (RANDOM.random((8, 5)) < 0.7))
MIX = Mix(0.3, np.array([0, 1, 2, 2]), np.array([4, 4, 5, 0]))


def random_layers(*hidden):
    sizes = [5, *hidden, 1]
    return [
        (RANDOM.normal(size=(n_in, n_out)), RANDOM.normal(size=n_out))
        for n_in, n_out in pairwise(sizes)
    ]


def slow_scores(X, layers):
    signal = X.toarray() if sp.issparse(X) else X
    for W, b in layers[:-1]:
        signal = np.maximum(signal @ W + b, 0)
    return (signal @ layers[-1][0] + layers[-1][1])[:, 0]


@pytest.mark.parametrize("hidden", [(), (4,), (4, 3)])
def test_scores_are_those_of_the_layers(hidden, monkeypatch):
    monkeypatch.setattr(networks, "BLOCK_SIZE", 3)
    layers = random_layers(*hidden)
    assert_allclose(networks.scores(X, layers), slow_scores(X, layers))
    assert networks.scores(X[:0], layers).shape == (0,)


@pytest.mark.parametrize("hidden", [(), (4,), (4, 3)])
def test_new_networks_score_everything_zero(hidden):
    layers = networks.initial_layers(5, hidden, np.random.RandomState(0))
    assert [W.shape for W, _ in layers] == list(pairwise([5, *hidden, 1]))
    assert not networks.scores(X, layers).any()


@pytest.mark.parametrize("mix", [None, MIX])
@pytest.mark.parametrize("hidden", [(), (4,), (4, 3)])
def test_gradients_are_the_derivatives_of_the_risk(hidden, mix):
    """Half the squared scores, of mixed samples too: those of samples that are mixed by hand."""
    layers = random_layers(*hidden)

    def risk(layers):
        rows = X.toarray()
        if mix is not None:
            rows = np.vstack([rows, mix.share * rows[mix.left] + 0.7 * rows[mix.right]])
        return np.sum(slow_scores(rows, layers) ** 2) / 2

    gradients = networks._gradients(X, layers, lambda g, g_mixed: (g, g_mixed), mix)
    arrays = [array for layer in layers for array in layer]
    for array, gradient in zip(arrays, gradients, strict=True):
        assert gradient.shape == array.shape
        for i in np.ndindex(array.shape):
            middle = array[i]
            values = []
            for array[i] in (middle - 1e-6, middle + 1e-6):
                values.append(risk(layers))
            array[i] = middle
            assert_allclose(gradient[i], (values[1] - values[0]) / 2e-6, rtol=1e-4, atol=1e-5)


def test_contributions_and_intercepts_of_a_network_add_up_to_the_score():
    layers = random_layers(4, 3)
    linear = networks.contributions(X, layers)
    assert_array_equal(linear.indices, X.indices)
    # Scaling a sample a little scales the contributions, as long as no unit switches.
    step = 1e-6
    change = networks.scores(X * (1 + step), layers) - networks.scores(X, layers)
    assert_allclose(linear.sum(axis=1), change / step, atol=1e-5)


def test_mean_slopes_are_the_mean_change_of_the_scores_with_a_feature():
    layers = random_layers(4)
    for j, slope in enumerate(networks.mean_slopes(X, layers)):
        moved = X.toarray()
        moved[:, j] += 1e-6
        change = slow_scores(moved, layers) - slow_scores(X, layers)
        assert_allclose(slope, change.mean() / 1e-6, atol=1e-5)


def test_batches_hold_every_unlabeled_row_once_and_positives_and_negatives_each():
    groups = Groups(np.arange(100), np.arange(100, 300), np.arange(300, 305))
    seen = []
    for rows, batch in networks._batches(groups, 3, np.random.RandomState(0)):
        unlabeled = rows[batch.unlabeled]
        assert np.isin(rows[batch.positive], groups.positive).all()
        assert len(set(rows[batch.positive])) == len(unlabeled)  # no more, and none twice
        assert_array_equal(rows[batch.negative], groups.negative)
        seen.extend(unlabeled)
    assert sorted(seen) == list(range(100, 300))


@pytest.mark.parametrize(("n_unlabeled", "expected"), [(2, 1), (127, 1), (128, 2), (10_000, 10)])
def test_batches_of_small_piles_are_fewer(n_unlabeled, expected):
    groups = Groups(np.array([0]), np.arange(1, n_unlabeled + 1), np.array([], dtype=int))
    assert len(list(networks._batches(groups, 10, np.random.RandomState(0)))) == expected


def test_first_step_of_adam_moves_each_weight_by_the_learning_rate():
    array = np.array([1.0, 2.0, 3.0])
    Adam([array], 0.1).step([np.array([5.0, -0.01, 0])])
    assert_allclose(array, [0.9, 2.1, 3.0], atol=1e-5)


def test_adam_follows_the_printed_algorithm():
    gradients = RANDOM.normal(size=(5, 3))
    array, expected = np.zeros(3), np.zeros(3)
    optimizer = Adam([array], 0.01)
    mean, square = np.zeros(3), np.zeros(3)
    for t, gradient in enumerate(gradients, start=1):
        optimizer.step([gradient.copy()])
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        step = mean / (1 - 0.9**t) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)
        expected -= 0.01 * step
    assert_allclose(array, expected, rtol=1e-5)


def test_training_descends_and_reports_progress():
    layers = networks.initial_layers(5, (), np.random.RandomState(0))
    target = np.array([0.5, -0.5, 0.25, 0, 1])
    is_negative = np.array([], dtype=int)
    groups = Groups(np.arange(4), np.arange(4, 8), is_negative)
    wanted = X @ target
    order = np.concatenate([groups.positive, groups.unlabeled])
    reports = []

    def risk(g, g_mixed, groups, mix, epoch):
        assert len(groups.positive) == len(groups.unlabeled) == 4
        assert not len(g_mixed)
        # The unlabeled rows are shuffled: the mean score alone is known of each half.
        slopes = np.empty(8)
        for rows, part in ((groups.positive, order[:4]), (groups.unlabeled, order[4:])):
            slopes[rows] = g[rows].mean() - wanted[part].mean()
        return slopes, g_mixed

    with listening(lambda *report: reports.append(report)):
        n_steps = networks.train(
            X,
            groups,
            layers,
            risk,
            n_epochs=300,
            n_batches=10,
            learning_rate=0.02,
            alpha=0.0,
            random=np.random.RandomState(0),
        )
    g = networks.scores(X, layers)
    assert n_steps == 300
    assert reports[-1] == ("train", 1.0)
    assert_allclose([g[:4].mean(), g[4:].mean()], [wanted[:4].mean(), wanted[4:].mean()], atol=0.01)
