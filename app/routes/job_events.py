"""The log of a job, as it is or live."""

import time
from collections.abc import AsyncIterator
from typing import Annotated

import anyio
from fastapi import APIRouter, Header, Response, status
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from app.database_errors import database_errors
from app.errors import AppError, JobNotFound, NotAcceptable
from app.http.dependencies import DatabaseDep, Id, PageDep
from app.http.error_responses import error_responses
from app.http.negotiation import accept
from app.media_types import JSON
from app.orm import Job, JobEvent
from app.repositories.jobs import JobRepository
from app.schemas.jobs import JobEventPage, JobEventRead, JobProgress, JobRead

router = APIRouter(prefix="/jobs/{job_id}/events", tags=["jobs"])

EVENT_STREAM = EventSourceResponse.media_type

#: Between two looks at a job: at first little, as many jobs are quick.
LEAST_SECONDS, MOST_SECONDS = 0.05, 0.5
KEEPALIVE_SECONDS = 15
EVENTS_AT_A_TIME = 1000

EXAMPLE = """\
event: progress
data: {"status":"running","stage":"fit","progress":0.4,"pace":null}

event: log
data: {"number":17,"time":"2026-11-20T09:31:01Z","level":"info","stage":"","message":"started"}
id: 17

"""


@router.get(
    "",
    response_model=JobEventPage,
    responses={
        200: {"content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": EXAMPLE}}},
        204: {"description": "The stream was read to its `end`: there is no more to come."},
        **error_responses(JobNotFound, NotAcceptable),
    },
)
def list_job_events(
    job_id: Id,
    page: PageDep,
    database: DatabaseDep,
    media_type: Annotated[str, accept(JSON, EVENT_STREAM)],
    last_event_id: Annotated[
        int, Header(ge=0, lt=2**63, description="The live log begins after this event.")
    ] = 0,
) -> JobEventPage | Response:
    """Return the log of a job; with `Accept: text/event-stream` live, until the job is over.

    The stream has an event `log` for each entry, with its number as id, an event `progress` at each
    change, and at last `end` with the job, with the next number as id. It goes on after the event
    that the header `Last-Event-ID` names, with all that follow (`page_size` is of pages alone).
    Close it on `end`: an `EventSource` would connect again, and is then stopped by 204. If the job
    is deleted with its project or table, or the database goes away, the stream ends without `end`,
    and connecting again gives 404 `job_not_found` or 503 `database_unavailable`.
    """
    if media_type == EVENT_STREAM:
        after = max(page.start, last_event_id)
        # An unknown job is a 404, not a stream.
        job, seen = _read(database, job_id, after=after - 1, limit=1)
        if job.status.is_final and not seen:
            return Response(status_code=status.HTTP_204_NO_CONTENT)
        headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
        return EventSourceResponse(_live_events(database, job_id, after), headers=headers)
    _, rows = _read(database, job_id, after=page.start, limit=page.size + 1)
    shown, token = page.cut(rows, lambda row: row.number)
    events = [JobEventRead.model_validate(row) for row in shown]
    return JobEventPage(events=events, next_page_token=token)


def _read(
    database: DatabaseDep, job_id: str, *, after: int, limit: int
) -> tuple[Job, list[JobEvent]]:
    with database.reading() as session:
        repository = JobRepository(session)
        # The job first: once it is over, all its events are there.
        job = repository.get(job_id)
        return job, repository.events(job_id, after=after, limit=limit)


async def _live_events(database: DatabaseDep, job_id: str, after: int) -> AsyncIterator[bytes]:
    told: JobProgress | None = None
    begin = last_sign = time.monotonic()
    while True:
        try:
            with database_errors():
                job, events = await run_in_threadpool(
                    _read, database, job_id, after=after, limit=EVENTS_AT_A_TIME
                )
        except AppError:
            # Deleted with its project, or no database. Who connects again is told.
            return
        signs = [_event("log", JobEventRead.model_validate(e), number=e.number) for e in events]
        progress = JobProgress.model_validate(job)
        if progress != told:
            told = progress
            signs.append(_event("progress", progress))
        if not signs and time.monotonic() - last_sign > KEEPALIVE_SECONDS:
            signs.append(KEEPALIVE_COMMENT)
        if signs:
            last_sign = time.monotonic()
            yield b"".join(signs)
        if events:
            after = events[-1].number
        elif job.status.is_final:
            # An id of its own, so that it is known who has read to the end.
            yield _event("end", JobRead.model_validate(job), number=after + 1)
            return
        else:
            age = time.monotonic() - begin
            await anyio.sleep(min(max(age / 8, LEAST_SECONDS), MOST_SECONDS))


def _event(name: str, data: BaseModel, *, number: int | None = None) -> bytes:
    identity = None if number is None else str(number)
    return format_sse_event(event=name, data_str=data.model_dump_json(), id=identity)
