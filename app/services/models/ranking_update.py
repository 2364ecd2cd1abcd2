"""Rankings are brought up to date: scored are the documents that came in since, or else all.

The model stays as it is. All documents are scored where a text was replaced or removed since the
ranking was made, or where its file is lost.
"""

from array import array
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline
from sqlalchemy.orm import Session

from app.artifacts import Folder
from app.errors import ArtifactUnavailable, ModelNotFound, RankingReplaced, UnsuitableDocuments
from app.job_kinds import JobKind
from app.orm import Job, Model, new_id
from app.repositories.documents import DocumentRepository
from app.repositories.jobs import JobRepository
from app.repositories.models import ModelRepository
from app.repositories.projects import ProjectRepository
from app.services.documents.data_state import texts_changed
from app.services.documents.text_counts import read_texts, to_count
from app.services.jobs import memory_limit
from app.services.jobs.publication import publish
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.ranking import ranking_file
from app.services.ranking.ranking_file import RankingFile
from app.services.stored_files import load_arrays, load_scorer
from app.services.training.calibrating import probabilities
from app.services.training.model_card import ranking_state
from app.services.training.training_memory import DOCUMENT_BYTES
from core.kernels.rows.row_blocks import row_blocks, rows_of
from core.pipeline import score_counts
from core.progress import report

#: For each term of a model: its bytes and its places in the table that finds it.
RANKING_TERM_BYTES = 150
_ENDS = {"vectorise": 0.8, "rank": 0.9, "save": 1.0}


def request(session: Session, *, model_id: str, memory_mb: int | None = None) -> Job:
    """Queue that the ranking of a model is brought up to date.

    Raises
    ------
    ModelNotFound, ProjectNotFound, MemoryLimit
    """
    model = ModelRepository(session).get(model_id)
    ProjectRepository(session).lock(model.project_id)
    # To count a million documents takes most of the request.
    if memory_mb is not None:
        _check_memory(session, model, memory_mb)
    return JobRepository(session).add(model.project_id, JobKind.RANKING, {"model_id": model_id})


def _check_memory(session: Session, model: Model, memory_mb: int) -> None:
    total = DocumentRepository(session).counts(model.project_id)["total"]
    needed = memory_limit.START_BYTES + DOCUMENT_BYTES * total
    if model.card["vectorizer"].get("n_features") is None:  # no hashed term is held
        needed += RANKING_TERM_BYTES * model.card["n_terms"]
    size = memory_limit.size_in_words(total)
    memory_limit.check(memory_mb, "The ranking", needed, size, "Raise the limit.")


def run(run: Run) -> None:
    """Score what the ranking lacks; replace its file if the job is still held.

    Raises
    ------
    ProjectNotFound, ModelNotFound
    UnsuitableDocuments
        If the project has no document any more.
    RankingReplaced
        If the ranking is not the one any more that was read: nothing is changed then.
    ArtifactUnavailable
        If the model's own file is lost: without that of the ranking, all documents are scored.
    StorageFull
    """
    stages = Stages(run.report, _ENDS)
    with run.database.reading() as session:
        model = ModelRepository(session).get(run.spec["model_id"])
        # Before any text is read: what changes in between is done again the next time.
        project = ProjectRepository(session).get(run.project_id)
        is_rewritten = texts_changed(session, model)
    # Documents of the ranking may have another text now, or be gone.
    known = None if is_rewritten else _known(run, model)
    after = 0 if known is None else known.last_number
    with run.database.reading() as session:
        n_new = DocumentRepository(session).n_behind(run.project_id, after)
    if known is not None and not n_new:
        _publish_as_it_is(run, model, project.revision)
        return
    pipeline = load_scorer(run.artifacts, model.file)
    with stages.stage("vectorise") as event:
        numbers, counts = _counted(run, pipeline, after, n_new)
        event |= {"n_documents": len(numbers), "matrix": "tokenised", "n_tokenised": len(numbers)}
    if known is None and not len(numbers):
        raise UnsuitableDocuments(
            "The project has no document left that could be ranked. Add some, or delete the model."
        )
    if not len(numbers):
        # The new ones were removed before they were read.
        _publish_as_it_is(run, model, model.card["ranking"]["revision"])
        return
    with stages.stage("rank"):
        scores = _scores(pipeline, counts)
    with stages.stage("save"):
        write = ranking_file.write if known is None else partial(ranking_file.append, known)
        columns: dict[str, NDArray[Any]] = {"scores": scores}
        columns |= probabilities(pipeline["classifier"], scores)
        file = run.artifacts.save(f"{Folder.RANKINGS}/{new_id()}", partial(write, numbers, columns))
    n_documents = len(numbers) + (0 if known is None else len(known))
    is_approximate = pipeline["classifier"].is_transductive
    state = ranking_state(n_documents, project.revision, approximate=is_approximate)
    _publish(run, model, file, state, _result(model, len(numbers), state))


def _known(run: Run, model: Model) -> RankingFile | None:
    """Return the ranking that new documents are put into; None where its file is lost."""
    try:
        return RankingFile(load_arrays(run.artifacts, model.ranking_file))
    except ArtifactUnavailable:
        with run.database.reading() as session:
            _check_same(session, model)
        return None


def _check_same(session: Session, model: Model) -> Model:
    """Return the row as it is now, unless it has another ranking than ``model``."""
    now = ModelRepository(session).get(model.id)
    if now.ranking_file != model.ranking_file:
        raise RankingReplaced(
            "Another job replaced the ranking meanwhile. Start again with "
            f"POST /models/{model.id}/ranking."
        )
    return now


def _counted(
    run: Run, pipeline: Pipeline, after: int, total: int
) -> tuple[NDArray[np.int64], csr_array]:
    """Return the numbers of the documents behind ``after`` and the counts of the known terms."""
    numbers = array("q")
    counter = pipeline["counts"]

    def texts() -> Iterator[bytes]:
        for part in read_texts(run.database, run.project_id, after=after):
            numbers.extend(part.numbers)
            yield from to_count(part, counter)

    with run.artifacts.scratch() as folder:
        counts = counter.transform(texts(), total=total, folder=folder)
    return np.array(numbers, dtype=np.int64), counts


def _scores(pipeline: Pipeline, counts: csr_array) -> NDArray[np.float64]:
    scores = np.empty(counts.shape[0])
    # In blocks: the weights of all would take as much memory as the counts.
    for block in row_blocks(counts):
        scores[block], _ = score_counts(pipeline, rows_of(counts, block))
        report("rank", block.stop / len(scores), n_samples=len(scores))
    return scores


def _result(model: Model, n_scored: int, state: dict[str, Any]) -> dict[str, Any]:
    return {
        "model_id": model.id,
        "n_scored": n_scored,
        "n_documents": state["n_documents"],
        "approximate": state["approximate"],
    }


def _publish_as_it_is(run: Run, model: Model, revision: int) -> None:
    """End the job; the ranking lacks nothing that the project had at ``revision``."""
    state = {**model.card["ranking"], "revision": revision}
    publish(run, lambda session: _keep(session, model, state), result=_result(model, 0, state))


def _keep(session: Session, model: Model, state: dict[str, Any]) -> Model:
    """Keep what is told of the ranking; return the row, as it is now."""
    now = _check_same(session, model)
    now.card = {**now.card, "ranking": state}
    return now


def _publish(
    run: Run, model: Model, file: dict[str, Any], state: dict[str, Any], result: dict[str, Any]
) -> None:
    """Let the model have the new file, and remove the one before."""

    def replace(session: Session) -> None:
        _keep(session, model, state).ranking_file = file

    try:
        is_published = publish(run, replace, result=result, keys=[file["key"]])
    except (ModelNotFound, RankingReplaced):
        run.artifacts.delete(file["key"])
        raise
    if is_published:
        run.artifacts.delete(model.ranking_file["key"])
