"""where uploads began is kept, so that what came in since a time can be asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "arrivals",
        sa.Column("project_number", sa.Integer(), nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_number"],
            ["projects.number"],
            name="fk_arrivals_project_number",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_number", "after", name="pk_arrivals"),
    )


def downgrade() -> None:
    op.drop_table("arrivals")
