"""The clean-up: files without a row, and answers kept for idempotency keys, after a day."""

from datetime import timedelta

import structlog

from app.artifacts import Artifacts
from app.database import Database
from app.repositories.files import FileRepository
from app.repositories.idempotency import IdempotencyRepository
from app.tables import utc_now

SWEEP_SECONDS = 3600
KEPT = timedelta(hours=24)

logger = structlog.get_logger(__name__)


def sweep(database: Database, artifacts: Artifacts) -> None:
    """Remove what an attempt left behind that died between its file and its row."""
    before = utc_now() - KEPT
    # The files first: one that is stored later than this list is not on it.
    old = {key for key, last_modified in artifacts.list() if last_modified < before}
    with database.reading() as session:
        orphans = old - FileRepository(session).keys()
    for key in sorted(orphans):
        artifacts.delete(key)
    with database.writing.begin() as session:
        IdempotencyRepository(session).delete_before(before)
    if orphans:
        logger.info("removed files without a row", n_files=len(orphans))
