"""What routes are given: settings, sessions, files, pages."""

import hashlib
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from fastapi import Depends, Header, Path, Query, Request, status
from fastapi.dependencies.models import Dependant
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.database import Database
from app.errors import InvalidRequest
from app.probes import Probes
from app.repositories.paging import matched
from app.schemas.bodies import ID_PATTERN
from app.schemas.jobs import JobRead
from app.services import idempotency
from app.services.prediction import Predictor
from app.settings import Settings
from app.tables import Job
from core.names import check_name

T = TypeVar("T")

#: The id of anything that the service made: opaque to clients.
_ID = {"max_length": 64, "pattern": ID_PATTERN}
Id = Annotated[str, Path(**_ID)]
IdQuery = Annotated[str | None, Query(**_ID)]

TextColumns = Annotated[
    list[str] | None,
    Query(
        description="Column of CSV or field of JSON; default: text. Repeatable: texts of several "
        "are joined."
    ),
]
IdColumn = Annotated[
    str | None,
    Query(
        description="Column of CSV, whose ids are taken without blanks around them, or field of "
        "JSON; default: id, if any."
    ),
]
ExtraFields = Annotated[
    Literal["refuse", "metadata"],
    Query(
        description="Of JSON: what to do with fields beside text, id and metadata; where others "
        "are named, they become metadata."
    ),
]


# These are async only so that they run on the spot and not in a thread each.
async def get_settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def get_database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


async def get_artifacts(request: Request) -> Artifacts:
    artifacts: Artifacts = request.app.state.artifacts
    return artifacts


async def get_predictor(request: Request) -> Predictor:
    predictor: Predictor = request.app.state.predictor
    return predictor


async def get_probes(request: Request) -> Probes:
    probes: Probes = request.app.state.probes
    return probes


SettingsDep = Annotated[Settings, Depends(get_settings)]
DatabaseDep = Annotated[Database, Depends(get_database)]
ArtifactsDep = Annotated[Artifacts, Depends(get_artifacts)]
PredictorDep = Annotated[Predictor, Depends(get_predictor)]
ProbesDep = Annotated[Probes, Depends(get_probes)]


def get_read_session(database: DatabaseDep) -> Iterator[Session]:
    with database.reading() as session:
        yield session


def get_write_session(database: DatabaseDep) -> Iterator[Session]:
    """One request is one transaction: commit at the end, roll back on an error."""
    with database.writing.begin() as session:
        yield session


# scope="function" commits before the response is sent; the default would commit after.
ReadSession = Annotated[Session, Depends(get_read_session, scope="function")]
WriteSession = Annotated[Session, Depends(get_write_session, scope="function")]


def encode_page_token(after: str) -> str:
    return urlsafe_b64encode(after.encode()).decode().rstrip("=")


def decode_page_token(token: str) -> str:
    """Return what ``encode_page_token`` was given; ValueError for anything else."""
    try:
        after = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except ValueError:
        after = ""
    if not after.isprintable() or not after or encode_page_token(after) != token:
        raise ValueError("not a page token of this service: send next_page_token as it came")
    return after


@dataclass(frozen=True)
class Page:
    """Which part of a list is asked for: ``size`` items from the first one behind ``after``."""

    #: Of the list; a token of another one says nothing here.
    path: str
    size: int
    after: str | None

    @property
    def start(self) -> int:
        """``after`` as a number, 0 without it."""
        return int(matched(r"[0-9]{1,18}", self.after or "0")[0])

    def place(self, rows: str) -> tuple[int, str]:
        """Return ``after`` as a position and the mark of the ranking in which it counts.

        ``rows`` names which ones are asked for; positions among others say nothing here.

        Raises
        ------
        InvalidRequest
        """
        found = matched(r"([0-9]{1,18})@([0-9a-f]+)@(\w+)", self.after or "")
        if found[3] != rows:
            detail = (
                "The page token was given with another label or order. Send those it was given "
                "with, or start again from the first page, without page_token."
            )
            raise InvalidRequest(detail, errors=[{"pointer": "?page_token", "detail": detail}])
        return int(found[1]), found[2]

    def token_at(self, position: int | None, mark: str, rows: str) -> str | None:
        """Return the token of the page with this ``place``; None for None: there is none."""
        return None if position is None else self.next_token(f"{position}@{mark}@{rows}")

    def cut(self, rows: list[T], key: Callable[[T], object]) -> tuple[list[T], str | None]:
        """Return the rows of this page and the token of the next, given one row more."""
        if len(rows) <= self.size:
            return rows, None
        shown = rows[: self.size]
        return shown, self.next_token(key(shown[-1]))

    def next_token(self, after: object) -> str | None:
        """Return the token of the page behind ``after``; None for None: there is none."""
        return None if after is None else encode_page_token(f"{self.path} {after}")


async def get_page(
    request: Request,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 50,
    page_token: Annotated[
        str | None,
        Query(max_length=1000, description="next_page_token of the page before."),
        AfterValidator(lambda token: None if token is None else decode_page_token(token)),
    ] = None,
) -> Page:
    path: str = request.scope["path"]
    after = page_token and matched(f"{re.escape(path)} (.+)", page_token)[1]
    return Page(path, page_size, after)


PageDep = Annotated[Page, Depends(get_page)]

IdempotencyKeyDep = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern="^[!-~]+$",
        description="Any text of your own: the request may be sent again with it within 24 hours "
        "and is done once; 409 while the first is at work.",
    ),
]


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


def _replay(answer: idempotency.KeptAnswer) -> JSONResponse:
    headers = {**answer.headers, "idempotency-replayed": "true"}
    return JSONResponse(answer.body, answer.status, headers)


async def get_once(request: Request, session: WriteSession, key: IdempotencyKeyDep = None) -> Once:
    body_sha256 = hashlib.sha256(await request.body()).digest()
    return Once(session, key, fingerprint(request, body_sha256))


OnceDep = Annotated[Once, Depends(get_once)]


async def refuse_unknown_parameters(request: Request) -> None:
    """A query parameter that is misspelt, or comes twice, must not silently do nothing."""
    takes_list = _query_parameters(request.scope["route"].dependant)
    errors = []
    for name in sorted(set(request.query_params)):
        try:
            check_name(name, takes_list or {"none"}, "query parameter here")
            if not takes_list.get(name) and len(request.query_params.getlist(name)) > 1:
                raise ValueError(f"{name} takes one value, and came more than once")
        except ValueError as error:
            errors.append({"pointer": f"?{name}", "detail": str(error)})
    if errors:
        raise InvalidRequest(errors[0]["detail"], errors=errors)


def _query_parameters(dependant: Dependant) -> dict[str, bool]:
    """Return the names of the parameters, each with whether it takes a list."""
    found = {field.alias: _is_list(field.field_info.annotation) for field in dependant.query_params}
    for inner in dependant.dependencies:
        found |= _query_parameters(inner)
    return found


def _is_list(annotation: Any) -> bool:
    return any(get_origin(part) is list for part in (annotation, *get_args(annotation)))
