"""Requests that are done once, however often they are sent with the same Idempotency-Key."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from fastapi import Request, status
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy.orm import Session

from app.orm import IdempotencyKey, Job
from app.schemas.jobs import JobRead
from app.services import idempotency


def fingerprint(request: Request, body_sha256: bytes) -> str:
    """Return the SHA-256 that tells whether two requests ask for the same."""
    head = [request.method, f"{request.url.path}?{request.url.query}"]
    head += [request.headers.get(name, "") for name in ("content-type", "content-encoding")]
    return hashlib.sha256("\n".join(head).encode() + b"\n" + body_sha256).hexdigest()


class Once:
    """Does a creating request once: its answer is kept under the Idempotency-Key, if one came."""

    def __init__(self, session: Session, key: str | None, fingerprint: str) -> None:
        self.session = session
        self._key = key
        self.fingerprint = fingerprint

    def answer(
        self, status: int, create: Callable[[Session], tuple[BaseModel, str]]
    ) -> JSONResponse:
        """Return what ``create`` made, a body and its location, or the answer kept before."""
        return self.respond(lambda session: _created(status, *create(session)))

    def queue(self, request: Callable[..., Job], **values: Any) -> JSONResponse:
        """Return the job that ``request`` queued, given the values, or the one of before."""

        def create(session: Session) -> tuple[BaseModel, str]:
            job = request(session, **values)
            return JobRead.model_validate(job), f"/jobs/{job.id}"

        return self.answer(status.HTTP_202_ACCEPTED, create)

    def respond(self, create: Callable[[Session], JSONResponse]) -> JSONResponse:
        """Return the answer that ``create`` made, or the one kept before."""
        if self._key is None:
            return create(self.session)
        kept = idempotency.find(self.session, self._key, self.fingerprint)
        return self.keep(create) if kept is None else _replay(kept)

    def keep(self, create: Callable[[Session], JSONResponse]) -> JSONResponse:
        """Return the answer that ``create`` made, and keep it under the reserved key."""
        assert self._key is not None
        response = create(self.session)
        idempotency.store(
            self.session,
            self._key,
            status=response.status_code,
            headers={k: v for k, v in response.headers.items() if k == "location"},
            body=json.loads(bytes(response.body)),
        )
        return response


def _created(status: int, body: BaseModel, location: str) -> JSONResponse:
    return JSONResponse(body.model_dump(mode="json"), status, {"location": location})


def _replay(answer: IdempotencyKey) -> JSONResponse:
    headers = {**answer.headers, "idempotency-replayed": "true"}
    return JSONResponse(answer.body, answer.status, headers)
