"""tables; jobs and feature selections belong to a project or to a table."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

OWNED = ("jobs", "feature_selections")


def upgrade() -> None:
    op.create_table(
        "data_tables",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("n_rows", sa.Integer(), nullable=False),
        sa.Column("n_features", sa.Integer(), nullable=False),
        sa.Column("n_positive", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("file", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_tables")),
    )
    for name in OWNED:
        with op.batch_alter_table(name, schema=None) as batch_op:
            batch_op.alter_column("project_id", existing_type=sa.String(length=32), nullable=True)
            batch_op.add_column(sa.Column("table_id", sa.String(length=32), nullable=True))
            batch_op.create_foreign_key(
                batch_op.f(f"fk_{name}_table_id"),
                "data_tables",
                ["table_id"],
                ["id"],
                ondelete="CASCADE",
            )
            batch_op.create_index(batch_op.f(f"ix_{name}_table_id"), ["table_id"], unique=False)


def downgrade() -> None:
    # What belongs to tables goes with them; the events first, for SQLite does not cascade here.
    op.execute(
        "DELETE FROM job_events WHERE job_id IN (SELECT id FROM jobs WHERE project_id IS NULL)"
    )
    for name in reversed(OWNED):
        op.execute(f"DELETE FROM {name} WHERE project_id IS NULL")
        with op.batch_alter_table(name, schema=None) as batch_op:
            batch_op.drop_index(batch_op.f(f"ix_{name}_table_id"))
            batch_op.drop_constraint(batch_op.f(f"fk_{name}_table_id"), type_="foreignkey")
            batch_op.drop_column("table_id")
            batch_op.alter_column("project_id", existing_type=sa.String(length=32), nullable=False)
    op.drop_table("data_tables")
