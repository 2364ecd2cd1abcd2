"""Documents are added to a project in bulk."""

import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from msgspec.structs import replace
from sqlalchemy.orm import Session

from app.database import Database
from app.database_errors import check_room
from app.errors import RowsRejected
from app.orm import Label, utc_now
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.document_states import (
    UNKNOWN_ID,
    changes_by,
    conflict_of,
    content_of,
    judgement_of,
    judgements,
    keeps_label,
    new_state,
)
from app.services.intake.intake_report import Report
from app.services.intake.rows import Row, RowError
from app.services.intake.spool import open_spool, storage_errors
from app.services.intake.vectors import encode, of_one_length

CHUNK_ROWS = 50_000
#: Large rows make smaller chunks, so that memory stays flat.
CHUNK_BYTES = 8 * 2**20
#: Rows of a slow upload are stored after so long: one that breaks off loses no more.
CHUNK_SECONDS = 2.0
#: What is written of a document whose text stays.
_BESIDE_TEXT = ["label", "judgement", "metadata", "vector_code"]

OnConflict = Literal["replace", "keep", "error"]


class Target(NamedTuple):
    """Where the rows of an upload go, and on which terms."""

    project_id: str
    label: Label
    #: What becomes of a row that has a known id and another text or vector.
    on_conflict: OnConflict = "replace"
    is_atomic: bool = False
    #: Called at the end of the one transaction of an atomic upload, which can take long.
    before_commit: Callable[[Session], object] = lambda _: None


class _Upload(NamedTuple):
    """An upload that has begun, and the last document and judgement before it."""

    target: Target
    began: datetime
    last_number: int
    last_judgement: int


def add(
    database: Database,
    rows: Iterator[Row | RowError],
    target: Target,
    report: Report,
    *,
    folder: Path,
) -> None:
    """Store rows and count them in ``report``, in a transaction for every chunk of them.

    While one chunk is stored the next is read. With ``is_atomic`` the rows wait in ``folder`` until
    all are checked, and go in at once; other writers wait for that one transaction.

    Raises
    ------
    ProjectNotFound, StorageFull, and whatever ``rows`` raises; what it gave before is kept
    RowsRejected
        If each row was rejected or, with ``is_atomic``, any.
    """
    with database.reading() as session:
        last = DocumentRepository(session).last_number(target.project_id)
        judged = JudgementRepository(session).last(target.project_id)
    rows = of_one_length(rows)
    upload = _Upload(target, utc_now(), last, judged)
    if target.is_atomic:
        with storage_errors(), open_spool(folder) as file:
            _add_at_once(database, rows, upload, report, file)
        return
    stored: Future[None] | None = None
    with ThreadPoolExecutor(1) as writer:
        for chunk in _chunks(rows):
            if stored is not None:
                stored.result()
            stored = writer.submit(_store_chunk, database, chunk, upload, report)
    if stored is not None:
        stored.result()
    if report.rejected == report.received:
        _refuse_rejected(report)


def _chunks(rows: Iterator[Row | RowError]) -> Iterator[list[Row | RowError]]:
    chunk: list[Row | RowError] = []
    n_bytes, end = 0, time.monotonic() + CHUNK_SECONDS
    try:
        for row in rows:
            chunk.append(row)
            if isinstance(row, Row):
                n_bytes += row.size
            is_late = time.monotonic() > end
            if is_late or len(chunk) >= CHUNK_ROWS or n_bytes >= CHUNK_BYTES:
                yield chunk
                chunk, n_bytes, end = [], 0, time.monotonic() + CHUNK_SECONDS
    except Exception:  # an upload that breaks off: what was read of it counts
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def _store_chunk(
    database: Database, chunk: list[Row | RowError], upload: _Upload, report: Report
) -> None:
    if rows := _accepted(chunk, report):
        check_room(database)
        with report.undone_on_error(), database.writing.begin() as session:
            _store(session, rows, upload, report)


def _accepted(chunk: list[Row | RowError], report: Report) -> list[Row]:
    """Count what was read and return the rows that are not refused."""
    rows = []
    report.received += len(chunk)
    for row in chunk:
        if isinstance(row, RowError):
            report.reject(row)
        else:
            report.look_at(row.text)
            rows.append(row)
    encode(rows)
    return rows


def _add_at_once(
    database: Database,
    rows: Iterator[Row | RowError],
    upload: _Upload,
    report: Report,
    file: IO[bytes],
) -> None:
    n_chunks = 0
    for chunk in _chunks(rows):
        accepted = _accepted(chunk, report)
        # Pickle is safe here: the file has no name, so nobody else can write it.
        if not report.rejected:
            pickle.dump(accepted, file)
            n_chunks += 1
    _refuse_rejected(report)
    file.seek(0)
    check_room(database)
    with report.undone_on_error(), database.writing.begin() as session:
        for _ in range(n_chunks):
            _store(session, pickle.load(file), upload, report)
        _refuse_rejected(report)
        upload.target.before_commit(session)


def _refuse_rejected(report: Report) -> None:
    if report.rejected:
        report.keep_nothing()
        first = report.errors[0]
        raise RowsRejected(
            f"{report.rejected:,} of {report.received:,} rows were rejected, so none was kept. "
            f"The first, {report.position_name} {first.position}: {first.reason}"
        )


def _store(session: Session, rows: list[Row], upload: _Upload, report: Report) -> None:
    target = upload.target
    project = ProjectRepository(session).lock(target.project_id)
    repository = DocumentRepository(session)
    last, n_before = repository.last_number(target.project_id), report.kept.inserted
    # All are new, as mostly: nothing to compare, and no state to keep for each.
    if all(row.text is not None for row in rows) and repository.insert_new(
        target.project_id,
        (
            (row.id, row.text, row.digest, target.label, row.metadata, row.vector_code)
            for row in rows
        ),
    ):
        report.kept.inserted += len(rows)
        ProjectRepository(session).advance_revision(target.project_id, is_rewritten=False)
    else:
        _merge(session, rows, target, report)
    if report.kept.inserted > n_before:
        report.kept.add_numbers(last, repository.last_number(target.project_id))
        ArrivalRepository(session).note(
            project.number, upload.last_number, upload.began, last_judgement=upload.last_judgement
        )


def _merge(session: Session, rows: list[Row], target: Target, report: Report) -> None:
    """Insert and update documents; of several rows with one id each sees those before it."""
    repository = DocumentRepository(session)
    states = repository.states(target.project_id, list({row.id for row in rows}))
    inserted, changed, seen = [], {}, set()
    known = {id_: content_of(state) for id_, state in states.items()}
    numbers = judgements(session, target.project_id, [target.label])
    for row in rows:
        state = states.get(row.id)
        if state is not None and target.on_conflict == "keep":
            row = _as_kept(row, state, report)
        if state is None and row.text is not None:
            states[row.id] = state = new_state(row, target.label)
            inserted.append(state)
        elif state is None:
            report.reject(RowError(row.position, "unknown_id", UNKNOWN_ID, row.id))
        elif target.on_conflict == "error" and (other := conflict_of(row, state)):
            reason = f"There is a document with this id and another {other}."
            report.reject(RowError(row.position, "conflict", reason, row.id))
        elif changes := changes_by(row, state, target.label):
            # An id alone may be a judgement of what is there; a text labeled positive is a seed.
            if "label" in changes and row.text is None:
                changes["judgement"] = judgement_of(state, target.label, numbers)
            _count_odd(changes, state, target, report, is_seen=row.id in seen)
            state.update(changes)
            changed[row.id] = state
            report.kept.replaced += 1
        else:
            if keeps_label(state, target.label):
                kept = report.kept
                (kept.still_labeled if row.text is None else kept.known).add(row.id)
            report.kept.unchanged += 1
        seen.add(row.id)
    report.kept.inserted += len(inserted)
    _keep_texts(changed, known)
    stored = [s for s in changed.values() if "number" in s]
    _write(repository, target.project_id, inserted, stored)
    is_rewritten = any(content_of(state) != known[state["id"]] for state in stored)
    if inserted or is_rewritten:
        ProjectRepository(session).advance_revision(target.project_id, is_rewritten=is_rewritten)


def _as_kept(row: Row, state: dict[str, Any], report: Report) -> Row:
    """Return what is taken of a row where the document stays as it is: its label."""
    if conflict_of(row, state):
        report.kept.left.add(row.id)
    return replace(row, digest=state["digest"], vector_code=None, metadata=None)


def _count_odd(
    changes: dict[str, Any], state: dict[str, Any], target: Target, report: Report, *, is_seen: bool
) -> None:
    report.kept.relabeled += "label" in changes
    if "label" in changes and state["label"] is Label.NEGATIVE:
        report.kept.overturned.add(state["id"])
    if changes.keys().isdisjoint({"text", "vector_code"}):
        return
    if "text" in changes and keeps_label(state, target.label):
        report.kept.rewritten.add(state["id"])
    if is_seen or report.kept.has_inserted(state["number"]):
        report.kept.repeated.add(state["id"])


def _keep_texts(
    changed: dict[str, dict[str, Any]], known: dict[str, tuple[bytes, str | None]]
) -> None:
    """Drop texts that are stored already: the last row with an id may undo those before it."""
    for id_, state in changed.items():
        if id_ in known and state["digest"] == known[id_][0]:
            state.pop("text", None)


def _write(
    repository: DocumentRepository,
    project_id: str,
    inserted: list[dict[str, Any]],
    changed: list[dict[str, Any]],
) -> None:
    with_text = [state for state in changed if "text" in state]
    without_text = [state for state in changed if "text" not in state]
    if inserted:
        repository.insert(project_id, inserted)
    if with_text:
        repository.update(with_text, ["text", "digest", *_BESIDE_TEXT])
    if without_text:
        repository.update(without_text, _BESIDE_TEXT)
