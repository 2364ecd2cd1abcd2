"""PUSB: a ranking that survives biased labeling, cut by the class prior."""

import numpy as np

from core.classifier_bases.class_prior_mixin import ClassPriorMixin
from core.classifier_bases.linear import LinearClassifier
from core.kernels.linear.cross_fit import stratified_folds
from core.kernels.linear.linear_risks import minimize_risk
from core.kernels.linear.pu_risks import Groups, logistic_loss, pu_risk
from core.kernels.rows.row_hash import content_order
from core.options import ABOVE_ZERO, AT_LEAST_ONE, SHARE
from core.progress import report

#: Penalties tried, the strongest first: each starts from the weights of the one before.
ALPHAS = (5.0, 1.0, 0.1, 0.01, 0.001)
N_FOLDS = 3


class PUSB(ClassPriorMixin, LinearClassifier):
    """Learning from positive and unlabeled data with a selection bias (PUSB).

    Where clear positives are labeled more often than doubtful ones, the size of a score means
    little but its order is right. So the linear score that minimises
    ``-pi mean_P g + mean_U log(1 + exp(g)) + alpha |w|²`` is used as a ranking, and cut where the
    share of the unlabeled samples above is the class prior.

    Judged negatives estimate the risk of negatives as well: they take ``n_N / (n_N + max(n_P,
    n_N))`` of it from the unlabeled samples, which are then without them. The cut is over the
    unlabeled ones.

    Parameters
    ----------
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, pi. None estimates it from how high
        positives rank that a logistic regression did not see.
    alpha : float in (0, inf), default=None
        Weight of the penalty, the squared length of all weights w, the intercept among them. None
        chooses out of 5, 1, 0.1, 0.01 and 0.001 by cross-validation of the risk, and takes 0.01
        for a single positive. The root mean square length of the samples is the unit of X.
    max_iter : int in [1, inf), default=1000
        Most steps of L-BFGS.
    tol : float in (0, inf), default=1e-6
        Largest entry of the gradient at which it stops.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    class_prior_ : float
        The class prior it was trained with.
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score.
    intercept_ : float
        Score of an empty sample.
    offset_ : float
        The cut: half-way between the unlabeled samples that are predicted positive and the others.
    n_features_in_ : int
        Number of features seen during ``fit``.
    n_iter_ : int
        Steps of the last run of L-BFGS.
    report_ : dict
        Facts about the fit: ``class_prior`` and ``class_prior_source``, ``alpha``, ``risk``,
        ``n_iter`` and ``converged``. Flags: "not_converged" where it is not, "prior_unknown" where
        nothing tells the class prior, so that 0.1 was taken; "prior_clamped" that a given one was
        changed to leave a sample on each side; "outlying_length" where a sample is more than a
        hundred times as long as the median one.

    Notes
    -----
    Samples at the cut are positive, so that the share predicted positive is the class prior; in
    the paper they are not.

    References
    ----------
    .. [1] M. Kato, T. Teshima and J. Honda, "Learning from positive and unlabeled data with a
       selection bias", ICLR 2019.

    Examples
    --------
    >>> from core.classifiers import PUSB
    >>> X = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    >>> y = [1, 1, 0, 0, 0]
    >>> PUSB(class_prior=1 / 3, alpha=0.01).fit(X, y).predict([[1, 0], [0, 1]])
    array([1, 0])
    """

    assumption = "The more clearly a document is of the kind, the likelier it was labeled."
    reference = "Kato, Teshima and Honda, Learning from PU data with a selection bias, ICLR 2019"
    bytes_per_entry = 6
    bytes_per_sample = 128
    bytes_per_feature = 176
    requires_unjudged = True

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        "class_prior": [SHARE, None],
        "alpha": [ABOVE_ZERO, None],
        "max_iter": [AT_LEAST_ONE],
        "tol": [ABOVE_ZERO],
    }

    def __init__(self, *, class_prior=None, alpha=None, max_iter=1000, tol=1e-6, pos_label=None):
        self.class_prior = class_prior
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self._set_class_prior(X, is_positive, is_negative)
        space = self._training_space(X)
        groups = Groups(is_positive, ~(is_positive | is_negative), is_negative)
        alpha = self.alpha or self._best_alpha(space.Z, groups, content_order(X))
        w, self.n_iter_, is_converged = self._minimize(space.Z, groups, alpha)
        self.coef_, self.intercept_ = space.to_features(w[:-1]), float(w[-1])

        g = self._score_samples(X)
        self.offset_ = self._prior_cut(g, X, groups.unlabeled)
        self.report_ |= {
            "alpha": alpha,
            "risk": float(self._risk(g, groups)[0]),
            "n_iter": self.n_iter_,
            "converged": is_converged,
        }
        if not is_converged:
            self.flag_not_converged(self.n_iter_)

    def _risk(self, g, groups):
        return pu_risk(g, groups, self.class_prior_, logistic_loss)[:2]

    def _minimize(self, X, groups, alpha, start=None):
        return minimize_risk(
            X,
            lambda g: self._risk(g, groups),
            l2=alpha,
            start=start,
            max_iter=self.max_iter,
            tol=self.tol,
        )

    def _best_alpha(self, X, groups, order):
        """Return the penalty of the least risk on left-out samples; the stronger of equal ones."""
        n_folds = min(N_FOLDS, int(groups.positive.sum()), int(groups.unlabeled.sum()))
        if n_folds < 2:
            return 0.01
        fold = stratified_folds(groups, n_folds, order=order)
        risks = np.zeros(len(ALPHAS))
        for k in range(n_folds):
            is_left_out = fold == k
            training = Groups(*(group[~is_left_out] for group in groups))
            left_out = Groups(*(group[is_left_out] for group in groups))
            w = None
            for i, alpha in enumerate(ALPHAS):
                w, n_iter, is_converged = self._minimize(X[~is_left_out], training, alpha, w)
                if not is_converged:
                    self.flag_not_converged(n_iter)
                risks[i] += self._risk(X[is_left_out] @ w[:-1] + w[-1], left_out)[0]
            report("choose penalty", (k + 1) / n_folds)
        return ALPHAS[int(np.argmin(risks))]
