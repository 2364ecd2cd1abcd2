"""One-class support vector machine with a linear kernel."""

from numbers import Real

import numpy as np
from sklearn.linear_model import SGDOneClassSVM
from sklearn.svm import OneClassSVM as KernelOneClassSVM

from core.classifier_bases.linear import UnitLinearClassifier
from core.classifier_bases.thresholds import OneClassMixin
from core.kernels.rows.row_hash import content_order
from core.options import INNER_SHARE, StrOptions
from core.progress import report
from core.short_indices import short_indices

#: Largest violation of the optimality conditions at which the exact solver stops.
TOL = 1e-7
#: "auto" solves exactly up to this many positives: time grows with their square.
MAX_EXACT = 2000
#: Passes over the positives of the solver "sgd".
N_SGD_ROUNDS = 100
#: The cut on the cosine with the normal of the plane, where positives are too few to tell one.
FEW_SEEDS_CUT = 0.05

#: What to do where the positives alone have more entries than the solvers take.
TOO_MANY_ENTRIES = "Label fewer positives, or take prototype or one_class_nb."


class OneClassSVM(OneClassMixin, UnitLinearClassifier):
    """Hyperplane that separates most labeled positives from the origin, as far as possible.

    Learns from the positives alone; unlabeled samples and judged negatives are accepted and
    ignored. Rows are scaled to unit length. Very sensitive to the representation: binary values
    of few terms are said to do best.

    Parameters
    ----------
    nu : float in (0, 1), default=0.1
        Upper bound of the share of positives outside, lower bound of that of support vectors.
        Where ``nu * n_positive`` is below 1 no positive is outside: the margin is hard.
    solver : {"auto", "exact", "sgd"}, default="auto"
        "exact" takes time quadratic in the positives, "sgd" (stochastic gradients) linear time
        and is approximate, by steps in the order of the positives; "auto" is "exact" up to 2000
        of them.
    threshold : {"auto", "quantile", "min", "mean"} or float, default="auto"
        Rule for the cut; a number is the cut itself. "auto" is the offset of the plane. Where the
        margin is hard, that would reject nearly all but the positives themselves: there "auto" is
        the quantile for five positives or more, else a cosine of 0.05 with the normal. The other
        rules are over the scores of the positives, each left out in turn: one more fit for each.
    quantile : float in [0, 1], default=0.05
        Quantile of the positives' scores that is the cut, between two scores in proportion: of
        five the lowest one is below it (rules "auto" and "quantile").
    n_deviations : int in [-3, 3], default=0
        Standard deviations added to the mean (rule "mean").
    random_state : int, RandomState instance or None, default=None
        Seed of the solver "sgd".
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        Normal of the hyperplane, w in the paper: a mixture of the positives, scaled to unit
        length each, whose shares add up to 1.
    offset_ : float
        The cut, rho in the paper.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``solver`` and ``hard_margin``.

    References
    ----------
    .. [1] B. Schölkopf, J. C. Platt, J. Shawe-Taylor, A. J. Smola and R. C. Williamson,
       "Estimating the support of a high-dimensional distribution", Neural Computation 13(7), 2001.
    .. [2] L. M. Manevitz and M. Yousef, "One-class SVMs for document classification", Journal of
       Machine Learning Research 2, 2001.

    Examples
    --------
    >>> from core.classifiers import OneClassSVM
    >>> X = [[1, 0, 0], [1, 1, 0], [1, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0]
    >>> OneClassSVM().fit(X, y).predict([[2, 1, 0], [0, 0, 3]])
    array([1, 0])
    """

    representation = "binary"
    assumption = "The positives lie on one side of a plane, away from where other texts lie."
    reference = "Schölkopf et al., Estimating the support of a distribution, Neural Comp. 13, 2001"
    requires_unlabeled = False
    intercept_ = 0.0

    _parameter_constraints: dict = {
        **UnitLinearClassifier._parameter_constraints,
        **OneClassMixin._threshold_constraints,
        "nu": [INNER_SHARE],
        "solver": [StrOptions({"auto", "exact", "sgd"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        nu=0.1,
        solver="auto",
        threshold="auto",
        quantile=0.05,
        n_deviations=0,
        random_state=None,
        pos_label=None,
    ):
        self.nu = nu
        self.solver = solver
        self.threshold = threshold
        self.quantile = quantile
        self.n_deviations = n_deviations
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        Z = self._positive_rows(X, is_positive)
        Z = short_indices(Z, "one_class_svm", TOO_MANY_ENTRIES)
        n_positive = Z.shape[0]
        is_exact = self.solver == "exact" or (self.solver == "auto" and n_positive <= MAX_EXACT)
        is_hard = self.nu * n_positive < 1
        self.report_ |= {"solver": "exact" if is_exact else "sgd", "hard_margin": is_hard}
        self.coef_, rho = self._exact_plane(Z) if is_exact else self._sgd_plane(Z)
        if isinstance(self.threshold, Real):
            rho = self.threshold
        elif self.threshold != "auto" or is_hard:
            scale = np.linalg.norm(self.coef_)
            rho = self._cut(scale * self._left_out_cosines(Z), fixed=FEW_SEEDS_CUT * scale)
        self.offset_ = float(rho)

    def _exact_plane(self, Z):
        # gamma is not used, but made of the variance, which rounding puts below 0 for equal rows.
        svm = KernelOneClassSVM(kernel="linear", gamma=1.0, nu=self.nu, tol=TOL)
        # It draws a seed that it does not use, and would take that from NumPy's global state.
        svm.random_state = 0
        svm.fit(Z)
        # The library scales its shares to add up to nu * n_samples; the paper to 1.
        scale = self.nu * Z.shape[0]
        shares = np.asarray(svm.dual_coef_.todense()).ravel() / scale
        # Samples on the plane are inside; by the error of the solver half of them would fall out.
        return Z[svm.support_].T @ shares, (svm.offset_[0] - 2 * TOL) / scale

    def _sgd_plane(self, Z):
        # Without a tolerance the number of rounds is fixed: the loss moves too little to stop by.
        svm = SGDOneClassSVM(
            nu=self.nu, max_iter=N_SGD_ROUNDS, tol=None, random_state=self.random_state
        )
        normal = svm.fit(Z[content_order(Z)]).coef_.ravel().astype(np.float64)
        normal /= np.linalg.norm(normal) or 1.0
        # Only its direction is good. The best length of the normal is the mean of the lowest
        # products, a share of nu, and the best plane goes through the highest of these.
        products = np.sort(Z @ normal)
        n_outside = self.nu * len(products)
        share = np.clip(n_outside - np.arange(len(products)), 0, 1) / n_outside
        length = max(0.0, share @ products)
        return length * normal, length * products[np.flatnonzero(share)[-1]]

    def _left_out_cosines(self, Z):
        """Return the cosine of each positive with the normal of the plane of the others."""
        n_positive = Z.shape[0]
        cosines = np.zeros(n_positive)
        for i in range(n_positive if n_positive > 1 else 0):
            normal, _ = self._exact_plane(Z[np.arange(n_positive) != i])
            length = np.linalg.norm(normal)
            cosines[i] = (Z[[i]] @ normal)[0] / length if length > 0 else 0
            report("leave out", (i + 1) / n_positive)
        return cosines
