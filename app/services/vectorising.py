"""Counts of a project's texts: made once for each state of the texts, then read from a file."""

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import clone

from app.artifacts import Artifacts
from app.database import Database
from app.errors import ArtifactUnavailable, ProjectNotFound
from app.repositories.documents import DocumentRepository
from app.repositories.matrices import MatrixRepository
from app.repositories.projects import ProjectRepository
from app.services.parameters import invalid_parameter
from app.tables import Matrix, Project, new_id
from core.persistence import dump_arrays
from core.pipeline import make_text_classifier
from core.stop_words import STOP_WORDS
from core.text import TokenCounter

# To be raised when TokenCounter counts otherwise or the file changes: old matrices are then unread.
_FORMAT = 1


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
    texts_digest : str
        SHA-256 over the digests of the texts, in order.
    is_cached : bool
        Whether nothing had to be tokenised.
    """

    counts: csr_array
    counter: TokenCounter
    numbers: NDArray[np.int64]
    texts_digest: str
    is_cached: bool

    def summary(self) -> dict[str, Any]:
        """Return what the log of a job tells of it."""
        n_documents, n_terms = self.counts.shape
        source = "read from cache" if self.is_cached else "tokenised"
        return {"n_documents": n_documents, "n_terms": n_terms, "matrix": source}


def check_vectorizer(vectorizer: dict[str, Any]) -> None:
    """Refuse parameters that the vectoriser does not take.

    Raises
    ------
    InvalidParameter
    """
    try:
        make_text_classifier(vectorizer=vectorizer)
    except ValueError as error:
        raise invalid_parameter(error, vectorizer=vectorizer) from error


def with_defaults(project: Project, vectorizer: dict[str, Any]) -> dict[str, Any]:
    """Return the vectoriser's parameters, over those of the project and of its language."""
    language = {"stop_words": project.language} if project.language in STOP_WORDS else {}
    return {**language, **project.vectorizer, **vectorizer}


def count(
    database: Database, artifacts: Artifacts, project_id: str, counter: TokenCounter
) -> Counted:
    """Return the counts of the project's texts as they are now.

    Raises
    ------
    ProjectNotFound, StorageFull
    ValueError
        If no term is left.
    """
    digest = _parameters_digest(counter)
    with database.reading() as session:
        revision = ProjectRepository(session).get(project_id).revision
        matrix = MatrixRepository(session).find(project_id, revision, digest)
    if matrix is not None:
        try:
            return _read(artifacts, matrix, counter)
        except ArtifactUnavailable:
            # It is a cache: what is lost is made anew.
            with database.writing.begin() as session:
                MatrixRepository(session).delete(matrix.id)
    counted, revision = _count(database, project_id, clone(counter))
    _keep(database, artifacts, project_id, revision, digest, counted)
    return counted


def _parameters_digest(counter: TokenCounter) -> str:
    parameters = {"format": _FORMAT, **counter.get_params()}
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()


def _read(artifacts: Artifacts, matrix: Matrix, counter: TokenCounter) -> Counted:
    arrays = artifacts.load_arrays(matrix.file)
    counter = clone(counter)
    counter.terms_ = arrays["terms"]
    return Counted(
        counts=arrays["counts"],
        counter=counter,
        numbers=arrays["numbers"],
        texts_digest=matrix.texts_digest,
        is_cached=True,
    )


def _count(database: Database, project_id: str, counter: TokenCounter) -> tuple[Counted, int]:
    numbers, digest = array("q"), hashlib.sha256()

    def noted(documents: Iterable[tuple[int, str]]) -> Iterator[str]:
        for number, text in documents:
            numbers.append(number)
            digest.update(hashlib.blake2b(text.encode(), digest_size=16).digest())
            yield text

    with database.reading() as session:
        # The revision first: should texts change before they are read, the matrix is newer than
        # its revision says, which by then is not the project's any more.
        revision = ProjectRepository(session).get(project_id).revision
        documents = DocumentRepository(session)
        total = documents.counts(project_id)["total"]
        counts = counter.fit_transform(noted(documents.texts(project_id)), total=total)
    counted = Counted(
        counts=counts,
        counter=counter,
        numbers=np.array(numbers, dtype=np.int64),
        texts_digest=digest.hexdigest(),
        is_cached=False,
    )
    return counted, revision


def _keep(
    database: Database,
    artifacts: Artifacts,
    project_id: str,
    revision: int,
    digest: str,
    counted: Counted,
) -> None:
    arrays = {
        "counts": counted.counts,
        "terms": counted.counter.terms_,
        "numbers": counted.numbers,
    }
    file = artifacts.save(f"matrices/{new_id()}", lambda path: dump_arrays(arrays, path))
    matrix = Matrix(
        project_id=project_id,
        revision=revision,
        vectorizer_digest=digest,
        texts_digest=counted.texts_digest,
        n_documents=counted.counts.shape[0],
        n_terms=counted.counts.shape[1],
        file=file,
    )
    artifacts.delete_all(unused["key"] for unused in _record(database, matrix))


def _record(database: Database, matrix: Matrix) -> list[dict[str, Any]]:
    """Add the row, but where another job was faster; return the files that no row needs now."""
    with database.writing.begin() as session:
        try:
            ProjectRepository(session).lock(matrix.project_id)
        except ProjectNotFound:
            return [matrix.file]
        matrices = MatrixRepository(session)
        unused = list(matrices.delete_older(matrix.project_id, matrix.revision))
        key = (matrix.project_id, matrix.revision, matrix.vectorizer_digest)
        if matrices.find(*key) is None:
            matrices.add(matrix)
        else:
            unused.append(matrix.file)
    return unused
