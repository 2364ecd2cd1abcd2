"""``auto`` in one estimator: texts go in; a ranking, a cut and what to expect of it come out."""

from functools import partial
from numbers import Integral, Real

from sklearn.utils import check_consistent_length, check_random_state

from core.auto.candidates import auto_candidates
from core.auto.likeness import find_likeness
from core.auto.race import race
from core.auto.winner import winner
from core.calibration.calibrated_predictor import CalibratedPredictor
from core.calibration.cuts import check_rule
from core.caller_warning import holding_warnings, warn_caller
from core.doctor.examine import examine
from core.doctor.model_state import flags_to_act_on
from core.errors import NoUnlabeled
from core.kernels.rows.row_blocks import has_entries
from core.labels import checked_labels, plain_label
from core.options import SHARE, Interval, StrOptions
from core.pipeline import make_text_classifier
from core.registry import USUAL
from core.shared_work import sharing
from core.text import TermWeighting
from core.text.stop_words import STOP_WORDS
from core.validation import _fit_context, check_is_negative, forgets
from core.vectorizer import make_vectorizer, with_language


class AutoTextClassifier(CalibratedPredictor):
    """Find the texts that are like a few positives, and tell how far the result can be trusted.

    This is what the service does with ``algorithm="auto"``. Some algorithms race at finding
    positives that are hidden from them. The favourite wins unless another is clearly better, and
    the winner is trained on all positives. The hidden positives tell how many more there are among
    the unlabeled texts, how probably each text is positive, and where to cut the ranking.

    Parameters
    ----------
    cut : str, default="f1"
        Rule of the cut: one of ``core.calibration.cuts.RULES``, or "budget:N" for N texts, more
        where scores are equal.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled texts, if known. At least one text of each kind is
        left.
    language : str, default="english"
        Language whose stop words are left out: a key of ``core.text.stop_words.STOP_WORDS``, or
        None.
    vectorizer : dict, default=None
        Parameters of :class:`~core.text.TokenCounter` and :class:`~core.text.TermWeighting`, such
        as ``{"min_df": 2}``. They go before those of ``core.vectorizer.with_language``: the stop
        words of the language and, of any language or None, ``cjk="bigrams"``, ``marks=True`` and
        ``long_numbers_as_zeros=True`` where words are counted, none of which
        :func:`~core.pipeline.make_text_classifier` sets. ``set_params`` takes the whole dict, not
        ``vectorizer__min_df``.
    time_budget : float in (0, inf], default=600.0
        Seconds that the race may take, about. It decides which algorithms enter the race.
    random_state : int, RandomState instance or None, default=0
        Seed: the same texts, labels and seed give the same result.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled texts, then ``pos_label``.
    pipeline_ : sklearn.pipeline.Pipeline
        From texts to predictions, with the chosen algorithm: :func:`core.save` takes it.
    entries_ : list of Entry
        How each algorithm did in the race; ``entries_[winner_]`` is the one chosen.
    winner_ : int
        Place of the chosen one in that list.
    calibrated_ : Calibrated
        Class prior with its interval, and cuts by all rules: :meth:`expected_figures` tells what
        each gives, :meth:`recut` moves to another.
    cut_rule_ : str
        Rule of the cut that ``predict`` goes by: another than ``cut`` where that one gives no cut.
    seed_ : int
        Seed of all steps: ``random_state`` where it is a number, else drawn from it.
    findings_ : list of Finding
        What the doctor says of texts, labels and model, what matters most first. Checks that were
        passed are among them: :attr:`~core.doctor.finding.Finding.needs_eyes` tells the others.
    training_scores_ : ndarray of shape (n_samples,)
        Scores of the texts of ``fit``: their ranking.

    Notes
    -----
    The positives are taken for a random draw. Where most were found by reading a ranking, as judged
    negatives are, class prior, probabilities and all cuts but "own" and "budget:N" hold for what is
    left to read, not for other texts. The service goes by the order of judgements as well.

    References
    ----------
    docs/auto.md; docs/decisions/0009-hidden-positives-tell-how-good.md

    Examples
    --------
    >>> import random
    >>> from core.auto.text_classifier import AutoTextClassifier
    >>> draw = random.Random(0)
    >>> topics = ["flood water river rain dam".split(), "goal match team cup win".split()]
    >>> texts = [" ".join(draw.choices(topics[i % 4 > 0], k=6)) for i in range(200)]
    >>> y = [int(i < 40 and i % 4 == 0) for i in range(200)]  # 10 of 50 on floods
    >>> model = AutoTextClassifier().fit(texts, y)
    >>> new = ["the dam and the river", "a goal wins the cup"]
    >>> model.predict(new), (model.predict_proba(new)[:, 1] > 0.5).tolist()
    (array([1, 0]), [True, False])
    >>> model.calibrated_.class_prior.low < 40 / 190 < model.calibrated_.class_prior.high
    True
    >>> _, low, high = model.expected_figures().n_hidden
    >>> low < 40 < high
    True
    """

    _fitted = "pipeline_"

    _parameter_constraints: dict = {
        "cut": [str],
        "class_prior": [SHARE, None],
        "language": [StrOptions(set(STOP_WORDS)), None],
        "vectorizer": [dict, None],
        "time_budget": [Interval(Real, 0, None, closed="right")],
        "random_state": ["random_state"],
        "pos_label": [Integral, str, "boolean", None],
    }

    def __init__(
        self,
        *,
        cut="f1",
        class_prior=None,
        language="english",
        vectorizer=None,
        time_budget=600.0,
        random_state=0,
        pos_label=None,
    ):
        self.cut = cut
        self.class_prior = class_prior
        self.language = language
        self.vectorizer = vectorizer
        self.time_budget = time_budget
        self.random_state = random_state
        self.pos_label = pos_label

    @_fit_context(prefer_skip_nested_validation=True)
    @forgets
    def fit(self, X, y, *, is_negative=None):
        """Choose an algorithm, train it, and find class prior, probabilities and cut.

        Parameters
        ----------
        X : iterable of str or bytes, of length n_samples
            Texts.
        y : array-like of shape (n_samples,)
            Two values: the label of positives and that of unlabeled texts.
        is_negative : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
            Which of the unlabeled texts were judged not to be positive.

        Returns
        -------
        self : object

        Raises
        ------
        OneClass
            If all labels are the same, and there is no ``pos_label``.
        NoPositives, NoUnlabeled, TooFewPositives
            If there are too few of them.
        ValueError
            If ``X`` does not hold texts, ``y`` does not fit them, or ``cut`` is no rule or accepts
            more texts than there are.
        """
        y, self.classes_ = checked_labels(y, self.pos_label)
        is_positive = y == self.classes_[1]
        is_negative = check_is_negative(is_negative, is_positive)
        # One number, so that steps share what they make of the same.
        is_number = isinstance(self.random_state, Integral)
        random = check_random_state(self.random_state)
        self.seed_ = int(self.random_state if is_number else random.randint(2**31))
        if is_positive.all():
            raise NoUnlabeled("every text is labeled positive: there is nothing to compare with.")
        check_rule(self.cut, len(y) - int((is_positive | is_negative).sum()))
        counter, _ = make_vectorizer(self._race_options["vectorizer"], like=USUAL)
        counts = counter.fit_transform(X)
        check_consistent_length(counts, y)
        # One graph of neighbors serves the race, the training and the calibration.
        with sharing():
            alike = find_likeness(counts, is_positive, is_negative, **self._race_options)
            chosen = self._race(counts, is_positive, is_negative)
            X = self._train(chosen, counter, counts, y, is_negative)
            self._judge(chosen, X, alike, is_positive, is_negative)
        self.findings_ = examine(
            TermWeighting().fit_transform(counts),
            is_positive,
            is_negative,
            self.training_scores_,
            self.pipeline_["classifier"].offset_,
            flags_to_act_on(self.pipeline_["classifier"].report_["flags"]),
            positive_ranks=self.calibrated_.positive_ranks,
            class_prior=self.calibrated_.class_prior,
            terms=counter.terms_,
            random_state=self.seed_,
        )
        return self

    @property
    def _race_options(self):
        asked = with_language(self.language, self.vectorizer)
        return {"vectorizer": asked, "seconds": self.time_budget, "random_state": self.seed_}

    def _race(self, counts, is_positive, is_negative):
        n_labeled = int(is_positive.sum()), int(is_negative.sum())
        candidates, _ = auto_candidates(counts, *n_labeled, seconds=self.time_budget)
        y = self.classes_[is_positive.astype(int)]
        entries = race(
            counts,
            is_positive,
            is_negative,
            candidates,
            train=partial(self._trained_beside, y, is_negative),
            **self._race_options,
        )
        self.winner_ = winner(entries)
        # The model is kept once.
        self.entries_ = [entry._replace(trained=None) for entry in entries]
        return entries[self.winner_]

    def _trained_beside(self, y, is_negative, candidate, X):
        """Return a fitted classifier, and what to warn of where it is taken."""
        classifier = self._pipeline(candidate)["classifier"]
        with holding_warnings() as held:
            return classifier.fit(X, y, is_negative=is_negative), held

    def _pipeline(self, candidate):
        return make_text_classifier(
            candidate.algorithm,
            candidate.params,
            vectorizer=self._race_options["vectorizer"],
            class_prior=self.class_prior,
            pos_label=plain_label(self.classes_[1]),
            random_state=self.seed_,
        )

    def _train(self, chosen, counter, counts, y, is_negative):
        """Return the weighted terms that the classifier was trained on."""
        self.pipeline_ = self._pipeline(chosen.candidate)
        self.pipeline_.steps[0] = ("counts", counter)
        X = self.pipeline_["weights"].fit_transform(counts)
        if chosen.trained is None:
            self.pipeline_["classifier"].fit(X, y, is_negative=is_negative)
        else:
            classifier, held = chosen.trained
            self.pipeline_.steps[-1] = ("classifier", classifier)
            for warning in held:
                warn_caller(*warning)
        return X

    def _judge(self, chosen, X, alike, is_positive, is_negative):
        """Calibrate what was chosen, by the positives that the race hid from it."""
        masks, left_out = (is_positive, is_negative), None
        if chosen.outcome is not None and self.class_prior is None:
            left_out = alike.left_out_ranks(*masks, random_state=self.seed_)
        self._calibrate(
            self._classifier.training_scores(X),
            *masks,
            ~has_entries(X),
            outcome=chosen.outcome,
            reason=chosen.reason or "too_few_positives",
            left_out=left_out,
            neighbors=alike.neighbors(*masks, random_state=self.seed_),
            random_state=self.seed_,
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
