"""Models and arrays of the artifact store, mapped: processes share the pages (ADR 10)."""

from collections.abc import Callable
from typing import Any, BinaryIO

import structlog
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline

from app.artifact_errors import not_read, reason, unusable
from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from core import persistence
from core.pipeline import score_counts, score_texts
from core.plain_file import InvalidModelFile

logger = structlog.get_logger(__name__)


def read_model(artifacts: Artifacts, file: dict[str, Any]) -> Pipeline:
    """Return the stored pipeline, its arrays memory-mapped; raises as ``Artifacts.path``."""
    # Copy-on-write, though nothing is written: kernels are compiled apart for read-only arrays.
    pipeline: Pipeline = _load(artifacts, file, persistence.load, "c")
    return pipeline


def load_model(artifacts: Artifacts, file: dict[str, Any]) -> Pipeline:
    """Return the same, after it has scored an empty text: what it needs to predict is there."""
    return _tried(artifacts, file, lambda pipeline: score_texts(pipeline, [""]))


def load_scorer(artifacts: Artifacts, file: dict[str, Any]) -> Pipeline:
    """Return the same, after it has scored the counts of no term.

    What finds the terms of single texts is not made: of many terms that takes a while.
    """

    def score_nothing(pipeline: Pipeline) -> None:
        score_counts(pipeline, csr_array((1, len(pipeline["counts"].terms_))))

    return _tried(artifacts, file, score_nothing)


def _tried(
    artifacts: Artifacts, file: dict[str, Any], score: Callable[[Pipeline], object]
) -> Pipeline:
    pipeline = read_model(artifacts, file)
    try:
        score(pipeline)
    except AttributeError as error:  # other versions learn other attributes
        raise _of_another_version(file, error) from error
    return pipeline


def load_arrays(artifacts: Artifacts, file: dict[str, Any]) -> dict[str, Any]:
    """Return the stored arrays, memory-mapped; raises as ``Artifacts.path``."""
    arrays: dict[str, Any] = _load(artifacts, file, persistence.load_arrays, "r")
    return arrays


def open_file(artifacts: Artifacts, file: dict[str, Any]) -> BinaryIO:
    """Return the stored file, open for reading; raises as ``Artifacts.path``."""
    try:
        return artifacts.path(file).open("rb")
    except OSError as error:
        raise not_read(file, error) from error


def _load(
    artifacts: Artifacts, file: dict[str, Any], load: Callable[..., Any], mmap_mode: str
) -> Any:
    path = artifacts.path(file)
    try:
        return load(path, mmap_mode=mmap_mode)
    except InvalidModelFile as error:
        raise _of_another_version(file, error) from error
    except OSError as error:
        raise not_read(file, error) from error


def _of_another_version(file: dict[str, Any], error: Exception) -> ArtifactUnavailable:
    logger.error("a file could not be used", key=file["key"], reason=reason(error))
    return unusable(file, "this version of the service cannot read it")
