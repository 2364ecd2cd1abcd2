"""How far the review of a project is, by the order of its judgements and by its seeds."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import ModelNotFound
from app.orm import Label, Model
from app.repositories.arrivals import LAST, ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.data_state import labels_changed
from app.services.documents.labels import MIN_SEEDS, NO_PILE, expected_of_card
from app.services.documents.reading import reading_of
from app.services.figure_fields import figure_fields
from app.services.ranking import current_ranking
from app.services.review.review_words import (
    NONE_POSITIVE,
    disagreement,
    why,
    why_none_found,
    why_none_yet,
)
from core.review.expected import Expected, Remaining
from core.review.reading import Reading
from core.review.remaining import remaining_positives
from core.review.stopping import documents_until_stop, progress

ASSUMPTION = (
    "Documents were judged in about the order of a ranking, so later ones are less likely positive "
    "than earlier ones, and the judgements are right. Of what came in meanwhile, about as large a "
    "share is positive. Chance decided which positives were given at the start. If positives of "
    "another kind are left, of which none was found, more are left than these figures say."
)
_NO_SEEDS_TELL = (
    "No model tells what the positives given at the start say of the pile. Train one with "
    "calibrate true, on at least two different ones ({n:,} {are} there now)."
)
_NO_JUDGEMENT = (
    "Nothing was judged yet. Read what GET /projects/{project_id}/next gives and send the labels "
    "with PUT /projects/{project_id}/labels; uploaded positives are no judgements."
)
_NO_ORDER = (
    "All figures rest on the order in which documents were read. The project has no model, so "
    "nothing tells it. Train one with POST /train, and read on with "
    "GET /projects/{project_id}/next."
)
_NO_MODEL = "The project has no model yet."
_NO_PROBABILITIES = "The newest model gives no probabilities."
_MOSTLY_FOUND = (
    "Most positives were found by reading, which is no random draw, and no document was judged "
    "negative. So probabilities say little of what is left: go by remaining."
)
_UNRANKED = (
    "Documents came in since the newest ranking was made ({n:,}). Nobody was shown them, and the "
    "figures here leave them out. Have them ranked with POST /models/{model_id}/ranking, or train "
    "again with POST /train, and read on."
)
_OLD_MODEL = "Labels changed since the newest model was trained. Train again."


class _Counts(NamedTuple):
    """Documents of each kind; seeds are positives that were given at the start."""

    n_documents: int
    n_seeds: int
    n_judged: int
    n_found: int
    n_negative: int
    n_unsure: int
    n_left: int
    #: Given at the start, and labeled otherwise since.
    n_corrected: int


def read(session: Session, artifacts: Artifacts, project_id: str, target: float) -> dict[str, Any]:
    """Return what is known of the review.

    Raises
    ------
    ProjectNotFound, ArtifactUnavailable
    """
    while True:
        try:
            return _read(session, artifacts, project_id, target)
        except ModelNotFound:  # the newest was deleted meanwhile: now another one is
            continue


def _read(session: Session, artifacts: Artifacts, project_id: str, target: float) -> dict[str, Any]:
    ProjectRepository(session).get(project_id)
    repository = DocumentRepository(session)
    by_label = repository.counts(project_id)
    newest = ModelRepository(session).newest(project_id)
    judged = JudgementRepository(session).judged(project_id)
    counts = _counts(by_label, judged)
    last_shown = LAST if newest is None else _last_ranked(session, artifacts, newest)
    reading = _reading(session, project_id, judged, counts.n_documents, last_shown)
    n_unranked = counts.n_left - reading.n_left
    expected = _expected(session, project_id, counts.n_seeds, counts.n_judged + reading.n_left)
    by_seeds = expected and expected.after(*reading).left(
        counts.n_found, reading.n_left + counts.n_unsure
    )
    if not counts.n_judged or (newest is None and counts.n_left):
        figures = _no_figures(_no_recall(project_id, counts))
    elif counts.n_found:
        figures = _figures(reading, counts, expected, by_seeds, target)
    elif counts.n_left:
        figures = _none_found_yet(reading, counts, expected, by_seeds)
    else:
        figures = _none_found(counts.n_unsure)
    if n_unranked and figures["suggestion"] is not None:
        model_id = newest.id if newest else ""
        figures |= _read_on(_UNRANKED.format(n=n_unranked, model_id=model_id))
    return {
        **counts._asdict(),
        "n_unranked": n_unranked,
        **figures,
        "by_seeds": figure_fields(by_seeds, _no_seeds_tell(counts.n_seeds)),
        "probable": _probable(session, artifacts, newest, counts),
        "target": target,
        "assumption": ASSUMPTION,
    }


def _counts(by_label: dict[str, int], judged: list[tuple[int, Label]]) -> _Counts:
    of_each = Counter(label for _, label in judged)
    n_seeds = by_label["positive"] - of_each[Label.POSITIVE]
    return _Counts(
        n_documents=by_label["total"],
        n_seeds=n_seeds,
        n_judged=len(judged),
        n_found=of_each[Label.POSITIVE],
        n_negative=of_each[Label.NEGATIVE],
        n_unsure=of_each[Label.UNSURE],
        n_left=by_label["unlabeled"],
        n_corrected=by_label["total"] - n_seeds - len(judged) - by_label["unlabeled"],
    )


def _figures(
    reading: Reading,
    counts: _Counts,
    expected: Expected | None,
    by_seeds: Remaining | None,
    target: float,
) -> dict[str, Any]:
    n_found, n_unsure = counts.n_found, counts.n_unsure
    options = {"expected": expected, "n_unsure": n_unsure, "target": target}
    found = progress(*reading, **options)
    by_order = remaining_positives(*reading, n_unsure=n_unsure)
    figures = {
        "recall": figure_fields(found.recall),
        "remaining": figure_fields(found.remaining),
        "by_order": figure_fields(by_order),
        "p_value": found.p_value,
        "suggestion": "stop" if found.is_enough else "continue",
        "n_until_stop": documents_until_stop(*reading, **options),
        "why": why(found, n_found, reading.n_left, n_unsure, target),
    }
    told = disagreement(by_order, by_seeds)
    return figures | _read_on(told) if told else figures


def _read_on(reason: str) -> dict[str, Any]:
    """Return the figures that change where a reason speaks against relying on the others."""
    return {"suggestion": "continue", "n_until_stop": None, "why": reason}


def _none_found_yet(
    reading: Reading, counts: _Counts, expected: Expected | None, by_seeds: Remaining | None
) -> dict[str, Any]:
    """Return what is known where something is left to read and nothing was found."""
    n_unsure = counts.n_unsure
    by_order = remaining_positives(*reading, n_unsure=n_unsure)
    remaining = remaining_positives(*reading, expected=expected, n_unsure=n_unsure)
    reason = why_none_yet(remaining.high, counts.n_judged, n_unsure)
    figures = _no_figures(NONE_POSITIVE) | {
        "remaining": figure_fields(remaining),
        "by_order": figure_fields(by_order),
        "suggestion": "continue" if remaining.high else "stop",
        "why": reason,
    }
    told = disagreement(by_order, by_seeds)
    return figures | _read_on(told) if told else figures


def _none_found(n_unsure: int) -> dict[str, Any]:
    """Return what is known where all is judged and nothing was found."""
    remaining = figure_fields(Remaining(0, 0, n_unsure))
    suggestion = None if n_unsure else "stop"
    figures = _no_figures(why_none_found(n_unsure))
    recall = figures["recall"] if n_unsure else {**figures["recall"], "reason": NONE_POSITIVE}
    return figures | {"recall": recall, "remaining": remaining, "suggestion": suggestion}


def _no_figures(reason: str) -> dict[str, Any]:
    nothing = figure_fields(None, reason)
    return {
        "recall": nothing,
        "remaining": nothing,
        "by_order": nothing,
        "p_value": None,
        "suggestion": None,
        "n_until_stop": None,
        "why": reason,
    }


def _expected(session: Session, project_id: str, n_seeds: int, n_pile: int) -> Expected | None:
    """Return how many positives the seeds say that a pile of this size had before it was read.

    None where too few seeds are left: a model may have been told so by seeds taken back since.
    """
    told = ModelRepository(session).expected_positives(project_id)
    if told is None or n_seeds < MIN_SEEDS or not n_pile:
        return None
    return expected_of_card(told, n_pile)


def _no_seeds_tell(n_seeds: int) -> str:
    return _NO_SEEDS_TELL.format(n=n_seeds, are="is" if n_seeds == 1 else "are")


def _no_recall(project_id: str, counts: _Counts) -> str:
    """Return why nothing is known while something is left to read."""
    if counts.n_judged:
        return _NO_ORDER.format(project_id=project_id)
    return (_NO_JUDGEMENT if counts.n_left else NO_PILE).format(project_id=project_id)


def _last_ranked(session: Session, artifacts: Artifacts, model: Model) -> int:
    """Return the greatest number of a document that the ranking of a model may have."""
    project = ProjectRepository(session).get(model.project_id)
    if project.revision == model.card["ranking"]["revision"]:
        return LAST
    _, ranking = current_ranking.load(session, artifacts, model)
    return ranking.last_number


def _reading(
    session: Session,
    project_id: str,
    judged: list[tuple[int, Label]],
    n_documents: int,
    last_shown: int,
) -> Reading:
    """Return what was judged, and what is left of the documents up to a number."""
    repository = DocumentRepository(session)
    begun = ArrivalRepository(session).sizes_in_review(project_id, last_shown)
    if last_shown < LAST:
        n_documents -= repository.n_behind(project_id, last_shown)
    starts, sizes = np.array(begun, dtype=np.int64).reshape(-1, 2).T
    labeled = np.concatenate(list(repository.labeled_numbers(project_id).values()))
    sizes = np.insert(sizes, 0, n_documents - sizes.sum())
    return reading_of(judged, labeled[labeled <= last_shown], starts, sizes)


def _probable(
    session: Session, artifacts: Artifacts, newest: Model | None, counts: _Counts
) -> dict[str, Any]:
    """Return the sum of the newest model's probabilities over what nobody judged."""
    if newest is None:
        return {"value": None, "reason": _NO_MODEL}
    # Of judgements of both kinds a model makes its probabilities, else of positives alone.
    if counts.n_found > counts.n_seeds and not counts.n_negative:
        return {"value": None, "reason": _MOSTLY_FOUND}
    model, ranking = current_ranking.load(session, artifacts, newest)
    if ranking.probabilities is None:
        return {"value": None, "reason": _NO_PROBABILITIES}
    repository = DocumentRepository(session)
    labeled = repository.labeled_numbers(model.project_id)
    if labels_changed(model, labeled):
        return {"value": None, "reason": _OLD_MODEL}
    is_judged = ranking.mask(np.concatenate(list(labeled.values())))
    total = ranking.probabilities[~is_judged].sum(dtype=np.float64)
    return {"value": float(total), "reason": None}
