"""What a request is told that the end of the service cuts short."""

from app.errors import NotReady


def stopping() -> NotReady:
    return NotReady("The service is stopping. Send the request again in a moment.", retry_seconds=5)
