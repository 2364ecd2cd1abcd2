"""JSFS: features and trusted unlabeled samples, chosen together by a Bayesian model."""

import numpy as np
import scipy.sparse as sp

from core.errors import BadParameter
from core.feature_selection.base_dense import BaseDenseSelector
from core.feature_selection.score_order import best_first, best_first_rounded
from core.kernels.features.joint_bayes import fit_joint_model
from core.kernels.graphs.gaussian_graph import gaussian_graph
from core.kernels.hardware.blas import one_thread
from core.options import AT_LEAST_ONE, NOT_NEGATIVE, SHARE

#: Weight of the edge between two labeled positives; neighbors have 1.
LABELED_WEIGHT = 10.0


class JSFS(BaseDenseSelector):
    """Select features by joint semi-supervised feature selection and classification (JSFS).

    Fits a logistic model in which each weight, of a feature or of an unlabeled sample, has a
    precision of its own: weights that do not help shrink to 0 and are dropped. Scores of neighbors
    are kept alike. Unlabeled samples have the pseudo-label negative; those that contradict it, such
    as hidden positives, lose their weight.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    smoothness : float in [0, inf), default=0.001
        How alike the scores of neighbors have to be, gamma in the literature.
    trust : float in [0, 1], default=0.9
        How much an unlabeled sample counts beside a labeled one, mu in the literature.
    n_neighbors : int in [1, inf), default=5
        Neighbors that each sample lists.
    max_iter : int in [1, inf), default=50
        Most rounds. They mostly end it: precisions change on and on, and with them a few features.
    prefilter : int in [1, inf), default=500
        Most features to look at; of more, those with the largest chi-squared.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        Absolute weight of each feature scaled to [0, 1]; 0 for those that were dropped, -inf for
        those that were not looked at.
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first; of those that were dropped, the last one comes first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    objective_ : list of float
        Logarithm of the posterior after each round, but for a constant. Precisions change in
        between, so it may fall.
    n_iter_ : int
        Number of rounds.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_candidates``, ``n_nonzero`` weights of features,
        ``n_trusted`` unlabeled samples with a weight, ``n_iter``, ``converged``, ``stop_reason``
        ("converged" or "max_iter"), and ``flags``: "not_converged", "few_nonzero_weights" where
        features that were dropped had to be selected.

    Notes
    -----
    A round takes ``n_samples * n_features²`` operations.

    References
    ----------
    .. [1] B. Jiang, X. Wu, K. Yu and H. Chen, "Joint semi-supervised feature selection and
       classification through Bayesian approach", AAAI 2019.

    Examples
    --------
    >>> from core.feature_selection import JSFS
    >>> X = [[0, 0], [1, 4], [2, 0], [8, 4], [9, 0], [10, 4]]
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> JSFS(n_features_to_select=1, n_neighbors=2).fit(X, y).get_support()
    array([ True, False])
    """

    assumption = "A weighted sum of few features tells the kind, and neighbors are of one kind."
    reference = "Jiang et al., Joint semi-supervised feature selection, AAAI 2019"

    bytes_per_cell = 40

    _parameter_constraints: dict = {
        **BaseDenseSelector._parameter_constraints,
        "smoothness": [NOT_NEGATIVE],
        "trust": [SHARE],
        "n_neighbors": [AT_LEAST_ONE],
        "max_iter": [AT_LEAST_ONE],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        smoothness=0.001,
        trust=0.9,
        n_neighbors=5,
        max_iter=50,
        prefilter=500,
        pos_label=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.smoothness = smoothness
        self.trust = trust
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.prefilter = prefilter
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, itemsize):
        n_candidates = self._n_candidates(n_features)
        of_pairs = 64 * n_candidates**2
        graph = 100 * min(self.n_neighbors, n_samples) * n_samples
        return super()._own_bytes(n_samples, n_features, itemsize) + of_pairs + graph

    def _rank_dense(self, X, is_positive):
        with one_thread():
            model = self._fit_model(X, is_positive)
        self.objective_, self.n_iter_ = model.objective, len(model.objective)
        scores = np.abs(model.coef)
        self.report_ |= {
            "n_nonzero": int(np.count_nonzero(scores)),
            "n_trusted": int(np.count_nonzero(model.row_weights)),
            "n_iter": self.n_iter_,
            "converged": model.is_converged,
            "stop_reason": "converged" if model.is_converged else "max_iter",
        }
        if not model.is_converged:
            self.flag_not_converged(self.n_iter_)
        if self.report_["n_nonzero"] < self.n_features_to_select:
            self.add_flag("few_nonzero_weights")
        order = best_first_rounded(scores)
        last_round = np.where(model.dropped_in > 0, model.dropped_in, np.inf)
        return order[best_first(last_round[order])], scores

    def _fit_model(self, X, is_positive):
        laplacian = self.smoothness * seen_laplacian(X, is_positive, self.n_neighbors)
        try:
            return fit_joint_model(
                X, is_positive, is_positive, laplacian, trust=self.trust, max_iter=self.max_iter
            )
        except np.linalg.LinAlgError as error:
            raise BadParameter(
                f"smoothness={self.smoothness} outweighs the labels of these samples altogether: "
                "take a smaller one; the default is 0.001.",
                "smoothness",
            ) from error


def seen_laplacian(X, is_positive, n_neighbors):
    """Return ``X.T @ L @ X``, L being the Laplacian of the graph of neighbors and positives.

    All pairs of positives have an edge of weight 10; they are not written out. Other neighbors
    have one of weight 1.
    """
    graph = gaussian_graph(X, n_neighbors).tocoo()
    is_edge = ~(is_positive[graph.row] & is_positive[graph.col])
    ends = graph.row[is_edge], graph.col[is_edge]
    others = sp.csr_array((np.ones(is_edge.sum()), ends), shape=graph.shape)
    positives = X[is_positive] - X[is_positive].mean(axis=0)
    among_positives = LABELED_WEIGHT * len(positives) * (positives.T @ positives)
    return X.T @ (others.sum(axis=1)[:, None] * X - others @ X) + among_positives
