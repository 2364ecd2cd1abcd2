"""Counts of a project's texts: made once for each state of the texts, then read from a file."""

import hashlib
import json
from dataclasses import replace
from typing import Any

from scipy.sparse import csr_array
from sklearn.base import clone

from app.artifacts import Artifacts, Folder
from app.database import Database
from app.errors import ArtifactUnavailable, ProjectNotFound
from app.orm import Matrix, Project, new_id
from app.repositories.matrices import MatrixRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.text_counts import Counted, count_texts
from app.services.parameters import checked_parameters
from app.services.stored_files import load_arrays
from core.persistence import dump_arrays
from core.text import TermWeighting, TokenCounter
from core.vectorizer import make_vectorizer, with_language

# To be raised when something else is counted or the file changes: old matrices are then unread.
_FORMAT = 3


def check_vectorizer(vectorizer: dict[str, Any]) -> None:
    """Refuse parameters that the vectorizer does not take.

    Raises
    ------
    InvalidParameter
    """
    meant = as_meant(vectorizer)
    checked_parameters(lambda vectorizer: make_vectorizer(vectorizer), vectorizer=meant)


def as_meant(vectorizer: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as they were sent, a ``max_df`` of 1 as 1.0: all texts.

    Many writers of JSON do not tell the two apart. No word in two texts is no wish.
    """
    max_df = vectorizer.get("max_df")
    return vectorizer | {"max_df": 1.0} if type(max_df) is int and max_df == 1 else vectorizer


def with_defaults(project: Project, vectorizer: dict[str, Any]) -> dict[str, Any]:
    """Return the vectorizer's parameters, over those of the project and of its language."""
    asked = as_meant({**project.vectorizer, **vectorizer})
    parameters: dict[str, Any] = with_language(project.language, asked)
    return parameters


def count(
    database: Database, artifacts: Artifacts, project_id: str, counter: TokenCounter
) -> Counted:
    """Return the counts of the project's texts as they are now.

    Only texts that came in, or were replaced, since they were counted last are read. Counts of all
    terms are kept, so that counters that leave out others share them.

    Raises
    ------
    ProjectNotFound, StorageFull
    ValueError
        If no term is left.
    """
    of_all = clone(counter).set_params(min_df=1, max_df=1.0, max_features=None)
    counted = _count_all_terms(database, artifacts, project_id, of_all)
    counter = clone(counter)
    with artifacts.scratch() as folder:
        counts = counter.fit_counts(counted.counts, counted.counter.terms_, folder=folder)
    return replace(counted, counts=counts, counter=counter)


def _count_all_terms(
    database: Database, artifacts: Artifacts, project_id: str, counter: TokenCounter
) -> Counted:
    digest = _parameters_digest(counter)
    with database.reading() as session:
        project = ProjectRepository(session).get(project_id)
        matrix = MatrixRepository(session).newest(project_id, digest)
    known = None if matrix is None else _read(database, artifacts, matrix, counter)
    if known is not None and known.revision == project.revision:
        return known
    with artifacts.scratch() as folder:
        counted = count_texts(database, project_id, counter, known, folder)
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
        arrays = load_arrays(artifacts, matrix.file)
    except ArtifactUnavailable:
        # It is a cache: what is lost is made anew.
        with database.writing.begin() as session:
            MatrixRepository(session).delete(matrix.id)
        return None
    return Counted(
        counts=arrays["counts"],
        counter=clone(counter).fit_terms(arrays["terms"]),
        numbers=arrays["numbers"],
        digests=arrays["digests"],
        revision=matrix.revision,
    )


def _kept(
    database: Database, artifacts: Artifacts, project_id: str, digest: str, counted: Counted
) -> Counted:
    """Store the matrix; return it mapped from its file, whose pages processes share."""
    arrays = {
        "counts": counted.counts,
        "terms": counted.counter.terms_,
        "numbers": counted.numbers,
        "digests": counted.digests,
    }
    file = artifacts.save(f"{Folder.MATRICES}/{new_id()}", lambda path: dump_arrays(arrays, path))
    matrix = Matrix(
        project_id=project_id,
        revision=counted.revision,
        vectorizer_digest=digest,
        file=file,
    )
    unused = _record(database, matrix)
    artifacts.delete(*(file["key"] for file in unused))
    if file in unused:
        return counted
    kept = _read(database, artifacts, matrix, counted.counter)
    return counted if kept is None else replace(kept, n_tokenised=counted.n_tokenised)


def _record(database: Database, matrix: Matrix) -> list[dict[str, Any]]:
    """Add the row, unless another job was faster; return the files that no row needs now."""
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
