"""PEBL: negatives without any word of the positives, then iterated SVMs."""

from core.classifier_bases.two_step_svm import TwoStepSVMClassifier
from core.kernels.rows.row_blocks import document_frequencies
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.two_step.reliable_negatives import count_terms, lowest, usable_rows

#: Fewer reliable negatives than this share of the unlabeled samples are too few to learn from.
MIN_SHARE = 0.01


class PEBL(TwoStepSVMClassifier):
    """Positive example based learning (PEBL): 1-DNF and mapping convergence.

    A term that occurs in a larger share of the positives than of the unlabeled samples is a
    positive term; unlabeled samples without any positive term are reliable negatives. SVMs are
    then trained, each of which turns what it rejects into negatives for the next. Judged negatives
    are reliable negatives from the start.

    In a large vocabulary almost every text has some positive term. If less than a hundredth of
    the samples is without one, only terms stay positive that are 2, 4, then 8 times as frequent
    among the positives and occur in two of them; at last the samples with the fewest positive
    terms are taken.

    Parameters
    ----------
    C : float in (0, inf), default=1.0
        How much errors of the SVM count against the length of its weights.
    balanced : bool, default=True
        Whether positives and negatives get the same total weight.
    max_iter : int in [1, inf), default=20
        Largest number of SVMs.
    max_loss : float in [0, 1] or None, default=0.05
        The first SVM is kept where the last one rejects more than this share of the positives;
        None means never.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        Weights of the kept SVM, for samples of unit length.
    intercept_ : float
        Added to the weighted sum.
    offset_ : float
        The cut, 0.
    n_iter_ : int
        Number of SVMs fitted.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``n_positive_terms``, ``n_reliable_negatives``, ``n_final_negatives``,
        ``n_iter``, ``converged``, ``lost`` (share of the positives that the last SVM rejects) and
        ``chosen`` ("first" or "last"). Flags: "rn_relaxed" where too few unlabeled samples lack
        every positive term, so that those with the fewest were taken, "rn_all" where all were
        taken for negative, "not_converged" where the last of ``max_iter`` SVMs
        still rejects undecided samples.

    References
    ----------
    .. [1] H. Yu, J. Han and K. C.-C. Chang, "PEBL: positive example based learning for web page
       classification using SVM", KDD 2002; IEEE Transactions on Knowledge and Data Engineering
       16(1), 2004. That the last SVM is always kept there (``max_loss=None``) is as remembered, not
       verified.

    Examples
    --------
    >>> from core.classifiers import PEBL
    >>> X = [[4, 1, 0], [4, 0, 0], [3, 1, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]]
    >>> y = [1, 1, 0, 0, 0, 0]
    >>> PEBL().fit(X, y).predict([[3, 0, 0], [0, 1, 5]])
    array([1, 0])
    """

    assumption = "Some other documents share no typical term with the positives."
    reference = "Yu, Han and Chang, PEBL: positive example based learning, KDD 2002"
    bytes_per_entry = 8
    bytes_per_sample = 128
    bytes_per_feature = 128

    def __init__(
        self,
        *,
        C=1.0,
        balanced=True,
        max_iter=20,
        max_loss=0.05,
        pos_label=None,
    ):
        self.C = C
        self.balanced = balanced
        self.max_iter = max_iter
        self.max_loss = max_loss
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        is_positive, is_unlabeled = usable_rows(X, is_positive)
        is_judged = is_unlabeled & is_negative
        is_reliable = self._without_positive_terms(X, is_positive, is_unlabeled, is_judged)
        is_reliable |= is_judged
        if (is_reliable == is_unlabeled).all():
            self.add_flag("rn_all")
        self._fit_iterated(unit_rows(X), is_positive, is_reliable)

    def _without_positive_terms(self, X, is_positive, is_unlabeled, is_judged):
        """Return the unjudged samples that have no positive term, or the fewest."""
        is_undecided = is_unlabeled & ~is_judged
        n_positive, n_unlabeled = int(is_positive.sum()), int(is_unlabeled.sum())
        in_positive = document_frequencies(X, is_positive)
        # Shares are compared as whole numbers: ties must be exact.
        positive_rate = in_positive * n_unlabeled
        unlabeled_rate = document_frequencies(X, is_unlabeled) * n_positive

        is_positive_term = positive_rate > unlabeled_rate
        self.report_["n_positive_terms"] = int(is_positive_term.sum())
        n_terms = count_terms(X, is_positive_term)
        is_strict = is_undecided & (n_terms == 0)
        least = max(1, MIN_SHARE * is_undecided.sum())
        if is_strict.sum() >= least or not is_undecided.any():
            return is_strict
        self.add_flag("rn_relaxed")
        is_repeated = in_positive >= min(2, n_positive)
        for ratio in (2, 4, 8):
            is_positive_term = (positive_rate > ratio * unlabeled_rate) & is_repeated
            if not is_positive_term.any():
                break
            is_chosen = is_undecided & (count_terms(X, is_positive_term) == 0)
            if is_chosen.sum() >= least:
                self.report_["n_positive_terms"] = int(is_positive_term.sum())
                return is_chosen
        return is_strict | lowest(n_terms, is_undecided, n_positive, content_order(X))
