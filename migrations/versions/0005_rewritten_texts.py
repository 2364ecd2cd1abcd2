"""projects know when a text was last replaced or removed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "projects",
        sa.Column("rewritten_revision", sa.BigInteger(), nullable=False, server_default="0"),
    )
    # What happened to texts before is not known.
    op.execute("UPDATE projects SET rewritten_revision = revision")
    # They lack the digests of their texts; the files are removed as such without a row.
    op.execute("DELETE FROM matrices")


def downgrade() -> None:
    op.drop_column("projects", "rewritten_revision")
