"""SAR-EM: who is positive and which positives are labeled, learned in turns."""

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, log_expit

from core.classifier_bases.log_odds import LogOddsClassifier
from core.errors import BadParameter
from core.kernels.convergence import unconverged
from core.kernels.linear.propensity import fit_propensity_weighted
from core.kernels.linear.soft_logistic import fit_soft_logistic
from core.kernels.rows.row_blocks import row_products
from core.options import ABOVE_ZERO, AT_LEAST_ONE, NOT_NEGATIVE
from core.progress import report

#: Iterations over which the propensities must have settled.
WINDOW = 10
#: Tolerance of the regressions within an iteration, each of which starts at the one before.
INNER_TOL = 1e-5
#: Label frequency from which hardly a positive is hidden.
ALL_LABELED = 0.99


class SAREM(LogOddsClassifier):
    """Expectation-maximisation for labels that depend on attributes (SAR-EM).

    Two logistic regressions learn from each other: f, the probability of being positive, from the
    terms; and e, the propensity, the probability that a positive is labeled, from a few
    attributes. In turns, the probability that an unlabeled sample is positive follows from both,
    and both are fitted to it. In the end f is fitted anew as if the propensities were known.

    f and e could change places, were it not that they see different attributes. Those of e are
    the number of distinct terms of a sample, and such columns of X as are named; f sees all other
    columns.

    Parameters
    ----------
    propensity_features : array-like of int of shape (n_attributes,), default=None
        Columns of X that the propensity depends on, such as a source or a date; f does not see
        them. None means none besides the number of distinct terms.
    max_iter : int in [1, inf), default=500
        Most iterations.
    tol : float in [0, inf), default=1e-4
        The iterations stop once the propensity of the unlabeled samples changes by less than this
        per iteration, on average over samples and ten iterations, and the log-likelihood grows by
        less in these ten.
    C : float in (0, inf), default=1.0
        How much the likelihood counts against the length of the weights, in both regressions.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What each feature adds to the log-odds of being positive; 0 for those of the propensity.
    intercept_ : float
        Log-odds of an empty sample.
    offset_ : float
        The cut on the log-odds: 0.
    propensity_ : ndarray of shape (n_samples,)
        Probability of each training sample to be labeled if it is positive.
    n_features_in_ : int
        Number of features seen during ``fit``.
    n_iter_ : int
        Iterations made.
    report_ : dict
        Facts about the fit: ``n_iter``, ``converged``, ``log_likelihood`` and
        ``label_frequency``, the mean propensity of the labeled positives. Flags: "all_labeled"
        where it is 0.99 or more: f found hardly any hidden positive, and equals a naive
        regression; "not_converged" where ``max_iter`` iterations were not enough, or a regression
        of the last one stopped early.

    References
    ----------
    .. [1] J. Bekker, P. Robberechts and J. Davis, "Beyond the selected completely at random
       assumption for learning from positive and unlabeled data", ECML-PKDD 2019, section 4.

    Examples
    --------
    >>> from core.classifiers import SAREM
    >>> X = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    >>> SAREM().fit(X, [1, 1, 0, 0, 0, 0]).predict([[2, 0, 0], [0, 0, 2]])
    array([1, 0])
    """

    assumption = "Whether a positive is labeled depends on a few attributes apart from its words."
    reference = "Bekker, Robberechts and Davis, Beyond the SCAR assumption, ECML-PKDD 2019"
    bytes_per_entry = 12
    bytes_per_sample = 256

    _parameter_constraints: dict = {
        **LogOddsClassifier._parameter_constraints,
        "propensity_features": ["array-like", None],
        "max_iter": [AT_LEAST_ONE],
        "tol": [NOT_NEGATIVE],
        "C": [ABOVE_ZERO],
    }

    def __init__(self, *, propensity_features=None, max_iter=500, tol=1e-4, C=1.0, pos_label=None):
        self.propensity_features = propensity_features
        self.max_iter = max_iter
        self.tol = tol
        self.C = C
        self.pos_label = pos_label

    def _validate_params(self):
        super()._validate_params()
        columns = self._columns()
        if columns.ndim != 1 or columns.dtype.kind not in "iu" or columns.min(initial=0) < 0:
            raise BadParameter(
                "propensity_features must be a list of numbers of columns, from 0.",
                "propensity_features",
            )

    def _columns(self):
        if self.propensity_features is None or not len(self.propensity_features):
            return np.empty(0, dtype=int)
        return np.asarray(self.propensity_features)

    def _fit(self, X, is_positive, is_negative):
        words, attributes = self._split_columns(X)
        propensity = self._expectation_maximization(words, attributes, is_positive, is_negative)
        self.propensity_ = propensity
        self.report_["label_frequency"] = float(propensity[is_positive].mean())
        if self.report_["label_frequency"] >= ALL_LABELED:
            self.add_flag("all_labeled")
        self.coef_, self.intercept_ = fit_propensity_weighted(
            words, is_positive, propensity, C=self.C
        )
        self.offset_ = 0.0

    def _split_columns(self, X):
        """Return X without the columns of the propensity, and its attributes, as CSR arrays."""
        is_attribute = np.zeros(X.shape[1], dtype=bool)
        columns = self._columns()
        if columns.max(initial=-1) >= X.shape[1]:
            raise BadParameter(
                f"propensity_features must be in [0, {X.shape[1]}).", "propensity_features"
            )
        is_attribute[columns] = True
        length = np.log1p(np.diff(X.indptr))
        length = (length - length.mean()) / (length.std() or 1.0)
        attributes = sp.hstack([length[:, None], X[:, np.flatnonzero(is_attribute)]], format="csr")
        # As sparse as X: an entry of 0 is no entry.
        words = X @ sp.diags_array((~is_attribute).astype(X.dtype), format="csr")
        words.eliminate_zeros()
        return words, sp.csr_array(attributes)

    def _expectation_maximization(self, words, attributes, is_positive, is_negative):
        """Return the propensities of all samples."""
        share = is_positive.mean()
        weights = np.where(is_positive, 1 - share, share)
        settings = {"C": self.C, "tol": INNER_TOL}
        # Where a regression stops early, the next iteration goes on: those of the last one count.
        with unconverged() as messages:
            f = fit_soft_logistic(words, is_positive, weights, **settings)
            likely = np.where(is_negative, 0.0, expit(_log_odds(words, f)))
            given = np.where(is_positive, 1.0, likely)
            e = fit_soft_logistic(attributes, is_positive, given, **settings)
        history, likelihoods, is_converged = [], [], False
        for n_iter in range(1, self.max_iter + 1):
            odds, propensity_odds = _log_odds(words, f), _log_odds(attributes, e)
            posterior = hidden_posterior(odds, propensity_odds)
            posterior[is_positive], posterior[is_negative] = 1.0, 0.0
            likelihoods.append(
                _log_likelihood(odds, propensity_odds, is_positive, posterior).mean()
            )
            history = [*history[-WINDOW:], expit(propensity_odds[~is_positive])]
            report("expectation-maximization", n_iter / self.max_iter)
            if self._is_settled(history, likelihoods):
                is_converged = not messages
                break
            with unconverged() as messages:
                e = fit_soft_logistic(attributes, is_positive, posterior, start=e, **settings)
                f = fit_soft_logistic(words, posterior, start=f, **settings)
        if not is_converged:
            self.flag_not_converged(n_iter)
        self.n_iter_ = n_iter
        self.report_.update(
            n_iter=n_iter, converged=is_converged, log_likelihood=float(likelihoods[-1])
        )
        return expit(_log_odds(attributes, e))

    def _is_settled(self, history, likelihoods):
        if len(history) <= WINDOW:
            return False
        slopes = np.abs(history[-1] - history[0]) / WINDOW
        gain = likelihoods[-1] - likelihoods[-1 - WINDOW]
        return slopes.mean() < self.tol and gain < self.tol


def hidden_posterior(log_odds, propensity_log_odds):
    """Return the probability that an unlabeled sample is positive.

    Parameters
    ----------
    log_odds : ndarray of shape (n_samples,)
        Log-odds of f, the probability of being positive.
    propensity_log_odds : ndarray of shape (n_samples,)
        Log-odds of e, the probability of being labeled if positive.

    Returns
    -------
    ndarray of shape (n_samples,)
        ``f (1 - e) / (1 - f e)``, in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from core.classifiers.sar_em import hidden_posterior
    >>> hidden_posterior(np.log([0.6 / 0.4]), np.array([0.0])).round(6).tolist()
    [0.428571]
    """
    # Its odds are f (1 - e) / (1 - f).
    return expit(log_odds + log_expit(-propensity_log_odds))


def _log_odds(X, model):
    return row_products(X, model[0]) + model[1]


def _log_likelihood(log_odds, propensity_log_odds, is_positive, posterior):
    """Return the expected log-likelihood of each sample, the posterior being that of positives."""
    missed = log_expit(log_odds) + log_expit(-propensity_log_odds)
    negative = log_expit(-log_odds)
    labeled = log_expit(log_odds) + log_expit(propensity_log_odds)
    return np.where(is_positive, labeled, posterior * missed + (1 - posterior) * negative)
