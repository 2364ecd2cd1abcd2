"""What is told of a request that did not end before the service does."""

from app.errors import NotReady


def stopping() -> NotReady:
    return NotReady("The service is stopping. Send the request again in a moment.", retry_seconds=5)
