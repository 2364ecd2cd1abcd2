"""Settings of the service, from SEEDBED_* environment variables."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

PREFIX = "SEEDBED_"
#: Of the commands that use a service: where it is.
CLIENT_URL = "SEEDBED_URL"
#: A header of each answer, by which the commands know the service.
SERVICE_HEADER = ("X-Service", "seedbed")
#: How long requests may go on when the API stops; uploads are answered with what was kept.
GRACEFUL_SECONDS = 3
#: After that, to store what came of uploads and to hand jobs back. With the default grace of jobs
#: it stays below the ten seconds after which Docker kills.
HAND_BACK_SECONDS = 4
BUCKETS = {"s3", "gs", "az"}
#: What needs no quotes in a shell and no escapes in a URL.
USER = re.compile(r"[\w.~-]+:[\w.~-]{16,}", re.ASCII)
POSTGRESQL = {"postgres", "postgresql", "postgresql+psycopg"}
#: What the driver takes besides options of PostgreSQL: objects of Python, and no text.
DRIVER_OPTIONS = {"autocommit", "context", "cursor_factory", "prepare_threshold", "row_factory"}


class Settings(BaseModel):
    """Every setting has a default; a misspelt or malformed variable stops the start."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, allow_inf_nan=False
    )

    database_url: str = Field(
        default="sqlite:///data/seedbed.db",
        description="SQLite file or PostgreSQL (postgresql://user:password@host/name).",
    )
    database_timeout_seconds: float = Field(
        default=30,
        gt=0,
        le=24 * 3600,  # SQLite and PostgreSQL count milliseconds, up to 2**31 of them
        description="How long to wait for a locked database before giving up.",
    )
    artifacts_url: str = Field(
        default="data/artifacts",
        description="Models and matrices: a folder, or s3://, gs://, az:// with a bucket.",
    )
    cache_directory: Path = Field(
        default=Path("data/cache"),
        description="Verified local copies of remote artifacts, and temporary files: those of "
        "jobs whose artifacts are remote and, until they are answered, of tables (up to "
        "SEEDBED_MAX_TABLE_BYTES each), atomic uploads, workbooks, Parquet and streams of texts "
        "to predict (up to SEEDBED_MAX_UPLOAD_BYTES each).",
    )
    host: str = Field(default="127.0.0.1", description="Address the API listens on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port the API listens on.")
    allowed_hosts: str = Field(
        default="",
        description="Names by which the API may be addressed, besides IP addresses and names "
        "without a dot, separated by commas; * for any. Unset: none where the API listens on this "
        "machine alone (else a page in a browser could reach it by DNS), otherwise any.",
    )
    users: str | None = Field(
        default=None,
        description="Who may use the API, as NAME:PASSWORD, separated by commas; letters, digits "
        "and .-_~, passwords of 16 characters or more, as of `openssl rand -hex 16`. Unset: "
        "everybody who can reach it.",
    )
    api_processes: int = Field(
        default=1,
        ge=1,
        le=256,
        description="Processes of one API, on one socket; each answers any request.",
    )
    max_upload_bytes: int = Field(
        default=8 * 2**30, gt=0, description="Largest upload, counted after decompression."
    )
    max_document_bytes: int = Field(
        default=10 * 2**20, gt=0, description="Largest single text, in bytes of UTF-8."
    )
    max_table_bytes: int = Field(
        default=2**30,
        gt=0,
        description="Largest table, both as sent and as numbers of 8 bytes.",
    )
    max_table_columns: int = Field(
        default=20_000, gt=0, description="Most columns of a table, and most features made of it."
    )
    max_body_bytes: int = Field(
        default=32 * 2**20, gt=0, description="Largest body of a request that is not an upload."
    )
    body_timeout_seconds: float = Field(
        default=60, gt=0, description="How long to wait for more of a body before giving up on it."
    )
    model_cache_bytes: int = Field(
        default=2**30,
        gt=0,
        description="Loaded models that one API process keeps, in bytes.",
    )
    worker_slots: int = Field(
        default=1, ge=1, le=256, description="Jobs that one worker runs at a time."
    )
    job_threads: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="Threads of one job; unset: the processors, shared by the slots of a worker.",
    )
    job_memory_mb: int | None = Field(
        default=None,
        ge=64,
        description="Memory limit of one job in MiB, mapped files aside; about 200 is "
        "taken before it reads a document. Unset: no limit.",
    )
    job_seconds: int = Field(
        default=6 * 3600, ge=1, description="Time limit of one attempt at a job."
    )
    job_lease_seconds: float = Field(
        default=30, gt=0, description="A job is taken over after this long without a sign of life."
    )
    job_renew_seconds: float = Field(
        default=5,
        gt=0,
        validate_default=True,
        description="How often a worker renews the lease of its jobs; less than the lease.",
    )
    job_poll_seconds: float = Field(
        default=0.1, gt=0, le=1, description="How often a worker looks for jobs and for cancels."
    )
    stop_grace_seconds: float = Field(
        default=5, ge=0, description="How long running jobs may go on after SIGTERM."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info",
        description="The lowest level that is logged: debug, info, warning or error.",
    )
    log_format: Literal["json", "console"] | None = Field(
        default=None,
        description="json, or console for people; unset: console on a terminal, else json.",
    )

    @property
    def host_names(self) -> frozenset[str] | None:
        """Names of ``allowed_hosts``; None for any."""
        names = frozenset(name.lower() for name in _listed(self.allowed_hosts))
        is_local = self.host == "localhost" or self.host.startswith("127.") or self.host == "::1"
        return None if "*" in names or not (names or is_local) else names

    @property
    def passwords(self) -> dict[str, str]:
        """Passwords of ``users`` by their names; empty where nobody has to sign in."""
        return dict(user.split(":") for user in _listed(self.users or ""))

    @field_validator("database_url")
    @classmethod
    def _name_the_driver(cls, url: str) -> str:
        url = url.strip()
        try:
            parts = urlsplit(url)
            is_file = len(parts.path) > 1 and ":memory:" not in url
            is_sqlite = parts.scheme == "sqlite" and not parts.netloc and is_file
            # Where it is no number, there is no port but an error.
            is_postgresql = parts.scheme in POSTGRESQL and parts.port != 0
            is_postgresql = is_postgresql and parts.netloc.count("@") < 2
        except ValueError:
            is_sqlite = is_postgresql = False
        if not (is_sqlite or is_postgresql):
            raise PydanticCustomError(
                "unknown_database",
                "must be sqlite:///relative/file, sqlite:////absolute/file or "
                "postgresql://user:password@host:port/name; write other characters than letters "
                "and digits in the password as %40 for @, %2F for /",
            )
        options = set(parse_qs(parts.query, keep_blank_values=True))
        if refused := options if is_sqlite else options & DRIVER_OPTIONS:
            raise PydanticCustomError(
                "no_option",
                "must not have {refused} after the ?: for PostgreSQL there may be its own "
                "connection options, such as sslmode, for SQLite none",
                {"refused": ", ".join(sorted(refused))},
            )
        return url if is_sqlite else f"postgresql+psycopg{url[len(parts.scheme) :]}"

    @field_validator("artifacts_url")
    @classmethod
    def _check_store(cls, url: str) -> str:
        url = url.strip()
        scheme, mark, rest = url.partition("://")
        is_folder = bool(url) and not mark
        is_file = scheme == "file" and rest.startswith("/")
        is_bucket = scheme in BUCKETS and bool(urlsplit(url).netloc)
        if not (is_folder or is_file or is_bucket):
            raise PydanticCustomError(
                "unknown_store",
                "must be a folder, file:///absolute/folder, or s3://, gs:// or az:// with a bucket",
            )
        return url

    @field_validator("allowed_hosts")
    @classmethod
    def _check_names(cls, hosts: str) -> str:
        if "/" in hosts or ":" in hosts:  # would be the name of no host
            raise PydanticCustomError(
                "no_host_names",
                "must be names such as seedbed.example.com, separated by commas, without http:// "
                "and port; IP addresses are taken anyway",
            )
        return hosts

    @field_validator("users")
    @classmethod
    def _check_users(cls, users: str | None) -> str | None:
        if users is None:
            return None
        listed = _listed(users)
        # None of them: what was meant to close the service must not open it.
        if not listed or not all(USER.fullmatch(user) for user in listed):
            raise PydanticCustomError(
                "no_users",
                "must be NAME:PASSWORD, separated by commas: letters, digits and .-_~, the "
                "password of 16 characters or more; unset it to let everybody in",
            )
        if len({user.partition(":")[0] for user in listed}) < len(listed):
            raise PydanticCustomError("users_twice", "must have each name once")
        return users

    @field_validator("cache_directory", mode="before")
    @classmethod
    def _check_folder(cls, folder: object) -> object:
        if not str(folder).strip():  # would be the folder it is started in
            raise PydanticCustomError("no_folder", "must be a folder; it is empty")
        return folder

    @field_validator("job_renew_seconds")
    @classmethod
    def _renew_before_the_lease_ends(cls, seconds: float, info: ValidationInfo) -> float:
        # There is none when it is not valid itself.
        lease = info.data.get("job_lease_seconds")
        if lease is not None and seconds >= lease:
            raise PydanticCustomError(
                "lease_too_short",
                "{renew} seconds must be less than SEEDBED_JOB_LEASE_SECONDS ({lease}), or each "
                "job would be taken over while it runs",
                {"renew": seconds, "lease": lease},
            )
        return seconds

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read every SEEDBED_* variable; unknown ones are errors."""
        return cls.model_validate(
            {
                name.removeprefix(PREFIX).lower(): value
                for name, value in environ.items()
                if name.startswith(PREFIX) and name != CLIENT_URL
            }
        )

    def to_environment(self) -> dict[str, str]:
        """Return the variables that make another process read these settings."""
        return {
            PREFIX + name.upper(): str(value)
            for name, value in self.model_dump(exclude_none=True).items()
        }


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
