"""PU-LP: label propagation from positives that Katz similarity adds to."""

import numpy as np

from core.classifier_bases.propagation import PropagationClassifier
from core.kernels.graphs.component_links import link_components
from core.kernels.graphs.katz import katz_similarity, spectral_radius
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.graphs.label_propagation import gfhf, mass_difference
from core.options import ABOVE_ZERO, AT_LEAST_ONE, NOT_NEGATIVE, SHARE_ABOVE_ZERO, StrOptions
from core.progress import report
from core.shared_work import shared

#: With at most so many positives the default expansion is 2 instead of 0.8.
MAX_EXPANDED_WIDELY = 3


class PULP(PropagationClassifier):
    """Label propagation for positive and unlabeled learning with Katz similarity (PU-LP).

    Joins each sample to its nearest ones. The unlabeled samples that most walks along the edges
    join to the positives become positives too, in some rounds; those that fewest join to all of
    them are reliable negatives. Both labels then spread by harmonic functions; the score is the
    difference of the two masses that arrive, divided by their sum, and -1 where none arrives.

    New samples take the masses of their nearest training samples.

    Parameters
    ----------
    n_neighbors : int in [1, inf), default=15
        Nearest samples that each one lists; two are joined if either lists the other.
    max_df : float in (0, 1], default=1.0
        Share of the samples above which a term is left out of the graph.
    katz_factor : float in (0, inf), default=None
        Weight of each step of a walk; a in the paper. None means 0.02, or half of one over the
        spectral radius of the graph where that is less.
    katz : {"clipped", "closed_form"}, default="clipped"
        "clipped" lowers a larger factor to 0.9 over the spectral radius, where the sum over all
        walks still converges; "closed_form" solves for the factor as given. Published numbers were
        found beyond that, where some similarities are negative.
    expansion : float in [0, inf), default=None
        Positives added, per labeled one; lambda in the paper. None means 0.8, or 2 for up to
        three positives.
    n_rounds : int in [1, inf), default=2
        Rounds in which they are added, as many in each, rounded down; m in the paper.
    min_one : bool, default=False
        Whether each round adds at least one, also where that would be rounded down to none.
    connect : bool, default=False
        Whether the components of the graph are joined by the edges of largest cosine, which takes
        comparing most samples with all others.
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
        Scores of the training samples, in [-1, 1].
    offset_ : float
        1e-9, the least difference of masses that is no tie: equal masses are negative.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit, among them ``n_edges``, ``n_components``, ``spectral_radius``,
        ``katz_factor``, ``n_reliable_positives``, ``n_reliable_negatives``, ``n_iter`` and
        ``converged``. Flags: "katz_divergent" where the factor is too large for the sum over all
        walks, "rn_relaxed" where a single unlabeled sample is left to be a reliable negative, or
        none, "not_converged" where the solver stopped before its tolerance was met.

    References
    ----------
    .. [1] S. Ma and R. Zhang, "PU-LP: a novel approach for positive and unlabeled learning by
       label propagation", ICME workshops 2017.

    Examples
    --------
    >>> from core.classifiers import PULP
    >>> X = [[4, 1, 0], [4, 0, 0], [3, 1, 0], [1, 4, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]]
    >>> y = [1, 1, 0, 0, 0, 0, 0]
    >>> classifier = PULP(n_neighbors=2, expansion=0.5, n_rounds=1).fit(X, y)
    >>> classifier.transduction_
    array([1, 1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[3, 0, 0], [0, 0, 5]])
    array([1, 0])
    """

    assumption = "Documents of the kind are joined by many short chains of similar documents."
    reference = "Ma and Zhang, PU-LP: positive and unlabeled learning by label propagation, 2017"

    _parameter_constraints: dict = {
        **PropagationClassifier._parameter_constraints,
        "n_neighbors": [AT_LEAST_ONE],
        "max_df": [SHARE_ABOVE_ZERO],
        "katz_factor": [ABOVE_ZERO, None],
        "katz": [StrOptions({"clipped", "closed_form"})],
        "expansion": [NOT_NEGATIVE, None],
        "n_rounds": [AT_LEAST_ONE],
        "min_one": ["boolean"],
        "connect": ["boolean"],
    }

    def __init__(
        self,
        *,
        n_neighbors=15,
        max_df=1.0,
        katz_factor=None,
        katz="clipped",
        expansion=None,
        n_rounds=2,
        min_one=False,
        connect=False,
        pos_label=None,
    ):
        self.n_neighbors = n_neighbors
        self.max_df = max_df
        self.katz_factor = katz_factor
        self.katz = katz
        self.expansion = expansion
        self.n_rounds = n_rounds
        self.min_one = min_one
        self.connect = connect
        self.pos_label = pos_label

    def _spread(self, Z, is_positive, is_negative, is_candidate):
        graph = self._build_graph(Z)
        is_seed, is_reliable = self._reliable(Z, graph, is_positive, is_candidate)

        report("propagate", 0.0)
        is_reliable |= is_negative
        if not is_reliable.any():
            self.add_flag("rn_relaxed")
            is_reliable = is_candidate & ~is_seed
        seeds = np.column_stack([is_seed, is_reliable])
        self.mass_, n_iter, is_converged = gfhf(graph, seeds)
        self._report_propagation(n_iter, is_converged)
        self.transduction_scores_ = mass_difference(self.mass_)

    def _build_graph(self, Z):
        graph = shared(knn_graph, Z, self.n_neighbors)
        if self.connect:
            graph = link_components(graph, Z)
        self._report_graph(graph)
        return graph

    def _reliable(self, Z, graph, is_source, is_candidate):
        """Return the masks of all positives, added ones among them, and of reliable negatives."""
        adjacency = graph.copy()
        adjacency.data = np.ones_like(graph.data)
        factor, is_divergent = self._katz_factor(adjacency)

        def similarity():
            return katz_similarity(adjacency, is_seed, factor, is_divergent=is_divergent)

        n_positive = int(is_source.sum())
        is_seed, is_left = is_source.copy(), is_candidate.copy()
        n_added = self._n_per_round(n_positive, len(is_left))
        for round_number in range(self.n_rounds if n_added else 0):
            report("expand", round_number / self.n_rounds)
            left = np.flatnonzero(is_left)
            if not len(left):
                break
            added = left[np.argsort(-similarity()[left], kind="stable")[:n_added]]
            is_seed[added], is_left[added] = True, False

        # Far components are tied at 0.
        cosines = Z @ Z[is_source].sum(axis=0)
        left = np.flatnonzero(is_left)
        order = np.lexsort((cosines[left], similarity()[left]))
        is_reliable = np.zeros(len(is_seed), dtype=bool)
        is_reliable[left[order[: min(int(is_seed.sum()), len(left) // 2)]]] = True
        self.report_.update(
            n_reliable_positives=int(is_seed.sum()) - n_positive,
            n_reliable_negatives=int(is_reliable.sum()),
        )
        return is_seed, is_reliable

    def _katz_factor(self, adjacency):
        """Return the factor of each step of a walk, and whether sums over walks then diverge."""
        radius = spectral_radius(adjacency)
        factor = self.katz_factor
        if factor is None:
            factor = min(0.02, 0.5 / radius) if radius else 0.02
        if self.katz == "clipped" and factor * radius > 0.9:
            factor = 0.9 / radius
        is_divergent = factor * radius >= 1
        if is_divergent:
            self.add_flag("katz_divergent")
        self.report_.update(spectral_radius=radius, katz_factor=float(factor))
        return factor, is_divergent

    def _n_per_round(self, n_positive, most):
        expansion = self.expansion
        if expansion is None:
            expansion = 2.0 if n_positive <= MAX_EXPANDED_WIDELY else 0.8
        # 0.7 * 10 is a little below 7 in binary.
        n_added = int(min(expansion / self.n_rounds * n_positive + 1e-9, most))
        return max(1, n_added) if self.min_one else n_added
