"""projects documents jobs models."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_idempotency_keys")),
    )
    with op.batch_alter_table("idempotency_keys", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_idempotency_keys_created_at"), ["created_at"], unique=False
        )

    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("vectorizer", sa.JSON(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    op.create_table(
        "documents",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=512), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column(
            "label",
            sa.Enum(
                "positive", "unlabeled", "negative", name="label", native_enum=False, length=20
            ),
            nullable=False,
        ),
        sa.Column("metadata", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_documents_project_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_documents")),
        sa.UniqueConstraint("project_id", "id", name=op.f("uq_documents_project_id")),
    )
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.create_index("ix_documents_in_order", ["project_id", "number"], unique=False)
        batch_op.create_index(
            "ix_documents_labeled",
            ["project_id", "label"],
            unique=False,
            sqlite_where=sa.text("label != 'unlabeled'"),
            postgresql_where=sa.text("label != 'unlabeled'"),
        )

    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("train", "feature_selection", name="jobkind", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column(
            "status",
            sa.Enum(
                "queued",
                "running",
                "succeeded",
                "failed",
                "cancelled",
                name="jobstatus",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("max_attempts", sa.Integer(), nullable=False),
        sa.Column("run_token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("stage", sa.String(length=100), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("error", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_jobs_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jobs_project_id"), ["project_id"], unique=False)
        batch_op.create_index("ix_jobs_queue", ["status", "created_at"], unique=False)

    op.create_table(
        "matrices",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("vectorizer_digest", sa.String(length=64), nullable=False),
        sa.Column("texts_digest", sa.String(length=64), nullable=False),
        sa.Column("n_documents", sa.Integer(), nullable=False),
        sa.Column("n_terms", sa.Integer(), nullable=False),
        sa.Column("file", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_matrices_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matrices")),
        sa.UniqueConstraint(
            "project_id", "revision", "vectorizer_digest", name=op.f("uq_matrices_project_id")
        ),
    )
    op.create_table(
        "feature_selections",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("method", sa.String(length=50), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("file", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_feature_selections_job_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_feature_selections_project_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feature_selections")),
        sa.UniqueConstraint("job_id", name=op.f("uq_feature_selections_job_id")),
    )
    with op.batch_alter_table("feature_selections", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_feature_selections_project_id"), ["project_id"], unique=False
        )

    op.create_table(
        "job_events",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("level", sa.String(length=10), nullable=False),
        sa.Column("stage", sa.String(length=100), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_events_job_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_job_events")),
    )
    with op.batch_alter_table("job_events", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_job_events_job_id"), ["job_id"], unique=False)

    op.create_table(
        "models",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("algorithm", sa.String(length=50), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("file", sa.JSON(), nullable=False),
        sa.Column("ranking_file", sa.JSON(), nullable=False),
        sa.Column("is_champion", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_models_job_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_models_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_models")),
        sa.UniqueConstraint("job_id", name=op.f("uq_models_job_id")),
    )
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.create_index(
            "ix_models_champion",
            ["project_id"],
            unique=True,
            sqlite_where=sa.text("is_champion"),
            postgresql_where=sa.text("is_champion"),
        )
        batch_op.create_index(batch_op.f("ix_models_project_id"), ["project_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_models_project_id"))
        batch_op.drop_index(
            "ix_models_champion",
            sqlite_where=sa.text("is_champion"),
            postgresql_where=sa.text("is_champion"),
        )

    op.drop_table("models")
    with op.batch_alter_table("job_events", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_job_events_job_id"))

    op.drop_table("job_events")
    with op.batch_alter_table("feature_selections", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_feature_selections_project_id"))

    op.drop_table("feature_selections")
    op.drop_table("matrices")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_jobs_queue")
        batch_op.drop_index(batch_op.f("ix_jobs_project_id"))

    op.drop_table("jobs")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_documents_labeled",
            sqlite_where=sa.text("label != 'unlabeled'"),
            postgresql_where=sa.text("label != 'unlabeled'"),
        )
        batch_op.drop_index("ix_documents_in_order")

    op.drop_table("documents")
    op.drop_table("projects")
    with op.batch_alter_table("idempotency_keys", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_idempotency_keys_created_at"))

    op.drop_table("idempotency_keys")
