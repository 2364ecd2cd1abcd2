"""The texts of a project are counted: all, or those that are not as they were."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from app.database import Database
from app.document_sizes import DIGEST_BYTES
from app.orm import Project
from app.repositories.content_digests import content_digests
from app.repositories.documents import DocumentRepository, Texts
from app.repositories.page_sizes import portions
from app.repositories.projects import ProjectRepository
from core.kernels.tokens.store import rows_at
from core.text import TokenCounter
from core.text.vector_coding import takes_words, words_of

#: If a smaller share of the texts counted before is unchanged, all are counted anew.
LEAST_SHARE = 0.5
#: The most that is read in one transaction and held.
PART_ROWS = 10_000
PART_BYTES = 8 * 2**20


@dataclass(frozen=True)
class Counted:
    """Counted documents.

    Attributes
    ----------
    counts : csr_array of shape (n_documents, n_terms)
        How often each term is in each document.
    counter : TokenCounter
        Fitted.
    numbers : ndarray of int64 of shape (n_documents,)
        The numbers of the documents, ascending.
    digests : ndarray of uint8 of shape (n_documents, 16)
        Their ``content_digests``.
    revision : int
        What the project's was.
    n_tokenised : int
        Documents whose texts had to be read.
    """

    counts: csr_array
    counter: TokenCounter
    numbers: NDArray[np.int64]
    digests: NDArray[np.uint8]
    revision: int
    n_tokenised: int = 0

    @cached_property
    def texts_digest(self) -> str:
        """SHA-256 over the digests, in order."""
        return hashlib.sha256(self.digests.tobytes()).hexdigest()

    @property
    def is_cached(self) -> bool:
        """Whether nothing had to be tokenised."""
        return self.n_tokenised == 0

    def summary(self) -> dict[str, Any]:
        """Return what the log of a job tells of it."""
        n_documents, n_terms = self.counts.shape
        source = "read from cache" if self.is_cached else "tokenised"
        return {
            "n_documents": n_documents,
            "n_terms": n_terms,
            "matrix": source,
            "n_tokenised": self.n_tokenised,
        }


def to_count(part: Texts, counter: TokenCounter) -> Iterable[bytes]:
    """Return texts as a counter counts them, with the words of their vectors if it finds these."""
    if not any(part.vector_codes) or not takes_words(counter):
        return part.texts
    pairs = zip(part.texts, part.vector_codes, strict=True)
    return (
        text if code is None else b"%b\n%b" % (text, words_of(code).encode())
        for text, code in pairs
    )


class _Noted:
    """Texts for a counter, whose numbers and digests are kept as they pass."""

    def __init__(self, parts: Iterable[Texts], counter: TokenCounter) -> None:
        self._parts = parts
        self._counter = counter
        self._numbers = array("q")
        self._digests = bytearray()

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            self._numbers.extend(part.numbers)
            self._digests.extend(content_digests(part.digests, part.vector_codes))
            yield from to_count(part, self._counter)

    @property
    def n(self) -> int:
        """How many passed."""
        return len(self._numbers)

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Return numbers and digests."""
        digests = np.frombuffer(self._digests, dtype=np.uint8)
        return np.array(self._numbers, dtype=np.int64), digests.reshape(-1, DIGEST_BYTES)


def read_texts(database: Database, project_id: str, *, after: int = 0) -> Iterator[Texts]:
    """Yield the documents behind ``after`` in the order of their numbers, in flat memory.

    No transaction is open while they are counted: each part is as it was when its turn came.
    """
    while parts := _next_texts(database, project_id, after):
        yield from parts
        after = parts[-1].numbers[-1]


def _next_texts(database: Database, project_id: str, after: int) -> list[Texts]:
    parts, n_bytes = [], 0
    with database.reading() as session:
        documents = DocumentRepository(session)
        for part in documents.texts(project_id, after=after, limit=PART_ROWS):
            parts.append(part)
            n_bytes += sum(map(len, part.texts))
            if n_bytes >= PART_BYTES:
                break
    return parts


def _read_again(database: Database, numbers: list[int]) -> Iterator[Texts]:
    """Yield the documents with these numbers that exist, as ``read_texts`` does."""
    with database.reading() as session:
        in_turn = list(portions(session, numbers, PART_BYTES))
    for some in in_turn:
        with database.reading() as session:
            parts = list(DocumentRepository(session).texts_of(some))
        yield from parts


def count_texts(
    database: Database,
    project_id: str,
    counter: TokenCounter,
    known: Counted | None,
    folder: Path,
) -> Counted:
    """Count the documents that changed since ``known``, or all where little is the same.

    Parameters
    ----------
    database : Database
    project_id : str
    counter : TokenCounter
        That leaves out no term; of ``known``, it is fitted.
    known : Counted, optional
        The documents as they were.
    folder : Path
        For temporary files that hold the counts.

    Raises
    ------
    ProjectNotFound
    ValueError
        If no term is left.
    """
    # The revision is read first. If texts change before they are read, the counts are newer than it
    # says; but then it is no longer the project's, so nobody takes them for current.
    with database.reading() as session:
        project = ProjectRepository(session).get(project_id)
        documents = DocumentRepository(session)
        total = documents.counts(project_id)["total"]
        same = None if known is None else _same(documents, project, known)
    if known is None or same is None:
        texts = _Noted(read_texts(database, project_id), counter)
        counts = counter.fit_transform(texts, total=total, folder=folder)
        return Counted(counts, counter, *texts.columns(), project.revision, texts.n)
    behind = read_texts(database, project_id, after=int(known.numbers[-1]))
    texts = _Noted(chain(_read_again(database, same.replaced), behind), counter)
    counts = known.counts
    if len(same.places) < len(known.numbers):
        counts = rows_at(counts, same.places, folder)
    n_new = max(0, total - len(same.places))
    counts = known.counter.extend(counts, texts, total=n_new, folder=folder)
    new_numbers, new_digests = texts.columns()
    numbers = np.concatenate([known.numbers[same.places], new_numbers])
    digests = np.concatenate([known.digests[same.places], new_digests])
    if same.replaced:
        order = np.argsort(numbers)
        counts, numbers, digests = rows_at(counts, order, folder), numbers[order], digests[order]
    return Counted(counts, known.counter, numbers, digests, project.revision, texts.n)


class _Same(NamedTuple):
    """Places of known documents that are unchanged, and numbers of those whose text was replaced.

    Documents that were removed are in neither.
    """

    places: NDArray[np.intp]
    replaced: list[int]


def _same(documents: DocumentRepository, project: Project, known: Counted) -> _Same | None:
    """Return what is unchanged; None if that is too little to be of use."""
    if known.revision >= project.rewritten_revision:
        return _Same(np.arange(len(known.numbers)), [])
    numbers, digests = documents.fingerprints(project.id)
    common, now, before = np.intersect1d(
        numbers, known.numbers, assume_unique=True, return_indices=True
    )
    is_same = (digests[now] == known.digests[before]).all(axis=1)
    if is_same.sum() < LEAST_SHARE * len(known.numbers):
        return None
    return _Same(before[is_same], common[~is_same].tolist())
