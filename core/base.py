"""The contract of classifiers."""

from abc import ABCMeta, abstractmethod
from numbers import Integral

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from core.class_prior.clamp import clamp_prior
from core.errors import Refused
from core.fit_memory import FitMemory
from core.flags import Flagged
from core.kernels.convergence import tell_not_converged, unconverged
from core.kernels.rows.masks import as_mask, optional_mask
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.seen_columns import seen_columns
from core.kernels.rows.shared_features import shares_features
from core.labels import warn_of_order
from core.predicting import Predicting
from core.validation import (
    _fit_context,
    check_is_negative,
    check_samples,
    forgets,
    validate_training_set,
)

#: Flags that depend on the cut alone.
FLAGS_OF_CUT = ("all_negative", "all_positive", "nearly_all_positive", "unreliable")
#: Share of the unlabeled samples that few piles have of the kind.
NEARLY_ALL = 0.95


class BasePUClassifier(
    Flagged, FitMemory, Predicting, ClassifierMixin, BaseEstimator, metaclass=ABCMeta
):
    """Binary classifier learned from labeled positives and unlabeled samples.

    A subclass implements ``_fit`` and ``_score_samples``. It never sees the coding of the labels
    or a dense matrix: it receives a canonical CSR array and boolean masks. Transductive
    subclasses also set ``transduction_scores_``; linear ones set ``coef_`` of shape
    (n_features,) and need no ``_explain``.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then the label of positives.
    offset_ : float
        The cut: a sample is predicted positive where ``score_samples(X) >= offset_``.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Plain facts about the fit: ``n_positive``, ``n_unlabeled``, ``n_negative``,
        ``empty_rows``, ``self_recall`` (share of the labeled positives that the rule itself
        accepts), ``flags`` (a sorted list of codes, such as "nothing_shared" where no unlabeled
        sample has a feature of a positive one, "nearly_all_positive" where the cut accepts at least
        0.95 of the unlabeled samples, but not all, "not_converged" where a solver of the fit
        stopped before its tolerance was met, or "prior_clamped" where a given class prior was
        changed to leave a sample on each side), and what the method adds.
    is_seen_ : ndarray of bool of shape (n_features,)
        Which features some training sample has; samples are scored as if they had no other. None
        means all.
    calibration_ : ScoreCalibration
        Probabilities for the scores; set before ``recut`` by who calibrates: empty samples then
        have the least score.
    calibration_ends_ : list of ScoreCalibration
        The same at ends of what they may be; set with ``calibration_``.
    nearest_ : NearestDocuments
        Documents of the training that texts are near to; set by who trains on texts.
    transduction_ : ndarray of shape (n_samples,)
        Transductive methods only: labels of the training samples; labeled positives stay so.
    transduction_scores_ : ndarray of shape (n_samples,)
        Transductive methods only: scores of the training samples.
    """

    #: What the text pipeline feeds the method: "counts", "binary" or "tfidf".
    representation = "tfidf"
    #: One sentence a user can check against their data.
    assumption = ""
    #: Where the method was published.
    reference = ""
    is_transductive = False
    #: Whether a score is the sum of what ``explain`` tells and of what no feature adds.
    has_additive_score = True
    #: Samples beside the positives, be they judged negative.
    requires_unlabeled = True
    #: Samples that are neither labeled nor judged.
    requires_unjudged = False
    requires_non_negative = False
    #: Whether the method's own cut is its estimate of the share of positives, and a good one.
    cuts_at_estimate = False
    #: Fewest positives that are not empty; more than 1 where the method splits them.
    min_positives = 1

    _parameter_constraints: dict = {"pos_label": [Integral, str, "boolean", None]}

    @abstractmethod
    def _fit(self, X, is_positive, is_negative):
        """Learn from validated data: set ``offset_`` and the state that scoring needs.

        ``is_negative`` marks the unlabeled samples that were judged not to be positive.
        """

    @abstractmethod
    def _score_samples(self, X):
        """Score validated data: the higher, the more likely positive."""

    @_fit_context(prefer_skip_nested_validation=True)
    @forgets
    def fit(self, X, y, *, is_negative=None):
        """Learn from labeled positives and unlabeled samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Two values: the label of positives (``pos_label``) and that of unlabeled samples.
        is_negative : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
            Which of the unlabeled samples were judged not to be positive.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        OneClass
            If all labels are the same, and there is no ``pos_label``.
        NoPositives, NoUnlabeled, TooFewPositives
            If there are fewer of them, the empty ones aside, than the method needs; each is a
            ValueError with a ``code``.
        Refused
            A ValueError, too: if there are more than two labels, NaN or infinity in X, negative
            values that the method cannot take, or values so large or small that scores would not
            be finite.

        Warns
        -----
        ConvergenceWarning
            Once, if anything did not converge.
        """
        X, self.classes_, is_positive = validate_training_set(self, X, y)
        if not is_positive.all():  # otherwise the label of the others is made up
            warn_of_order(self.classes_)
        is_negative = check_is_negative(is_negative, is_positive)
        is_empty = ~has_entries(X)
        check_samples(self, is_positive, is_negative, is_empty)
        is_seen = seen_columns(X)
        self.is_seen_ = None if is_seen.all() else is_seen
        self.calibration_ = None
        self.report_ = {
            "n_positive": int(is_positive.sum()),
            "n_unlabeled": int((~is_positive & ~is_negative).sum()),
            "n_negative": int(is_negative.sum()),
            "empty_rows": int(is_empty.sum()),
            "flags": [],
        }
        with unconverged() as messages:
            self._fit(X, is_positive, is_negative)
        if messages:
            self.add_flag("not_converged")
            tell_not_converged(" ".join(messages))
        if self.is_transductive:
            scores = self._below_cut(self.transduction_scores_, is_empty)
        else:
            scores = self.score_checked(X)
        if not np.isfinite(scores[~is_empty]).all():
            raise Refused(
                f"{type(self).__name__} has no finite scores for these samples: their values are "
                "too large or too small, or a parameter is. Scale the features, say to [0, 1], and "
                "keep parameters near their defaults."
            )
        self._judge_cut(scores, is_positive, is_negative, is_empty)
        is_candidate = ~(is_positive | is_negative | is_empty)
        if is_candidate.any() and not shares_features(X, is_positive, is_candidate):
            self.add_flag("nothing_shared")
        return self

    def _judge_cut(self, scores, is_positive, is_negative, is_empty):
        """Set what follows from the cut and the scores of the training samples."""
        is_accepted = scores >= self.offset_
        if self.is_transductive:
            self.transduction_scores_ = scores
            self.transduction_ = self.classes_[(is_accepted | is_positive).astype(int)]

        self.report_["self_recall"] = float(is_accepted[is_positive].mean())
        if self.report_["self_recall"] < 0.5:
            self.add_flag("unreliable")
        # Empty samples are never accepted, and judged ones are no question any more.
        is_candidate = ~(is_positive | is_negative | is_empty)
        share = is_accepted[is_candidate].mean() if is_candidate.any() else 0.5
        if share in (0, 1):
            self.add_flag("all_positive" if share else "all_negative")
        elif share >= NEARLY_ALL:
            self.add_flag("nearly_all_positive")

    def recut(self, offset, scores, is_positive, is_negative=None, is_empty=None):
        """Move the cut; ``report_`` and the labels of a transduction follow.

        Parameters
        ----------
        offset : float
            Samples with this score or a higher one are predicted positive from now on.
        scores : ndarray of shape (n_samples,)
            Those of :meth:`training_scores` of the samples of :meth:`fit`.
        is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
            Which of them are labeled.
        is_negative, is_empty : array-like like ``is_positive``, default=None
            Which were judged not to be positive, and which have no feature; None means none.

        Returns
        -------
        scores : ndarray of shape (n_samples,)
            The same but for empty samples, which stay below the cut.

        Examples
        --------
        >>> import numpy as np
        >>> from core.classifiers import Prototype
        >>> X, y = [[1, 0], [1, 1], [0, 1]], [1, 0, 0]
        >>> classifier = Prototype().fit(X, y)
        >>> scores = classifier.training_scores(X)
        >>> scores = classifier.recut(scores.max(), scores, np.array(y) == 1)
        >>> classifier.predict(X).tolist()
        [1, 0, 0]
        """
        check_is_fitted(self)
        is_positive = as_mask(is_positive, "is_positive", len(scores))
        is_negative = optional_mask(is_negative, "is_negative", len(scores))
        is_empty = optional_mask(is_empty, "is_empty", len(scores))
        self.offset_ = float(offset)
        if not self.is_transductive and is_empty.any():
            # The score that empty samples had before they were put below the cut.
            empty = csr_array((1, self.n_features_in_))
            scores = np.where(is_empty, self._score_block(empty), scores)
        scores = self._below_cut(scores, is_empty)
        flags = self.report_["flags"]
        self.report_["flags"] = [code for code in flags if code not in FLAGS_OF_CUT]
        self._judge_cut(scores, is_positive, is_negative, is_empty)
        return scores

    def _clamped_prior(self, n_samples, share=1.0):
        """Return ``class_prior`` among the ``share`` that is not empty; flag one clamped."""
        wanted = self.class_prior / share
        class_prior = clamp_prior(wanted, n_samples)
        if class_prior != wanted:
            self.add_flag("prior_clamped")
        return class_prior

    def _prior_among_used(self, n_used):
        """Return ``class_prior`` among so many unlabeled samples: all that are not empty."""
        share = n_used / max(self.report_["n_unlabeled"], 1)
        return self._clamped_prior(n_used, share or 1.0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self.requires_non_negative
        tags.classifier_tags.multi_class = False
        # Half of what these methods learn from is unlabeled: a target of accuracy over fully
        # labeled blobs does not apply.
        tags.classifier_tags.poor_score = True
        return tags
