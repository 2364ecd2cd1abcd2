"""What hidden positives tell of a model: class prior, probabilities, cuts and what these give."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from app.services.documents.labels import Labels
from app.services.review.review_words import disagreement
from app.services.training.fitting import Documents
from app.services.training.training_spec import TrainingSpec
from core.auto.likeness import Likeness, find_likeness
from core.base import BasePUClassifier
from core.calibration.calibrate import calibrate
from core.calibration.calibrated import Calibrated
from core.calibration.cuts import Cut
from core.calibration.expected_figures import expected_figures
from core.calibration.prior_of_scores import FOUND_BY_READING, Review
from core.errors import NoUnlabeled, TooFewPositives
from core.evaluation.hide_judgements import HiddenJudgements, hide_judgements
from core.evaluation.hide_positives import HiddenPositives, hide_positives
from core.kernels.rows.row_blocks import has_entries
from core.kernels.scores.left_out_ranks import PairedRanks
from core.progress import part
from core.review.remaining import remaining_positives

#: Columns of the ranking: probabilities, and those for the ends of what follows from them. With a
#: class prior given there are the first three.
COLUMNS = (
    "probabilities",
    "probabilities_low",
    "probabilities_high",
    "probabilities_blunt",
    "probabilities_sharp",
)
#: Shares of the time that are over when there are scores, then likeness, then the ranks of left out
#: positives. Measured on 4,712 long documents: 0 (most scores are there from the training), .74
#: (less where a race has made the likeness) and .80.
SCORED, LIKENESS, LEFT_OUT = 0.01, 0.74, 0.8
ASSUMPTION = (
    "This assumes that chance decided which positives were labeled: those that nobody labeled rank "
    "like those that were hidden from the algorithm. Where much resembles the positives and few of "
    "it are, precision and number of positives are far too high: judge the first twenty and train "
    "again."
)
JUDGED_ASSUMPTION = (
    "This assumes that documents nobody judged are positive as often as judged ones of the same "
    "score, where the algorithm did not know the judgement; all in all, as often as the class "
    "prior says."
)


@dataclass(frozen=True)
class Hidden:
    """What came of hiding positives or, in a review, judgements.

    ``reason`` says why nothing was hidden.
    """

    outcome: HiddenPositives | None
    reason: str | None = None
    judged: HiddenJudgements | None = None


def hide(spec: TrainingSpec, classifier: BasePUClassifier, X: csr_array, labels: Labels) -> Hidden:
    """Train the algorithm with labels hidden, where it is asked for and can be done."""
    if not spec.calibrate:
        return Hidden(None, "not_asked")
    if not labels.is_unlabeled.any():
        return Hidden(None, "no_unlabeled")
    is_positive, is_negative = labels.is_positive, labels.is_negative
    seed = spec.random_state
    try:
        if labels.is_mostly_found:
            # What is left is what models did not take for positive: where hidden positives rank
            # among that says nothing of documents that were judged, or are new (ADR 14, 19).
            judged = hide_judgements(
                classifier, X, is_positive, is_negative, labels.is_judged, random_state=seed
            )
            return Hidden(None, FOUND_BY_READING, judged)
        outcome = hide_positives(
            classifier,
            X,
            is_positive,
            is_negative,
            is_hideable=labels.is_seed,
            random_state=seed,
        )
    except (TooFewPositives, NoUnlabeled) as error:
        return Hidden(None, error.code)
    return Hidden(outcome)


@dataclass(frozen=True)
class ChosenCut:
    """What was found of a model's scores; ``rule`` set its cut, ``asked_rule`` was to."""

    found: Calibrated
    rule: str
    asked_rule: str
    is_empty: NDArray[np.bool_]


def likeness(spec: TrainingSpec, documents: Documents) -> Likeness:
    """Return how alike the documents are; made once for the race and what follows."""
    labels = documents.labels
    found: Likeness = find_likeness(
        documents.counts,
        labels.is_positive,
        labels.is_negative,
        labels.is_judged,
        vectorizer=spec.vectorizer,
        seconds=spec.graph_budget,
        random_state=spec.random_state,
    )
    return found


def calibrated(
    spec: TrainingSpec,
    classifier: BasePUClassifier,
    X: csr_array,
    documents: Documents,
    scores: NDArray[np.float64],
    hidden: Hidden,
) -> tuple[ChosenCut, NDArray[np.float64]]:
    """Find class prior, probabilities and cuts, and move the cut of the classifier as asked.

    The classifier keeps the maps to probabilities for new documents. Of the scores, which are
    returned, those of empty documents follow from the cut.
    """
    labels, is_empty = documents.labels, ~has_entries(X)
    reading, neighbors, left_out, is_from_top = labels.reading, None, None, False
    if spec.calibrate and labels.is_unlabeled.any():
        with part("calibrate", SCORED, LIKENESS):
            alike = likeness(spec, documents)
        if labels.may_tell_depth and spec.class_prior is None:
            is_from_top = alike.are_from_top(
                labels.is_seed, labels.judged_rows, random_state=spec.random_state
            )
        is_pile_read = bool(labels.n_found) or is_from_top
        tell_anew = is_pile_read and labels.expected is None
        # With a class prior given, only what was found by reading asks for them.
        of_draw = hidden.outcome is not None and (spec.class_prior is None or labels.n_found)
        if of_draw or (reading is not None and tell_anew):
            with part("calibrate", LIKENESS, LEFT_OUT):
                left_out = _left_out_ranks(spec, alike, labels, is_pile_read=is_pile_read)
        neighbors = alike.neighbors(
            labels.is_positive, labels.is_negative, random_state=spec.random_state
        )
    with part("calibrate", LEFT_OUT, 1):
        found = calibrate(
            classifier,
            scores,
            labels.is_positive,
            labels.is_negative,
            outcome=hidden.outcome,
            reason=hidden.reason,
            is_empty=is_empty,
            left_out=left_out,
            review=Review(labels.n_found, reading, hidden.judged, labels.expected, is_from_top),
            class_prior=spec.class_prior,
            neighbors=neighbors,
            random_state=spec.random_state,
        )
    if not spec.calibrate and found.reason == FOUND_BY_READING:
        found = found._replace(reason="not_asked")
    rule, cut, scores = found.apply(
        spec.cut, classifier, scores, labels.is_positive, labels.is_negative, is_empty
    )
    # A budget is a cut of this model alone.
    found = found._replace(cuts=found.cuts | {rule: cut})
    return ChosenCut(found, rule, spec.cut, is_empty), scores


def _left_out_ranks(
    spec: TrainingSpec, alike: Likeness, labels: Labels, *, is_pile_read: bool
) -> PairedRanks | None:
    """Return where seeds rank when they are left out; None where all of them are the same."""
    is_positive, is_negative = labels.is_positive, labels.is_negative
    if is_pile_read:
        # What was judged belongs to the pile that positives were found in.
        is_positive, is_negative = labels.is_seed, np.zeros_like(labels.is_seed)
    try:
        ranks: PairedRanks = alike.left_out_ranks(
            is_positive, is_negative, random_state=spec.random_state
        )
    except TooFewPositives:
        return None
    return ranks


def probabilities(
    classifier: BasePUClassifier, scores: NDArray[np.float64]
) -> dict[str, NDArray[np.float32]]:
    """Return the probability of each document, and those for ends; {} if there is none."""
    if classifier.calibration_ is None:
        return {}
    curves = classifier.calibration_, *classifier.calibration_ends_
    return {
        name: curve.predict(scores).astype(np.float32)
        for name, curve in zip(COLUMNS, curves, strict=False)
    }


def contradiction(chosen: ChosenCut, labels: Labels) -> list[str]:
    """Return a warning where order and seeds of a review tell of different numbers."""
    reading, expected = labels.reading, chosen.found.expected
    if reading is None or expected is None:
        return []
    n_unsure = int((labels.is_unlabeled & labels.is_judged).sum())
    by_order = remaining_positives(*reading, n_unsure=n_unsure)
    by_seeds = expected.after(*reading).left(labels.n_found, reading.n_left + n_unsure)
    told = disagreement(by_order, by_seeds)
    return [f"{told} Class prior, probabilities and cuts rest on both."] if told else []


def card_fields(
    chosen: ChosenCut, labels: Labels, columns: dict[str, NDArray[Any]]
) -> dict[str, Any]:
    """Return what the card of a model says of its cut and how far it can be trusted."""
    found, prior = chosen.found, chosen.found.class_prior
    is_unlabeled = labels.is_unlabeled
    # Empty documents are put below the cut that was chosen, and may be above another.
    scores = np.where(chosen.is_empty, -np.inf, columns["scores"])[is_unlabeled]
    each = [columns[name][is_unlabeled] for name in COLUMNS if name in columns]
    names = ("value", "low", "high", "reason", "flags", "details")
    reason = None if found.curves else found.reason or prior.reason
    expected = found.expected if labels.are_seeds_drawn else None
    return {
        "cut": {"rule": chosen.rule, "asked": chosen.asked_rule},
        "cuts": {rule: cut_figures(cut, scores, each) for rule, cut in found.cuts.items()},
        "class_prior_estimate": {name: getattr(prior, name) for name in names},
        "expected_positives": expected
        and {**expected._asdict(), "n_pile": labels.n_pile, "n_seeds": labels.n_seeds},
        "calibration": {
            "reason": reason,
            "assumption": ASSUMPTION if labels.reading is None else JUDGED_ASSUMPTION,
        },
    }


def cut_figures(
    cut: Cut, scores: NDArray[np.float64], probabilities: list[NDArray[np.float32]]
) -> dict[str, Any]:
    """Return what a cut gives over unlabeled documents; no figures without probabilities."""
    told: dict[str, Any] = {"offset": cut.offset, "reason": cut.reason, "n_accepted": None}
    names = ("n_found", "n_hidden", "precision", "recall", "f1")
    told |= dict.fromkeys(names)
    if cut.offset is None:
        return told
    is_accepted = scores >= cut.offset
    told["n_accepted"] = int(is_accepted.sum())
    if not told["n_accepted"]:
        told["reason"] = "nothing_predicted" if len(scores) else "no_unlabeled"
    if probabilities:
        figures = expected_figures(probabilities, is_accepted)
        told |= {name: _ends(getattr(figures, name)) for name in names}
    return told


def _ends(figure: tuple[float, float, float] | None) -> dict[str, float] | None:
    return None if figure is None else dict(zip(("value", "low", "high"), figure, strict=True))
