"""What is told of a database that cannot be used."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.database import DATABASE_ERRORS, FREE_BYTES, Database, codes, is_full
from app.errors import AppError, DatabaseUnavailable, NotReady, StorageFull

DATABASE_RETRY_SECONDS = 5

_READ_ONLY = {sqlite3.SQLITE_READONLY, "25006"}
_NO_TABLE_OR_COLUMN = {"42P01", "42703"}
#: SQLite has no code for that.
_SAYS_NO_TABLE_OR_COLUMN = re.compile(
    r"\(sqlite3\.OperationalError\) .*(no such (table|column)|no column named)"
)
#: An error of reading or writing, damaged data, a damaged index; with SQLite quotas and limits of
#: the system are errors of writing.
_BROKEN = {
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
    *(sqlite3.SQLITE_CANTOPEN, "58030", "XX001", "XX002"),
}

NOT_MIGRATED = (
    "The database does not have the schema of this version: run `seedbed migrate` on it, then "
    "try again."
)
READ_ONLY = (
    "The database is read-only, so nothing can be changed or added. Make its file, those beside it "
    "(-wal, -shm) and its folder writable, or have its server take changes, then try again."
)
NO_RIGHTS = (
    "The user of PostgreSQL has not the rights that the service needs; the log names what it was "
    "refused. Grant it all rights on the tables and sequences of the database, or have the user "
    "that made them in SEEDBED_DATABASE_URL."
)
DELETED = (
    "The file of the database was deleted while the service ran: nothing more is stored. What was "
    "read before can be read until the service stops. Stop it, restore a backup and start it "
    "again; without one it starts with an empty database."
)
BROKEN = (
    "The files of the database cannot be read or written as they should; the log has the reason. "
    "Look at their disk, at quotas and rights. Where they are damaged, restore a backup."
)

#: By codes, of which the first that is found tells most: what is logged and what is told.
_FAULTS = (
    ({sqlite3.SQLITE_READONLY_DBMOVED}, "database deleted", DELETED),
    ({"42501"}, "database without rights", NO_RIGHTS),
    (_READ_ONLY, "database read-only", READ_ONLY),
    (_BROKEN, "database broken", BROKEN),
)

logger = structlog.get_logger(__name__)


@contextmanager
def database_errors() -> Iterator[None]:
    """Turn what a database without room, or one that is locked, raises into an error of ours.

    Raises
    ------
    StorageFull, NotReady, DatabaseUnavailable
    """
    try:
        yield
    except SQLAlchemyError as error:
        if not is_of_database(error):
            raise
        raise of_database(error) from error


def is_of_database(error: SQLAlchemyError) -> bool:
    """Tell whether ``of_database`` has an answer; what else is raised is a fault of ours."""
    return isinstance(error, DATABASE_ERRORS) or lacks_schema(error) or _fault(error) is not None


def _fault(error: SQLAlchemyError) -> tuple[str, str] | None:
    known = codes(error)
    found = ((logged, told) for marks, logged, told in _FAULTS if not marks.isdisjoint(known))
    return next(found, None)


def of_database(error: SQLAlchemyError) -> AppError:
    reason = str(error).partition("\n")[0]
    if is_full(error):
        logger.error("database full", reason=reason)
        return StorageFull(
            "The database has no room left, not even to delete. Enlarge its volume or free space "
            "on it without this service, then send the request again."
        )
    if lacks_schema(error):
        logger.error("database without the schema of this version", reason=reason)
        return NotReady(NOT_MIGRATED)
    if fault := _fault(error):
        logged, told = fault
        logger.error(logged, reason=reason)
        return DatabaseUnavailable(told)
    logger.error("database unavailable", reason=reason)
    return DatabaseUnavailable(
        "The database did not answer in time. Send the request again in a moment.",
        retry_seconds=DATABASE_RETRY_SECONDS,
    )


def is_read_only(error: SQLAlchemyError) -> bool:
    """Tell whether the database was to be changed and takes no changes."""
    return not _READ_ONLY.isdisjoint(codes(error))


def is_deleted(error: SQLAlchemyError) -> bool:
    """Tell whether the file of the database was deleted while it was open."""
    return sqlite3.SQLITE_READONLY_DBMOVED in codes(error)


def lacks_schema(error: SQLAlchemyError) -> bool:
    """Tell whether the database lacks a table or column that this version uses."""
    is_told = _SAYS_NO_TABLE_OR_COLUMN.match(str(error)) is not None
    return is_told or not _NO_TABLE_OR_COLUMN.isdisjoint(codes(error))


def check_room(database: Database) -> None:
    """Refuse an upload that would take the room kept for deletions.

    Raises
    ------
    StorageFull
    """
    if not database.has_room():
        raise StorageFull(
            f"The volume of the database has less than {FREE_BYTES >> 20} MiB left, kept for "
            "deletions, which do not make the file smaller. Enlarge the volume or free space on it "
            "without this service, or stop the service and let sqlite3 VACUUM the file. Then send "
            "the upload again."
        )


def takes_changes(database: Database) -> bool:
    """Tell whether the database can be written to; what holds its lock is not waited for.

    Raises
    ------
    OperationalError, ProgrammingError
        If its file was deleted, or its user has not the rights.
    """
    database.refuse_deleted_file()
    with database.connected_without_waiting() as connection:
        try:
            # SQLite itself begins a transaction that is to write on a file that it can only read.
            connection.exec_driver_sql("DELETE FROM installation WHERE 1 = 0")
        except DATABASE_ERRORS as error:
            return not is_read_only(error)
    return True
