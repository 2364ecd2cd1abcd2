"""What hidden positives tell of a trained classifier: class prior, probabilities, cuts."""

from typing import NamedTuple

import numpy as np

from core.calibration.curves import calibration_curves
from core.calibration.cuts import (
    RULES,
    Cut,
    budget_cut,
    budget_of,
    class_prior_cut,
    conductance_cut,
    cut_in_review,
    f1_cut,
    lee_liu_cut,
    mixture_cut,
)
from core.calibration.hidden_ranks import hidden_ranks
from core.calibration.known_prior import (
    FOUND_BY_READING,
    NO_REVIEW,
    expected_positives,
    given_prior_or_reason,
    is_contradicted,
    prior_in_review,
)
from core.calibration.score_calibration import ScoreCalibration
from core.class_prior.hidden_positives import hidden_positives_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.evaluation.hide_judgements import Judged
from core.kernels.conductance import candidate_conductance
from core.kernels.masks import as_mask, optional_mask
from core.review.remaining import Expected


class Calibrated(NamedTuple):
    """What can be said of the scores of a classifier without negatives.

    Attributes
    ----------
    class_prior : PriorEstimate
        Share of positives among the unlabeled samples; given ones are their own interval,
        and flagged ``above_admissible`` where the hidden positives allow no such share, and
        ``at_bound`` where they had to be moved to leave a positive and a negative.
    curves : list of three ScoreCalibration, or None
        Probabilities over what the class prior may be, and at its lower and upper end; where it is
        given, at it, and at the ends of how sharply the scores tell positives from negatives. By
        hidden positives, or in a review by what was judged; None where these tell nothing.
    cuts : dict of Cut
        By the rules ``core.calibration.cuts.RULES``.
    candidates : ndarray of shape (n_candidates,)
        Scores of the unlabeled samples that are not empty.
    reason : str or None
        Why hidden positives tell nothing: as was given, ``no_features`` where no unlabeled sample
        has one, ``nothing_shared`` where none has one of a positive one, ``equal_scores``, or
        ``class_prior_too_large`` where they contradict the one that is given.
    positive_ranks : ndarray of shape (n_hidden,), default=None
        Shares of the unlabeled samples that rank below each hidden positive, whatever they tell.
    expected : Expected or None, default=None
        How many positives there were before any was found by reading, those given as such aside;
        None where the class prior is given or unknown.
    """

    class_prior: PriorEstimate
    curves: list[ScoreCalibration] | None
    cuts: dict[str, Cut]
    candidates: np.ndarray
    reason: str | None = None
    positive_ranks: np.ndarray | None = None
    expected: Expected | None = None

    def cut_by(self, rule):
        """Return the cut by a rule, the next best where there is none by it.

        Parameters
        ----------
        rule : str
            One of ``core.calibration.cuts.RULES``, or "budget:N" for N samples.

        Returns
        -------
        rule : str
            The rule of the cut. "f1" falls back to "prior", and every rule to "own".
        Cut

        Examples
        --------
        >>> import numpy as np
        >>> from core.calibration.calibrate import Calibrated
        >>> from core.class_prior.prior_estimate import PriorEstimate
        >>> from core.calibration.cuts import Cut
        >>> cuts = {"own": Cut(0.5), "f1": Cut(None, "accepts_all"), "prior": Cut(0.2)}
        >>> scores = np.array([0.1, 0.3, 0.7])
        >>> found = Calibrated(PriorEstimate(0.4, 0.1, 0.7), None, cuts, scores)
        >>> found.cut_by("f1")
        ('prior', Cut(offset=0.2, reason=None))
        >>> found.cut_by("budget:1")
        ('budget:1', Cut(offset=0.5, reason=None))
        """
        if not len(self.candidates):
            return "own", self.cuts["own"]
        if (budget := budget_of(rule)) is not None:
            return rule, budget_cut(self.candidates, budget)
        # Equal scores may make the cut by the class prior accept all: that parts nothing either.
        least = self.candidates.min() if rule == "f1" and len(self.candidates) > 1 else -np.inf
        for name in ("f1", "prior") if rule == "f1" else (rule,):
            offset = self.cuts[name].offset
            if offset is not None and offset > least:
                return name, self.cuts[name]
        return "own", self.cuts["own"]

    def apply(self, rule, classifier, scores, is_positive, is_negative=None, is_empty=None):
        """Give the classifier the maps to probabilities, and the cut by a rule.

        Parameters
        ----------
        rule : str
            As of :meth:`cut_by`.
        classifier, scores, is_positive, is_negative, is_empty
            Those that this was made of by :func:`calibrate`.

        Returns
        -------
        rule : str
            The rule of the cut.
        cut : Cut
        scores : ndarray of shape (n_samples,)
            The same but for empty samples, which stay below the cut.
        """
        if self.curves is not None:
            classifier.calibration_, *classifier.calibration_ends_ = self.curves
        rule, cut = self.cut_by(rule)
        if rule != "own" or (is_empty is not None and is_empty.any()):
            scores = classifier.recut(cut.offset, scores, is_positive, is_negative, is_empty)
        return rule, cut, scores


def calibrate(
    classifier,
    scores,
    is_positive,
    is_negative=None,
    *,
    outcome=None,
    reason="too_few_positives",
    is_empty=None,
    left_out=None,
    review=NO_REVIEW,
    class_prior=None,
    graph=None,
    random_state=None,
):
    """Say what can be said of a classifier's scores from positives that were hidden from it.

    Parameters
    ----------
    classifier : BasePUClassifier
        Fitted.
    scores : ndarray of shape (n_samples,)
        Its scores of all samples.
    is_positive, is_negative : ndarray of bool of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive; None means none.
    outcome : HiddenPositives, default=None
        Of :func:`~core.evaluation.hide_positives.hide_positives`; it tells nothing where all
        scores are equal, or positives are like nothing but each other.
    reason : str, default="too_few_positives"
        Why there is no ``outcome``, where there is none.
    is_empty : ndarray of bool of shape (n_samples,), default=None
        Which samples have no feature, None means none: they are never accepted, so ranked last.
    left_out : PairedRanks, default=None
        Of :func:`~core.kernels.left_out_ranks.left_out_ranks`; needed with ``outcome``, unless the
        class prior is given. Where positives were found by reading, of the others alone, with all
        that was judged among the unlabeled.
    review : Review, default=NO_REVIEW
        What is known of the reading of a ranking, if positives were found so.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, where it is known.
    graph : sparse array of shape (n_samples, n_samples), default=None
        Of nearest neighbors, for the class prior and the cut by conductance.
    random_state : int, RandomState instance or None, default=None
        For the cut by a mixture.

    Returns
    -------
    Calibrated

    Examples
    --------
    >>> from core.calibration.calibrate import calibrate
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation.hide_positives import hide_positives
    >>> from core.kernels.left_out_ranks import left_out_ranks
    >>> from core.registry import ALGORITHMS
    >>> X, y, y_true = make_pu_data(600, 60, class_prior=0.4, random_state=0)
    >>> classifier = ALGORITHMS["prototype"]().fit(X, y)
    >>> found = calibrate(
    ...     classifier,
    ...     classifier.score_samples(X),
    ...     y == 1,
    ...     outcome=hide_positives(classifier, X, y == 1, random_state=0),
    ...     left_out=left_out_ranks(X, y == 1, random_state=0),
    ...     random_state=0,
    ... )
    >>> bool(found.class_prior.low <= y_true[y == 0].mean() <= found.class_prior.high)
    True
    """
    is_positive = as_mask(is_positive, "is_positive", len(scores))
    is_negative = optional_mask(is_negative, "is_negative", len(scores))
    is_unlabeled = ~(is_positive | is_negative)
    has_terms = ~optional_mask(is_empty, "is_empty", len(scores))
    ranks = None if outcome is None or review.reading is not None else hidden_ranks(outcome)
    candidates = scores[is_unlabeled & has_terms]
    if not len(candidates):
        reason = "no_features" if is_unlabeled.any() else "no_unlabeled"
        found = _nothing(classifier, candidates, reason)
        return found._replace(positive_ranks=ranks and ranks.positive)
    scores = np.where(has_terms, scores, np.nextafter(scores[has_terms].min(), -np.inf))
    unlabeled = scores[is_unlabeled]
    n_found, reading, judged = review
    if outcome is not None or reading is not None:
        is_told = reading is None or judged is not None
        reason = _why_nothing(classifier, candidates) or (None if is_told else FOUND_BY_READING)
    hidden = None if reason else ranks
    # What is left of a pile that was read is less like the positives: they bound the whole of it.
    bounding = left_out if n_found else hidden
    n_pile = len(scores) - int(is_positive.sum()) + n_found
    sizes = {"n_pile": n_pile, "n_found": n_found, "n_left": len(unlabeled)}
    of_review, expected = PriorEstimate(None), None
    if reading is not None or (n_found and class_prior is None):
        of_review, expected = prior_in_review(left_out, reading, **sizes, random_state=random_state)
    most = of_review.high if reading is not None else None
    prior = given_prior_or_reason(class_prior, reason, bounding, **sizes, most=most)
    if prior is None and (n_found or reading is not None):
        prior = of_review
    elif prior is None:
        accepted = outcome.accepted if classifier.cuts_at_estimate else None
        ranked = _conductance(graph, scores, is_positive, is_unlabeled)
        prior = hidden_positives_prior(left_out, hidden, accepted=accepted, conductance=ranked)
        expected = expected_positives(prior, len(unlabeled))
    seen = None if judged is None or reason else judged.beside(candidates)
    is_given, curves = class_prior is not None, None
    if reason is None and is_contradicted(prior, is_given=is_given):
        reason = "class_prior_too_large"
    elif reason is None and prior.value is not None:
        curves = calibration_curves(prior, unlabeled, hidden, seen, is_given=is_given)
    cuts = {
        "own": Cut(float(classifier.offset_)),
        "prior": class_prior_cut(unlabeled, prior.value, prior.reason),
        "conductance": conductance_cut(
            scores, is_positive, is_unlabeled, graph, class_prior=prior.value
        ),
        "mixture": mixture_cut(candidates, random_state=random_state),
    }
    if reading is None:
        cuts |= _cuts_by_hidden(unlabeled, hidden, curves, prior, reason)
    else:
        known = seen or Judged(scores[~is_unlabeled], is_positive[~is_unlabeled])
        cuts |= dict.fromkeys(("f1", "lee_liu"), Cut(None, reason or FOUND_BY_READING))
        cuts["prior"] = cut_in_review(unlabeled, known, prior.value, prior.reason)
    cuts = {rule: cuts[rule] for rule in RULES}
    return Calibrated(prior, curves, cuts, candidates, reason, ranks and ranks.positive, expected)


def _cuts_by_hidden(scores, hidden, curves, prior, reason):
    return {
        "f1": f1_cut(scores, curves[0]) if curves else Cut(None, prior.reason or reason),
        "lee_liu": lee_liu_cut(scores, hidden.positive) if hidden else Cut(None, reason),
    }


def _nothing(classifier, candidates, reason):
    cuts = dict.fromkeys(RULES, Cut(None, reason)) | {"own": Cut(float(classifier.offset_))}
    return Calibrated(PriorEstimate(None, reason=reason), None, cuts, candidates, reason)


def _why_nothing(classifier, scores):
    """Return why hidden positives tell nothing of samples with these scores, None if they do."""
    if "nothing_shared" in classifier.report_["flags"]:
        return "nothing_shared"
    are_equal = len(scores) > 1 and bool((scores == scores[0]).all())
    return "equal_scores" if are_equal else None


def _conductance(graph, scores, is_positive, is_unlabeled):
    if graph is None or not graph.nnz:
        return None
    return candidate_conductance(graph, scores, is_positive, is_unlabeled)
