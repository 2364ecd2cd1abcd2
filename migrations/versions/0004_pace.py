"""jobs tell how fast they go."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("pace", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("jobs", "pace")
