import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from core.kernels.networks.q_network import QNetwork

RNG = np.random.default_rng(0)
STATES = RNG.normal(size=(20, 3))
ACTIONS = RNG.integers(0, 2, size=20)
TARGETS = RNG.random(20)
WEIGHTS = RNG.random(20)


def test_gradients_are_the_numerical_ones():
    network = QNetwork(3, np.random.default_rng(1), n_hidden=4)
    arrays = [array for layer in network.layers for array in layer]

    def loss(flat):
        for array, values in zip(arrays, np.split(flat, ends), strict=True):
            array[:] = values.reshape(array.shape)
        return network.loss_and_gradients(STATES, ACTIONS, TARGETS, WEIGHTS)[0]

    ends = np.cumsum([array.size for array in arrays])[:-1]
    start = np.concatenate([array.ravel() for array in arrays])
    expected = approx_fprime(start, loss, 1e-7)
    loss(start)
    _, gradients = network.loss_and_gradients(STATES, ACTIONS, TARGETS, WEIGHTS)
    assert_allclose(np.concatenate([g.ravel() for g in gradients]), expected, atol=1e-6)


def test_loss_is_the_weighted_mean_of_the_squared_errors():
    network = QNetwork(3, np.random.default_rng(1))
    values = network.values(STATES)
    assert ((values > 0) & (values < 1)).all()
    errors = (values[np.arange(20), ACTIONS] - TARGETS) ** 2
    loss, _ = network.loss_and_gradients(STATES, ACTIONS, TARGETS, WEIGHTS)
    assert_allclose(loss, np.average(errors, weights=WEIGHTS))


def test_learning_finds_values_that_depend_on_state_and_action():
    network = QNetwork(3, np.random.default_rng(1), learning_rate=0.01)
    states = np.tile(np.eye(3)[:2], (2, 1))
    actions, targets = np.array([0, 0, 1, 1]), np.array([0.2, 0.8, 0.9, 0.4])
    for _ in range(2000):
        network.learn(states, actions, targets, np.ones(4))
    assert_allclose(network.values(states[:2]), [[0.2, 0.9], [0.8, 0.4]], atol=0.02)
