"""What a calibrated estimator predicts, and what to expect of its cuts."""

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from core.calibration.calibrate import calibrate
from core.calibration.cuts import check_rule
from core.calibration.expected_figures import expected_figures
from core.metrics import lee_liu_score

#: What to do where there are no probabilities, or why there are none, by the reason.
_WAYS_OUT = {
    "too_few_positives": "label more positives; copies count once.",
    "class_prior_too_large": "give a smaller class_prior, or none.",
    "equal_scores": "all unlabeled samples have one score.",
    "no_features": "no unlabeled sample has a feature.",
    "no_unlabeled": "all samples are labeled or judged.",
    "too_few_unlabeled": "add unlabeled samples.",
    "nothing_shared": "no unlabeled sample has a feature of a positive one.",
}


class CalibratedPredictor(ClassifierMixin, BaseEstimator):
    """Predictions by a classifier, or a pipeline that ends with one, that hidden positives judged.

    ``fit`` sets ``classes_``, what ``_fitted`` names, and calls ``_calibrate`` at its end.

    Attributes
    ----------
    calibrated_ : Calibrated
        Class prior with its interval, and cuts by all rules.
    cut_rule_ : str
        Rule of the cut that ``predict`` goes by.
    training_scores_ : ndarray of shape (n_samples,)
        Scores of the samples of ``fit``.
    """

    #: Name of the attribute that predicts.
    _fitted = "estimator_"

    @property
    def _model(self):
        return getattr(self, self._fitted)

    @property
    def _classifier(self):
        return self._model[-1] if isinstance(self._model, Pipeline) else self._model

    def __sklearn_is_fitted__(self):
        return hasattr(self, "training_scores_")

    def _calibrate(self, scores, is_positive, is_negative, is_empty, **found):
        """Find class prior, probabilities and cuts; move the cut as asked.

        ``found`` is for :func:`~core.calibration.calibrate.calibrate`.
        """
        masks = is_positive, is_negative, is_empty
        self.calibrated_ = calibrate(
            self._classifier,
            scores,
            is_positive,
            is_negative,
            is_empty=is_empty,
            class_prior=self.class_prior,
            **found,
        )
        self._masks = masks
        self.cut_rule_, _, self.training_scores_ = self.calibrated_.apply(
            self.cut, self._classifier, scores, *masks
        )

    def predict(self, X):
        """Return the predicted label of each sample, an ndarray of shape (n_samples,)."""
        check_is_fitted(self)
        return self._model.predict(X)

    def score_samples(self, X):
        """Return the score of each sample, an ndarray of shape (n_samples,): higher, likelier."""
        check_is_fitted(self)
        return self._model.score_samples(X)

    def decision_function(self, X):
        """Return how far each score is above the cut, an ndarray of shape (n_samples,)."""
        check_is_fitted(self)
        return self._model.decision_function(X)

    def predict_proba(self, X):
        """Return the probability of each class for each sample.

        Parameters
        ----------
        X : array-like, sparse matrix or iterable of str, of n_samples
            What ``fit`` took.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Of unlabeled and positive, as in ``classes_``: what is not positive is unlabeled.

        Raises
        ------
        ValueError
            If there are no probabilities, as with a single positive.
        """
        self._check_probabilities()
        return self._model.predict_proba(X)

    def expected_figures(self, cut=None):
        """Return what a cut is expected to give over the unlabeled samples of ``fit``.

        Parameters
        ----------
        cut : str, default=None
            A rule, as of the parameter ``cut``; None means the cut that ``predict`` goes by.

        Returns
        -------
        ExpectedFigures
            How many are accepted; positives found and hidden, precision, recall and F1, each with
            the ends of an interval of 90 %. Go by the ends: the expected precision hardly tells
            one pile from another (docs/auto.md).

        Raises
        ------
        ValueError
            If there are no probabilities, as with a single positive, or no such cut.
        """
        self._check_probabilities()
        classifier = self._classifier
        offset = classifier.offset_ if cut is None else self._cut_by(cut)[1].offset
        is_positive, is_negative, is_empty = self._masks
        is_unlabeled = ~(is_positive | is_negative)
        scores = self.training_scores_[is_unlabeled]
        curves = classifier.calibration_, *classifier.calibration_ends_
        # Empty samples are put below the cut that is taken, and may be above another.
        is_accepted = (scores >= offset) & ~is_empty[is_unlabeled]
        return expected_figures([curve.predict(scores) for curve in curves], is_accepted)

    def recut(self, cut):
        """Move the cut that ``predict`` goes by, without another training.

        The report of the classifier follows; findings stay those of the cut of ``fit``.

        Parameters
        ----------
        cut : str
            A rule, as of the parameter ``cut``.

        Returns
        -------
        self : object

        Raises
        ------
        ValueError
            If there is no such cut.

        Examples
        --------
        >>> from core.auto.text_classifier import AutoTextClassifier
        >>> texts = ["flood water", "water river", "river flood", "a goal", "team goal", "a team"]
        >>> model = AutoTextClassifier(cut="own").fit(texts, [1, 1, 0, 0, 0, 0])
        >>> model.recut("budget:1").predict(texts[2:]).tolist()
        [1, 0, 0, 0]
        >>> model.cut_rule_
        'budget:1'
        """
        check_is_fitted(self)
        self.cut_rule_, found = self._cut_by(cut)
        self.training_scores_ = self._classifier.recut(
            found.offset, self.training_scores_, *self._masks
        )
        return self

    def score(self, X, y, sample_weight=None):
        """Return :func:`~core.metrics.lee_liu_score` over all samples, as all classifiers do."""
        predicted = self.predict(X)
        return lee_liu_score(
            y, predicted, single_set=True, pos_label=self.classes_[1], sample_weight=sample_weight
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _cut_by(self, rule):
        is_positive, is_negative, _ = self._masks
        check_rule(rule, int((~(is_positive | is_negative)).sum()))
        taken, cut = self.calibrated_.cut_by(rule)
        if taken != rule:
            found = self.calibrated_.cuts.get(rule)
            reason = (found and found.reason) or self.calibrated_.reason or "accepts_all"
            raise ValueError(f"there is no cut by {rule!r} ({reason}): take {taken!r}.")
        return taken, cut

    def _check_probabilities(self):
        check_is_fitted(self)
        if self._classifier.calibration_ is None:
            reason = self.calibrated_.reason or self.calibrated_.class_prior.reason
            hint = _WAYS_OUT.get(reason, "calibrated_ tells more.")
            raise ValueError(f"there are no probabilities ({reason}): {hint}")
