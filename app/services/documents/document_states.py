"""What a row of an upload or a judgement makes of the state of a document."""

from collections.abc import Iterable, Iterator
from itertools import count, repeat
from typing import Any

from sqlalchemy.orm import Session

from app.orm import SEED_TAKEN_BACK, Label
from app.repositories.judgements import JudgementRepository
from app.repositories.models import ModelRepository
from app.services.intake.rows import Row

UNKNOWN_ID = (
    "No document has this id: send it with its text first, or take one that GET "
    "/projects/ID/documents lists."
)


def new_state(row: Row, label: Label) -> dict[str, Any]:
    """Return the state of a document that a row adds."""
    return {
        "id": row.id,
        "text": row.text,
        "digest": row.digest,
        "vector_code": row.vector_code,
        "label": label,
        "judgement": None,
        "metadata": row.metadata,
    }


def changes_by(row: Row, state: dict[str, Any], label: Label) -> dict[str, Any]:
    """Return what a row changes; adding to the unlabeled never takes a label away."""
    changes: dict[str, Any] = {}
    if row.text is not None and row.digest != state["digest"]:
        # A vector is of one text: it goes with that.
        changes |= {"text": row.text, "digest": row.digest, "vector_code": row.vector_code}
    elif row.vector_code is not None and row.vector_code != state["vector_code"]:
        changes["vector_code"] = row.vector_code
    if label is Label.POSITIVE and state["label"] is not Label.POSITIVE:
        changes |= {"label": label, "judgement": None}
    if row.metadata is not None and row.metadata != state["metadata"]:
        changes["metadata"] = row.metadata
    return changes


def keeps_label(state: dict[str, Any], label: Label) -> bool:
    """Tell whether a document has a label that an upload of unlabeled ones does not take away."""
    return label is Label.UNLABELED and state["label"] is not Label.UNLABELED


def content_of(state: dict[str, Any]) -> tuple[bytes, str | None]:
    """Return what tells whether a document is counted as before."""
    return state["digest"], state["vector_code"]


def conflict_of(row: Row, state: dict[str, Any]) -> str | None:
    """Return what of a row is another than that of the document with its id."""
    if row.text is not None and row.digest != state["digest"]:
        return "text"
    codes = {row.vector_code, state["vector_code"]} - {None}
    return "vector" if len(codes) > 1 else None


def judgements(
    session: Session, project_id: str, labels: Iterable[Label]
) -> Iterator[int] | Iterator[None]:
    """Return the numbers of the judgements that give these labels.

    They are None where only positives are named, no model has ranked the documents and none was
    judged: then nobody found these positives by reading, and they are seeds.
    """
    last = JudgementRepository(session).last(project_id)
    are_positive = all(label is Label.POSITIVE for label in labels)
    if are_positive and not last and ModelRepository(session).newest(project_id) is None:
        return repeat(None)
    return count(last + 1)


def judgement_of(
    state: dict[str, Any], label: Label, numbers: Iterator[int] | Iterator[None]
) -> int | None:
    """Return which judgement a document has when it gets another label.

    A new judgement takes the next number. A seed that was taken back, maybe by mistake, becomes a
    seed again if it is named positive again.
    """
    known: int | None = state["judgement"]
    if label is Label.UNLABELED:
        return SEED_TAKEN_BACK if known is None else None
    if state["label"] is not Label.UNLABELED:
        return known
    is_seed = known == SEED_TAKEN_BACK and label is Label.POSITIVE
    return None if is_seed else next(numbers)
