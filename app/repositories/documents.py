"""Queries on documents, in bulk and without ORM objects: there may be millions."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    ColumnElement,
    Row,
    Table,
    bindparam,
    delete,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import planned_anew
from app.document_sizes import DIGEST_BYTES
from app.errors import DocumentNotFound
from app.orm import Document, Label, Project
from app.repositories.content_digests import content_digests
from app.repositories.document_counts import IS_LABELED, document_counts
from app.repositories.document_rows import insert_rows
from app.repositories.rows import Repository
from app.sql_functions import TEXTS, is_one_of, single_blanks, utf8

T = TypeVar("T")

TABLE = cast(Table, Document.__table__)
_OF_ALL = ("number", "id", "label", "judgement", "metadata", "vector_code")
STATE = select(*(TABLE.c[name] for name in (*_OF_ALL, "digest")))
WHOLE = select(*(TABLE.c[name] for name in (*_OF_ALL, "text")))
#: Rows in memory while texts are streamed. Texts may be large: few rows are read at first, then as
#: many as should have so many bytes if they are like those before.
FEWEST_TEXTS, TEXTS_AT_A_TIME, BYTES_AT_A_TIME = 20, 500, 2**20
#: PostgreSQL takes at most 65,535 parameters, SQLite 32,766.
PARAMETERS_AT_A_TIME = 10_000
#: Rows in memory while a page is made, which ends where texts are large.
LARGE_AT_A_TIME = 20


class Texts(NamedTuple):
    """Columns of some documents: texts are in UTF-8."""

    numbers: tuple[int, ...]
    texts: tuple[bytes, ...]
    digests: tuple[bytes, ...]
    vector_codes: tuple[str | None, ...]


class DocumentRepository(Repository):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._project_numbers: dict[str, int] = {}

    def states(self, project_id: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return what is stored of each id that exists, but for the text."""
        is_asked_for = is_one_of(TABLE.c.id, literal(ids, TEXTS))
        query = STATE.where(self._in_project(project_id), is_asked_for)
        with planned_anew(self.session):
            return {row.id: row._asdict() for row in self.session.execute(query)}

    def insert(self, project_id: str, documents: list[dict[str, Any]]) -> None:
        """Add documents given by the names of their columns."""
        columns = ("id", "text", "digest", "label", "metadata", "vector_code")
        rows = [tuple(document[name] for name in columns) for document in documents]
        self.insert_rows(project_id, rows)

    def insert_rows(self, project_id: str, documents: Iterable[tuple[Any, ...]]) -> None:
        """Add documents as :func:`insert_rows` takes them."""
        insert_rows(self.session, self._project_number(project_id), documents)

    def insert_new(self, project_id: str, documents: Iterable[tuple[Any, ...]]) -> bool:
        """Add documents as ``insert_rows`` does; if one of the ids is there, add none.

        That is what False tells. To ask for the ids first would take a third longer.
        """
        try:
            with self.session.begin_nested():
                self.insert_rows(project_id, documents)
        except IntegrityError:
            return False
        return True

    def update(self, states: list[dict[str, Any]], columns: Sequence[str]) -> None:
        """Write these columns of each state to the row of its number."""
        self.session.execute(
            update(TABLE)
            .where(TABLE.c.number == bindparam("number_"))
            .values({name: bindparam(f"{name}_", type_=TABLE.c[name].type) for name in columns}),
            [{"number_": s["number"], **{f"{name}_": s[name] for name in columns}} for s in states],
        )

    def delete(self, project_id: str, document_id: str) -> None:
        query = delete(TABLE).where(self._is(project_id, document_id))
        if self.session.scalar(query.returning(TABLE.c.number)) is None:
            raise _not_found(document_id)

    def delete_all(self, project_id: str, ids: Sequence[str]) -> set[str]:
        """Remove the documents with these ids; return the ids of those that were there."""
        query = delete(TABLE).where(
            self._in_project(project_id), is_one_of(TABLE.c.id, literal(ids, TEXTS))
        )
        with planned_anew(self.session):
            return set(self.session.scalars(query.returning(TABLE.c.id)))

    def page(
        self,
        project_id: str,
        *,
        after: int,
        limit: int,
        label: Label | None = None,
        contains: str | None = None,
    ) -> Iterator[Row[Any]]:
        """Yield documents in the order of their numbers, from the first one behind ``after``."""
        query = WHOLE.where(self._in_project(project_id), TABLE.c.number > after)
        order: ColumnElement[int] = TABLE.c.number
        if label is not None:
            query = query.where(TABLE.c.label == label)
        if label not in {None, Label.UNLABELED}:
            query = query.where(IS_LABELED)
            order = order + 0  # else SQLite walks the pile in order to sort nothing
        if contains:
            words = re.sub(r"\s+", " ", contains)
            searched = single_blanks(TABLE.c.text) if " " in words else TABLE.c.text
            query = query.where(searched.icontains(words, autoescape=True))
        options = {"yield_per": LARGE_AT_A_TIME}
        query = query.order_by(order).limit(limit)
        with self.session.execute(query, execution_options=options) as rows:  # may be left early
            yield from rows

    def by_numbers(self, numbers: Sequence[int]) -> dict[int, Row[Any]]:
        """Return those that exist, each with all but its digest."""
        return {
            row.number: row
            for some in in_parts(numbers)
            for row in self.session.execute(WHOLE.where(TABLE.c.number.in_(some)))
        }

    def get(self, project_id: str, document_id: str) -> Row[Any]:
        row = self.find(project_id, document_id)
        if row is None:
            raise _not_found(document_id)
        return row

    def find(self, project_id: str, document_id: str) -> Row[Any] | None:
        """Return the document with this id, if there is one, with all but its digest."""
        return self.session.execute(WHOLE.where(self._is(project_id, document_id))).one_or_none()

    def ids(self, numbers: Sequence[int]) -> dict[int, str]:
        """Return the ids of the documents with these numbers that exist."""
        query = select(TABLE.c.number, TABLE.c.id)
        return {
            row.number: row.id
            for some in in_parts(numbers)
            for row in self.session.execute(query.where(TABLE.c.number.in_(some)))
        }

    def texts(self, project_id: str, *, after: int, limit: int) -> Iterator[Texts]:
        """Yield the documents behind ``after`` in the order of their numbers, in flat memory."""
        return self._texts(self._in_project(project_id), TABLE.c.number > after, limit=limit)

    def texts_of(self, numbers: Sequence[int]) -> Iterator[Texts]:
        """Yield the documents with these numbers, ascending, that exist; in flat memory."""
        for some in in_parts(numbers):
            yield from self._texts(TABLE.c.number.in_(some))

    def _texts(self, *conditions: ColumnElement[bool], limit: int | None = None) -> Iterator[Texts]:
        query = select(TABLE.c.number, utf8(TABLE.c.text), TABLE.c.digest, TABLE.c.vector_code)
        query = query.where(*conditions).order_by(TABLE.c.number).limit(limit)
        n_rows = min(FEWEST_TEXTS, TEXTS_AT_A_TIME)
        options = {"yield_per": n_rows}
        with self.session.execute(query, execution_options=options) as rows:  # may be left early
            while part := rows.fetchmany(n_rows):
                found = Texts(*zip(*part, strict=True))
                yield found
                n_bytes = sum(map(len, found.texts)) / len(part)
                n_rows = int(min(2 * n_rows, TEXTS_AT_A_TIME, 1 + BYTES_AT_A_TIME // (1 + n_bytes)))

    def fingerprints(self, project_id: str) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Return the numbers of all documents, ascending, and their ``content_digests``."""
        columns = TABLE.c.number, TABLE.c.digest, TABLE.c.vector_code
        query = select(*columns).where(self._in_project(project_id))
        rows = self.session.execute(
            query.order_by(TABLE.c.number), execution_options={"yield_per": TEXTS_AT_A_TIME}
        )
        numbers, digests = array("q"), bytearray()
        for part in rows.partitions():
            some, *of_some = zip(*part, strict=True)
            numbers.extend(some)
            digests.extend(content_digests(*of_some))
        of_each = np.frombuffer(digests, dtype=np.uint8).reshape(-1, DIGEST_BYTES)
        return np.array(numbers, dtype=np.int64), of_each

    def numbers(self, project_id: str) -> NDArray[np.int64]:
        """Return the numbers of all documents, ascending."""
        query = select(TABLE.c.number).where(self._in_project(project_id)).order_by(TABLE.c.number)
        numbers = self.session.scalars(query, execution_options={"yield_per": 10_000})
        return np.fromiter(numbers, dtype=np.int64)

    def digests(self, project_id: str, before: int | None = None) -> Iterator[Sequence[bytes]]:
        """Yield the digests of all texts, or of those with lower numbers, some at a time."""
        query = select(TABLE.c.digest).where(self._in_project(project_id))
        if before is not None:
            query = query.where(TABLE.c.number < before)
        return self.session.scalars(query, execution_options={"yield_per": 10_000}).partitions()

    def spread_digests(self, project_id: str, numbers: range) -> Sequence[bytes]:
        """Return the digests of the texts with these numbers, mostly not one after the other."""
        number, first = TABLE.c.number, numbers.start
        is_one = (
            (number >= first) & (number < numbers.stop) & ((number - first) % numbers.step == 0)
        )
        query = select(TABLE.c.digest).where(self._in_project(project_id), is_one)
        return self.session.scalars(query).all()

    def has_more(self, project_id: str, *, before: int, than: int) -> bool:
        """Tell whether more documents have lower numbers, and count no further than that."""
        is_before = self._in_project(project_id) & (TABLE.c.number < before)
        query = select(TABLE.c.number).where(is_before).order_by(TABLE.c.number)
        return self.session.scalar(query.offset(than).limit(1)) is not None

    def n_behind(self, project_id: str, after: int, label: Label | None = None) -> int:
        """Count the documents with numbers behind ``after``, all or those of a label."""
        query = select(func.count()).where(self._in_project(project_id), TABLE.c.number > after)
        if label is not None:
            query = query.where(TABLE.c.label == label)
        return self.session.scalars(query).one()

    def last_number(self, project_id: str) -> int:
        """Return the greatest number of all documents, 0 where there is none."""
        greatest = select(func.max(TABLE.c.number)).where(self._in_project(project_id))
        return self.session.scalar(greatest) or 0

    def labeled_numbers(self, project_id: str) -> dict[Label, NDArray[np.int64]]:
        """Return the numbers of the documents of each label but unlabeled, ascending."""
        query = select(TABLE.c.number, TABLE.c.label).where(
            self._in_project(project_id), IS_LABELED
        )
        found: dict[Label, list[int]] = {
            label: [] for label in Label if label is not Label.UNLABELED
        }
        for number, label in self.session.execute(query):
            found[label].append(number)
        return {label: np.array(sorted(n), dtype=np.int64) for label, n in found.items()}

    def counts(self, project_id: str) -> dict[str, int]:
        """Count all documents and those of each label."""
        number = self._project_number(project_id)
        return document_counts(self.session, [number])[number]

    def _project_number(self, project_id: str) -> int:
        """Return ``project_number``, which is asked for once for each project that is there."""
        known = self._project_numbers.get(project_id) or project_number(self.session, project_id)
        if known:
            self._project_numbers[project_id] = known
        return known

    def _in_project(self, project_id: str) -> ColumnElement[bool]:
        return TABLE.c.project_number == self._project_number(project_id)

    def _is(self, project_id: str, document_id: str) -> ColumnElement[bool]:
        return self._in_project(project_id) & (TABLE.c.id == document_id)


def project_number(session: Session, project_id: str) -> int:
    """Return what the rows of documents know a project by, 0 where there is none.

    A query of its own: from a subquery PostgreSQL could not tell a small project from a large.
    """
    return session.scalar(select(Project.number).where(Project.id == project_id)) or 0


def _not_found(document_id: str) -> DocumentNotFound:
    return DocumentNotFound(
        f"No document has the id {document_id!r}. GET /projects/ID/documents lists all."
    )


def in_parts(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield as many values as parameters of one statement may be."""
    for start in range(0, len(values), PARAMETERS_AT_A_TIME):
        yield values[start : start + PARAMETERS_AT_A_TIME]
