"""Any algorithm with probabilities, a class prior and a cut that hidden positives tell."""

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state, get_tags

from core.base import BasePUClassifier
from core.calibration.calibrated_predictor import CalibratedPredictor
from core.calibration.cuts import check_rule
from core.errors import NoUnlabeled, TooFewPositives
from core.evaluation.hide_positives import hide_positives
from core.kernels.graphs.conductance import Neighbors
from core.kernels.graphs.knn_graph import N_NEIGHBORS, knn_graph, no_edges
from core.kernels.rows.near_copies import are_distinct
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.options import AT_LEAST_ZERO, SHARE
from core.shared_work import shared, sharing
from core.validation import _fit_context, check_is_negative, forgets, validate_training_set


class CalibratedPUClassifier(MetaEstimatorMixin, CalibratedPredictor):
    """Calibrate a classifier by positives that are hidden from it, without any negative.

    The classifier is trained on all positives, and five times more with a part of them hidden among
    the unlabeled samples. Where the hidden ones rank tells how many positives there are, how
    probably each sample is one, and where to cut. The service does this with each algorithm that
    is named.

    Parameters
    ----------
    estimator : estimator
        One of ``ALGORITHMS``, or a pipeline that ends with one, such as those of
        :func:`~core.pipeline.make_text_classifier`. The steps before it are fitted once.
    cut : str, default="f1"
        Rule of the cut: one of ``core.calibration.cuts.RULES``, or "budget:N" for N samples, more
        where scores are equal. "own" is that of the estimator.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, if known. The estimator has a parameter of
        its own where it learns from it.
    n_neighbors : int in [0, inf), default=10
        Neighbors of a sample in a graph by cosines, which corrects the class prior and gives the
        cut "conductance". Its time grows with the square of the samples: pass 0, no graph, for
        more than some 100,000.
    random_state : int, RandomState instance or None, default=0
        Deals the positives out.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then that of positives.
    estimator_ : estimator
        The fitted one, with cut and probabilities: :func:`core.save` takes it.
    calibrated_ : Calibrated
        Class prior with its interval, and cuts by all rules: :meth:`expected_figures` tells what
        each gives, :meth:`recut` moves to another.
    cut_rule_ : str
        Rule of the cut that ``predict`` goes by: another than ``cut`` where that one gives no cut.
    hidden_ : HiddenPositives or None
        How the trainings ranked what was hidden from them; None where nothing could be hidden.
    training_scores_ : ndarray of shape (n_samples,)
        Scores of the samples of ``fit``: their ranking.
    n_features_in_ : int
        Number of features seen during ``fit``, where they are columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where these are str.

    Notes
    -----
    The positives are taken for a random draw. ``sklearn.calibration.CalibratedClassifierCV`` takes
    each unlabeled sample for a negative: what it tells is the probability of a label.

    References
    ----------
    docs/auto.md; docs/decisions/0009-hidden-positives-tell-how-good.md

    Examples
    --------
    >>> from core import CalibratedPUClassifier
    >>> from core.classifiers import Prototype
    >>> from core.datasets import make_pu_data
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> model = CalibratedPUClassifier(Prototype()).fit(X, y)
    >>> prior = model.calibrated_.class_prior
    >>> bool(prior.low <= y_true[y == 0].mean() <= prior.high)
    True
    >>> probabilities = model.predict_proba(X)[y == 0, 1]
    >>> bool(probabilities[y_true[y == 0] == 1].mean() > probabilities.mean())
    True
    >>> value, low, high = model.expected_figures().precision
    >>> low <= value <= high
    True
    """

    _parameter_constraints: dict = {
        "estimator": [BasePUClassifier, Pipeline],
        "cut": [str],
        "class_prior": [SHARE, None],
        "n_neighbors": [AT_LEAST_ZERO],
        "random_state": ["random_state"],
    }

    def __init__(
        self, estimator, *, cut="f1", class_prior=None, n_neighbors=N_NEIGHBORS, random_state=0
    ):
        self.estimator = estimator
        self.cut = cut
        self.class_prior = class_prior
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=False)
    @forgets
    def fit(self, X, y, *, is_negative=None):
        """Train the estimator, and find class prior, probabilities and cut.

        Parameters
        ----------
        X : array-like, sparse matrix or iterable of str, of n_samples
            What the estimator takes.
        y : array-like of shape (n_samples,)
            Two values: the label of positives and that of unlabeled samples.
        is_negative : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
            Which of the unlabeled samples were judged not to be positive.

        Returns
        -------
        self : object

        Raises
        ------
        OneClass
            If all labels are the same, and the estimator has no ``pos_label``.
        NoPositives, NoUnlabeled, TooFewPositives
            If there are fewer of them than the estimator needs. With a single positive there are no
            probabilities, which ``calibrated_.reason`` tells.
        ValueError
            If the samples or labels are not usable, or ``cut`` is no rule or accepts more samples
            than there are.
        TypeError
            If the pipeline does not end with one of ``ALGORITHMS``.
        """
        self.estimator_ = clone(self.estimator)
        classifier = self._classifier
        if not isinstance(classifier, BasePUClassifier):
            raise TypeError(
                f"{type(classifier).__name__}, the last step of the pipeline, is not one of "
                "ALGORITHMS."
            )
        if isinstance(self.estimator_, Pipeline) and len(self.estimator_) > 1:
            before = self.estimator_[:-1]
            X = before.fit_transform(X, y)
            # With a memory, fitted steps are others than those given.
            self.estimator_.steps[:-1] = before.steps
        rows, self.classes_, is_positive = validate_training_set(classifier, X, y)
        is_negative = check_is_negative(is_negative, is_positive)
        check_rule(self.cut, int((~(is_positive | is_negative)).sum()))
        random = check_random_state(self.random_state)
        with sharing():
            classifier.fit(X, y, is_negative=is_negative)
            # Of the samples as they were given: rows have no names of columns.
            scores = classifier.training_scores(X)
            self._judge(scores, rows, is_positive, is_negative, random)
        return self

    def _judge(self, scores, X, is_positive, is_negative, random):
        seed = random.randint(2**31)
        self.hidden_, reason = self._hidden(X, is_positive, is_negative, seed)
        # Of what is equally near, or has one score, the first counts: by what it holds.
        order = content_order(X, is_positive, is_negative)
        rows, of_rows = X[order], is_positive[order]
        graph = no_edges(len(order))
        if self.n_neighbors:
            graph = shared(knn_graph, unit_rows(rows), self.n_neighbors)
        left_out = None
        if self.hidden_ is not None and self.class_prior is None:
            # Of near copies the first takes part: others are no further draws.
            kept = np.flatnonzero(are_distinct(rows, of_rows) & ~is_negative[order])
            left_out = left_out_ranks(
                rows[kept], of_rows[kept], graph=graph[kept][:, kept], random_state=seed
            )
        self._calibrate(
            scores,
            is_positive,
            is_negative,
            ~has_entries(X),
            outcome=self.hidden_,
            reason=reason,
            left_out=left_out,
            neighbors=Neighbors(graph, order) if graph.nnz else None,
            random_state=seed,
        )

    def _hidden(self, X, is_positive, is_negative, seed):
        """Return what came of hiding positives, or why none could be hidden."""
        try:
            outcome = hide_positives(
                self._classifier, X, is_positive, is_negative, random_state=seed
            )
        except (TooFewPositives, NoUnlabeled) as error:
            return None, error.code
        return outcome, None

    @property
    def n_features_in_(self):
        """Number of features seen during ``fit``."""
        return self._model.n_features_in_

    @property
    def feature_names_in_(self):
        """Names of the columns seen during ``fit``."""
        return self._model.feature_names_in_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        of_estimator = get_tags(self.estimator)
        tags.input_tags = of_estimator.input_tags
        tags.classifier_tags.poor_score = True
        return tags
