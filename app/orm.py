"""The tables of the database."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from app.column_types import Id, JsonOrNull, OpenEnum, RowNumber, UTCDateTime, enum_column
from app.document_sizes import DIGEST_BYTES, MAX_ID_CHARACTERS, VECTOR_CODE_CHARACTERS
from app.job_kinds import JobKind, JobStatus


class Label(StrEnum):
    """What is known of a document."""

    POSITIVE = "positive"
    UNLABELED = "unlabeled"
    NEGATIVE = "negative"
    #: A person looked and cannot say: never asked again, learned from as if unlabeled.
    UNSURE = "unsure"


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return uuid4().hex


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def _index_where(condition: str, name: str, *columns: str, unique: bool = False) -> Index:
    """Index only the rows that meet a condition."""
    where = text(condition)
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


class Project(Base):
    """One question: its documents, labels and models."""

    __tablename__ = "projects"

    #: What documents refer to: they are many, and the id is longer than most of their columns.
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True, default=new_id)
    name: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text, default="")
    language: Mapped[str] = mapped_column(String(20), default="english")
    vectorizer: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    #: Grows with every change of the texts: what a cached matrix was made from.
    revision: Mapped[int] = mapped_column(BigInteger, default=0)
    #: The last one at which a text was replaced or removed. A matrix counted since then has the
    #: first rows of one counted now.
    rewritten_revision: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)


#: In place of the number of a judgement: the document was a seed when the newest model was trained,
#: and was made unlabeled since, maybe by mistake.
SEED_TAKEN_BACK = 0


class Document(Base):
    """One text with an id that is the user's own."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("project_number", "id"),
        Index("ix_documents_in_order", "project_number", "number"),
        # Labels are few among millions: counting and reading them must not walk the pile.
        _index_where("label != 'unlabeled'", "ix_documents_labeled", "project_number", "label"),
        _index_where("judgement IS NOT NULL", "ix_documents_judged", "project_number", "judgement"),
        # Rankings name documents by number: that of one removed must not come again.
        {"sqlite_autoincrement": True},
    )

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True, autoincrement=True)
    project_number: Mapped[int] = mapped_column(ForeignKey("projects.number", ondelete="CASCADE"))
    id: Mapped[str] = mapped_column(String(MAX_ID_CHARACTERS))
    text: Mapped[str] = mapped_column(Text)
    #: BLAKE2b of the text.
    digest: Mapped[bytes] = mapped_column(LargeBinary(DIGEST_BYTES))
    label: Mapped[Label] = mapped_column(enum_column(Label), default=Label.UNLABELED)
    #: Numbers the judgements of a project from 1, in their order. Seeds and documents that are not
    #: judged have none; SEED_TAKEN_BACK is one for a while.
    judgement: Mapped[int | None] = mapped_column(BigInteger)
    metadata_: Mapped[dict[str, Any] | None] = mapped_column("metadata", JsonOrNull)
    #: What is kept of its vector; see ``core.text.vector_coding``.
    vector_code: Mapped[str | None] = mapped_column(String(VECTOR_CODE_CHARACTERS))


class Arrival(Base):
    """An upload that brought documents: from then on they have numbers behind ``after``."""

    __tablename__ = "arrivals"

    project_number: Mapped[int] = mapped_column(
        ForeignKey("projects.number", ondelete="CASCADE"), primary_key=True
    )
    after: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    time: Mapped[datetime] = mapped_column(UTCDateTime)
    #: The number of the last judgement before; 0 where nothing was judged.
    last_judgement: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")


class DataTable(Base):
    """Rows of numbers, some of them labeled positive; the values are in a file."""

    __tablename__ = "data_tables"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(200), default="")
    n_rows: Mapped[int]
    n_features: Mapped[int]
    n_positive: Mapped[int]
    #: SHA-256 over names, values and labels.
    digest: Mapped[str] = mapped_column(String(64))
    #: How it was read, and its columns; see schemas.tables.TableRead.
    card: Mapped[dict[str, Any]] = mapped_column(JSON)
    #: {"key", "size", "sha256"} of values, labels and names.
    file: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)


class Job(Base):
    """One run of work in the background, on a project or on a table; the row is the queue."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_queue", "status", "created_at"),
        Index("ix_jobs_newest", "created_at", "id"),
        Index("ix_jobs_newest_of_project", "project_id", "created_at", "id"),
        Index("ix_jobs_figures", "finished_at", "started_at", "kind", "status"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    project_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("projects.id", ondelete="CASCADE")
    )
    table_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("data_tables.id", ondelete="CASCADE"), index=True
    )
    kind: Mapped[JobKind | str] = mapped_column(OpenEnum(JobKind))
    spec: Mapped[dict[str, Any]] = mapped_column(JSON)
    status: Mapped[JobStatus] = mapped_column(enum_column(JobStatus), default=JobStatus.QUEUED)
    attempt: Mapped[int] = mapped_column(default=0)
    max_attempts: Mapped[int] = mapped_column(default=3)
    #: Fencing token: changes with every claim; only its holder may write.
    run_token: Mapped[str | None] = mapped_column(Id)
    #: Seconds since the epoch by the clock of the database.
    lease_until: Mapped[float | None]
    worker: Mapped[str | None] = mapped_column(String(200))
    progress: Mapped[float] = mapped_column(default=0.0)
    stage: Mapped[str] = mapped_column(String(100), default="")
    #: How fast it goes; see schemas.jobs.Pace.
    pace: Mapped[dict[str, Any] | None] = mapped_column(JsonOrNull)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    error: Mapped[dict[str, Any] | None] = mapped_column(JsonOrNull)
    result: Mapped[dict[str, Any] | None] = mapped_column(JsonOrNull)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)
    started_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class JobEvent(Base):
    """One line of a job's log."""

    __tablename__ = "job_events"

    #: Grows over all jobs, and so within each; the id of a server-sent event.
    number: Mapped[int] = mapped_column(RowNumber, primary_key=True, autoincrement=True)
    job_id: Mapped[str] = mapped_column(Id, ForeignKey("jobs.id", ondelete="CASCADE"), index=True)
    time: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)
    level: Mapped[str] = mapped_column(String(10), default="info")
    stage: Mapped[str] = mapped_column(String(100), default="")
    message: Mapped[str] = mapped_column(Text, default="")
    data: Mapped[dict[str, Any] | None] = mapped_column(JsonOrNull)


class Matrix(Base):
    """Counted documents of one state of a project, kept so that nothing is tokenised twice."""

    __tablename__ = "matrices"
    __table_args__ = (UniqueConstraint("project_id", "revision", "vectorizer_digest"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(Id, ForeignKey("projects.id", ondelete="CASCADE"))
    revision: Mapped[int] = mapped_column(BigInteger)
    vectorizer_digest: Mapped[str] = mapped_column(String(64))
    file: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)


class Model(Base):
    """A trained algorithm with its vectorizer."""

    __tablename__ = "models"
    __table_args__ = (_index_where("is_champion", "ix_models_champion", "project_id", unique=True),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(
        Id, ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    #: Unique: a job that runs twice still publishes once.
    job_id: Mapped[str] = mapped_column(Id, ForeignKey("jobs.id", ondelete="CASCADE"), unique=True)
    algorithm: Mapped[str] = mapped_column(String(50))
    #: What was asked for and what came of it; see schemas.models.ModelRead.
    card: Mapped[dict[str, Any]] = mapped_column(JSON)
    #: {"key", "size", "sha256"} of the fitted pipeline and of the ranking.
    file: Mapped[dict[str, Any]] = mapped_column(JSON)
    ranking_file: Mapped[dict[str, Any]] = mapped_column(JSON)
    is_champion: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)


class FeatureSelection(Base):
    """Features ranked by one method on one project or one table."""

    __tablename__ = "feature_selections"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    project_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    table_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("data_tables.id", ondelete="CASCADE"), index=True
    )
    job_id: Mapped[str] = mapped_column(Id, ForeignKey("jobs.id", ondelete="CASCADE"), unique=True)
    method: Mapped[str] = mapped_column(String(50))
    card: Mapped[dict[str, Any]] = mapped_column(JSON)
    #: {"key", "size", "sha256"} of names, scores, ranking and mask.
    file: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now)


class WorkerSign(Base):
    """When a worker was last seen alive, with a job or without."""

    __tablename__ = "worker_signs"

    worker: Mapped[str] = mapped_column(String(200), primary_key=True)
    #: Seconds since the epoch by the clock of the database.
    seen: Mapped[float]


class Installation(Base):
    """The one row that tells the stores of files whose database this is."""

    __tablename__ = "installation"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)


class IdempotencyKey(Base):
    """The answer to a creating request, to be given again when the request comes again."""

    __tablename__ = "idempotency_keys"

    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    #: SHA-256 of method, path with query, and body.
    fingerprint: Mapped[str] = mapped_column(String(64))
    status: Mapped[int]
    headers: Mapped[dict[str, str]] = mapped_column(JSON)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime, default=utc_now, index=True)
