"""Models and arrays of the artifact store, mapped: processes share the pages (decision 10)."""

from collections.abc import Callable
from typing import Any, BinaryIO

import structlog
from sklearn.pipeline import Pipeline

from app.artifact_errors import not_read, reason, unusable
from app.artifacts import Artifacts
from core import persistence
from core.plain_file import InvalidModelFile

logger = structlog.get_logger(__name__)


def load_model(artifacts: Artifacts, file: dict[str, Any]) -> Pipeline:
    """Return the stored pipeline, its arrays memory-mapped; raises as ``Artifacts.path``."""
    # Copy-on-write, though nothing is written: kernels are compiled apart for read-only arrays.
    return _load(artifacts, file, persistence.load, "c")


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
        logger.error("a file could not be used", key=file["key"], reason=reason(error))
        raise unusable(file, "this version of the service cannot read it") from error
    except OSError as error:
        raise not_read(file, error) from error
