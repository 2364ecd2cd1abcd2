import errno
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import boto3
import numpy as np
import psutil
import pytest
from fastapi.testclient import TestClient
from moto.server import ThreadedMotoServer
from structlog.testing import capture_logs

from app.artifacts import Artifacts, Folder
from app.errors import ArtifactUnavailable, StoreUnavailable
from app.main import create_app
from app.services.stored_files import load_arrays, load_model
from app.settings import Settings
from core.persistence import dump_arrays
from tests.app.processes import PATIENCE

BYTES = b"seed" * 1000


@pytest.fixture(scope="module")
def s3_endpoint() -> Iterator[str]:
    """Start a server that speaks S3 and return its URL."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3_url(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a new bucket; its credentials are in the environment."""
    for name, value in {
        "AWS_ENDPOINT_URL": s3_endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    bucket = f"bucket-{uuid4().hex}"
    boto3.client("s3", endpoint_url=s3_endpoint, region_name="us-east-1").create_bucket(
        Bucket=bucket
    )
    return f"s3://{bucket}/some/prefix"


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    """Return an empty store, once in a folder and once in a bucket."""
    if request.param == "folder":
        return Artifacts(str(tmp_path / "store"), tmp_path / "cache")
    return Artifacts(request.getfixturevalue("s3_url"), tmp_path / "cache")


def save(store: Artifacts, key: str = "models/one", content: bytes = BYTES) -> dict[str, Any]:
    return store.save(key, lambda path: path.write_bytes(content))


def keys(store: Artifacts) -> list[str]:
    return sorted(key for key, _ in store.list())


def test_what_was_saved_is_read(store: Artifacts) -> None:
    file = save(store)
    assert store.path(file).read_bytes() == BYTES
    assert file["size"] == len(BYTES)
    assert keys(store) == ["models/one"]


def test_saving_again_replaces_the_file(store: Artifacts) -> None:
    save(store)
    file = save(store, content=b"newer")
    assert store.path(file).read_bytes() == b"newer"


def test_large_files_are_sent_in_parts(s3_url: str, tmp_path: Path) -> None:
    content = np.random.default_rng(0).bytes(12 * 2**20)
    file = save(Artifacts(s3_url, tmp_path / "here"), content=content)
    there = Artifacts(s3_url, tmp_path / "there")
    assert there.path(file).read_bytes() == content


def test_a_file_that_was_written_is_closed(tmp_path: Path) -> None:
    store = Artifacts(str(tmp_path), tmp_path)
    path = store.path(save(store))
    assert str(path) not in {file.path for file in psutil.Process().open_files()}


def test_arrays_come_back_memory_mapped(store: Artifacts) -> None:
    arrays = {"scores": np.arange(5.0)}
    file = store.save("rankings/one", lambda path: dump_arrays(arrays, path))
    scores = load_arrays(store, file)["scores"]
    assert isinstance(scores.base, np.memmap)
    assert scores.tolist() == [0, 1, 2, 3, 4]


def test_deleted_files_are_gone_and_deleting_again_is_no_error(store: Artifacts) -> None:
    save(store, "models/one")
    save(store, "models/two")
    store.delete("models/one")
    store.delete("models/one", "models/two")
    assert keys(store) == []


def test_what_cannot_be_deleted_is_logged_and_keeps_nothing_else(tmp_path: Path) -> None:
    store = Artifacts(str(tmp_path), tmp_path / "cache")
    (tmp_path / "models" / "stuck").mkdir(parents=True)  # a folder cannot be deleted as a file
    save(store, "models/one")

    with capture_logs() as logs:
        store.delete("models/stuck", "models/one")

    assert keys(store) == []
    assert [(log["event"], log["key"]) for log in logs] == [("file not deleted", "models/stuck")]


def test_a_missing_file_is_unavailable(s3_url: str, tmp_path: Path) -> None:
    for url in (s3_url, str(tmp_path / "store")):
        file = save(Artifacts(url, tmp_path / "writer"))
        reader = Artifacts(url, tmp_path / "reader")
        reader.delete(file["key"])
        with pytest.raises(ArtifactUnavailable, match=r"it is missing\. .* train again"):
            reader.path(file)


def test_a_store_out_of_reach_is_no_damage(s3_url: str, tmp_path: Path) -> None:
    file = save(Artifacts(s3_url, tmp_path / "writer"))
    (tmp_path / "no folder").touch()
    with pytest.raises(StoreUnavailable, match="could not be read: Not a directory"):
        Artifacts(s3_url, tmp_path / "no folder").path(file)


def test_answers_hold_nothing_of_the_settings_of_the_store(
    s3_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = save(Artifacts(s3_url, tmp_path / "writer"))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    store = Artifacts(s3_url, tmp_path / "reader", retry_seconds=0)
    for use in (lambda: store.path(file), lambda: save(store)):
        with capture_logs() as logs, pytest.raises(StoreUnavailable) as refused:
            use()
        assert "the artifact store does not answer" in refused.value.detail
        (told,) = logs
        for internal in ("127.0.0.1", "bucket-", "some/prefix", "retries"):
            assert internal not in refused.value.detail
        assert "127.0.0.1:1/bucket-" in told["reason"]
        assert "\n" not in told["reason"]


@pytest.mark.parametrize("content", [BYTES[:-1], b"x" + BYTES[1:], b""])
def test_a_damaged_file_is_unavailable(tmp_path: Path, content: bytes) -> None:
    file = save(Artifacts(str(tmp_path), tmp_path / "cache"))
    (tmp_path / file["key"]).write_bytes(content)
    with pytest.raises(ArtifactUnavailable, match="Restore it from a backup"):
        Artifacts(str(tmp_path), tmp_path / "cache").path(file)


@pytest.mark.parametrize(
    ("folder", "instead"),
    [
        (Folder.MODELS, "train again"),
        (Folder.RANKINGS, "make it anew with POST /models/ID/ranking"),
        (Folder.TABLES, "send the table again"),
        (Folder.FEATURE_SELECTIONS, "select features again"),
    ],
)
def test_what_to_do_for_a_lost_file_is_told(tmp_path: Path, folder: Folder, instead: str) -> None:
    file = {"key": f"{folder}/{'0' * 32}", "size": 1, "sha256": ""}
    with pytest.raises(ArtifactUnavailable) as refused:
        Artifacts(str(tmp_path), tmp_path / "cache").path(file)
    assert refused.value.detail.endswith(f", or {instead}.")


def test_damage_after_the_first_read_is_seen(tmp_path: Path) -> None:
    store = Artifacts(str(tmp_path), tmp_path / "cache")
    file = save(store)
    path = store.path(file)
    path.write_bytes(b"x" * len(BYTES))
    os.utime(path, ns=(1, 1))
    with pytest.raises(ArtifactUnavailable):
        store.path(file)


def test_a_file_that_was_compared_is_not_taken_for_another_one(tmp_path: Path) -> None:
    store = Artifacts(str(tmp_path), tmp_path / "cache")
    file = save(store)
    store.path(file)
    with pytest.raises(ArtifactUnavailable):
        store.path({**file, "sha256": "0" * 64})


def test_a_damaged_copy_is_fetched_again(s3_url: str, tmp_path: Path) -> None:
    store = Artifacts(s3_url, tmp_path)
    file = save(store)
    store.path(file).write_bytes(b"damaged")
    assert store.path(file).read_bytes() == BYTES


OLD, NEW = f"models/{'a' * 32}", f"models/{'b' * 32}"


def test_copies_that_nobody_reads_go_when_others_come(s3_url: str, tmp_path: Path) -> None:
    store = Artifacts(s3_url, tmp_path)
    old, new = save(store, OLD), save(store, NEW, b"new")
    old_copy = store.path(old)
    os.utime(old_copy, (0, 0))
    store.path(new).unlink()
    assert store.path(new).exists()
    assert not old_copy.exists()
    assert store.path(old).read_bytes() == BYTES


def test_a_copy_in_use_stays_when_others_come(s3_url: str, tmp_path: Path) -> None:
    store = Artifacts(s3_url, tmp_path)
    file = save(store, OLD)
    copy = store.path(file)
    before = copy.stat()
    os.utime(copy, ns=(0, before.st_mtime_ns))
    # It was compared before and is mapped, so that nothing is read of it.
    store.path(file)
    store.trim_cache()
    Artifacts(s3_url, tmp_path).path(file)
    assert copy.stat().st_mtime_ns == before.st_mtime_ns  # not fetched again


def test_the_copy_of_a_deleted_file_goes_with_it(s3_url: str, tmp_path: Path) -> None:
    store = Artifacts(s3_url, tmp_path)
    copy = store.path(save(store))
    store.delete("models/one")
    assert not copy.exists()


def test_copies_of_files_that_no_row_names_go_after_an_hour(s3_url: str, tmp_path: Path) -> None:
    store = Artifacts(s3_url, tmp_path)
    fresh, old, named = (
        store.path(save(store, f"models/{letter * 32}")) for letter in ("a", "b", "c")
    )
    for path in (old, named):
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 3601))
    store.remove_copies({f"models/{'c' * 32}"})
    assert [path.exists() for path in (fresh, old, named)] == [True, False, True]


@pytest.mark.parametrize("end", ["", f".{'c' * 32}"])
def test_what_a_crash_left_in_the_cache_goes_after_a_day(tmp_path: Path, end: str) -> None:
    store = Artifacts(str(tmp_path / "store"), tmp_path)
    left = [tmp_path / "incoming" / f"{letter * 32}{end}" for letter in "ab"]
    left[0].parent.mkdir()
    for path, days in zip(left, (0.9, 1.1), strict=True):
        path.touch()
        os.utime(path, (path.stat().st_atime - days * 24 * 3600,) * 2)
    store.trim_cache()
    assert [path.exists() for path in left] == [True, False]


@pytest.mark.parametrize(
    "clean_up", [Artifacts.trim_cache, partial(Artifacts.remove_copies, named=())]
)
def test_a_copy_that_cannot_be_deleted_is_logged_and_keeps_no_other(
    s3_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_up: Callable[..., None]
) -> None:
    store = Artifacts(s3_url, tmp_path)
    stuck, other = (store.path(save(store, f"models/{letter * 32}")) for letter in "ab")
    for path in (stuck, other):
        os.utime(path, (0, 0))
    unlink = Path.unlink

    def refuse(path: Path, **options: bool) -> None:
        if path == stuck:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        unlink(path, **options)

    monkeypatch.setattr(Path, "unlink", refuse)
    with capture_logs() as logs:
        clean_up(store)

    assert [path.exists() for path in (stuck, other)] == [True, False]
    assert [(log["event"], log["name"]) for log in logs] == [("copy not deleted", stuck.name)]


def test_files_of_others_stay_in_the_cache(s3_url: str, tmp_path: Path) -> None:
    for name in ("mine.txt", f"{'a' * 64}.txt", "a" * 32, f"mine/{'a' * 64}", "incoming/mine", OLD):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(BYTES)
        os.utime(path, (0, 0))
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    store = Artifacts(s3_url, tmp_path)
    copy = store.path(save(store))
    store.remove_copies({"models/one"})
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before | {copy}


def test_a_file_that_is_no_model_is_unavailable(store: Artifacts, tmp_path: Path) -> None:
    with pytest.raises(ArtifactUnavailable) as refused:
        load_model(store, save(store))
    assert str(tmp_path) not in refused.value.detail


def test_files_are_private(tmp_path: Path) -> None:
    seen: list[Path] = []
    store = Artifacts(str(tmp_path / "store"), tmp_path / "cache")

    def write(path: Path) -> None:
        seen.append(path)
        path.write_bytes(BYTES)

    store.save("models/one", write)
    assert seen[0].parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_away_is_not_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    store = Artifacts(str(folder), tmp_path / "cache")
    folder.rename(tmp_path / "elsewhere")  # as where its volume is not mounted

    with pytest.raises(StoreUnavailable, match="No such file or directory"):
        save(store)
    with pytest.raises(StoreUnavailable), store.scratch():
        pass
    with pytest.raises(FileNotFoundError):
        Artifacts(str(folder), tmp_path / "cache", is_start=False)

    assert not folder.exists()


def test_a_failed_write_leaves_nothing(store: Artifacts) -> None:
    def fail(path: Path) -> None:
        path.write_bytes(BYTES)
        raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        store.save("models/one", fail)
    assert keys(store) == []


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    # A process of its own: the limit on the size of files would hold for all later tests.
    script = f"""
import resource
from pathlib import Path
from app.artifacts import Artifacts, Folder
from app.errors import StorageFull
store = Artifacts({str(tmp_path)!r}, Path({str(tmp_path)!r}, "cache"))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    store.save("models/one", lambda path: path.write_bytes(b"x" * 5000))
except StorageFull as error:
    assert "Make room in the folder of SEEDBED_ARTIFACTS_URL" in error.detail, error.detail
else:
    raise SystemExit("it was stored")
assert not list(store.list())
"""
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr


def test_a_store_that_refuses_is_told(s3_url: str, tmp_path: Path) -> None:
    store = Artifacts(s3_url.replace("bucket-", "no-bucket-"), tmp_path)
    with pytest.raises(StoreUnavailable, match="could not be stored"):
        save(store)


def test_a_store_that_is_started_anew_is_waited_for(
    s3_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_requests = 0

    class Starting(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            nonlocal n_requests
            n_requests += 1
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(503 if n_requests <= 6 else 200)
            self.send_header("etag", '"1"')
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Starting) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, args=(0.01,)).start()
        try:
            with pytest.raises(StoreUnavailable):
                save(Artifacts(s3_url, tmp_path, retry_seconds=0))
            save(Artifacts(s3_url, tmp_path, retry_seconds=PATIENCE))
        finally:
            server.shutdown()
    assert n_requests > 6


def test_readiness(store: Artifacts) -> None:
    assert store.fault() is None
    assert store.cache_fault() is None
    assert store.can_store()


def test_a_volume_that_is_full_is_told(tmp_path: Path) -> None:
    store = Artifacts(str(tmp_path / "artifacts"), tmp_path / "cache")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with capture_logs():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
        try:
            can_store, fault = store.can_store(), store.cache_fault()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert not can_store
    assert fault == "The cache directory cannot be used: File too large."
    assert store.can_store()
    assert store.cache_fault() is None


def forget_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("break_it", "cause"),
    [
        (forget_credentials, "no credentials for the object store are in the environment"),
        (lambda patch: patch.delenv("AWS_ALLOW_HTTP"), "AWS_ALLOW_HTTP=true"),
        (lambda patch: patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1"), "does not answer"),
        (lambda _: None, "no such bucket"),
    ],
)
def test_what_is_wrong_with_an_object_store_is_told_once(
    s3_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    break_it: Callable[[pytest.MonkeyPatch], None],
    cause: str,
) -> None:
    break_it(monkeypatch)
    url = s3_url.replace("bucket-", "no-bucket-")
    store = Artifacts(url, tmp_path, retry_seconds=0)
    with capture_logs() as logs:
        told = {store.fault() for _ in range(2)}
        assert not store.can_store()

    (fault,) = told
    assert fault is not None
    assert fault.startswith("The artifact store cannot be used: ")
    assert cause in fault
    assert "127.0.0.1" not in fault
    (line,) = logs
    assert (line["event"], line["what"]) == ("storage cannot be used", "artifact store")
    assert line["cause"] in fault
    assert "127.0.0.1" in line["reason"]
    assert "\n" not in line["reason"]


@pytest.mark.parametrize(
    ("status", "code", "cause"),
    [
        (400, "ExpiredToken", "the credentials of the object store have expired"),
        (403, "RequestTimeTooSkewed", "the clock of this machine"),
        (403, "AccessDenied", "the object store refuses the credentials"),
    ],
)
def test_what_an_object_store_refuses_for_is_told(
    s3_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    code: str,
    cause: str,
) -> None:
    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<Error><Code>{code}</Code></Error>".encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, args=(0.01,)).start()
        try:
            fault = Artifacts(s3_url, tmp_path, retry_seconds=0).fault()
        finally:
            server.shutdown()

    assert fault is not None
    assert cause in fault


@pytest.mark.usefixtures("database")
def test_the_api_looks_at_its_store_when_it_starts(s3_url: str, settings: Settings) -> None:
    url = s3_url.replace("bucket-", "no-bucket-")
    app = create_app(settings.model_copy(update={"artifacts_url": url}))
    with capture_logs() as logs, TestClient(app):
        pass
    told = [(line["event"], line["what"]) for line in logs]
    assert told == [("storage cannot be used", "artifact store")]


@pytest.mark.usefixtures("database")
def test_the_api_looks_at_its_cache_directory_when_it_starts(settings: Settings) -> None:
    settings.cache_directory.touch()
    with capture_logs() as logs, TestClient(create_app(settings)):
        pass
    told = [(line["event"], line["what"]) for line in logs]
    assert told == [("storage cannot be used", "cache directory")]


def test_a_file_url_is_a_folder(tmp_path: Path) -> None:
    file = save(Artifacts((tmp_path / "a store").as_uri(), tmp_path / "cache"))
    assert (tmp_path / "a store" / file["key"]).read_bytes() == BYTES
