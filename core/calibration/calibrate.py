"""What hidden positives tell of a trained classifier: class prior, probabilities, cuts."""

import numpy as np

from core.calibration.calibrated import Calibrated
from core.calibration.curves import calibration_curves
from core.calibration.cuts import (
    RULES,
    Cut,
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
    is_contradicted,
    prior_in_review,
    prior_of_draw,
)
from core.class_prior.hidden_positives import hidden_positives_prior
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
        Of :func:`~core.kernels.scores.left_out_ranks.left_out_ranks`; needed with ``outcome``,
        unless the class prior is given. Where positives were found by reading, of the others alone,
        with all that was judged among the unlabeled.
    review : Review, default=NO_REVIEW
        What is known of the reading of a ranking, if positives were found so.
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
    is_positive = as_mask(is_positive, "is_positive", len(scores))
    is_negative = optional_mask(is_negative, "is_negative", len(scores))
    is_unlabeled = ~(is_positive | is_negative)
    has_terms = ~optional_mask(is_empty, "is_empty", len(scores))
    reading = review.reading
    ranks = None if outcome is None or reading is not None else hidden_ranks(outcome)
    candidates = scores[is_unlabeled & has_terms]
    if not len(candidates):
        reason = "no_features" if is_unlabeled.any() else "no_unlabeled"
        found = _nothing(classifier, candidates, reason)
        return found._replace(positive_ranks=ranks and ranks.positive)
    scores = np.where(has_terms, scores, np.nextafter(scores[has_terms].min(), -np.inf))
    unlabeled = scores[is_unlabeled]
    if outcome is not None or reading is not None:
        reason = _why_nothing(classifier, candidates) or review.reason
    hidden = None if reason else ranks
    known = {"class_prior": class_prior, "reason": reason}
    if review.n_found or reading is not None:
        pile = Pile(int((~is_positive).sum()) + review.n_found, review.n_found, len(unlabeled))
        prior, expected = prior_in_review(
            review, left_out, pile, **known, random_state=random_state
        )
    else:

        def estimate():
            accepted = outcome.accepted if classifier.cuts_at_estimate else None
            ranked = _conductance(neighbors, scores, is_positive, is_unlabeled)
            return hidden_positives_prior(left_out, hidden, accepted=accepted, conductance=ranked)

        prior, expected = prior_of_draw(hidden, len(unlabeled), estimate, **known)
    seen = None if reason or review.judged is None else review.judged.beside(candidates)
    is_given, curves = class_prior is not None, None
    if reason is None and is_contradicted(prior, is_given=is_given):
        reason = "class_prior_too_large"
    elif reason is None and prior.value is not None:
        curves = calibration_curves(prior, unlabeled, hidden, seen, is_given=is_given)
    cuts = {
        "own": Cut(float(classifier.offset_)),
        "prior": class_prior_cut(unlabeled, prior.value, prior.reason),
        "conductance": conductance_cut(
            scores, is_positive, is_unlabeled, neighbors, class_prior=prior.value
        ),
        "mixture": mixture_cut(candidates, random_state=random_state),
    }
    if reading is None:
        cuts |= _cuts_by_hidden(unlabeled, hidden, curves, prior, reason)
    else:
        judged = seen or Judged(scores[~is_unlabeled], is_positive[~is_unlabeled])
        cuts |= dict.fromkeys(("f1", "lee_liu"), Cut(None, reason or FOUND_BY_READING))
        cuts["prior"] = cut_in_review(unlabeled, judged, prior.value, prior.reason)
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


def _conductance(neighbors, scores, is_positive, is_unlabeled):
    if neighbors is None or not neighbors.graph.nnz:
        return None
    return neighbors.conductance(scores, is_positive, is_unlabeled)
