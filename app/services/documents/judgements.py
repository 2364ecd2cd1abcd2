"""Labels that people give to documents."""

from sqlalchemy.orm import Session

from app.errors import MAX_ERRORS, DocumentNotFound, InvalidRequest
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.document_states import UNKNOWN_ID, judgement_of, judgements
from app.services.intake.intake_report import MAX_EXAMPLES
from app.tables import Label


def set_labels(session: Session, project_id: str, labels: list[tuple[str, Label]]) -> int:
    """Label documents, all or none, and return how many labels changed.

    An unlabeled document that gets a label is judged; the order of the list is that of the
    judgements. One that is judged again keeps its place in that order, one that becomes unlabeled
    loses it. A seed that gets another label is corrected, not judged; taken back, it is a seed
    again if it is named positive before another training. Where nothing was ranked or judged yet,
    positives alone are seeds.

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
        detail = f"{len(unknown)} of the documents do not exist: {told}."
        raise DocumentNotFound(detail, errors=errors)
    numbers = judgements(session, project_id, wanted.values())
    changed = [
        {**states[id_], "label": label, "judgement": judgement_of(states[id_], label, numbers)}
        for id_, label in wanted.items()
        if states[id_]["label"] is not label
    ]
    if changed:
        repository.update(changed, ["label", "judgement"])
    return len(changed)


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
        detail = f"{len(errors)} of the labels contradict another label of the same document."
        raise InvalidRequest(detail, errors=errors[:MAX_ERRORS])
    return wanted
