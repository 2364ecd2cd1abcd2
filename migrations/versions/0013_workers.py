"""Workers give signs of life."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "worker_signs",
        sa.Column("worker", sa.String(200), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("worker", name="pk_worker_signs"),
    )


def downgrade() -> None:
    op.drop_table("worker_signs")
