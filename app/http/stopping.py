"""What is told of a request that did not end before the service does."""

from starlette.requests import Request
from starlette.responses import Response

from app.errors import NotReady
from app.http.error_responses import app_error_response


def stopping() -> NotReady:
    return NotReady("The service is stopping. Send the request again in a moment.", retry_seconds=5)


def stopping_response(request: Request) -> Response:
    return app_error_response(request, stopping())
