"""What a fitted classifier tells of samples: scores, labels and explanations."""

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from core.kernels.rows.row_blocks import has_entries, row_blocks, rows_of
from core.kernels.rows.seen_columns import in_columns
from core.metrics import lee_liu_score
from core.progress import report
from core.validation import validate_X


def _has_probabilities(classifier):
    return classifier.has_probabilities or getattr(classifier, "calibration_", None) is not None


class Predicting:
    """Mixin for classifiers with ``_score_samples``, and ``_explain`` where they are not linear.

    Examples
    --------
    >>> from core.classifiers import Prototype
    >>> X, y = [[1, 0], [1, 1], [0, 1]], [1, 0, 0]
    >>> classifier = Prototype().fit(X, y)
    >>> classifier.training_scores(X).round(2).tolist()
    [1.0, 0.71, 0.0]
    >>> (classifier.decision_function(X) + classifier.offset_).round(2).tolist()
    [1.0, 0.71, 0.0]
    >>> classifier.predict([[0, 3]]).tolist()
    [0]
    >>> classifier.feature_weights().tolist()
    [1.0, 0.0]
    """

    def score_samples(self, X):
        """Return the raw score of each sample: the higher, the more likely positive.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples to score.

        Returns
        -------
        ndarray of shape (n_samples,)
            Scores, float64.
        """
        check_is_fitted(self)
        return self.score_checked(validate_X(self, X))

    def score_checked(self, X, stage=None):
        """Return the raw scores of samples that need no check.

        Parameters
        ----------
        X : sparse array of shape (n_samples, n_features)
            Samples, canonical CSR, with the features of ``fit``.
        stage : str, default=None
            The stage to tell progress of; None tells none.

        Returns
        -------
        ndarray of shape (n_samples,)
            What ``score_samples`` does, for a fitted classifier.
        """
        # Some rows at a time: many methods scale a copy of them first.
        blocks = row_blocks(X)
        if len(blocks) == 1:
            return self._score_block(X)
        scores = np.empty(X.shape[0])
        for rows in blocks:
            scores[rows] = self._score_block(rows_of(X, rows))
            if stage is not None:
                report(stage, rows.stop / len(scores), n_samples=len(scores))
        return scores

    def _score_block(self, X):
        X = self._of_seen(X)
        scores = np.asarray(self._score_samples(X), dtype=np.float64)
        return self._below_cut(scores, ~has_entries(X))

    def _of_seen(self, X):
        return X if self.is_seen_ is None else in_columns(X, self.is_seen_)

    def _below_cut(self, scores, is_empty):
        if not is_empty.any():
            return scores
        # An empty sample is never positive: it keeps the method's neutral score where that is
        # below the cut, else takes the largest number below it.
        below = np.nextafter(self.offset_, -np.inf)
        if self.calibration_ is not None:
            below = min(below, self.calibration_.scores_[0])
        return np.where(is_empty, np.minimum(scores, below), scores)

    def training_scores(self, X):
        """Return the scores of the samples of ``fit``: of a transduction, where that made one.

        Tells its progress as stage "rank".

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            What the classifier was fitted to; a transduction does not look at it.

        Returns
        -------
        ndarray of shape (n_samples,)
            Scores, float64.
        """
        check_is_fitted(self)
        if self.is_transductive:
            return self.transduction_scores_
        return self.score_checked(validate_X(self, X), "rank")

    def decision_function(self, X):
        """Return how far the score of each sample is above the cut.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            ``score_samples(X) - offset_``: not negative means predicted positive.
        """
        return self.score_samples(X) - self.offset_

    def predict(self, X):
        """Return the predicted label of each sample.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of ``classes_``.
        """
        is_positive = self.decision_function(X) >= 0
        return self.classes_[is_positive.astype(int)]

    @property
    def has_probabilities(self):
        """Whether the method has probabilities of its own: then it has ``_own_probabilities``."""
        return False

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Return the probabilities of the unlabeled class and the positive one.

        There are some where hidden positives calibrated the classifier (``calibration_``), as in
        :class:`~core.auto.text_classifier.AutoTextClassifier`, else where the method has its own.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            In [0, 1]. Those of methods that take terms for independent are sure of themselves:
            take the order, not the size.
        """
        scores = self.score_samples(X)
        if self.calibration_ is None:
            return self._own_probabilities(scores)
        positive = self.calibration_.predict(scores)
        return np.column_stack([1 - positive, positive])

    def score(self, X, y, sample_weight=None):
        """Return recall squared over the share of all that is predicted positive: no accuracy.

        Among positives and unlabeled samples accuracy is best where nothing is predicted positive.
        This is :func:`~core.metrics.lee_liu_score` of a single set, which is 0 then, and below 1
        for chance. With the truth at hand take the metrics of scikit-learn.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples that were not in ``fit``.
        y : array-like of shape (n_samples,)
            Labels: positive and unlabeled.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts; None: all alike.

        Returns
        -------
        float in [0, inf)
            The higher, the better, on one data set.

        Raises
        ------
        NoPositives, NoUnlabeled
            If y has but one of both.
        """
        return lee_liu_score(
            y,
            self.predict(X),
            single_set=True,  # else 0 where exactly the positives are predicted
            pos_label=self.classes_[1],
            sample_weight=sample_weight,
        )

    def explain(self, X):
        """Return how much each feature of each sample adds to its score.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples to explain.

        Returns
        -------
        sparse array of shape (n_samples, n_features)
            Contributions, in CSR format: positive ones speak for, negative ones against.
        """
        check_is_fitted(self)
        return self._explain(self._of_seen(validate_X(self, X)))

    def _explain(self, X):
        return X.multiply(self.coef_[None, :]).tocsr()

    def feature_weights(self):
        """Return how much each feature speaks for or against.

        Returns
        -------
        ndarray of shape (n_features,)
            Positive ones speak for, negative ones against.
        """
        check_is_fitted(self)
        return self._feature_weights()

    def _feature_weights(self):
        return self.coef_
