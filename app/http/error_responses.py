"""Every error as application/problem+json (RFC 9457)."""

import json
import re
import unicodedata
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic.fields import FieldInfo
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from starlette.exceptions import HTTPException

from app.database import DATABASE_ERRORS
from app.database_errors import is_of_database, of_database
from app.errors import (
    MAX_ERRORS,
    AppError,
    BodyStalled,
    BodyTooLarge,
    CrossSiteRequest,
    DatabaseUnavailable,
    HeadersTooLarge,
    HostNotAllowed,
    InternalError,
    InvalidRequest,
    NotReady,
    RowsRejected,
    StorageFull,
    StoreUnavailable,
    UnreadableBody,
    UnreadableRequest,
    UnsupportedMediaType,
    UploadCancelled,
)
from app.http.known_fields import known_fields
from app.http.problem_response import ProblemResponse, problem_body
from app.json_pointer import pointer_step
from app.media_types import PROBLEM
from app.schemas.bodies import ID_PATTERN, KEY_PATTERN
from app.schemas.documents import PATH_PATTERN, REPORT_EXAMPLE
from core.names import check_name

#: What any operation that takes a body may answer.
BODY_ERRORS = (UnreadableBody, BodyStalled, BodyTooLarge, UnsupportedMediaType, StorageFull)

_REPORTS: dict[type[AppError], dict[str, Any]] = {
    RowsRejected: {**REPORT_EXAMPLE, "inserted": 0, "unchanged": 0},
    UploadCancelled: REPORT_EXAMPLE,
}

#: What is wrong with a text that does not match.
_OF_PATTERN = {
    ID_PATTERN: "It contains characters other than letters, digits, - and _.",
    KEY_PATTERN: "It contains a blank or a letter that is not ASCII. Use ASCII letters, digits and "
    "signs, such as those of a UUID.",
    PATH_PATTERN: "It has . or .. as a step of a path, which leads elsewhere; no document has such "
    "an id.",
}

#: What to send, where the framework says less.
_OF_TYPE = {
    "bool_parsing": "It must be true or false.",
    "bool_type": "It must be true or false.",
    "int_parsing_size": "The number is too large.",
    "model_attributes_type": "Expected an object: {...}",
    "model_type": "Expected an object: {...}",
}


def error_responses(*errors: type[AppError]) -> dict[int | str, dict[str, Any]]:
    """Return the ``responses=`` of an operation: these errors and those that any may give."""
    responses: dict[int | str, dict[str, Any]] = {}
    listed: tuple[type[AppError], ...] = (
        *errors,
        InvalidRequest,
        HostNotAllowed,
        CrossSiteRequest,
        InternalError,
        NotReady,
        DatabaseUnavailable,
        StoreUnavailable,
        UnreadableRequest,
        HeadersTooLarge,
    )
    for error in listed:
        response = responses.setdefault(
            error.status,
            {
                "description": HTTPStatus(error.status).phrase,
                "content": {
                    PROBLEM: {
                        "schema": {"$ref": "#/components/schemas/Problem"},
                        "examples": {},
                    }
                },
            },
        )
        response["content"][PROBLEM]["examples"][error.code()] = {"value": _example(error)}
    return responses


def _example(error: type[AppError]) -> dict[str, Any]:
    detail = (error.__doc__ or "").partition("\n")[0]
    extensions = {"report": _REPORTS[error]} if error in _REPORTS else None
    return problem_body(error.status, error.code(), error.title(), detail, extensions=extensions)


def app_error_response(request: Request | None, error: AppError) -> ProblemResponse:
    """Return the answer that tells of an error; without a request, of one that cannot be read."""
    problem = problem_body(
        error.status,
        error.code(),
        error.title(),
        error.detail,
        instance=request.url.path if request else None,
        errors=error.errors,
        extensions=error.extensions,
    )
    seconds = error.retry_seconds
    retry = {} if seconds is None else {"retry-after": str(seconds)}
    return ProblemResponse(problem, error.status, error.headers | retry)


# Async where it is quick: on the spot, also while every thread is busy, as /readyz must answer.
async def handle_app_error(request: Request, error: Exception) -> ProblemResponse:
    assert isinstance(error, AppError)
    return app_error_response(request, error)


def handle_invalid_request(request: Request, error: Exception) -> ProblemResponse:
    """Tell apart a body that is not JSON, another media type, and invalid values."""
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if problems[0]["type"] == "json_invalid":
        reason, place = problems[0]["ctx"]["error"], problems[0]["loc"][-1]
        if isinstance(error.body, str):  # else it is not UTF-8
            reason = json.JSONDecodeError(reason, error.body, place)
        return app_error_response(request, UnreadableBody(f"The body is not JSON: {reason}."))
    if isinstance(error.body, bytes):
        detail = "The body must be JSON, with the header Content-Type: application/json."
        return app_error_response(request, UnsupportedMediaType(detail))
    errors = [
        {"pointer": json_pointer(_location(problem)), "detail": _detail(request, problem)}
        for problem in problems[:MAX_ERRORS]
    ]
    detail = "; ".join(
        f"{e['pointer'] or 'The body'}: {e['detail'].removesuffix('.')}" for e in errors[:3]
    )
    return app_error_response(request, InvalidRequest(detail, errors=errors))


def _location(problem: dict[str, Any]) -> Sequence[str | int]:
    location: Sequence[str | int] = problem["loc"]
    # Of a parameter that may be any JSON, the kind of each value stands behind its place.
    is_any = problem["type"] == "finite_number" and location[-1] == "float"
    return [*location[:3], *location[4::2]] if is_any else location


def _detail(request: Request, problem: dict[str, Any]) -> str:
    message: str = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "list_type" and problem["loc"] == ("body",):
        (example,) = _body_field(request).examples or ([],)
        return f"Expected a list: {json.dumps(example)}"
    if problem["type"] == "missing" and problem["loc"] == ("body",):
        return "It is missing: send JSON, with the header Content-Type: application/json."
    if problem["type"] == "string_pattern_mismatch":
        return _fault_of_text(problem["input"], problem["ctx"]["pattern"]) or message
    if problem["type"] != "extra_forbidden":
        return _OF_TYPE.get(problem["type"], message)
    *path, name = problem["loc"][1:]
    try:
        check_name(name, known_fields(_body_type(request, problem), path), "field here")
    except ValueError as error:
        message = str(error)
    return message


def _fault_of_text(value: str, pattern: str) -> str | None:
    """Say what is wrong with a text in words: patterns are for programs."""
    if not value.strip():
        return "It is empty."
    if any(unicodedata.category(character) == "Cc" for character in value):
        return "It contains a control character."
    return _OF_PATTERN.get(pattern)


def _body_type(request: Request, problem: dict[str, Any]) -> Any:
    """Return what the body should have been; a route that reads it by hand says so itself."""
    if "body_type" in problem:
        return problem["body_type"]
    return _body_field(request).annotation


def _body_field(request: Request) -> FieldInfo:
    (body,) = request.scope["route"].dependant.body_params
    return cast(FieldInfo, body.field_info)


def json_pointer(location: Sequence[str | int]) -> str:
    """Return where a value stands: /a/0 in the body, ?a in the query, otherwise its name."""
    place, *path = location
    if place == "body":
        return "".join(f"/{pointer_step(part)}" for part in path)
    name = "/".join(map(str, path))
    return f"?{name}" if place == "query" else name


async def handle_http_exception(request: Request, error: Exception) -> ProblemResponse:
    """Render what the framework itself refuses: no such route, method, a body it cannot read."""
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, AppError):  # raised while the framework read the body
        return app_error_response(request, error.__cause__)
    status = error.status_code
    if status == UnreadableBody.status:
        return app_error_response(request, UnreadableBody(_fault_of_json(error.__cause__)))
    title = HTTPStatus(status).phrase
    headers = dict(error.headers or {})
    is_lost = status in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
    hint = " All routes are listed at /docs." if is_lost else ""
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        path = getattr(request.scope.get("route"), "path", "")
        # Of pages and their files, the framework tells all.
        told = headers["Allow"].split(", ")
        allowed = ", ".join(sorted(request.app.state.allowed_methods.get(path, told)))
        headers, hint = {"allow": allowed}, f" There is {allowed}.{hint}"
    problem = problem_body(
        status,
        re.sub(r"\W+", "_", title).lower(),
        title,
        f"{request.method} {request.url.path}: {error.detail}.{hint}",
        instance=request.url.path,
    )
    return ProblemResponse(problem, status, headers)


def _fault_of_json(cause: BaseException | None) -> str:
    if isinstance(cause, UnicodeDecodeError):
        return "The body is not UTF-8, as JSON must be."
    if isinstance(cause, RecursionError):
        return "The body nests too deep."
    if isinstance(cause, ValueError):  # all that Python refuses of what is JSON
        return "A number in the body has thousands of digits."
    return "The body could not be read as JSON."


async def handle_database_error(request: Request, error: Exception) -> ProblemResponse:
    assert isinstance(error, SQLAlchemyError)
    if not is_of_database(error):
        raise error
    return app_error_response(request, of_database(error))


def internal_error_response(request: Request) -> ProblemResponse:
    """Answer after a bug: what happened stands in the log, under the request's id."""
    detail = "A fault in the service kept it from answering the request; its log has more."
    return app_error_response(request, InternalError(detail))


def add_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(AppError, handle_app_error)
    app.add_exception_handler(RequestValidationError, handle_invalid_request)
    app.add_exception_handler(HTTPException, handle_http_exception)
    for error in (*DATABASE_ERRORS, DatabaseError):
        app.add_exception_handler(error, handle_database_error)
