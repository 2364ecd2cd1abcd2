"""LP-PUL: label propagation from the positives and the samples farthest from them."""

import numpy as np
from sklearn.utils import check_random_state

from core.classifier_bases.propagation import PropagationClassifier
from core.kernels.graphs.knn_graph import (
    MAX_COSINES,
    epsilon_graph,
    knn_graph,
    mean_distances,
    similar_rows,
)
from core.kernels.graphs.label_propagation import gfhf, inverse_root_degrees, llgc, mass_difference
from core.kernels.rows.unit_rows import unit_rows
from core.options import ABOVE_ZERO, AT_LEAST_ONE, INNER_SHARE, SHARE, SHARE_ABOVE_ZERO, StrOptions
from core.progress import report
from core.shared_work import shared

#: "auto" takes GFHF from this many seeds on: with one seed GFHF labels nearly all negative.
MIN_SEEDS_GFHF = 8


class LPPUL(PropagationClassifier):
    """Label propagation for positive and unlabeled learning (LP-PUL).

    Joins similar samples by a graph, takes the samples that are farthest from the positives along
    its edges as reliable negatives, and propagates both labels over the graph. The score is the
    difference of the two masses that arrive, divided by their sum, and -1 where none arrives. Good
    from a single seed on.

    New samples take the masses of their nearest training samples.

    Parameters
    ----------
    graph : {"knn", "mutual_knn", "epsilon"}, default="knn"
        Which samples are joined: where one lists the other among its nearest, where both do, or
        where their cosine is at least ``epsilon``.
    n_neighbors : int in [1, inf), default=15
        Nearest samples that each one lists (graphs "knn" and "mutual_knn").
    epsilon : float in (0, 1], default=0.1
        Least cosine of joined samples (graph "epsilon").
    max_df : float in (0, 1], default=1.0
        Share of the samples above which a term is left out of the graph. Where stop words were
        kept, 0.05 makes the graph of a large corpus about four times as fast.
    n_negatives : float in (0, inf), default=5
        Reliable negatives per positive, at most all unlabeled samples. Judged negatives come on
        top.
    propagation : {"auto", "gfhf", "llgc"}, default="auto"
        "gfhf" keeps the labels of seeds and averages over neighbors; "llgc" also lets labels fade
        with the distance. "auto" is "llgc" for fewer than eight positives, or where no unlabeled
        sample is left to average, and else "gfhf".
    alpha : float in (0, 1), default=0.9
        Share that a sample takes from its neighbors ("llgc").
    unreachable : {"far", "zero"}, default="far"
        Distance of a sample that no path reaches: larger than any other, or 0, as in published
        numbers.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled. Where given, the negative mass is scaled so that
        the masses of the seeds have this proportion.
    max_paths : int in [1, inf), default=200
        Most positives from which distances are measured; of more, a random sample is taken.
    random_state : int, RandomState instance or None, default=None
        Seed of that sample.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    X_fit_ : sparse array of shape (n_samples, n_features)
        Training samples of unit length, in CSR format.
    rows_ : ndarray of int of shape (n_samples,)
        Their numbers, ordered by what they hold: the first of equally near ones are neighbors.
    mass_ : ndarray of shape (n_samples, 2)
        Positive and negative mass that each training sample hands on to a new one.
    transduction_ : ndarray of shape (n_samples,)
        Labels of the training samples; labeled positives stay so.
    transduction_scores_ : ndarray of shape (n_samples,)
        Scores of the training samples, in [-1, 1]. Of equal samples one may be a reliable negative
        and another not, so their scores may differ.
    offset_ : float
        1e-9, the least difference of masses that is no tie: equal masses are negative.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit, among them ``n_edges``, ``n_components``, ``n_reliable_negatives``,
        ``n_unreachable`` (unlabeled samples that no path joins to a positive), ``propagation``,
        ``n_iter`` and ``converged``. Flags: "rn_all" where all unlabeled samples were taken as
        reliable negatives, "not_converged" where the solver stopped before its tolerance was met.

    References
    ----------
    .. [1] J. C. Carnevali, R. G. Rossi, E. Milios and A. A. Lopes, "A graph-based approach for
       positive and unlabeled learning", Information Sciences 580, 2021.

    Examples
    --------
    >>> from core.classifiers import LPPUL
    >>> X = [[4, 1, 0], [4, 0, 0], [3, 1, 0], [1, 4, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]]
    >>> y = [1, 1, 0, 0, 0, 0, 0]
    >>> classifier = LPPUL(n_neighbors=2, n_negatives=1).fit(X, y)
    >>> classifier.transduction_
    array([1, 1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[3, 0, 0], [0, 0, 5]])
    array([1, 0])
    """

    assumption = "Documents of the kind are similar to one another, step by step."
    reference = "Carnevali et al., A graph-based approach for PU learning, Inf. Sci. 580, 2021"

    _parameter_constraints: dict = {
        **PropagationClassifier._parameter_constraints,
        "graph": [StrOptions({"knn", "mutual_knn", "epsilon"})],
        "n_neighbors": [AT_LEAST_ONE],
        "epsilon": [SHARE_ABOVE_ZERO],
        "max_df": [SHARE_ABOVE_ZERO],
        "n_negatives": [ABOVE_ZERO],
        "propagation": [StrOptions({"auto", "gfhf", "llgc"})],
        "alpha": [INNER_SHARE],
        "unreachable": [StrOptions({"far", "zero"})],
        "class_prior": [SHARE, None],
        "max_paths": [AT_LEAST_ONE],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        graph="knn",
        n_neighbors=15,
        epsilon=0.1,
        max_df=1.0,
        n_negatives=5,
        propagation="auto",
        alpha=0.9,
        unreachable="far",
        class_prior=None,
        max_paths=200,
        random_state=None,
        pos_label=None,
    ):
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.epsilon = epsilon
        self.max_df = max_df
        self.n_negatives = n_negatives
        self.propagation = propagation
        self.alpha = alpha
        self.unreachable = unreachable
        self.class_prior = class_prior
        self.max_paths = max_paths
        self.random_state = random_state
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        own = super()._own_bytes(n_samples, n_features, n_entries, n_labeled)
        # All cosines of a block of rows; how many of them are edges, no size tells.
        return own + 16 * min(n_samples**2, MAX_COSINES) * (self.graph == "epsilon")

    def _spread(self, Z, is_positive, is_negative, is_candidate):
        graph = self._build_graph(Z)
        positives, candidates = np.flatnonzero(is_positive), np.flatnonzero(is_candidate)
        reliable = self._reliable_negatives(Z, graph, positives, candidates)
        negatives = np.union1d(reliable, np.flatnonzero(is_negative))
        self._propagate(graph, positives, negatives, len(candidates))

    def _build_graph(self, Z):
        if self.graph == "epsilon":
            graph = epsilon_graph(Z, self.epsilon)
        else:
            # The plain graph is that of other methods, too.
            options = {"is_mutual": True} if self.graph == "mutual_knn" else {}
            graph = shared(knn_graph, Z, self.n_neighbors, **options)
            self.report_["n_neighbors"] = int(self.n_neighbors)
        self._report_graph(graph)
        return graph

    def _reliable_negatives(self, Z, graph, positives, candidates):
        """Return those of the candidates that are farthest from the positives."""
        sources = positives
        if len(positives) > self.max_paths:
            random = check_random_state(self.random_state)
            sources = random.choice(positives, self.max_paths, replace=False)
        distances, is_reached = mean_distances(graph, sources, unreachable=self.unreachable)
        cosines = Z @ Z[positives].sum(axis=0)
        order = np.lexsort((cosines[candidates], -distances[candidates]))
        n_wanted = max(1, round(min(self.n_negatives * len(positives), len(candidates))))
        if n_wanted >= len(candidates):
            self.add_flag("rn_all")
        self.report_.update(
            n_reliable_negatives=min(n_wanted, len(candidates)),
            n_unreachable=int((~is_reached[candidates]).sum()),
        )
        return candidates[order[:n_wanted]]

    def _propagate(self, graph, positives, negatives, n_candidates):
        seeds = np.zeros((graph.shape[0], 2))
        seeds[positives, 0] = 1
        seeds[negatives, 1] = 1
        report("propagate", 0.0)
        propagation = self._propagation(len(positives))
        if propagation == "gfhf":
            mass, n_iter, is_converged = gfhf(graph, seeds)
        else:
            mass, n_iter, is_converged = llgc(graph, seeds, self.alpha)
        self._report_propagation(n_iter, is_converged)
        if self.class_prior is not None and len(negatives):
            class_prior = self._prior_among_used(n_candidates)
            mass[:, 1] *= (1 - class_prior) / class_prior * len(positives) / len(negatives)

        self.transduction_scores_ = mass_difference(mass)
        # What the fold-in divides by depends on the new sample alone and cancels in the score.
        self.mass_ = mass if propagation == "gfhf" else mass * inverse_root_degrees(graph)[:, None]
        self.report_["propagation"] = propagation

    def _propagation(self, n_positive):
        if self.propagation != "auto":
            return self.propagation
        is_few = n_positive < MIN_SEEDS_GFHF or "rn_all" in self.report_["flags"]
        return "llgc" if is_few else "gfhf"

    def _neighbors(self, X):
        if self.graph == "epsilon":
            columns = self._columns()
            return self._numbered(
                similar_rows(unit_rows(X), self.X_fit_, self.epsilon, columns=columns)
            )
        return super()._neighbors(X)
