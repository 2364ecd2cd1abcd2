"""documents know in which order they were judged."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # No batch: that would copy all texts on SQLite.
    op.add_column("documents", sa.Column("judgement", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_documents_judged",
        "documents",
        ["project_id", "judgement"],
        unique=False,
        sqlite_where=sa.text("judgement IS NOT NULL"),
        postgresql_where=sa.text("judgement IS NOT NULL"),
    )


def downgrade() -> None:
    # Versions before know no such label.
    op.execute("UPDATE documents SET label = 'unlabeled' WHERE label = 'unsure'")
    op.drop_index("ix_documents_judged", table_name="documents")
    op.drop_column("documents", "judgement")
