"""Small feed-forward networks, trained by Adam on positives, unlabeled samples and negatives.

A network is a list of layers ``(W, b)`` with rectified linear units between them and one score at
the end; a single layer is a linear model. The first layer may take sparse rows: all of it is in
the products with its weights, so that nothing of the size of X is made dense.
"""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from core.kernels.linear.pu_risks import Groups
from core.progress import report

#: Fewest unlabeled samples in a batch, where there are as many.
MIN_BATCH = 64
#: Rows scored at a time.
BLOCK_SIZE = 8192


class Mix(NamedTuple):
    """Samples made up between two others: ``share`` times the left, the rest of the right."""

    share: float
    left: np.ndarray
    right: np.ndarray


def initial_layers(n_features, hidden_layer_sizes, random):
    """Return layers that score everything 0; hidden ones have He's random weights."""
    sizes = [n_features, *hidden_layer_sizes]
    return [*he_layers(sizes, random), (np.zeros((sizes[-1], 1)), np.zeros(1))]


def he_layers(sizes, random):
    """Return layers from each size to the next, with He's random weights."""
    return [
        (random.normal(scale=np.sqrt(2 / n_in), size=(n_in, n_out)), np.zeros(n_out))
        for n_in, n_out in pairwise(sizes)
    ]


def train(
    X, groups, layers, risk, *, n_epochs, n_batches, learning_rate, alpha, random, draw_mix=None
):
    """Train a network in place by Adam on mini-batches.

    The unlabeled samples are dealt out to the batches of an epoch; positives, and judged
    negatives, are drawn for each batch apart, as many as it holds unlabeled ones or all.

    Parameters
    ----------
    X : sparse array or ndarray of shape (n_samples, n_features)
        Samples; CSR where sparse.
    groups : Groups
        Indices of rows.
    layers : list of (ndarray, ndarray)
        The network.
    risk : callable
        From scores of the batch and of its mixed samples, and ``groups``, ``mix`` and ``epoch`` by
        name, to the slopes of both.
    n_epochs, n_batches : int in [1, inf)
        Passes over the unlabeled samples, and batches in each: fewer where one would hold less
        than ``MIN_BATCH``.
    learning_rate : float in (0, inf)
        Greatest change of a weight in a step, about.
    alpha : float in [0, inf)
        Weight of the penalty, half the squared weights; intercepts are free.
    random : RandomState
        Draws the batches.
    draw_mix : callable, default=None
        From groups and a RandomState to the Mix of a batch; None makes up no samples.

    Returns
    -------
    int
        Number of steps.

    References
    ----------
    D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015.
    """
    optimizer = Adam([array for layer in layers for array in layer], learning_rate)
    for epoch in range(n_epochs):
        for rows, batch in _batches(groups, n_batches, random):
            mix = draw_mix(batch, random) if draw_mix else None
            batch_risk = partial(risk, groups=batch, mix=mix, epoch=epoch)
            gradients = _gradients(X[rows], layers, batch_risk, mix)
            for i, (W, _) in enumerate(layers):
                gradients[2 * i] += alpha * W
            optimizer.step(gradients)
        report("train", (epoch + 1) / n_epochs)
    return optimizer.n_steps


def _batches(groups, n_batches, random):
    """Yield the rows of each batch, and which of these are whose."""
    unlabeled = random.permutation(groups.unlabeled)
    n_batches = max(1, min(n_batches, len(unlabeled) // MIN_BATCH))
    for part in np.array_split(unlabeled, n_batches):
        drawn = Groups(
            _draw(groups.positive, len(part), random),
            part,
            _draw(groups.negative, len(part), random),
        )
        ends = np.cumsum([len(rows) for rows in drawn])
        yield np.concatenate(drawn), Groups(*np.split(np.arange(ends[-1]), ends[:-1]))


def _draw(rows, size, random):
    return rows if len(rows) <= size else random.choice(rows, size, replace=False)


def _gradients(X, layers, risk, mix):
    """Return the gradient of each W and b, the first layer first."""
    first = X @ layers[0][0]
    # Mixing samples and mixing what the first layer makes of them is the same.
    n_samples = X.shape[0]
    stacked = first
    if mix is not None:
        mixed = mix.share * first[mix.left] + (1 - mix.share) * first[mix.right]
        stacked = np.concatenate([first, mixed])
    signals = forward(stacked, layers)
    g = signals[-1][:, 0]
    slopes, *others = backward(
        signals, layers, np.concatenate(risk(g[:n_samples], g[n_samples:]))[:, None]
    )
    gradients = [slopes.sum(axis=0)]
    for signal, own in zip(signals[:-1], others, strict=True):
        gradients += [np.maximum(signal, 0).T @ own, own.sum(axis=0)]
    if mix is not None:
        slopes, mixed = slopes[:n_samples].copy(), slopes[n_samples:]
        np.add.at(slopes, mix.left, mix.share * mixed)
        np.add.at(slopes, mix.right, (1 - mix.share) * mixed)
    return [X.T @ slopes, *gradients]


def forward(first, layers):
    """Return the signals of all layers, before they are rectified.

    Parameters
    ----------
    first : ndarray of shape (n_samples, n_units)
        Samples times the weights of the first layer.
    layers : list of (ndarray, ndarray)
        The network.

    Returns
    -------
    list of ndarrays of shape (n_samples, n_units of the layer)
        By layer.
    """
    signals = [first + layers[0][1]]
    for W, b in layers[1:]:
        signals.append(np.maximum(signals[-1], 0) @ W + b)
    return signals


def backward(signals, layers, slopes):
    """Return how fast a value changes with the signals of each layer.

    Parameters
    ----------
    signals, layers
        Of :func:`forward`.
    slopes : ndarray of shape (n_samples, n_outputs)
        How fast it changes with the signals of the last layer.

    Returns
    -------
    list of ndarrays of shape (n_samples, n_units of the layer)
        By layer.
    """
    by_layer = [slopes]
    for (W, _), signal in zip(layers[:0:-1], signals[-2::-1], strict=True):
        by_layer.append((by_layer[-1] @ W.T) * (signal > 0))
    return by_layer[::-1]


def scores(X, layers):
    """Return the score of each row of X, of shape (n_samples,)."""
    blocks = [
        forward(X[start : start + BLOCK_SIZE] @ layers[0][0], layers)[-1][:, 0]
        for start in range(0, X.shape[0], BLOCK_SIZE)
    ]
    return np.concatenate(blocks) if blocks else np.empty(0)


def first_layer_slopes(X, layers):
    """Return how fast each score changes with the first layer, of shape (n_samples, n_units)."""
    signals = forward(X @ layers[0][0], layers)
    return backward(signals, layers, np.ones((X.shape[0], 1)))[0]


def contributions(X, layers):
    """Return each stored entry times the slope of the score by it, a CSR array.

    A network of rectified linear units is linear around a sample: its score is the sum of these
    and of what the intercepts pass on.
    """
    values = []
    W = layers[0][0]
    for start in range(0, X.shape[0], BLOCK_SIZE):
        block = X[start : start + BLOCK_SIZE]
        slopes = np.repeat(first_layer_slopes(block, layers), np.diff(block.indptr), axis=0)
        values.append(block.data * np.einsum("eu,eu->e", slopes, W[block.indices]))
    data = np.concatenate(values) if values else np.empty(0)
    return sp.csr_array((data, X.indices.copy(), X.indptr.copy()), shape=X.shape)


def mean_slopes(X, layers):
    """Return how fast the scores of the rows change with each feature, on average."""
    total = np.zeros(layers[0][0].shape[1])
    for start in range(0, X.shape[0], BLOCK_SIZE):
        total += first_layer_slopes(X[start : start + BLOCK_SIZE], layers).sum(axis=0)
    return layers[0][0] @ (total / X.shape[0])


class Adam:
    """Adam, with the usual decay rates, over a list of arrays that it changes in place."""

    def __init__(self, arrays, learning_rate):
        self.arrays = arrays
        self.learning_rate = learning_rate
        self.n_steps = 0
        self._means = [np.zeros_like(array) for array in arrays]
        self._squares = [np.zeros_like(array) for array in arrays]

    def step(self, gradients):
        """Move against the gradients; they are overwritten."""
        self.n_steps += 1
        rate = self.learning_rate * np.sqrt(1 - 0.999**self.n_steps) / (1 - 0.9**self.n_steps)
        for array, mean, square, gradient in zip(
            self.arrays, self._means, self._squares, gradients, strict=True
        ):
            mean *= 0.9
            mean += 0.1 * gradient
            square *= 0.999
            gradient *= gradient
            square += 0.001 * gradient
            array -= rate * mean / (np.sqrt(square) + 1e-8)
