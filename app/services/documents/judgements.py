"""Labels that people give to documents."""

from typing import Any

from sqlalchemy.orm import Session

from app.errors import MAX_ERRORS, DocumentNotFound, InvalidRequest
from app.orm import Label
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.document_states import UNKNOWN_ID, judgement_of, judgements
from app.services.intake.intake_report import MAX_EXAMPLES


def set_labels(
    session: Session,
    project_id: str,
    labels: list[tuple[str, Label]],
    *,
    in_ranked_order: bool = False,
) -> int:
    """Label documents, all or none, and return how many labels changed.

    An unlabeled document that gets a label is judged; the order of the list is that of the
    judgements. One that is judged again keeps its place in that order, one that becomes unlabeled
    loses it. New judgements come after all others or, where the list is ``in_ranked_order``, before
    those that follow them in the list: who first labels the positives of a round, and later the
    others, has read them in between.

    A seed that gets another label is corrected, not judged; taken back, it is a seed again if it is
    named positive before another training. Where nothing was ranked or judged yet, positives alone
    are seeds.

    Raises
    ------
    ProjectNotFound, DocumentNotFound
    InvalidRequest
        If a document has two labels.
    """
    ProjectRepository(session).lock(project_id)
    repository = DocumentRepository(session)
    wanted = _one_of_each(labels)
    states = repository.states(project_id, list(wanted))
    unknown = [index for index, (id_, _) in enumerate(labels) if id_ not in states]
    if unknown:
        errors = [
            {"pointer": f"/{index}/id", "detail": UNKNOWN_ID} for index in unknown[:MAX_ERRORS]
        ]
        told = _first_of([labels[index][0] for index in unknown])
        several = f"{len(unknown):,} of the documents do not exist: {told}."
        detail = several if len(unknown) > 1 else f"There is no document {told}."
        raise DocumentNotFound(detail, errors=errors)
    numbers = judgements(session, project_id, wanted.values())
    changed = {
        id_: {**states[id_], "label": label, "judgement": judgement_of(states[id_], label, numbers)}
        for id_, label in wanted.items()
        if states[id_]["label"] is not label
    }
    if changed:
        repository.update(list(changed.values()), ["label", "judgement"])
    if in_ranked_order:
        found = {id_: changed.get(id_, state) for id_, state in states.items()}
        _put_between(session, project_id, [found[id_] for id_ in wanted], states)
    return len(changed)


def _put_between(
    session: Session,
    project_id: str,
    listed: list[dict[str, Any]],
    before: dict[str, dict[str, Any]],
) -> None:
    """Number new judgements as if they had been made before those that follow them in a list.

    The numbers are those that were given, by other documents: none is used twice or dropped.
    ``listed`` has the states of the documents in the list, ``before`` those that they had.
    """
    waiting: dict[int, list[int]] = {}
    following = None
    for state in reversed(listed):
        judgement = state["judgement"]
        if not judgement:
            continue
        if before[state["id"]]["judgement"] == judgement:
            following = judgement
        elif following is not None:
            waiting.setdefault(following, []).append(state["number"])
    if not waiting:
        return
    first = min(waiting)
    known = JudgementRepository(session).since(project_id, first)
    moved = {number for numbers in waiting.values() for number in numbers}
    order: list[int] = []
    for judgement, number in known:
        order += reversed(waiting.get(judgement, []))
        if number not in moved:
            order.append(number)
    states = [
        {"number": number, "judgement": judgement}
        for (judgement, _), number in zip(known, order, strict=True)
    ]
    DocumentRepository(session).update(states, ["judgement"])


def _first_of(ids: list[str]) -> str:
    told = ", ".join(map(repr, ids[:MAX_EXAMPLES]))
    n_more = len(ids) - MAX_EXAMPLES
    return f"{told} and {n_more} more" if n_more > 0 else told


def _one_of_each(labels: list[tuple[str, Label]]) -> dict[str, Label]:
    wanted: dict[str, Label] = {}
    errors = [
        {"pointer": f"/{index}/label", "detail": f"The document {id_!r} has another label, too."}
        for index, (id_, label) in enumerate(labels)
        if wanted.setdefault(id_, label) is not label
    ]
    if errors:
        contradict = "contradicts" if len(errors) == 1 else "contradict"
        detail = f"{len(errors)} of the labels {contradict} another label of the same document."
        raise InvalidRequest(detail, errors=errors[:MAX_ERRORS])
    return wanted
