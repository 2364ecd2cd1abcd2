"""An agent that goes through the features one by one and takes or leaves each."""

import numpy as np

from core.kernels.features.discrete_features import discretize
from core.kernels.features.mutual_information import Information
from core.kernels.features.rejection_control import walk
from core.kernels.networks.q_network import QNetwork
from core.kernels.rows.dense_rows import csr_of_dense

#: Transitions that the network learns from: the last ones.
MEMORY = 200
#: Transitions of a step of Adam.
BATCH = 8
#: Weight below which a walk may be given up.
THRESHOLD = 0.5


class FeatureAgent:
    """Takes exactly so many features, by the values that a network gives to taking and leaving.

    A state holds what is known of a feature by itself (mean, standard deviation, least and
    largest value, quartiles, information about being labeled; over all features of mean 0 and
    variance 1), its mean absolute correlation with the features taken so far, its place, and the
    share of the features to take that is taken.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples, scaled to [0, 1].
    is_positive : ndarray of bool of shape (n_samples,)
        Labeled positives.
    n_taken : int in [1, n_features]
        How many features a walk takes.
    learning_rate : float in (0, inf)
        Step of Adam.
    random : numpy.random.Generator
        Source of weights, walks and batches.

    Attributes
    ----------
    correlations : ndarray of shape (n_features, n_features)
        Absolute correlations between two features, 0 with constant ones and on the diagonal.
    """

    def __init__(self, X, is_positive, n_taken, *, learning_rate, random):
        self.n_taken, self.random = n_taken, random
        self.correlations = _correlations(X)
        self._facts = _facts(X, is_positive)
        self._network = QNetwork(self._facts.shape[1] + 3, random, learning_rate=learning_rate)
        self._memory = []

    def walk(self, exploration, *, may_stop=True):
        """Go through the features; return the mask of those taken, the weight and the states.

        With a probability of ``exploration`` a step is that of a random mask, else what the
        network values more. The target policy explores half as much. A walk that is given up has
        a weight of 0.
        """
        states, taken = [], []

        def probabilities(drawn):
            if drawn and drawn[-1]:
                taken.append(len(drawn) - 1)
            states.append(self._state(len(drawn), taken))
            at_random = (self.n_taken - len(taken)) / (len(self._facts) - len(drawn))
            if at_random in (0, 1):
                return at_random, at_random
            leave, take = self._network.values(states[-1])
            greedy = float(take > leave)
            return tuple(
                share * at_random + (1 - share) * greedy for share in (exploration / 2, exploration)
            )

        threshold = THRESHOLD if may_stop else 0
        drawn, weight = walk(
            probabilities, len(self._facts), threshold=threshold, random=self.random
        )
        return np.array(drawn), weight, np.array(states)

    def advantages(self, states):
        """Return by how much the network values taking over leaving, in (-1, 1)."""
        values = self._network.values(states)
        return values[:, 1] - values[:, 0]

    def learn(self, states, mask, weight, reward):
        """Learn from a complete walk and those before it: as many steps of Adam as of the walk."""
        n_left = len(mask) - np.arange(len(mask))
        n_wanted = self.n_taken - np.cumsum(mask) + mask
        # An action that was not allowed was never tried: its value means nothing.
        is_open = np.column_stack([n_wanted < n_left, n_wanted > 0])
        ends = [*zip(states[1:], is_open[1:], strict=True), (None, reward)]
        self._memory += [
            (state, int(action), end, weight)
            for state, action, end in zip(states, mask, ends, strict=True)
        ]
        self._memory = self._memory[-MEMORY:]
        for _ in range(len(states)):
            size = min(BATCH, len(self._memory))
            batch = [self._memory[i] for i in self.random.choice(len(self._memory), size, False)]
            before, actions, after, weights = zip(*batch, strict=True)
            targets = [self._target(*end) for end in after]
            self._network.learn(
                np.array(before), np.array(actions), np.array(targets), np.array(weights)
            )

    def _target(self, state, fact):
        """Return what an action is worth: the reward at the end, else what follows (Bellman)."""
        if state is None:
            return min(max(fact, 0.0), 1.0)
        return self._network.values(state)[fact].max()

    def _state(self, feature, taken):
        overlap = self.correlations[feature, taken].mean() if taken else 0.0
        place, share = feature / len(self._facts), len(taken) / self.n_taken
        return np.append(self._facts[feature], [overlap, place, share])


def _correlations(X):
    with np.errstate(invalid="ignore"):
        correlations = np.abs(np.nan_to_num(np.atleast_2d(np.corrcoef(X, rowvar=False))))
    np.fill_diagonal(correlations, 0)
    return correlations


def _facts(X, is_positive):
    information = Information(discretize(csr_of_dense(X)), is_positive).of_features()
    facts = np.column_stack(
        [
            X.mean(axis=0),
            X.std(axis=0),
            X.min(axis=0),
            X.max(axis=0),
            *np.quantile(X, [0.25, 0.5, 0.75], axis=0),
            information,
        ]
    )
    deviations = facts.std(axis=0)
    return (facts - facts.mean(axis=0)) / np.where(deviations > 1e-12, deviations, 1)
