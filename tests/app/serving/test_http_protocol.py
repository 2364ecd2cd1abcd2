"""What is refused before it is a request, over real connections."""

import json
import socket
from collections.abc import Iterator
from http.client import HTTPResponse
from threading import Thread
from typing import Any

import httpx2
import pytest
import uvicorn
from structlog.testing import capture_logs

from app.main import create_app
from app.serving import http_protocol
from app.serving.http_protocol import MAX_HEAD_BYTES, HttpProtocol
from app.settings import SERVICE_HEADER, Settings
from tests.app.processes import PATIENCE

HEAD = b"GET /version HTTP/1.1\r\nHost: here\r\n"


@pytest.fixture
def address(settings: Settings) -> Iterator[tuple[str, int]]:
    config = uvicorn.Config(
        create_app(settings), http=HttpProtocol, log_config=None, headers=[SERVICE_HEADER]
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join()


def answered(address: tuple[str, int], sent: bytes) -> bytes:
    """Return all that comes back until the server closes the connection."""
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(2**16), b""))


def status_of_the_next(connection: socket.socket) -> int:
    with HTTPResponse(connection) as answer:
        answer.begin()
        answer.read()
        return answer.status


def is_closed(connection: socket.socket) -> bool:
    """Wait until the server says something or closes the connection; tell whether it has closed."""
    try:
        return connection.recv(2**16) == b""
    except ConnectionResetError:  # it had not read all
        return True


def problem(answer: bytes) -> tuple[bytes, dict[str, Any]]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head
    assert b"x-service: seedbed" in head.lower()  # or the command takes it for another's
    return head.partition(b"\r\n")[0], json.loads(body)


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        HEAD + b"no colon\r\n\r\n",
        HEAD + b"Content-Length: many\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    ],
    ids=["TLS", "header", "length", "chunk"],
)
def test_what_is_not_http_is_a_problem_and_logged(address: tuple[str, int], sent: bytes) -> None:
    with capture_logs() as logs:
        answer = answered(address, sent)

    # A broken body can come behind the answer to its head.
    status_line, told = problem(b"HTTP/1.1 400" + answer.rpartition(b"HTTP/1.1 400")[2])
    assert (status_line, told["code"]) == (b"HTTP/1.1 400 Bad Request", "unreadable_request")
    assert "unreadable_request" in [log.get("code") for log in logs]


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + b"X: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n",
        HEAD + b"".join(b"X%d: a\r\n" % i for i in range(6700)) + b"\r\n",
        b"GET /version?" + b"a" * MAX_HEAD_BYTES + b" HTTP/1.1\r\n\r\n",
    ],
    ids=["header", "headers", "URL"],
)
def test_a_head_has_a_largest_size(address: tuple[str, int], sent: bytes) -> None:
    with capture_logs() as logs:
        status_line, told = problem(answered(address, sent))

    assert [log.get("code") for log in logs if log.get("status")] == ["headers_too_large"]
    assert status_line == b"HTTP/1.1 431 Request Header Fields Too Large"
    assert told["code"] == "headers_too_large"


def test_a_head_without_an_end_is_broken_off(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD + b"X: ")
        with pytest.raises(ConnectionError):
            connection.sendall(b"a" * 1000 * MAX_HEAD_BYTES)


def test_large_heads_and_bodies_below_the_limits_are_taken(address: tuple[str, int]) -> None:
    host, port = address
    with httpx2.Client(base_url=f"http://{host}:{port}", timeout=PATIENCE) as client:
        for _ in range(3):  # over one connection
            headers = {"X-Long": "a" * (MAX_HEAD_BYTES - 1000)}
            assert client.get("/version", headers=headers).status_code == 200
            assert client.post("/projects", json={"name": "a" * 10**6}).status_code == 422


def test_a_head_that_is_not_finished_in_time_closes_the_connection(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD + b"\r\n")
        assert status_of_the_next(connection) == 200
        monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0)
        connection.sendall(HEAD + b"\r\n")  # its answer takes longer, which is no fault
        assert status_of_the_next(connection) == 200
        connection.sendall(HEAD)  # of a third request
        assert is_closed(connection)

    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.05)
    for sent in (HEAD, b""):
        with socket.create_connection(address, timeout=PATIENCE) as connection:
            connection.sendall(sent)
            assert is_closed(connection)


def test_the_rest_of_a_refused_body_is_not_waited_for_without_end(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, "UNREAD_SECONDS", 0.05)
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(b"POST /nowhere HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\na")
        assert status_of_the_next(connection) == 404
        connection.sendall(b"b")
        assert is_closed(connection)


def test_a_request_may_follow_a_refused_body(address: tuple[str, int]) -> None:
    refused = b"POST /nowhere HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\na"
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(refused)
        assert status_of_the_next(connection) == 404
        connection.sendall(b"b" + HEAD + b"\r\n")
        assert status_of_the_next(connection) == 200
