"""Tables: received, kept as files of plain arrays, deleted with what was made of them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.artifacts import Artifacts, Folder
from app.database import Database
from app.errors import StorageFull
from app.orm import DataTable, new_id
from app.repositories.files import FileRepository
from app.repositories.idempotency import IdempotencyRepository
from app.repositories.jobs import JobRepository
from app.repositories.tables import TableRepository
from app.services.intake.spool import spooled, storage_errors
from app.services.stored_files import load_arrays
from app.services.tables.table_contents import Contents, to_contents
from app.services.tables.table_files import Limits, TableOptions, read_columns
from app.storage_room import NO_ROOM, has_room
from core.persistence import dump_arrays


def check_room(database: Database, artifacts: Artifacts) -> None:
    """Check that what is kept to delete stays free.

    Raises
    ------
    StorageFull
    """
    if not has_room(database, artifacts):
        raise StorageFull(f"{NO_ROOM} Then send the table again.")


def receive(
    body: Iterator[bytes],
    media_type: str,
    limits: Limits,
    options: TableOptions,
    *,
    folder: Path,
    artifacts: Artifacts,
    name: str,
) -> DataTable:
    """Read a table and store its file; the row is for the caller to add.

    The bytes wait in a file of ``folder``, so memory is for the table alone.

    Raises
    ------
    InvalidTable, StorageFull
    """
    with storage_errors(), spooled(body, folder) as file:
        columns = read_columns(file, media_type, limits, options)
    contents = to_contents(columns, options, limits)
    table_id = new_id()
    arrays = {"X": contents.X, "is_positive": contents.is_positive, "names": contents.names}
    return DataTable(
        id=table_id,
        name=name,
        n_rows=contents.X.shape[0],
        n_features=contents.X.shape[1],
        n_positive=int(contents.is_positive.sum()),
        digest=contents.digest(),
        card=_card(contents, options),
        file=artifacts.save(f"{Folder.TABLES}/{table_id}", partial(dump_arrays, arrays)),
    )


def _card(contents: Contents, options: TableOptions) -> dict[str, Any]:
    return {
        **options._asdict(),
        "n_dropped_rows": contents.n_dropped_rows,
        "dropped_columns": contents.dropped_columns,
        "columns": contents.columns,
        "warnings": contents.warnings,
    }


def read(artifacts: Artifacts, table: DataTable) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the values and which rows are positive.

    Raises
    ------
    ArtifactUnavailable
    """
    arrays = load_arrays(artifacts, table.file)
    return arrays["X"], arrays["is_positive"]


def delete(session: Session, table_id: str) -> list[str]:
    """Delete a table with its feature selections; return the keys of files now without rows.

    Its running jobs end by themselves: their next sign of life finds no row.

    Raises
    ------
    TableNotFound
    """
    repository = TableRepository(session)
    repository.lock(table_id)
    JobRepository(session).lock_all(table_id=table_id)
    keys = sorted(FileRepository(session).keys_of_table(table_id))
    repository.delete(table_id)
    IdempotencyRepository(session).delete_of(table_id)
    return keys
