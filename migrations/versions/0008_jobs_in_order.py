"""jobs are listed and counted by indexes; what the new one of projects begins with is dropped."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_jobs_newest": ["created_at", "id"],
    "ix_jobs_newest_of_project": ["project_id", "created_at", "id"],
    # Kind and status last: SQLite would take them for the lists that are filtered by these.
    "ix_jobs_figures": ["finished_at", "started_at", "kind", "status"],
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        op.create_index(name, "jobs", columns)
    op.drop_index("ix_jobs_project_id", "jobs")


def downgrade() -> None:
    op.create_index("ix_jobs_project_id", "jobs", ["project_id"])
    for name in INDEXES:
        op.drop_index(name, "jobs")
