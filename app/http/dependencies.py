"""What routes are given: settings, sessions, files, pages."""

import hashlib
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, get_args, get_origin

from anyio import Semaphore, fail_after
from fastapi import Depends, Header, Path, Query, Request
from fastapi.dependencies.models import Dependant
from pydantic import AfterValidator, AwareDatetime, BeforeValidator, StringConstraints
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.database import Database
from app.document_sizes import MAX_ID_CHARACTERS
from app.errors import InvalidRequest
from app.http.once import Once, fingerprint
from app.http.page_tokens import Page, decode_page_token, list_mark, place_in
from app.http.probes import Probes
from app.orm import Label
from app.schemas.bodies import ID_PATTERN, KEY_PATTERN
from app.schemas.documents import PATH_PATTERN
from app.services.intake.csv_columns import Delimiter
from app.services.prediction.prediction import Predictor
from app.settings import Settings
from core.names import check_name

#: The id of anything that the service made: opaque to clients.
_ID = {"max_length": 64, "pattern": ID_PATTERN}
Id = Annotated[str, Path(**_ID, description="The id, as the service gave it.")]
ProjectFilter = Annotated[str | None, Query(**_ID, description="Only those of this project.")]
TableFilter = Annotated[str | None, Query(**_ID, description="Only those of this table.")]
LabelFilter = Annotated[
    Label | None, Query(description="Only documents with this label; leave it out for all.")
]
ChampionOf = Annotated[
    str | None, Query(**_ID, description="The project whose champion answers; or give model_id.")
]
ModelQuery = Annotated[
    str | None, Query(**_ID, description="The model that answers; or give project_id.")
]
NewestModel = Annotated[str | None, Query(**_ID, description="Default: the newest of the project.")]
DocumentIdPath = Annotated[
    str,
    Path(
        min_length=1,
        max_length=MAX_ID_CHARACTERS,
        pattern=PATH_PATTERN,
        description="Slashes need no escapes. No step may be `.` or `..`: clients and proxies "
        "shorten the path by these, to that of the project. Uploads take no such id.",
    ),
]


def _moment(told: str | None) -> datetime | None:
    if told is None:
        return None
    try:
        time = datetime.fromisoformat(told.upper())
        if time.tzinfo is not None:
            return time.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValueError(
        "must be a time with its zone, as 2026-11-27T08:30:00Z or 2026-11-27T09:30:00%2B01:00: in "
        "a URL, + stands for a blank"
    )


Since = Annotated[
    AwareDatetime | None,
    Query(
        description="Only documents that came in from the first upload on that began at this time "
        "or later, such as 2026-11-27T00:00:00Z. An earlier upload that is still running may "
        "bring some of them. A document whose text was replaced came in before."
    ),
    BeforeValidator(_moment),
]

ColumnName = Annotated[str, StringConstraints(min_length=1)]
TextColumns = Annotated[
    list[ColumnName] | None,
    Query(
        description="Column of CSV or field of JSON; default: text. Repeatable: the texts of "
        "several are joined."
    ),
]
IdColumn = Annotated[
    ColumnName | None,
    Query(
        description="Column of CSV (blanks around its ids are dropped) or field of JSON; default: "
        "id, if there is one."
    ),
]
ExportDelimiter = Annotated[
    Delimiter,
    Query(
        description="What separates columns of CSV; between semicolons numbers have a comma, as "
        "spreadsheets of many countries expect."
    ),
]
ExtraFields = Annotated[
    Literal["refuse", "metadata"] | None,
    Query(
        description="For JSON: what to do with fields other than text, id, metadata and vector. "
        "Default: refuse; with text_column or id_column, metadata."
    ),
]


def _of_app(name: str) -> Any:
    """Return the dependency that gives what the state of the app has under a name."""

    async def get(request: Request) -> Any:  # async only to run on the spot, not in a thread
        return getattr(request.app.state, name)

    return Depends(get)


SettingsDep = Annotated[Settings, _of_app("settings")]
DatabaseDep = Annotated[Database, _of_app("database")]
ArtifactsDep = Annotated[Artifacts, _of_app("artifacts")]
PredictorDep = Annotated[Predictor, _of_app("predictor")]
ProbesDep = Annotated[Probes, _of_app("probes")]


def get_read_session(database: DatabaseDep) -> Iterator[Session]:
    with database.reading() as session:
        yield session


async def get_write_turn(request: Request, settings: SettingsDep) -> AsyncIterator[None]:
    """Wait until few others write, here and not in a thread.

    The request that holds the lock of the database still needs a thread, to check its answer. If
    requests that wait for the lock held all threads, nothing would go on until they give up.
    """
    turns: Semaphore = request.app.state.write_turns
    try:
        with fail_after(settings.database_timeout_seconds):
            await turns.acquire()
    except TimeoutError as error:
        raise PoolTimeout("other changes take too long") from error
    try:
        yield
    finally:
        turns.release()


_WriteTurn = Annotated[None, Depends(get_write_turn, scope="function")]


def get_write_session(database: DatabaseDep, _turn: _WriteTurn) -> Iterator[Session]:
    """One request is one transaction: commit at the end, roll back on an error."""
    with database.writing.begin() as session:
        yield session


# scope="function" commits before the response is sent; the default would commit after.
ReadSession = Annotated[Session, Depends(get_read_session, scope="function")]
WriteSession = Annotated[Session, Depends(get_write_session, scope="function")]


async def get_page(
    request: Request,
    page_size: Annotated[int, Query(ge=1, le=1000, description="How many at most.")] = 50,
    page_token: Annotated[
        str | None,
        Query(
            max_length=1000,
            description="next_page_token of the page before; the other parameters, written as they "
            "were then, go with it.",
        ),
        AfterValidator(lambda token: None if token is None else decode_page_token(token)),
    ] = None,
) -> Page:
    mark = list_mark(request.scope["path"], request.query_params.multi_items())
    return Page(mark, page_size, page_token and place_in(mark, page_token))


PageDep = Annotated[Page, Depends(get_page)]

_IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern=KEY_PATTERN,
        description="Any text of your own. Send the request again with it within 24 hours, and it "
        "is done only once. While the first runs, an upload or table gets 409, and other requests "
        "wait for it.",
    ),
]


async def get_idempotency_key(request: Request, key: _IdempotencyKey = None) -> str | None:
    if len(set(request.headers.getlist("idempotency-key"))) > 1:
        detail = "It came more than once, with different values. Send one."
        raise InvalidRequest.of([{"pointer": "Idempotency-Key", "detail": detail}])
    return key


IdempotencyKeyDep = Annotated[str | None, Depends(get_idempotency_key)]


async def get_body_sha256(request: Request) -> bytes:
    return hashlib.sha256(await request.body()).digest()


_BodySha256 = Annotated[bytes, Depends(get_body_sha256)]


async def get_once(
    request: Request,
    # Before the session: its turn must not wait for a body that does not come.
    body_sha256: _BodySha256,
    session: WriteSession,
    key: IdempotencyKeyDep,
) -> Once:
    return Once(session, key, fingerprint(request, body_sha256))


OnceDep = Annotated[Once, Depends(get_once)]


async def refuse_body(request: Request) -> None:
    """Refuse a body where none is read: what it asks for must not silently do nothing."""
    if (await request.body()).strip() not in {b"", b"{}"}:
        raise InvalidRequest("This request takes no body: leave it out.")


NO_BODY = Depends(refuse_body)


async def refuse_unknown_parameters(request: Request) -> None:
    """Refuse a parameter that is misspelt, or comes twice: it must not silently do nothing."""
    takes_list = _query_parameters(request.scope["route"].dependant)
    errors = []
    for name in sorted(set(request.query_params)):
        try:
            if not takes_list:
                raise ValueError(f"{name!r} is not a query parameter here: there are none.")
            check_name(name, takes_list, "query parameter here")
            if not takes_list.get(name) and len(request.query_params.getlist(name)) > 1:
                raise ValueError("It takes one value, but came more than once.")
        except ValueError as error:
            errors.append({"pointer": f"?{name}", "detail": str(error)})
    if errors:
        raise InvalidRequest.of(errors)


def _query_parameters(dependant: Dependant) -> dict[str, bool]:
    """Return the names of the parameters, each with whether it takes a list."""
    found = {field.alias: _is_list(field.field_info.annotation) for field in dependant.query_params}
    for inner in dependant.dependencies:
        found |= _query_parameters(inner)
    return found


def _is_list(annotation: Any) -> bool:
    return any(get_origin(part) is list for part in (annotation, *get_args(annotation)))
