"""Creating requests that come twice are done once: the answer is kept under a key of the client.

``find`` and ``store`` belong to the transaction of the work itself. ``find`` reserves the key, so
of two requests at once the second waits for the first to end and then finds its answer.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from app.errors import IdempotencyKeyReused
from app.repositories.idempotency import IdempotencyRepository


@dataclass(frozen=True)
class Answer:
    """What was answered: status, headers and JSON body."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]


def is_known(session: Session, key: str) -> bool:
    """Tell whether an answer is kept under the key, without reserving it."""
    return IdempotencyRepository(session).get(key) is not None


def find(session: Session, key: str, fingerprint: str) -> Answer | None:
    """Return the answer kept under the key; None means: do the work, then ``store``.

    Raises
    ------
    IdempotencyKeyReused
        When the key was used for another request.
    """
    repository = IdempotencyRepository(session)
    if repository.reserve(key, fingerprint):
        return None
    kept = repository.get(key)
    if kept is None:  # swept between the two statements
        return None
    if kept.fingerprint != fingerprint:
        raise IdempotencyKeyReused("The Idempotency-Key came before with another request.")
    return Answer(kept.status, kept.headers, kept.body)


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
