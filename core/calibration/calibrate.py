"""What hidden positives tell of a trained classifier: class prior, probabilities, cuts."""

from typing import NamedTuple

import numpy as np

from core.calibration.calibrated import Calibrated
from core.calibration.curves import calibration_curves
from core.calibration.cuts import (
    RULES,
    Cut,
    class_prior_cut,
    conductance_cut,
    cut_in_review,
    lee_liu_cut,
    mixture_cut,
)
from core.calibration.f1_cut import f1_cut
from core.calibration.hidden_ranks import hidden_ranks
from core.calibration.prior_of_scores import (
    FOUND_BY_READING,
    NO_REVIEW,
    is_contradicted,
    prior_in_review,
    prior_of_draw,
)
from core.class_prior.judged_pile import Pile
from core.class_prior.prior_estimate import PriorEstimate
from core.evaluation.hide_judgements import Judged
from core.kernels.rows.masks import as_mask, optional_mask


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
    neighbors=None,
    random_state=None,
):
    """Return what positives that were hidden from a classifier tell of its scores.

    Parameters
    ----------
    classifier : BasePUClassifier
        Fitted.
    scores : ndarray of shape (n_samples,)
        Its scores of all samples.
    is_positive, is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive; None means none.
    outcome : HiddenPositives, default=None
        Of :func:`~core.evaluation.hide_positives.hide_positives`; it tells nothing where all
        scores are equal, or positives are like nothing but each other.
    reason : str, default="too_few_positives"
        Why there is no ``outcome``, where there is none.
    is_empty : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
        Which samples have no feature, None means none: they are never accepted, so ranked last.
    left_out : PairedRanks, default=None
        Of :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`; needed with ``outcome``,
        unless the class prior is given. Where positives were found by reading, of the others alone,
        with all that was judged among the unlabeled; not needed where ``review`` has what they
        told.
    review : Review, default=NO_REVIEW
        What is known of the reading of a ranking.
    class_prior : float in [0, 1], default=None
        Share of positives among the unlabeled samples, where it is known.
    neighbors : Neighbors, default=None
        For the class prior and the cut by conductance.
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
    >>> from core.kernels.scores.left_out_ranks import left_out_ranks
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
    is_negative = optional_mask(is_negative, "is_negative", len(scores))
    scored = _scored(
        scores,
        as_mask(is_positive, "is_positive", len(scores)),
        is_negative,
        has_terms=~optional_mask(is_empty, "is_empty", len(scores)),
    )
    is_read = review.reading is not None
    ranks = None if outcome is None or is_read else hidden_ranks(outcome)
    if not len(scored.candidates):
        reason = "no_features" if scored.is_unlabeled.any() else "no_unlabeled"
        return _without_candidates(classifier, scored, reason, ranks)
    if outcome is not None or is_read:
        reason = _why_nothing(classifier, scored.candidates) or review.reason
    hidden = None if reason else ranks

    known = {
        "class_prior": class_prior,
        "reason": reason,
        "conductance": scored.conductance(neighbors),
    }
    if review.n_found or is_read or review.is_from_top:
        pile = scored.pile(review.n_found)
        prior, expected = prior_in_review(
            review, left_out, pile, **known, random_state=random_state
        )
    else:
        accepted = outcome.accepted if outcome and classifier.cuts_at_estimate else None
        n_left = len(scored.unlabeled)
        prior, expected = prior_of_draw(hidden, left_out, n_left, **known, accepted=accepted)

    seen = None if reason or review.judged is None else review.judged.beside(scored.candidates)
    is_given, curves = class_prior is not None, None
    if reason is None and is_contradicted(prior, is_given=is_given):
        reason = "class_prior_too_large"
    elif reason is None and prior.value is not None:
        curves = calibration_curves(prior, scored.unlabeled, hidden, seen, is_given=is_given)

    cuts = _cuts(classifier, scored, prior, neighbors, random_state)
    if is_read:
        cuts |= _cuts_in_review(scored, seen, prior, reason)
    else:
        f1 = Cut(None, prior.reason or reason)
        if curves:
            f1 = f1_cut(scored.unlabeled, curves[0], known["conductance"])
        cuts |= {"f1": f1, "lee_liu": _lee_liu_cut(scored.unlabeled, hidden, reason)}
    cuts = {rule: cuts[rule] for rule in RULES}
    of_hidden = ranks and ranks.positive
    return Calibrated(prior, curves, cuts, scored.candidates, reason, of_hidden, expected)


class _Scored(NamedTuple):
    """Scores of all samples, those without features last.

    Attributes
    ----------
    scores : ndarray of shape (n_samples,)
    is_positive, is_unlabeled : ndarray of bool of shape (n_samples,)
    candidates : ndarray
        Scores of the unlabeled samples that have features.
    """

    scores: np.ndarray
    is_positive: np.ndarray
    is_unlabeled: np.ndarray
    candidates: np.ndarray

    @property
    def unlabeled(self):
        return self.scores[self.is_unlabeled]

    def pile(self, n_found):
        """Return the pile that positives were found in by reading."""
        return Pile(int((~self.is_positive).sum()) + n_found, n_found, len(self.unlabeled))

    def conductance(self, neighbors):
        """Return that of the ranking in a graph of neighbors, None without edges."""
        if neighbors is None or not neighbors.graph.nnz:
            return None
        return neighbors.conductance(*self[:3])


def _scored(scores, is_positive, is_negative, has_terms):
    is_unlabeled = ~(is_positive | is_negative)
    candidates = scores[is_unlabeled & has_terms]
    if not has_terms.all():
        below = np.nextafter(scores[has_terms].min(initial=np.inf), -np.inf)
        scores = np.where(has_terms, scores, below)
    return _Scored(scores, is_positive, is_unlabeled, candidates)


def _without_candidates(classifier, scored, reason, ranks):
    cuts = dict.fromkeys(RULES, Cut(None, reason)) | {"own": Cut(float(classifier.offset_))}
    prior, of_hidden = PriorEstimate(None, reason=reason), ranks and ranks.positive
    return Calibrated(prior, None, cuts, scored.candidates, reason, of_hidden)


def _why_nothing(classifier, scores):
    """Return why hidden positives tell nothing of samples with these scores, None if they do."""
    if "nothing_shared" in classifier.report_["flags"]:
        return "nothing_shared"
    are_equal = len(scores) > 1 and bool((scores == scores[0]).all())
    return "equal_scores" if are_equal else None


def _cuts(classifier, scored, prior, neighbors, random_state):
    """Return the cuts by the rules that need nothing but scores and the class prior."""
    return {
        "own": Cut(float(classifier.offset_)),
        "prior": class_prior_cut(scored.unlabeled, prior.value, prior.reason),
        "conductance": conductance_cut(*scored[:3], neighbors, class_prior=prior.value),
        "mixture": mixture_cut(scored.candidates, random_state=random_state),
    }


def _lee_liu_cut(unlabeled, hidden, reason):
    return lee_liu_cut(unlabeled, hidden.positive) if hidden else Cut(None, reason)


def _cuts_in_review(scored, seen, prior, reason):
    """Return the cuts where most positives were found by reading: what was judged tells them."""
    is_judged = ~scored.is_unlabeled
    judged = seen or Judged(scored.scores[is_judged], scored.is_positive[is_judged])
    none = Cut(None, reason or FOUND_BY_READING)
    prior_cut = cut_in_review(scored.unlabeled, judged, prior.value, prior.reason)
    return {"f1": none, "lee_liu": none, "prior": prior_cut}
