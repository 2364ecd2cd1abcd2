"""matrices do not tell again what stands in their files."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("texts_digest", "n_documents", "n_terms"):
        op.drop_column("matrices", name)


def downgrade() -> None:
    # Versions before wrote these and did not read them either.
    op.add_column(
        "matrices",
        sa.Column("texts_digest", sa.String(64), nullable=False, server_default=""),
    )
    for name in ("n_documents", "n_terms"):
        op.add_column("matrices", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
