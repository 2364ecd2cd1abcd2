"""Queries on kept answers."""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from app.tables import IdempotencyKey

#: What a reserved row holds until its transaction has the answer.
_RESERVED = {"status": 0, "headers": {}, "body": {}}


class IdempotencyRepository:
    def __init__(self, session: Session) -> None:
        self.session = session

    def reserve(self, key: str, fingerprint: str) -> bool:
        """Take the key; False when it is taken. Waits for a transaction that is taking it."""
        dialect = self.session.get_bind().dialect.name
        insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
        taken = self.session.scalar(
            insert(IdempotencyKey)
            .values(key=key, fingerprint=fingerprint, **_RESERVED)
            .on_conflict_do_nothing()
            .returning(IdempotencyKey.key)
        )
        return taken is not None

    def get(self, key: str) -> IdempotencyKey | None:
        return self.session.scalar(select(IdempotencyKey).where(IdempotencyKey.key == key))

    def fill(self, key: str, *, status: int, headers: dict[str, str], body: dict[str, Any]) -> None:
        self.session.execute(
            update(IdempotencyKey)
            .where(IdempotencyKey.key == key)
            .values(status=status, headers=headers, body=body)
            .execution_options(synchronize_session=False)
        )

    def delete_before(self, time: datetime) -> None:
        self.session.execute(delete(IdempotencyKey).where(IdempotencyKey.created_at < time))
