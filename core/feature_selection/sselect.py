"""sSelect: features that vary little between neighbors and much between the classes."""

from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.score_order import best_first_rounded
from core.kernels.graphs.gaussian_graph import gaussian_graph, gaussian_graph_bytes
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.graphs.spectral_features import graph_roughness, side_information
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_range import unit_range
from core.kernels.rows.unit_rows import unit_rows
from core.options import AT_LEAST_ONE, SHARE, StrOptions


class SSelect(BaseFeatureSelector):
    """Select features by a graph of the samples and by labels (sSelect).

    A feature is good if it differs little between neighbors, for its variance, and if labeled
    positives are on the one side of its mean and unlabeled samples on the other. The method was
    made for labels of two classes; here unlabeled samples stand in for the second one.

    Features are judged one by one: copies are all kept.

    Parameters
    ----------
    n_features_to_select : int in [1, n_features], default=10
        How many features to select.
    roughness_weight : float in [0, 1], default=0.1
        How much the graph counts, the rest being for the labels; lambda in the literature. At 1
        labels are not looked at, and the order is that of the Laplacian score.
    n_neighbors : int in [1, inf), default=5
        Neighbors that each sample lists.
    metric : {"euclidean", "cosine"}, default="euclidean"
        "euclidean" compares features scaled to a range of 1, neighbors weighted by a Gaussian;
        "cosine", for texts, compares directions, neighbors weighted by the cosine.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    scores_ : ndarray of shape (n_features,)
        The criterion with its sign changed, in [-2, 0].
    feature_order_ : ndarray of shape (n_features,)
        Indices of the features, best first.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the selected features.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit; ``n_edges`` of the graph and ``n_isolated`` samples without one.

    Notes
    -----
    Features stay sparse. The graph takes the time of all pairs of samples.

    References
    ----------
    .. [1] Z. Zhao and H. Liu, "Semi-supervised feature selection via spectral analysis", SDM 2007.

    Examples
    --------
    >>> from core.feature_selection import SSelect
    >>> X = [[0, 0], [1, 1], [2, 0], [10, 1], [11, 0], [12, 1]]
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> SSelect(n_features_to_select=1, n_neighbors=2).fit(X, y).get_support()
    array([ True, False])
    """

    representation = "tfidf"
    assumption = "Neighbors are of one class, and a feature of the kind splits the samples in two."
    reference = "Zhao and Liu, Semi-supervised feature selection via spectral analysis, SDM 2007"

    bytes_per_entry = 56

    _parameter_constraints: dict = {
        **BaseFeatureSelector._parameter_constraints,
        "roughness_weight": [SHARE],
        "n_neighbors": [AT_LEAST_ONE],
        "metric": [StrOptions({"euclidean", "cosine"})],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        roughness_weight=0.1,
        n_neighbors=5,
        metric="euclidean",
        pos_label=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.roughness_weight = roughness_weight
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, itemsize):
        return gaussian_graph_bytes(n_samples, self.n_neighbors)

    def _rank_features(self, X, is_positive):
        scaled = unit_range(X)
        compared = unit_rows(X) if self.metric == "cosine" else scaled
        # Of equally near rows the first are neighbors.
        rows = content_order(compared, is_positive)
        make_graph = knn_graph if self.metric == "cosine" else gaussian_graph
        graph = make_graph(compared[rows], self.n_neighbors)
        scaled, is_positive = scaled[rows], is_positive[rows]
        self.report_["n_edges"] = graph.nnz // 2
        self.report_["n_isolated"] = int((graph.count_nonzero(axis=1) == 0).sum())
        roughness, means = graph_roughness(scaled, graph)
        agreement = side_information(scaled, means, is_positive)
        scores = -(self.roughness_weight * roughness)
        scores -= (1 - self.roughness_weight) * (1 - agreement)
        return best_first_rounded(scores), scores
