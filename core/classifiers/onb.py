"""ONB: positive naive Bayes that chooses the class prior by how well its labels cluster."""

from numbers import Real

import numpy as np
from scipy.special import logit
from sklearn.utils import check_random_state

from core.class_prior.bbe import best_bin_prior
from core.class_prior.clamp import clamp_prior
from core.class_prior.dedpul import dedpul_prior
from core.classifier_bases.log_odds import LogOddsClassifier
from core.kernels.bayes.positive_naive_bayes import (
    candidate_labels,
    document_counts,
    largest_prior,
    presence,
    presence_weights,
    prior_grid,
)
from core.kernels.clusters.cluster_quality import (
    least_crossing,
    positive_silhouettes,
    spanning_tree,
)
from core.kernels.linear.cross_fit import cross_fitted_probabilities
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.options import ABOVE_ZERO, AT_LEAST_TWO, SHARE, Interval, StrOptions

#: Log-odds below this are even but for rounding errors.
EVEN_ODDS = 1e-9
#: Criteria that estimate the class prior from the scores of samples left out.
ESTIMATORS = {"bbe": best_bin_prior, "dedpul": dedpul_prior}


class ONB(LogOddsClassifier):
    """Optimised one-class naive Bayes (ONB-LSN and ONB-ASW).

    Bernoulli naive Bayes whose negative table is what the positives leave of the unlabeled samples,
    as in :class:`~core.classifiers.pnb.PNB`. It needs no class prior: the unlabeled samples are
    labeled once for each of several candidates, and the candidate is kept whose two classes are
    best set apart. The formulas of the paper are derived anew from its prose.

    Parameters
    ----------
    criterion : {"lsn", "asw", "bbe", "dedpul"}, default="lsn"
        What is largest for the chosen candidate: the distance of the nearest two samples of
        different labels, or the mean silhouette of the samples labeled positive. Ties go to the
        other criterion, then to the smaller prior. "bbe" and "dedpul" take no candidate, but the
        estimate of :func:`~core.class_prior.bbe.best_bin_prior` or of
        :func:`~core.class_prior.dedpul.dedpul_prior` from a cross-fitted logistic regression.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples; None chooses one among the candidates.
    grid_step : float in [1e-5, 0.5], default=0.05
        The candidates are the multiples of it below 1.
    guard : float in [0, 0.5), default=0.1
        Candidates that label a smaller share of the samples positive, or negative, are left out: a
        few isolated texts are always far from the rest.
    presence_only : bool, default=False
        Whether terms that a text lacks are ignored; then most texts are called positive.
    smoothing : float in (0, inf), default=0.01
        Added to the number of texts with and without a term. With 1 (Laplace's, as published),
        terms that a few positives happen not to have look likely among them, so rare terms speak
        for positive.
    max_criterion_samples : int in [2, inf), default=20000
        Unlabeled samples among which the nearest two are looked for; of more, half as many are
        drawn.
    random_state : int, RandomState instance or None, default=0
        Seed of that draw.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The chosen share of positives among the unlabeled samples that are not empty.
    coef_ : ndarray of shape (n_features,)
        What the presence of each term adds to the log-odds.
    intercept_ : float
        Log-odds of a text without any term.
    offset_ : float
        The cut on the log-odds, 1e-9: even odds are negative.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``class_prior``, ``largest_class_prior`` that needs no correction,
        ``n_criterion_samples``, ``curve``, with a list of ``class_prior``, ``share_positive``,
        ``asw`` and ``lsn``, and ``choices``, what each criterion takes ("bbe" and "dedpul" where
        asked for), None where it fails. The flag "selection_failed" says that the criterion failed,
        so that 0.5 was taken.

    References
    ----------
    .. [1] Y. Zhang and A. Jatowt, "Estimating a one-class naive Bayes text classifier",
       Intelligent Data Analysis 24(3), 2020.

    Examples
    --------
    >>> from core.classifiers import ONB
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> classifier = ONB(smoothing=1).fit(X, [1, 1, 0, 0, 0, 0])
    >>> classifier.predict([[1, 1, 0], [0, 0, 1]])
    array([1, 0])
    >>> round(classifier.class_prior_, 2)
    0.15
    """

    representation = "binary"
    assumption = "Documents of the kind and the others lie apart, and terms occur independently."
    reference = "Zhang and Jatowt, Estimating a one-class naive Bayes text classifier, 2020"
    bytes_per_entry = 12
    bytes_per_sample = 160
    bytes_per_feature = 224
    requires_unjudged = True
    requires_non_negative = True

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "criterion": [StrOptions({"lsn", "asw", *ESTIMATORS})],
        "class_prior": [SHARE, None],
        "grid_step": [Interval(Real, 1e-5, 0.5, closed="both")],
        "guard": [Interval(Real, 0, 0.5, closed="left")],
        "presence_only": ["boolean"],
        "smoothing": [ABOVE_ZERO],
        "max_criterion_samples": [AT_LEAST_TWO],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        criterion="lsn",
        class_prior=None,
        grid_step=0.05,
        guard=0.1,
        presence_only=False,
        smoothing=0.01,
        max_criterion_samples=20_000,
        random_state=0,
        pos_label=None,
    ):
        self.criterion = criterion
        self.class_prior = class_prior
        self.grid_step = grid_step
        self.guard = guard
        self.presence_only = presence_only
        self.smoothing = smoothing
        self.max_criterion_samples = max_criterion_samples
        self.random_state = random_state
        self.pos_label = pos_label

    def _own_bytes(self, n_samples, n_features, n_entries, n_labeled):
        # Labels for each candidate.
        return n_samples / self.grid_step

    def _fit(self, X, is_positive, is_negative):
        counts = document_counts(presence(X), is_positive, is_negative)
        is_target = ~(is_positive | is_negative) & has_entries(X)
        grid = prior_grid(self.grid_step)
        curve = self._curve(presence(X[is_target]), counts, grid)
        choices = {"lsn": _best(curve, "lsn", "asw", self.guard)}
        choices["asw"] = _best(curve, "asw", "lsn", self.guard)
        if self.criterion in ESTIMATORS:
            choices[self.criterion] = self._estimate(presence(X), is_positive, is_target)
        self.class_prior_ = self._prior(choices, counts.n_unlabeled)

        self.report_["choices"] = choices
        self.report_["class_prior"] = self.class_prior_
        self.report_["largest_class_prior"] = largest_prior(counts)
        self.report_["curve"] = {name: values.tolist() for name, values in curve.items()}
        self.coef_, constant = presence_weights(
            counts, self.class_prior_, self.smoothing, presence_only=self.presence_only
        )
        self.intercept_ = constant + float(logit(self.class_prior_))
        self.offset_ = EVEN_ODDS

    def _curve(self, X, counts, grid):
        """Label the rows once for each candidate; return how each labelling is set apart."""
        is_accepted = candidate_labels(
            X, counts, grid, self.smoothing, presence_only=self.presence_only
        )
        chosen = self._criterion_samples(X)
        self.report_["n_criterion_samples"] = len(chosen)
        # A copy of all rows would be as large as the matrix.
        tree = spanning_tree(X if len(chosen) == X.shape[0] else X[chosen])
        return {
            "class_prior": grid,
            "share_positive": is_accepted.sum(axis=0) / max(1, X.shape[0]),
            "asw": positive_silhouettes(X, is_accepted),
            "lsn": np.array([least_crossing(tree, labels[chosen]) for labels in is_accepted.T]),
        }

    def _criterion_samples(self, X):
        n_samples = X.shape[0]
        if n_samples <= self.max_criterion_samples:
            return np.arange(n_samples)
        n_drawn = self.max_criterion_samples // 2
        random = check_random_state(self.random_state)
        return np.sort(random.choice(content_order(X), n_drawn, replace=False))

    def _estimate(self, X, is_positive, is_target):
        rows = (is_positive | is_target) & has_entries(X)
        labels = is_positive[rows]
        if labels.sum() < 2 or not is_target.any():
            return None
        Z, random = unit_rows(X[rows]), check_random_state(self.random_state)
        order = content_order(Z, labels)
        labeled = cross_fitted_probabilities(Z, labels, random=random, order=order)
        return ESTIMATORS[self.criterion](labeled[labels], labeled[~labels])

    def _prior(self, choices, n_unlabeled):
        if self.class_prior is not None:
            return self._prior_among_used(n_unlabeled)
        prior = choices[self.criterion]
        if prior is None:
            self.add_flag("selection_failed")
            return 0.5
        # Candidates lie inside the unit interval; estimates may be at its ends.
        return clamp_prior(prior, n_unlabeled) if self.criterion in ESTIMATORS else prior

    def _terms(self, X):
        return presence(X)


def _best(curve, criterion, tie_break, guard):
    """Return the candidate with the best labels, or None where all of them are one-sided."""
    share = curve["share_positive"]
    is_clustering = (share > 0) & (share < 1)
    allowed = is_clustering & (share >= guard) & (share <= 1 - guard)
    if not allowed.any():
        return None
    # Rounded, or the last bit of equal distances would decide before the tie-break.
    qualities = (curve[criterion].round(12), curve[tie_break].round(12))
    order = np.lexsort((curve["class_prior"], -qualities[1], -qualities[0], ~allowed))
    return float(curve["class_prior"][order[0]])
