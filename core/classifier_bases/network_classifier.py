"""Classifiers whose score is a linear model or a small network, trained on a risk by Adam."""

from numbers import Integral
from operator import mul

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.extmath import randomized_svd

from core.classifier_bases.linear import LinearClassifier
from core.errors import BadParameter
from core.kernels.hardware.blas import one_thread
from core.kernels.linear.pu_risks import Groups
from core.kernels.networks import networks
from core.kernels.rows.row_hash import content_order
from core.options import (
    ABOVE_ZERO,
    AT_LEAST_ONE,
    MAX_LAYERS,
    NOT_NEGATIVE,
    REPEATS,
    UNITS,
    Interval,
)


class NetworkClassifier(LinearClassifier):
    """Base of classifiers that descend a risk by Adam on mini-batches.

    A subclass has the parameters of ``_parameter_constraints``, implements ``_slopes``, and
    ``_draw_mix`` where its risk makes up samples; its ``_fit`` calls ``_train`` and sets
    ``offset_``. Without hidden layers the score is linear in the features themselves; with them
    it is a network on the first singular vectors of X, which are multiplied into the weights of
    its first layer once it is trained.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score; of a network, on average over the
        training samples.
    intercept_ : float
        Score of an empty sample; without hidden layers only.
    weights_, biases_ : list of ndarray
        Layers of the network, the first one of shape (n_features, n_units); with hidden layers
        only.
    """

    requires_unjudged = True

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        # Any sequence will do; the tuple is what the schema of the parameter is made from.
        "hidden_layer_sizes": ["array-like", tuple],
        "n_components": [Interval(Integral, 1, 300, closed="both")],
        "n_epochs": [REPEATS],
        "n_batches": [AT_LEAST_ONE],
        "learning_rate": [ABOVE_ZERO],
        "alpha": [NOT_NEGATIVE],
        "random_state": ["random_state"],
    }

    bytes_per_sample = 128
    bytes_per_feature = 112

    _draw_mix = None

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        if not len(self.hidden_layer_sizes):
            return 0
        # The network learns from dense columns, made by a singular value decomposition.
        columns = 40 * self.n_components * (n_samples + n_features)
        sizes = [self.n_components, *map(int, self.hidden_layer_sizes)]
        weights = 48 * sum(map(mul, sizes, sizes[1:])) + 16 * sizes[1] * n_features
        n_batches = max(1, min(self.n_batches, n_samples // networks.MIN_BATCH))
        n_rows = max(80 * n_samples // n_batches, 40 * min(n_samples, networks.BLOCK_SIZE))
        return columns + weights + n_rows * sum(sizes[1:])

    def _train(self, X, is_positive, is_negative):
        """Learn the score and report the number of steps."""
        # Batches are so small that a second thread takes many times as long; and it rounds
        # otherwise, which thousands of steps make another network of.
        with one_thread():
            self._keep(X, self._trained_layers(X, is_positive, is_negative))

    def _trained_layers(self, X, is_positive, is_negative):
        random = check_random_state(self.random_state)
        space = self._training_space(X)
        features, basis = space.Z, None
        if len(self.hidden_layer_sizes):
            features, basis = _singular_features(space.Z, self.n_components, random)
        layers = networks.initial_layers(features.shape[1], self.hidden_layer_sizes, random)
        self.report_["n_iter"] = networks.train(
            features,
            self._groups(is_positive, is_negative, content_order(X, is_positive, is_negative)),
            layers,
            self._slopes,
            n_epochs=self.n_epochs,
            n_batches=self.n_batches,
            learning_rate=self.learning_rate,
            alpha=self.alpha,
            random=random,
            draw_mix=self._draw_mix,
        )
        (W, b), *rest = layers
        return [(space.to_features(W if basis is None else basis @ W), b), *rest]

    def _groups(self, is_positive, is_negative, order=None):
        order = np.arange(len(is_positive)) if order is None else order
        masks = is_positive, ~(is_positive | is_negative), is_negative
        return Groups(*(order[mask[order]] for mask in masks))

    def _validate_params(self):
        super()._validate_params()
        sizes = self.hidden_layer_sizes
        if len(sizes) > MAX_LAYERS or not all(map(UNITS.is_satisfied_by, sizes)):
            raise BadParameter(
                f"hidden_layer_sizes must hold at most {MAX_LAYERS} whole numbers of units, each "
                f"of 1 to {UNITS.right:,}.",
                "hidden_layer_sizes",
            )

    def _keep(self, X, layers):
        if len(layers) == 1:
            [(W, b)] = layers
            self.coef_, self.intercept_ = W[:, 0], float(b[0])
            return
        self.weights_, self.biases_ = map(list, zip(*layers, strict=True))
        self.coef_ = networks.mean_slopes(X, layers)

    def _slopes(self, g, g_mixed, groups, mix, epoch):
        """Return the slopes of the risk by the scores of a batch and of its mixed samples."""
        raise NotImplementedError  # each subclass has a risk of its own

    def _layers(self):
        return list(zip(self.weights_, self.biases_, strict=True))

    def _score_samples(self, X):
        if not len(self.hidden_layer_sizes):
            return super()._score_samples(X)
        return networks.scores(X, self._layers())

    def _explain(self, X):
        if not len(self.hidden_layer_sizes):
            return super()._explain(X)
        return networks.contributions(X, self._layers())


def _singular_features(X, n_components, random):
    """Return X in the basis of its first singular vectors, scaled, and that basis.

    The scale makes the mean square of a feature 1, which the starting weights are made for.
    """
    n_components = min(n_components, *X.shape)
    left, sizes, basis = randomized_svd(X, n_components, random_state=random)
    features = left * sizes
    scale = np.sqrt(features.size) / max(np.linalg.norm(sizes), np.finfo(np.float64).tiny)
    return features * scale, basis.T * scale
