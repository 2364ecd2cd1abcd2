"""Documents may have vectors, of which codes are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("vector_code", sa.String(101), nullable=True))


def downgrade() -> None:
    op.drop_column("documents", "vector_code")
