"""Engine and sessions: SQLite or PostgreSQL, one style of transaction on both."""

import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import QueuePool

#: How many requests an API process answers at once; uploads have threads of their own.
REQUEST_THREADS = 15
UPLOAD_THREADS = 32
#: SQLite needs room for whatever it writes, deletions too.
FREE_BYTES = 64 * 2**20

#: PostgreSQL has codes of five letters, SQLSTATE: its driver need not be installed.
_FULL = {sqlite3.SQLITE_FULL, "53100"}

#: What a database, or its user, may have set otherwise: the driver reads no times in another style,
#: and writers, who take locks, would fail where they meet.
_POSTGRESQL_SETTINGS = r"-c datestyle=ISO -c default_transaction_isolation=read\ committed"

_RETRY_PAUSE_SECONDS = 0.5

#: What passes: no answer, a lock, a server that is read-only while another takes its place.
DATABASE_ERRORS = (OperationalError, InternalError, InterfaceError, PoolTimeout)


class Database:
    """An engine and its two kinds of session.

    Parameters
    ----------
    url : str
    timeout_seconds : float, default=30
        How long a lock, an answer to a new connection, or a sign of life of the machine of
        PostgreSQL is waited for.
    retry_seconds : float, default=0
        How long to try to connect where there is no answer, and at least to wait for that sign; a
        request cannot wait long, the work of hours can.
    name : str, default="seedbed"
        What PostgreSQL calls its connections, unless the URL or PGAPPNAME has another name.

    Attributes
    ----------
    reading : sessionmaker
        Sessions that only read, and see the database as it was at their first statement.
    writing : sessionmaker
        Sessions that write; on SQLite they take the write lock at their start, because a
        transaction that reads first and writes later fails at once when another wrote between.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout_seconds: float = 30,
        retry_seconds: float = 0,
        name: str = "seedbed",
    ) -> None:
        self.engine = _create_engine(url, timeout_seconds, retry_seconds, name)
        self._file: int | None = None
        if self.folder and sys.platform == "linux":
            self._watch_file()
        # Behind those that refuse a connection.
        event.listen(self.engine, "do_connect", partial(_connect, retry_seconds))
        # On SQLite every transaction is such a snapshot.
        snapshot = {} if self.folder else {"isolation_level": "REPEATABLE READ"}
        self.reading = sessionmaker(
            self.engine.execution_options(**snapshot), expire_on_commit=False
        )
        self.writing = sessionmaker(
            self.engine.execution_options(begin="IMMEDIATE"), expire_on_commit=False
        )

    @property
    def folder(self) -> Path | None:
        """Where the file of SQLite lies."""
        is_sqlite = self.engine.dialect.name == "sqlite"
        return Path(str(self.engine.url.database)).parent if is_sqlite else None

    def refuse_deleted_file(self) -> None:
        """Check that the file of SQLite, where open, was not deleted: nothing of it would be kept.

        Raises
        ------
        OperationalError
            With the code of SQLite for a file that is not where it was.
        """
        if self._file is not None and os.fstat(self._file).st_nlink == 0:
            cause = sqlite3.OperationalError("the file was deleted while it was open")
            cause.sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED
            raise OperationalError(None, None, cause)

    def free_bytes(self) -> int | None:
        """Return what SQLite has room for beside its log; None where that is not known.

        What stands in the log is yet to be copied into the file.
        """
        if self.folder is None:
            return None
        log = Path(f"{self.engine.url.database}-wal")
        try:
            log_bytes = log.stat().st_size if log.exists() else 0
            return shutil.disk_usage(self.folder).free - log_bytes
        except OSError:  # moved or unmounted: what is written next tells
            return None

    def has_room(self) -> bool:
        """Tell whether SQLite has room for what it writes; what PostgreSQL has is not known."""
        if is_enough(self.free_bytes()):
            return True
        self._empty_log()
        return is_enough(self.free_bytes())

    def _empty_log(self) -> None:
        """Copy the log of SQLite into its file, unless others read or write just now."""
        with suppress(SQLAlchemyError), self.connected_without_waiting() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def connected_without_waiting(self) -> Iterator[Connection]:
        """Connect; SQLite then fails at once where another holds its lock."""
        with self.engine.connect() as connection:
            if self.folder is None:
                yield connection
                return
            wait = connection.exec_driver_sql("PRAGMA busy_timeout").scalar()
            connection.exec_driver_sql("PRAGMA busy_timeout=0")
            try:
                yield connection
            finally:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={wait}")

    def close(self) -> None:
        self.engine.dispose()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _watch_file(self) -> None:
        """Refuse changes, and new connections, which would be to a new file, when it is deleted."""

        def keep_open(raw: Any, _record: Any) -> None:
            _, _, path = raw.execute("PRAGMA database_list").fetchone()
            # Opened in any other way, all locks of this process would end when it is closed.
            self._file = os.open(path, os.O_PATH)

        def before_transaction(connection: Connection) -> None:
            if connection.get_execution_options().get("begin") == "IMMEDIATE":
                self.refuse_deleted_file()

        event.listen(self.engine, "do_connect", lambda *_: self.refuse_deleted_file())
        event.listen(self.engine, "first_connect", keep_open)
        event.listen(self.engine, "begin", before_transaction, insert=True)


def is_enough(free_bytes: int | None) -> bool:
    """Tell whether a volume has the room that is kept to delete, as far as is known."""
    return free_bytes is None or free_bytes >= FREE_BYTES


def _create_engine(url: str, timeout_seconds: float, retry_seconds: float, name: str) -> Engine:
    parsed = make_url(url)
    is_sqlite = parsed.get_backend_name() == "sqlite"
    if is_sqlite and parsed.database:
        with suppress(OSError):  # who connects is told that the file cannot be opened
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        parsed,
        connect_args=(
            {"timeout": timeout_seconds}
            if is_sqlite
            else _postgresql_arguments(parsed, timeout_seconds, retry_seconds, name)
        ),
        poolclass=QueuePool,
        # A connection for each thread, so that none waits for one: an upload may have a second
        # thread that renews its key, and two probes look. Together below PostgreSQL's 100.
        pool_size=REQUEST_THREADS,
        max_overflow=2 * UPLOAD_THREADS + 2,
        # The last one used has the pages of its last chunk in memory still.
        pool_use_lifo=True,
        pool_pre_ping=not is_sqlite,
        # Parameters in messages of errors would bring texts into the log.
        hide_parameters=True,
    )
    if is_sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _connect(
    retry_seconds: float, dialect: Dialect, _record: Any, arguments: Any, named: Any
) -> Any:
    end = time.monotonic() + retry_seconds
    while True:
        try:
            return dialect.connect(*arguments, **named)
        except dialect.loaded_dbapi.Error:
            if time.monotonic() >= end:
                raise
        time.sleep(_RETRY_PAUSE_SECONDS)


def _postgresql_arguments(
    url: URL, seconds: float, retry_seconds: float, name: str
) -> dict[str, Any]:
    # Options of the URL come last: the last one counts.
    options = (
        _POSTGRESQL_SETTINGS,
        f"-c lock_timeout={ceil(1000 * seconds)}",
        url.query.get("options", ""),
    )
    # A machine or network that is gone without a word, as in a failover, is given up. The system
    # would wait for a quarter of an hour, and for an answer two hours.
    silence = max(seconds, retry_seconds)
    signs = {
        "tcp_user_timeout": ceil(1000 * silence),
        "keepalives_idle": ceil(silence / 3),
        "keepalives_interval": ceil(silence / 3),
    }
    return {
        **{sign: value for sign, value in signs.items() if sign not in url.query},
        "connect_timeout": ceil(seconds),
        "options": " ".join(map(str, options)),
        # That of the database by default, which may be none: then its answers are bytes.
        "client_encoding": "utf8",
        "fallback_application_name": name,
    }


def codes(error: SQLAlchemyError) -> set[int | str | None]:
    """Return what the driver calls an error: its SQLSTATE, or a code of SQLite and its kind.

    The kind is the lowest byte; the others say why.
    """
    cause = getattr(error, "orig", None)
    code = getattr(cause, "sqlite_errorcode", 0)
    return {getattr(cause, "sqlstate", None), code, code & 0xFF}


def is_full(error: SQLAlchemyError) -> bool:
    """Tell whether the database had no room for what was to be written."""
    return not _FULL.isdisjoint(codes(error))


#: Ids come in any order, so a chunk of them changes every page of their index: a page that several
#: chunks change is copied out of the log once. At 64 MiB; by default it is 4, less than one chunk.
_CHECKPOINT = "wal_autocheckpoint=16384"
#: One large deletion writes more at once; the room beyond is given back when the log starts anew.
_LOG_BYTES = 64 * 2**20


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions by itself: _begin_sqlite does.
    connection.isolation_level = None
    # Its own knows ASCII only, and so would the search for text in any case.
    connection.create_function("lower", 1, str.lower, deterministic=True)
    connection.create_function(
        "single_blanks", 1, lambda text: " ".join(text.split()), deterministic=True
    )
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", _CHECKPOINT):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA journal_size_limit={_LOG_BYTES}")


#: The pages that a chunk of ids changes; there is one writer at a time, but many readers.
_CACHE_KB = {"IMMEDIATE": 64 * 1024, "DEFERRED": 2 * 1024}


def _begin_sqlite(connection: Connection) -> None:
    kind = connection.get_execution_options().get("begin", "DEFERRED")
    connection.exec_driver_sql(f"PRAGMA cache_size=-{_CACHE_KB[kind]}")
    connection.exec_driver_sql(f"BEGIN {kind}")


@contextmanager
def planned_anew(session: Session) -> Iterator[None]:
    """Let PostgreSQL plan a statement for its parameters, and not as it did for a small table."""
    is_postgresql = session.get_bind().dialect.name == "postgresql"
    if is_postgresql:
        session.execute(text("SET LOCAL plan_cache_mode = force_custom_plan"))
    yield
    if is_postgresql:
        session.execute(text("SET LOCAL plan_cache_mode TO DEFAULT"))
