"""Queries on kept answers."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.orm import IdempotencyKey
from app.repositories.rows import Repository
from app.sql_functions import database_now

#: What a reserved row holds until there is the answer.
_RESERVED = {"status": 0, "headers": {}, "body": {}}


class IdempotencyRepository(Repository):
    def reserve(self, key: str, fingerprint: str) -> bool:
        """Take the key; False when it is taken. Waits for a transaction that is taking it."""
        dialect = self.session.get_bind().dialect.name
        insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
        taken = self.session.scalar(
            insert(IdempotencyKey)
            .values(key=key, fingerprint=fingerprint, created_at=self._now(), **_RESERVED)
            .on_conflict_do_nothing()
            .returning(IdempotencyKey.key)
        )
        return taken is not None

    def take_over(self, key: str, fingerprint: str, *, lease: timedelta) -> bool:
        """Take a key that is reserved but was not renewed for so long."""
        now = self._now()
        is_abandoned = IdempotencyKey.created_at <= now - lease
        return self._change(key, is_abandoned, fingerprint=fingerprint, created_at=now)

    def renew(self, key: str, fingerprint: str) -> bool:
        """Extend a reservation; False means that it is no longer the caller's."""
        is_held = IdempotencyKey.fingerprint == fingerprint
        return self._change(key, is_held, created_at=self._now())

    def rename(self, key: str, fingerprint: str, new: str) -> bool:
        """Give a reservation another fingerprint; False means the same as in ``renew``."""
        return self._change(key, IdempotencyKey.fingerprint == fingerprint, fingerprint=new)

    def release(self, key: str, fingerprint: str) -> None:
        """Give a reservation up."""
        is_held = (IdempotencyKey.fingerprint == fingerprint, IdempotencyKey.status == 0)
        self.session.execute(delete(IdempotencyKey).where(IdempotencyKey.key == key, *is_held))

    def get(self, key: str) -> IdempotencyKey | None:
        return self.session.scalar(select(IdempotencyKey).where(IdempotencyKey.key == key))

    def fill(self, key: str, *, status: int, headers: dict[str, str], body: dict[str, Any]) -> None:
        """Turn a reservation into an answer."""
        self._change(key, status=status, headers=headers, body=body)

    def delete_older(self, age: timedelta) -> None:
        is_older = IdempotencyKey.created_at < self._now() - age
        self.session.execute(delete(IdempotencyKey).where(is_older))

    def delete_of(self, owner_id: str) -> None:
        """Remove the answers that tell of a project or a table, or of a job on it."""
        # As text: PostgreSQL could not read fields of a body that has an escaped NUL somewhere.
        tells = cast(IdempotencyKey.body, Text).contains(owner_id, autoescape=True)
        self.session.execute(
            delete(IdempotencyKey).where(tells).execution_options(synchronize_session=False)
        )

    def _now(self) -> datetime:
        """Return the time by the clock of the database: hosts' clocks may differ."""
        return datetime.fromtimestamp(self.session.scalars(select(database_now())).one(), UTC)

    def _change(self, key: str, *conditions: ColumnElement[bool], **values: Any) -> bool:
        is_reserved = (IdempotencyKey.key == key, IdempotencyKey.status == 0)
        changed = self.session.scalar(
            update(IdempotencyKey)
            .where(*is_reserved, *conditions)
            .values(values)
            .returning(IdempotencyKey.key)
            .execution_options(synchronize_session=False)
        )
        return changed is not None
