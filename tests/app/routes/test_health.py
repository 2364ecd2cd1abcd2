import asyncio
import gc
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection, event, text

from app import migrate
from app.artifacts import Artifacts
from app.database import FREE_BYTES, Database
from app.http.probes import Probe
from app.main import create_app
from app.settings import Settings
from tests.app.processes import eventually


class Hanging:
    """What waits until it is told to go on."""

    def __init__(self) -> None:
        self.n_waiting = 0
        self.go_on = Event()

    def wait(self, _connection: Connection) -> None:
        self.n_waiting += 1
        assert self.go_on.wait(60)


@pytest.fixture
def client(settings: Settings, database: Database) -> Iterator[TestClient]:
    """Return a client of an API whose metrics are of this test alone."""
    with TestClient(create_app(settings)) as client:
        yield client


def figures(client: TestClient) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Scrape: {name: {labels: value}}."""
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            found.setdefault(sample.name, {})[labels] = sample.value
    return found


def test_service_lives_and_is_ready(client: TestClient) -> None:
    assert client.get("/livez").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}


def test_service_without_tables_is_not_ready(settings: Settings, empty_database_url: str) -> None:
    with TestClient(
        create_app(settings.model_copy(update={"database_url": empty_database_url}))
    ) as client:
        response = client.get("/readyz")

        assert response.status_code == 503
        assert response.json()["code"] == "not_ready"
        assert "seedbed migrate" in response.json()["detail"]
        assert client.get("/livez").is_success
        assert figures(client)["seedbed_database_up"] == {(): 0}


def test_service_on_an_earlier_schema_is_not_ready(client: TestClient, database: Database) -> None:
    migrate.downgrade(database, "-1")
    assert client.get("/readyz").status_code == 503

    migrate.upgrade(database)
    assert client.get("/readyz").is_success

    with database.writing.begin() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'of_a_later_one'"))
    assert client.get("/readyz").is_success


def test_service_without_artifact_store_is_not_ready(
    client: TestClient, settings: Settings
) -> None:
    Path(settings.artifacts_url).rmdir()

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["code"] == "not_ready"


def test_service_that_cannot_write_to_a_folder_of_its_store_is_not_ready(
    client: TestClient, settings: Settings
) -> None:
    incoming = Path(settings.artifacts_url, "incoming")
    incoming.touch()  # in its place; root could write to one without rights

    probed = client.get("/readyz")
    assert probed.status_code == 503
    told = "The artifact store cannot be used: its folder incoming cannot be written to."
    assert told in probed.json()["detail"]

    incoming.unlink()
    assert client.get("/readyz").is_success


def test_service_without_a_cache_directory_is_not_ready(
    client: TestClient, settings: Settings, project_id: str
) -> None:
    settings.cache_directory.rmdir()
    settings.cache_directory.touch()  # in its place; root could write to one without rights
    refused = client.post(f"/projects/{project_id}/unlabeled?atomic=true", json=["a text"])
    assert refused.json()["code"] == "store_unavailable"

    probed = client.get("/readyz")
    assert probed.status_code == 503
    assert "The cache directory cannot be used: " in probed.json()["detail"]

    settings.cache_directory.unlink()
    assert client.get("/readyz").is_success


def test_metrics_tell_of_the_artifact_store_and_of_free_bytes(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    artifacts = Path(settings.artifacts_url)
    usage = shutil.disk_usage(artifacts)

    def disk_usage(path: Path) -> object:
        return usage._replace(free=5 * 10**9 if path == artifacts else 7 * 10**9)

    monkeypatch.setattr("shutil.disk_usage", disk_usage)
    log = artifacts.parent / "seedbed.db-wal"
    found = figures(client)
    assert found["seedbed_artifacts_up"] == {(): 1}
    assert found["seedbed_free_bytes"] == {
        (("volume", "artifacts"),): 5 * 10**9,
        (("volume", "database"),): 7 * 10**9 - log.stat().st_size,
    }

    artifacts.rmdir()
    assert figures(client)["seedbed_artifacts_up"] == {(): 0}


def test_a_store_that_hangs_does_not_hold_up_a_scrape(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    monkeypatch.setattr("app.http.probes.SECONDS", 0.05)
    monkeypatch.setattr(Artifacts, "fault", lambda _: go_on.wait(60) and None)

    found = figures(client)
    go_on.set()

    assert found["seedbed_artifacts_up"] == {(): 0}
    assert "seedbed_free_bytes" not in found


@pytest.fixture
def hanging(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    """Let every new transaction hang until it is told to go on."""
    hanging = Hanging()
    assert isinstance(client.app, FastAPI)
    engine = client.app.state.database.engine
    event.listen(engine, "begin", hanging.wait, insert=True)
    monkeypatch.setattr("app.http.probes.SECONDS", 0.05)
    yield hanging
    hanging.go_on.set()
    event.remove(engine, "begin", hanging.wait)


def test_probes_need_none_of_the_threads_of_requests(
    client: TestClient, settings: Settings
) -> None:
    async def occupy() -> None:
        limiter = current_default_thread_limiter()
        for _ in range(int(limiter.available_tokens)):
            limiter.acquire_on_behalf_of_nowait(object())

    assert client.portal is not None
    client.portal.call(occupy)
    assert client.get("/readyz").is_success
    assert figures(client)["seedbed_database_up"] == {(): 1}
    Path(settings.artifacts_url).rmdir()
    assert client.get("/readyz").status_code == 503


@pytest.mark.parametrize("folder", ["database", "artifacts"])
def test_service_without_room_is_not_ready(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    full = Path(settings.artifacts_url)
    full = full if folder == "artifacts" else full.parent
    usage = shutil.disk_usage(full)

    def disk_usage(path: Path) -> object:
        return usage._replace(free=FREE_BYTES - (path == full))

    monkeypatch.setattr("shutil.disk_usage", disk_usage)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "64 MiB" in response.json()["detail"]


def test_a_database_that_hangs_takes_one_thread(client: TestClient, hanging: Hanging) -> None:
    for _ in range(3):
        response = client.get("/readyz")
        assert response.status_code == 503
        assert response.json()["code"] == "not_ready"
        assert "did not answer" in response.json()["detail"]
    eventually(lambda: hanging.n_waiting == 1, "one has begun")

    for _ in range(3):
        found = figures(client)
        assert found["seedbed_database_up"] == {(): 0}
        assert found["seedbed_request_seconds_count"]
    eventually(lambda: hanging.n_waiting == 2, "so has that of the figures")

    hanging.go_on.set()
    eventually(lambda: client.get("/readyz").is_success, "it is ready")
    eventually(lambda: figures(client)["seedbed_database_up"] == {(): 1}, "it is up")


def test_the_error_of_a_look_that_all_have_left_is_no_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("app.http.probes.SECONDS", 0.05)
    go_on = Event()

    def look() -> None:
        assert go_on.wait(60)
        raise OSError("gone")

    async def leave() -> None:
        with pytest.raises(TimeoutError):
            await Probe(look).result()
        go_on.set()

    asyncio.run(leave())
    gc.collect()
    assert not caplog.records


def test_requests_are_counted_by_route_not_by_path(client: TestClient, project_id: str) -> None:
    client.get(f"/projects/{project_id}")
    client.get("/projects/nobody")
    client.get("/nowhere")
    client.request("BREW", "/nowhere/else")

    counts = figures(client)["seedbed_request_seconds_count"]

    def count(method: str, route: str, status: int) -> float:
        return counts[(("method", method), ("route", route), ("status", str(status)))]

    assert count("GET", "/projects/{project_id}", 200) == 1
    assert count("GET", "/projects/{project_id}", 404) == 1
    assert count("GET", "unknown", 404) == 1
    assert count("other", "unknown", 404) == 1
    assert project_id not in client.get("/metrics").text


def test_requests_of_the_docs_page_are_counted_under_their_routes(client: TestClient) -> None:
    for path in ("/docs", "/docs/files/docs.js", "/docs/files/nothing", "/openapi.json"):
        client.get(path)
    client.post("/docs")
    client.get("/docs/nowhere")

    counts = figures(client)["seedbed_request_seconds_count"]
    told = {(labels["route"], labels["status"]) for labels in map(dict, counts)}
    assert told == {
        ("/docs", "200"),
        ("/docs", "405"),
        ("/docs/files", "200"),
        ("/docs/files", "404"),
        ("/openapi.json", "200"),
        ("unknown", "404"),
    }


def test_jobs_are_counted_by_kind_and_status(
    client: TestClient, filled_project_id: str, run_job: Callable[[], str]
) -> None:
    for _ in range(3):
        client.post("/train", json={"project_id": filled_project_id, "algorithm": "prototype"})
    run_job()

    found = figures(client)

    queued = (("kind", "train"), ("status", "queued"))
    succeeded = (("kind", "train"), ("status", "succeeded"))
    assert found["seedbed_database_up"] == {(): 1}
    assert found["seedbed_jobs"] == {queued: 2, succeeded: 1}
    assert list(found["seedbed_job_seconds"]) == [succeeded]
    assert found["seedbed_queue_length"] == {(): 2}
    assert found["seedbed_workers"] == {(): 0}
    assert 0 < found["seedbed_queue_oldest_seconds"][()] < 60


def test_version_names_the_libraries(client: TestClient) -> None:
    version = client.get("/version").json()

    assert version["version"]
    assert {"numpy", "scipy", "scikit-learn"} <= set(version["libraries"])
