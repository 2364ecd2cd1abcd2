"""How far the review of a project is, by the order of its judgements and by its seeds."""

from collections import Counter
from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.repositories.arrivals import LAST, ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services import current_ranking
from app.services.data_state import labels_changed
from app.services.figure_fields import figure_fields
from app.services.labels import MIN_SEEDS, NO_PILE
from app.services.reading import reading_of
from app.services.review_words import NONE_POSITIVE, disagreement, why, why_none_found
from app.tables import Label, Model
from core.review.reading import Reading
from core.review.remaining import Expected, Remaining, remaining_positives
from core.review.stopping import Progress, documents_until_stop, progress

ASSUMPTION = (
    "Documents were judged in about the order of a ranking, so later ones are less likely positive "
    "than earlier ones, and the judgements are right. Of what came in meanwhile, about as large a "
    "share is positive. Chance decided which positives were given at the start. If positives of "
    "another kind are left, of which none was found, more are left than these figures say."
)
_NO_SEEDS_TELL = (
    "No model tells what the positives given at the start say of the pile. Train one with "
    "calibrate true, on at least two of them ({n:,} {are} there now)."
)
_NO_JUDGEMENT = (
    "Nothing was judged yet. Read what GET /projects/{project_id}/next gives and send the labels "
    "with PUT /projects/{project_id}/labels; uploaded positives are no judgements."
)
_NOTHING_FOUND = (
    "No judged document is positive yet, so nothing tells how fast positives become rarer."
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


def read(session: Session, artifacts: Artifacts, project_id: str, target: float) -> dict[str, Any]:
    """Return what is known of the review.

    Raises
    ------
    ProjectNotFound, ArtifactUnavailable
    """
    ProjectRepository(session).get(project_id)
    repository = DocumentRepository(session)
    counts = repository.counts(project_id)
    newest = ModelRepository(session).newest(project_id)
    in_order = repository.judged(project_id)
    judged = Counter(label for _, label in in_order)
    n_found, n_left = judged[Label.POSITIVE], counts["unlabeled"]
    n_seeds, n_unsure = counts["positive"] - n_found, judged[Label.UNSURE]
    # Of judgements of both kinds a model makes its probabilities, else of positives alone.
    tells_little = n_found > n_seeds and not judged[Label.NEGATIVE]
    last_shown = LAST if newest is None else _last_ranked(session, artifacts, newest)
    reading = _reading(session, project_id, in_order, counts["total"], last_shown)
    n_shown = reading.n_left
    n_unranked = n_left - n_shown
    expected = _expected(session, project_id, n_seeds, len(in_order) + n_shown)
    by_seeds = expected and expected.left(n_found, n_shown + n_unsure)
    is_in_order = newest is not None or not n_left
    if n_found and is_in_order:
        options = {"expected": expected, "n_unsure": n_unsure, "target": target}
        found = progress(*reading, **options)
        until_stop = documents_until_stop(*reading, **options)
        figures = _figures(found, until_stop, why(found, n_found, n_shown, n_unsure, target))
        by_order = remaining_positives(*reading, n_unsure=n_unsure)
        figures |= {"by_order": figure_fields(by_order)}
        if told := disagreement(by_order, by_seeds):
            figures |= {"suggestion": "continue", "n_until_stop": None, "why": told}
    elif in_order and not n_left:
        figures = _none_found(n_unsure)
    else:
        figures = _no_figures(_no_recall(project_id, len(in_order), n_left, newest))
    if n_unranked and figures["suggestion"] is not None:
        told = _UNRANKED.format(n=n_unranked, model_id=newest.id if newest else "")
        figures |= {"suggestion": "continue", "n_until_stop": None, "why": told}
    return {
        "n_documents": counts["total"],
        "n_seeds": n_seeds,
        "n_judged": len(in_order),
        "n_found": n_found,
        "n_negative": judged[Label.NEGATIVE],
        "n_unsure": n_unsure,
        "n_left": n_left,
        "n_unranked": n_unranked,
        **figures,
        "by_seeds": figure_fields(by_seeds, _no_seeds_tell(n_seeds)),
        "probable": _probable(session, artifacts, newest, tells_little=tells_little),
        "target": target,
        "assumption": ASSUMPTION,
    }


def _figures(found: Progress, until_stop: int | None, told: str) -> dict[str, Any]:
    return {
        "recall": figure_fields(found.recall),
        "remaining": figure_fields(found.remaining),
        "p_value": found.p_value,
        "suggestion": "stop" if found.is_enough else "continue",
        "n_until_stop": until_stop,
        "why": told,
    }


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
    """Return how many positives a pile of this size had before it was read, by the seeds.

    None where too few are seeds now, whatever a model was told by those that were taken back.
    """
    told = ModelRepository(session).expected_positives(project_id)
    if told is None or n_seeds < MIN_SEEDS or not n_pile:
        return None
    return Expected(*(told[end] * n_pile / told["n_pile"] for end in ("value", "low", "high")))


def _no_seeds_tell(n_seeds: int) -> str:
    return _NO_SEEDS_TELL.format(n=n_seeds, are="is" if n_seeds == 1 else "are")


def _no_recall(project_id: str, n_judged: int, n_left: int, newest: Model | None) -> str:
    """Return why nothing is known while something is left to read."""
    if n_judged and newest is None:
        return _NO_ORDER.format(project_id=project_id)
    if n_judged:
        return _NOTHING_FOUND
    return (_NO_JUDGEMENT if n_left else NO_PILE).format(project_id=project_id)


def _last_ranked(session: Session, artifacts: Artifacts, model: Model) -> int:
    """Return the number behind which documents came in since the ranking of a model was made."""
    project = ProjectRepository(session).get(model.project_id)
    if project.revision == model.card["ranking"]["revision"]:
        return LAST
    _, ranking = current_ranking.load(session, artifacts, model)
    return ranking.last_number


def _reading(
    session: Session,
    project_id: str,
    in_order: list[tuple[int, Label]],
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
    return reading_of(in_order, labeled[labeled <= last_shown], starts, sizes)


def _probable(
    session: Session, artifacts: Artifacts, newest: Model | None, *, tells_little: bool
) -> dict[str, Any]:
    """Return the sum of the newest model's probabilities over what nobody judged."""
    if newest is None:
        return {"value": None, "reason": _NO_MODEL}
    if tells_little:
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
