"""What Alembic runs for every command: it is handed an open connection by app.migrate."""

from typing import Any, Literal

from alembic import context

from app.orm import Base, UTCDateTime


def _render_item(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    # A migration must not change when the application's code does.
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite cannot alter a table in place: Alembic copies it instead.
    render_as_batch=True,
    render_item=_render_item,
)
with context.begin_transaction():
    context.run_migrations()
