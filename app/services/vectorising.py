"""Counts of a project's texts: made once for each state of the texts, then read from a file."""

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import clone

from app.artifacts import Artifacts
from app.database import Database
from app.errors import ArtifactUnavailable, ProjectNotFound
from app.repositories.documents import DocumentRepository, Texts
from app.repositories.matrices import MatrixRepository
from app.repositories.projects import ProjectRepository
from app.services.parameters import invalid_parameter
from app.tables import Matrix, Project, new_id
from core.persistence import dump_arrays
from core.text import TokenCounter
from core.text.stop_words import STOP_WORDS
from core.text.term_weights import TermWeighting
from core.vectorizer import make_vectorizer

# To be raised when TokenCounter counts otherwise or the file changes: old matrices are then unread.
_FORMAT = 2
DIGEST_BYTES = 16


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
        The digests of their texts.
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
        """SHA-256 over the digests of the texts, in order."""
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


def check_vectorizer(vectorizer: dict[str, Any]) -> None:
    """Refuse parameters that the vectorizer does not take.

    Raises
    ------
    InvalidParameter
    """
    try:
        make_vectorizer(vectorizer)
    except ValueError as error:
        raise invalid_parameter(error, vectorizer=vectorizer) from error


def with_defaults(project: Project, vectorizer: dict[str, Any]) -> dict[str, Any]:
    """Return the vectorizer's parameters, over those of the project and of its language."""
    asked = {**project.vectorizer, **vectorizer}
    return {**language_defaults(project.language), **script_defaults(asked), **asked}


def language_defaults(language: str) -> dict[str, Any]:
    """Return the parameters of the vectorizer that the language of a project sets."""
    return {"stop_words": language} if language in STOP_WORDS else {}


def script_defaults(asked: dict[str, Any]) -> dict[str, Any]:
    """Return that texts without blanks between words are cut into pairs, where words are counted.

    Whole clauses would be terms else; texts in other scripts are counted as without it.
    """
    finds_words = asked.get("analyzer", "word") == "word" and "token_pattern" not in asked
    return {"cjk": "bigrams"} if finds_words else {}


def count(
    database: Database, artifacts: Artifacts, project_id: str, counter: TokenCounter
) -> Counted:
    """Return the counts of the project's texts as they are now.

    Where documents were only added since they were counted last, only these are counted.

    Raises
    ------
    ProjectNotFound, StorageFull
    ValueError
        If no term is left.
    """
    digest = _parameters_digest(counter)
    with database.reading() as session:
        project = ProjectRepository(session).get(project_id)
        matrix = MatrixRepository(session).newest(project_id, digest, project.rewritten_revision)
    known = None if matrix is None else _read(database, artifacts, matrix, counter)
    if known is not None and known.revision == project.revision:
        return known
    counted = _count(database, artifacts, project_id, counter, known)
    return _kept(database, artifacts, project_id, digest, counted)


def weigh(artifacts: Artifacts, weighting: TermWeighting, counts: csr_array) -> csr_array:
    """Fit the weighting; return the weights, mapped from a temporary file.

    Raises
    ------
    StorageFull
    """
    with artifacts.scratch() as folder:
        return weighting.fit_transform(counts, folder=folder)


def _parameters_digest(counter: TokenCounter) -> str:
    parameters = {"format": _FORMAT, **counter.get_params()}
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()


def _read(
    database: Database, artifacts: Artifacts, matrix: Matrix, counter: TokenCounter
) -> Counted | None:
    try:
        arrays = artifacts.load_arrays(matrix.file)
    except ArtifactUnavailable:
        # It is a cache: what is lost is made anew.
        with database.writing.begin() as session:
            MatrixRepository(session).delete(matrix.id)
        return None
    counter = clone(counter)
    counter.terms_ = arrays["terms"]
    return Counted(
        counts=arrays["counts"],
        counter=counter,
        numbers=arrays["numbers"],
        digests=arrays["digests"],
        revision=matrix.revision,
    )


class _Noted:
    """Texts of documents, whose numbers and digests are kept as they pass."""

    def __init__(self, parts: Iterable[Texts]) -> None:
        self._parts = parts
        self._numbers = array("q")
        self._digests = bytearray()

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            self._numbers.extend(part.numbers)
            self._digests.extend(b"".join(part.digests))
            yield from part.texts

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Return numbers and digests."""
        digests = np.frombuffer(self._digests, dtype=np.uint8)
        return np.array(self._numbers, dtype=np.int64), digests.reshape(-1, DIGEST_BYTES)


def _count(
    database: Database,
    artifacts: Artifacts,
    project_id: str,
    counter: TokenCounter,
    known: Counted | None,
) -> Counted:
    """Count the documents that came in after those of ``known``, or all where that is no help."""
    with database.reading() as session, artifacts.scratch() as folder:
        # The revision first: should texts change before they are read, the matrix is newer than
        # its revision says, which by then is not the project's any more.
        project = ProjectRepository(session).get(project_id)
        documents = DocumentRepository(session)
        total = documents.counts(project_id)["total"]
        if known is None or not _is_start_of(known, project):
            texts = _Noted(documents.texts(project_id))
            counter = clone(counter)
            counts = counter.fit_transform(texts, total=total, folder=folder)
            columns = texts.columns()
            return Counted(counts, counter, *columns, project.revision, len(counts.indptr) - 1)
        texts = _Noted(documents.texts(project_id, after=int(known.numbers[-1])))
        n_new = max(0, total - len(known.numbers))
        counts = known.counter.extend(known.counts, texts, total=n_new, folder=folder)
    numbers, digests = texts.columns()
    return Counted(
        counts,
        known.counter,
        np.concatenate([known.numbers, numbers]),
        np.concatenate([known.digests, digests]),
        project.revision,
        n_tokenised=len(numbers),
    )


def _is_start_of(known: Counted, project: Project) -> bool:
    """Tell whether the project's documents begin with those that were counted."""
    return known.counter.is_extendable and known.revision >= project.rewritten_revision


def _kept(
    database: Database, artifacts: Artifacts, project_id: str, digest: str, counted: Counted
) -> Counted:
    """Store the matrix; return it mapped from its file: such pages are shared, and need no room."""
    arrays = {
        "counts": counted.counts,
        "terms": counted.counter.terms_,
        "numbers": counted.numbers,
        "digests": counted.digests,
    }
    file = artifacts.save(f"matrices/{new_id()}", lambda path: dump_arrays(arrays, path))
    matrix = Matrix(
        project_id=project_id,
        revision=counted.revision,
        vectorizer_digest=digest,
        texts_digest=counted.texts_digest,
        n_documents=counted.counts.shape[0],
        n_terms=counted.counts.shape[1],
        file=file,
    )
    unused = _record(database, matrix)
    artifacts.delete_all(file["key"] for file in unused)
    if file in unused:
        return counted
    kept = _read(database, artifacts, matrix, counted.counter)
    return counted if kept is None else replace(kept, n_tokenised=counted.n_tokenised)


def _record(database: Database, matrix: Matrix) -> list[dict[str, Any]]:
    """Add the row, but where another job was faster; return the files that no row needs now."""
    with database.writing.begin() as session:
        try:
            project = ProjectRepository(session).lock(matrix.project_id)
        except ProjectNotFound:
            return [matrix.file]
        matrices = MatrixRepository(session)
        unused = list(matrices.delete_outdated(matrix, project.rewritten_revision))
        if not matrices.is_there(matrix):
            matrices.add(matrix)
        else:
            unused.append(matrix.file)
    return unused
