"""A small network from a state to the values of two actions, each in (0, 1)."""

import numpy as np
from scipy.special import expit

from core.kernels.networks.networks import Adam, backward, forward, he_layers


class QNetwork:
    """Values of two actions in a state: two hidden layers of rectified linear units, a sigmoid.

    Parameters
    ----------
    n_inputs : int
        Numbers in a state.
    random : numpy.random.Generator
        Source of He's initial weights.
    n_hidden : int, default=32
        Units of each hidden layer.
    learning_rate : float in (0, inf), default=0.001
        Step of Adam.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.networks.q_network import QNetwork
    >>> network = QNetwork(3, np.random.default_rng(0))
    >>> network.values(np.zeros((4, 3))).tolist()[0]
    [0.5, 0.5]
    """

    def __init__(self, n_inputs, random, *, n_hidden=32, learning_rate=1e-3):
        self.layers = he_layers([n_inputs, n_hidden, n_hidden, 2], random)
        self._adam = Adam([array for layer in self.layers for array in layer], learning_rate)

    def values(self, states):
        """Return the values of both actions in each state, of shape (n_states, 2)."""
        return expit(self._signals(states)[-1])

    def loss_and_gradients(self, states, actions, targets, weights):
        """Return the weighted mean squared error of the actions' values and its gradients.

        Parameters
        ----------
        states : ndarray of shape (n_states, n_inputs)
            States.
        actions : ndarray of int of shape (n_states,)
            0 or 1: whose value is compared.
        targets, weights : ndarrays of shape (n_states,)
            What the values should be, in [0, 1], and how much each counts.

        Returns
        -------
        loss : float
            Weighted mean.
        gradients : list of ndarray
            By the weights and the intercepts of each layer in turn.
        """
        signals = self._signals(states)
        rows = np.arange(len(states))
        values = expit(signals[-1])[rows, actions]
        shares = weights / weights.sum()
        slopes = np.zeros((len(states), 2))
        slopes[rows, actions] = 2 * shares * (values - targets) * values * (1 - values)
        inputs = [states, *(np.maximum(signal, 0) for signal in signals[:-1])]
        gradients = []
        for own, by_layer in zip(inputs, backward(signals, self.layers, slopes), strict=True):
            gradients += [own.T @ by_layer, by_layer.sum(axis=0)]
        return float(shares @ (values - targets) ** 2), gradients

    def learn(self, states, actions, targets, weights):
        """Take one step of Adam against the squared error; return the error before it."""
        loss, gradients = self.loss_and_gradients(states, actions, targets, weights)
        self._adam.step(gradients)
        return loss

    def _signals(self, states):
        """Return the signals of all layers, before they are rectified or squashed."""
        return forward(states @ self.layers[0][0], self.layers)
