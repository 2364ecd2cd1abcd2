"""The clean-up: files without a row, and answers kept for idempotency keys, after a day."""

import re
from datetime import timedelta
from pathlib import Path

import structlog
from obstore.exceptions import BaseError
from sqlalchemy.exc import SQLAlchemyError

from app.artifact_errors import reason
from app.artifacts import Artifacts, Folder
from app.database import Database
from app.errors import StoreUnavailable
from app.orm import utc_now
from app.repositories.files import FileRepository
from app.repositories.idempotency import IdempotencyRepository
from app.worker.outage import reason_of

SWEEP_SECONDS = 3600
KEPT = timedelta(hours=24)

#: A second number is that of a file that was not written to its end.
_KEY = re.compile(r"[a-z_]+/[0-9a-f]{32}(\.[0-9a-f]{32})?")
#: Each database that uses the store leaves an empty file here.
MARKS = "installations"

logger = structlog.get_logger(__name__)


def try_to_sweep(database: Database, artifacts: Artifacts) -> None:
    """Sweep, or log why that could not be: the next hour has another try."""
    try:
        sweep(database, artifacts)
    except SQLAlchemyError as error:
        logger.warning("clean-up failed", reason=reason_of(error))
    except (BaseError, OSError, StoreUnavailable) as error:
        logger.warning("clean-up failed", reason=reason(error))
    except Exception:
        logger.exception("clean-up failed")


def sweep(database: Database, artifacts: Artifacts) -> None:
    """Remove what an attempt left behind that died between its file and its row."""
    # The keys first: they need no store.
    with database.writing.begin() as session:
        IdempotencyRepository(session).delete_older(KEPT)
    if _is_alone(database, artifacts):
        _remove_orphans(database, artifacts)
    artifacts.trim_cache()
    with database.reading() as session:
        named = FileRepository(session).keys()
    artifacts.remove_copies(named)


def _is_alone(database: Database, artifacts: Artifacts) -> bool:
    """Mark the store as used by this database; tell whether no other uses it."""
    with database.reading() as session:
        mark = f"{MARKS}/{FileRepository(session).installation()}"
    marks = {key for key, _ in artifacts.list(MARKS)}
    if mark not in marks:
        artifacts.save(mark, Path.touch)
    others = sorted(marks - {mark})
    if others:
        logger.warning(
            "files without a row are kept: the artifact store has marks of other databases; give "
            "each its own folder or prefix, or delete the marks of those that are gone",
            marks=others,
        )
    return not others


def _remove_orphans(database: Database, artifacts: Artifacts) -> None:
    before = utc_now() - KEPT
    # The files first: one that is stored later than this list is not on it.
    old = {
        key
        for folder in Folder
        for key, last_modified in artifacts.list(folder)
        if last_modified < before and _KEY.fullmatch(key)
    }
    with database.reading() as session:
        orphans = old - FileRepository(session).keys()
    if orphans:
        logger.info("removing files without a row", n_files=len(orphans))
    artifacts.delete(*sorted(orphans))
