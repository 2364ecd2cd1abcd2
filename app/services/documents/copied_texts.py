"""Uploads that bring nearly nothing but texts which are there already, under other ids."""

from app.database import Database
from app.orm import Label
from app.repositories.documents import DocumentRepository
from app.services.intake.intake_report import Kept

#: Fewer documents may be alike by chance.
MIN_DOCUMENTS = 10
#: So many of those that came in, spread over them, are looked up among what was there, if that is
#: not too many.
SAMPLE, MAX_TIMES = 200, 3
#: Examples are few, and often taken from the pile.
PILE_OF_EXAMPLES = 100_000
NEARLY_ALL = 0.95
_TWICE = (
    "Nearly all of the {n:,} documents that came in have the text of one that was there under "
    "another id, so they are there twice now. If they are the same, their ids must come from the "
    "same column as before. Send id_column=NAME; for the command, --id-column NAME. What is there "
    "twice stays until it is deleted: while nothing is judged, it is easiest to delete the project "
    "and upload all of it anew."
)
_BY_IDS = " Examples that are in the pile can be labeled there, by their ids."


def warning(database: Database, project_id: str, kept: Kept, label: Label) -> str | None:
    """Return a warning if the documents that came in just now are copies.

    What was there is read only if it can be nearly all that came in, and is not much more than
    that, or, beside examples, is no large pile.
    """
    n_inserted = kept.inserted
    if n_inserted < MIN_DOCUMENTS:
        return None
    first, stop = kept.numbers[0].start, kept.numbers[-1].stop
    least, most = int(NEARLY_ALL * n_inserted) - 1, MAX_TIMES * n_inserted
    if label == Label.POSITIVE:
        most = max(most, PILE_OF_EXAMPLES)
    with database.reading() as session:
        documents = DocumentRepository(session)
        is_as_much = documents.has_more(project_id, before=first, than=least)
        if not is_as_much or documents.has_more(project_id, before=first, than=most):
            return None
        spread = range(first, stop, -(-n_inserted // SAMPLE))
        came = set(documents.spread_digests(project_id, spread))
        there = documents.digests(project_id, before=first)
        # All are read, also where all that came are found: PostgreSQL's cursor is closed then.
        known = set().union(*(came.intersection(some) for some in there))
    if not came or len(known) < NEARLY_ALL * len(came):
        return None
    return _TWICE.format(n=n_inserted) + (_BY_IDS if label == Label.POSITIVE else "")
