"""How many documents projects have, of each label."""

from collections.abc import Sequence

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from app.orm import Document, Label

#: Written out, not as a parameter: so both databases see that the partial index fits.
IS_LABELED = text("label != 'unlabeled'")


def document_counts(session: Session, project_numbers: Sequence[int]) -> dict[int, dict[str, int]]:
    """Count all documents of each project and those of each label, in two queries."""
    n_documents = func.count().label("n_documents")
    number, label = Document.project_number, Document.label
    are_asked_for = number.in_(project_numbers)
    totals = session.execute(select(number, n_documents).where(are_asked_for).group_by(number))
    labeled = session.execute(
        select(number, label, n_documents).where(are_asked_for, IS_LABELED).group_by(number, label)
    )
    counts = {asked: dict.fromkeys(["total", *Label], 0) for asked in project_numbers}
    for project, n in totals:
        counts[project]["total"] = counts[project]["unlabeled"] = n
    for project, its_label, n in labeled:
        counts[project][its_label] = n
        counts[project]["unlabeled"] -= n
    return {project: {str(name): n for name, n in told.items()} for project, told in counts.items()}
