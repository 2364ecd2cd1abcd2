"""Answers that do not come are told of, as a service that hangs says nothing."""

from threading import Timer

import httpx2
import typer

#: So long nothing is said.
QUIET_SECONDS = 5.0


class Waiting:
    """Tells on standard error that a request waits for its answer, once.

    Not of a body that streams: the answer comes when all of that is sent.

    Parameters
    ----------
    url : str
        Where the service is.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._timer: Timer | None = None

    def begin(self, request: httpx2.Request) -> None:
        # The request before may have failed without an answer.
        self.end()
        if "transfer-encoding" not in request.headers:
            self._timer = Timer(QUIET_SECONDS, self._tell)
            self._timer.daemon = True
            self._timer.start()

    def end(self, _: httpx2.Response | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _tell(self) -> None:
        typer.echo(
            f"{self._url} does not answer yet, so this waits; Ctrl-C ends it. If it is not busy "
            "(the log of the service tells), start the service again.",
            err=True,
        )
