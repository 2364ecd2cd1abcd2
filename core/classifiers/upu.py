"""uPU: a linear score that minimises the unbiased risk of positive and unlabeled samples."""

from core.classifier_bases.class_prior_mixin import ClassPriorMixin
from core.classifier_bases.linear import LinearClassifier
from core.classifier_bases.log_odds import LogOddsMixin
from core.kernels.linear.linear_risks import minimize_quadratic_risk, minimize_risk
from core.kernels.linear.pu_risks import LOSSES, Groups, pu_risk
from core.options import ABOVE_ZERO, AT_LEAST_ONE, SHARE, StrOptions


class UPU(ClassPriorMixin, LogOddsMixin, LinearClassifier):
    """Unbiased risk estimation (uPU) with a linear score.

    Minimises ``pi mean_P loss(g) + mean_U loss(-g) - pi mean_P loss(-g)``, the mean loss over
    positives and negatives as far as positives and unlabeled samples can tell it, and a penalty.
    With the squared loss that is one linear system, solved by conjugate gradients.

    Judged negatives estimate the risk of negatives as well: they take ``n_N / (n_N + max(n_P,
    n_N))`` of it from the unlabeled samples, which are then without them.

    Parameters
    ----------
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, pi; the parameter that matters most. None
        estimates it from how high positives rank that a logistic regression did not see.
    loss : {"squared", "logistic", "double_hinge", "sigmoid"}, default="squared"
        Loss of a sample: ``(z - 1)² / 4``, ``log(1 + exp(-z))``, ``max(-z, max(0, (1 - z) / 2))``
        or ``1 / (1 + exp(z))``. The last is not convex.
    cut : {"prior", "zero"}, default="prior"
        "prior" accepts a share of the unlabeled training samples: the class prior. "zero" cuts at
        a score of 0, as published; with few positives nearly all scores are below it.
    alpha : float in (0, inf), default=0.01
        Weight of the penalty ``(|coef_|² + intercept_²) / 4``; the lambda of the linear system.
        The root mean square length of the samples is the unit of X.
    max_iter : int in [1, inf), default=1000
        Most steps of the solver.
    tol : float in (0, inf), default=1e-6
        When the solver stops: residual of the linear system relative to its right-hand side, or
        largest entry of the gradient.
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
        The cut on the score.
    n_features_in_ : int
        Number of features seen during ``fit``.
    n_iter_ : int
        Steps of the solver.
    report_ : dict
        Facts about the fit: ``class_prior`` and ``class_prior_source``, ``risk``, ``n_iter`` and
        ``converged``. Flags: "not_converged" where it is not, "prior_unknown" where nothing tells
        the class prior, so that 0.1 was taken; "prior_clamped" that a given one was changed to
        leave a sample on each side; "outlying_length" where a sample is more than a hundred times
        as long as the median one.

    References
    ----------
    .. [1] M. C. du Plessis, G. Niu and M. Sugiyama, "Analysis of learning from positive and
       unlabeled data", NIPS 2014.
    .. [2] M. C. du Plessis, G. Niu and M. Sugiyama, "Convex formulation for learning from positive
       and unlabeled data", ICML 2015.

    Examples
    --------
    >>> from core.classifiers import UPU
    >>> X = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    >>> y = [1, 1, 0, 0, 0]
    >>> UPU(class_prior=1 / 3).fit(X, y).predict([[2, 1], [0, 3]])
    array([1, 0])
    """

    assumption = (
        "Which positives are labeled does not depend on their words, and the class prior is about "
        "right."
    )
    reference = "Du Plessis, Niu and Sugiyama, Convex formulation for learning from PU data, 2015"
    bytes_per_entry = 4
    bytes_per_sample = 128
    bytes_per_feature = 112
    requires_unjudged = True

    _parameter_constraints: dict = {
        **LinearClassifier._parameter_constraints,
        "class_prior": [SHARE, None],
        "loss": [StrOptions(set(LOSSES))],
        **ClassPriorMixin._cut_constraints,
        "alpha": [ABOVE_ZERO],
        "max_iter": [AT_LEAST_ONE],
        "tol": [ABOVE_ZERO],
    }

    def __init__(
        self,
        *,
        class_prior=None,
        loss="squared",
        cut="prior",
        alpha=0.01,
        max_iter=1000,
        tol=1e-6,
        pos_label=None,
    ):
        self.class_prior = class_prior
        self.loss = loss
        self.cut = cut
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self._set_class_prior(X, is_positive, is_negative)
        groups = Groups(is_positive, ~(is_positive | is_negative), is_negative)

        def risk(g):
            return pu_risk(g, groups, self.class_prior_, LOSSES[self.loss])[:2]

        space = self._training_space(X)
        solve = minimize_quadratic_risk if self.loss == "squared" else minimize_risk
        w, self.n_iter_, is_converged = solve(
            space.Z, risk, l2=self.alpha / 4, max_iter=self.max_iter, tol=self.tol
        )
        self.coef_ = space.to_features(w[:-1])
        self.intercept_ = float(w[-1])
        g = self._score_samples(X)
        self.offset_ = self._risk_cut(g, X, groups.unlabeled)
        self.report_ |= {
            "risk": float(risk(g)[0]),
            "n_iter": self.n_iter_,
            "converged": is_converged,
        }
        if not is_converged:
            self.flag_not_converged(self.n_iter_)
