"""An upload that waits halfway, over a real connection."""

from collections.abc import Mapping
from http.client import HTTPConnection

BODY = b"one\ntwo\n"
PLAIN = {"Content-Type": "text/plain"}


class SlowUpload:
    """An upload that has sent the first half of its body."""

    def __init__(
        self,
        url: str,
        path: str,
        *,
        first: bytes = BODY[:4],
        last: bytes = BODY[4:],
        headers: Mapping[str, str] = PLAIN,
    ) -> None:
        self._last = last
        self.connection = HTTPConnection(url.removeprefix("http://"), timeout=60)
        self.connection.putrequest("POST", path)
        for name, value in {**headers, "Content-Length": len(first + last)}.items():
            self.connection.putheader(name, str(value))
        self.connection.endheaders(first)

    def finish(self) -> tuple[int, bytes]:
        self.connection.send(self._last)
        return self.answer()

    def answer(self) -> tuple[int, bytes]:
        with self.connection.getresponse() as response:
            answer = response.status, response.read()
        self.connection.close()
        return answer
