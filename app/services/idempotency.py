"""Creating requests that come twice are done once: the answer is kept under a key of the client.

``find`` and ``store`` belong to the transaction of the work itself. ``find`` reserves the key, so
of two requests at once the second waits for the first to end and then finds its answer.

Uploads take long, in many transactions: they reserve the key in one of its own, by ``begin``, and
``renew`` that; the second is refused. ``settle`` and ``store`` then stand in the last transaction.
"""

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from app.errors import IdempotencyKeyInUse, IdempotencyKeyReused
from app.orm import IdempotencyKey
from app.repositories.idempotency import IdempotencyRepository

#: A reservation that was not renewed for so long is that of a process that died.
LEASE = timedelta(minutes=1)
KEY_RETRY_SECONDS = 5


def begin(session: Session, key: str, holder: str) -> bool:
    """Reserve the key for an upload, ``holder``; False means that an answer is kept under it.

    Raises
    ------
    IdempotencyKeyInUse
        While another upload holds it.
    """
    repository = IdempotencyRepository(session)
    if repository.reserve(key, holder) or repository.take_over(key, holder, lease=LEASE):
        return True
    kept = repository.get(key)
    if kept is None or not kept.status:
        raise in_use("Another request with this Idempotency-Key is still running.")
    return False


def settle(session: Session, key: str, holder: str, fingerprint: str) -> None:
    """Turn the reservation of ``holder`` into one that ``find`` would have made.

    Raises
    ------
    IdempotencyKeyInUse
        When another upload took it, as this one gave no sign of life.
    """
    if not IdempotencyRepository(session).rename(key, holder, fingerprint):
        raise in_use("Another request with this Idempotency-Key took the place of this one.")


def in_use(detail: str) -> IdempotencyKeyInUse:
    """Return the refusal of a key that another request holds, or held until now."""
    detail = f"{detail} Send it again in a moment."
    return IdempotencyKeyInUse(detail, retry_seconds=KEY_RETRY_SECONDS)


def find(session: Session, key: str, fingerprint: str) -> IdempotencyKey | None:
    """Return the answer kept under the key; None means: do the work, then ``store``.

    Raises
    ------
    IdempotencyKeyReused
        When the key was used for another request.
    """
    repository = IdempotencyRepository(session)
    while not repository.reserve(key, fingerprint):
        kept = repository.get(key)
        if kept is None:  # swept between the two statements
            continue
        if kept.fingerprint != fingerprint:
            raise IdempotencyKeyReused(
                "The Idempotency-Key was sent before with another request. Take a new key, or send "
                "the same bytes again."
            )
        return kept
    return None


def store(
    session: Session,
    key: str,
    *,
    status: int,
    headers: dict[str, str],
    body: dict[str, Any],
) -> None:
    """Keep the answer under the key that ``find`` reserved."""
    IdempotencyRepository(session).fill(key, status=status, headers=headers, body=body)
