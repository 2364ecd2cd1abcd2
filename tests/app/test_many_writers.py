"""Many small changes at once."""

import socket
from concurrent.futures import ThreadPoolExecutor

import httpx2
from fastapi.testclient import TestClient

from app.database import REQUEST_THREADS, Database
from app.main import create_app
from app.settings import Settings
from tests.app.conftest import fill, served
from tests.app.processes import PATIENCE, eventually

N_WRITERS = 3 * REQUEST_THREADS


def test_more_writers_than_threads_come_after_each_other(
    settings: Settings, database: Database
) -> None:
    # None waits so long, unless the one whose turn it is waits for a thread that they have.
    settings = settings.model_copy(update={"database_timeout_seconds": PATIENCE})
    with TestClient(create_app(settings)) as client, ThreadPoolExecutor(N_WRITERS) as pool:
        project_id = client.post("/projects", json={"name": "floods"}).json()["id"]
        fill(client, project_id)

        def write(i: int) -> int:
            if i % 3 == 0:
                body = {"description": f"version {i}"}
                return client.patch(f"/projects/{project_id}", json=body).status_code
            label = [{"id": f"u{i % 6}", "label": ["negative", "unsure"][i % 2]}]
            return client.put(f"/projects/{project_id}/labels", json=label).status_code

        for _ in range(3):
            assert list(pool.map(write, range(N_WRITERS))) == [200] * N_WRITERS


def test_a_turn_that_does_not_come_is_told(settings: Settings, database: Database) -> None:
    settings = settings.model_copy(update={"database_timeout_seconds": 0.2})
    app = create_app(settings)
    with TestClient(app) as client:
        app.state.write_turns.acquire_nowait()  # somebody writes, and does not end
        refused = client.post("/projects", json={"name": "floods"})
        app.state.write_turns.release()
        accepted = client.post("/projects", json={"name": "floods"})
    assert (refused.status_code, refused.json()["code"]) == (503, "database_unavailable")
    assert accepted.status_code == 201


def test_a_body_that_does_not_come_keeps_no_turn(settings: Settings, database: Database) -> None:
    settings = settings.model_copy(update={"database_timeout_seconds": 3})
    app = create_app(settings)
    with served(app) as address, httpx2.Client(base_url=address, timeout=PATIENCE) as client:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as stalled:
            head = (
                "POST /models/abc/ranking HTTP/1.1",
                f"Host: {host}",
                "Content-Length: 9",
                "",
                "{",
            )
            stalled.sendall("\r\n".join(head).encode())
            eventually(lambda: client.get("/livez").is_success, "the API has read it")
            assert client.post("/projects", json={"name": "floods"}).status_code == 201
