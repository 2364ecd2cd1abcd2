"""documents refer to projects by a small number; no number of a document comes again."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

#: What a column of documents refers to.
KEYS = {"project_id": "projects.id", "project_number": "projects.number"}
#: Tables that go on referring to projects by their id.
BY_ID = ("jobs", "matrices", "models", "feature_selections")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("projects") as projects:
            projects.drop_constraint("pk_projects", type_="primary")
            projects.add_column(sa.Column("number", sa.Integer(), nullable=False))
            projects.create_primary_key("pk_projects", ["number"])
            projects.create_unique_constraint("uq_projects_id", ["id"])
        _copy_documents("project_id", "project_number", sa.Integer())
    else:
        # CASCADE: references go with what they rest on.
        op.execute("ALTER TABLE projects DROP CONSTRAINT pk_projects CASCADE")
        op.execute("ALTER TABLE projects ADD COLUMN number SERIAL")
        op.create_primary_key("pk_projects", "projects", ["number"])
        op.create_unique_constraint("uq_projects_id", "projects", ["id"])
        _change_documents("project_id", "project_number", "integer")
        _refer_by_id()


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _copy_documents("project_number", "project_id", sa.String(32))
        with op.batch_alter_table("projects") as projects:
            projects.drop_constraint("uq_projects_id", type_="unique")
            projects.drop_constraint("pk_projects", type_="primary")
            projects.drop_column("number")
            projects.create_primary_key("pk_projects", ["id"])
    else:
        op.execute("ALTER TABLE projects DROP CONSTRAINT pk_projects CASCADE")
        op.execute("ALTER TABLE projects DROP CONSTRAINT uq_projects_id CASCADE")
        op.create_primary_key("pk_projects", "projects", ["id"])
        _change_documents("project_number", "project_id", "varchar(32)")
        op.drop_column("projects", "number")
        _refer_by_id()


def _copy_documents(old: str, new: str, kind: sa.Integer | sa.String) -> None:
    """Put one column in the place of another on SQLite, where that is a copy of the table."""
    op.create_table(
        "copied_documents",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column(new, kind, nullable=False),
        sa.Column("id", sa.String(512), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(16), nullable=False),
        sa.Column("label", sa.String(20), nullable=False),
        sa.Column("judgement", sa.BigInteger()),
        sa.Column("metadata", sa.JSON()),
        sa.PrimaryKeyConstraint("number", name="pk_documents"),
        sa.ForeignKeyConstraint([new], [KEYS[new]], f"fk_documents_{new}", ondelete="CASCADE"),
        sa.UniqueConstraint(new, "id", name=f"uq_documents_{new}"),
        sqlite_autoincrement=True,
    )
    rest = "id, text, digest, label, judgement, metadata"
    op.execute(
        f"INSERT INTO copied_documents (number, {new}, {rest})"
        f" SELECT number, (SELECT {KEYS[new]} FROM projects WHERE {KEYS[old]} = {old}), {rest}"
        " FROM documents ORDER BY number"
    )
    op.drop_table("documents")
    op.rename_table("copied_documents", "documents")
    op.create_index("ix_documents_in_order", "documents", [new, "number"])
    is_labeled, is_judged = sa.text("label != 'unlabeled'"), sa.text("judgement IS NOT NULL")
    op.create_index("ix_documents_labeled", "documents", [new, "label"], sqlite_where=is_labeled)
    op.create_index("ix_documents_judged", "documents", [new, "judgement"], sqlite_where=is_judged)


def _change_documents(old: str, new: str, kind: str) -> None:
    """Put one column in the place of another on PostgreSQL, which makes the indexes anew."""
    # The new value may come from a function, but from no query.
    op.execute(
        f"CREATE FUNCTION key_of_project(documents.{old}%TYPE) RETURNS {kind} STABLE LANGUAGE sql"
        f" AS 'SELECT {KEYS[new]} FROM projects WHERE {KEYS[old]} = $1'"
    )
    op.execute(f"ALTER TABLE documents ALTER {old} TYPE {kind} USING key_of_project({old})")
    op.execute("DROP FUNCTION key_of_project")
    op.execute(f"ALTER TABLE documents RENAME COLUMN {old} TO {new}")
    op.execute(f"ALTER TABLE documents RENAME CONSTRAINT uq_documents_{old} TO uq_documents_{new}")
    _refer("documents", new)


def _refer_by_id() -> None:
    for name in BY_ID:
        _refer(name, "project_id")


def _refer(table: str, column: str) -> None:
    referred, key = KEYS[column].split(".")
    name = f"fk_{table}_{column}"
    op.create_foreign_key(name, table, referred, [column], [key], ondelete="CASCADE")
