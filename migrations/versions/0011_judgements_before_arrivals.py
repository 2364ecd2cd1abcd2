"""With each upload stands how much was judged before it: what came later is read from its top."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Of uploads before this it is not known: they count as there from the start.
    column = sa.Column("last_judgement", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("arrivals", column)


def downgrade() -> None:
    op.drop_column("arrivals", "last_judgement")
