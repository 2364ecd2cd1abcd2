"""Where the service is, and which model or project is meant."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

import httpx2
import pytest
from fastapi.testclient import TestClient

from app.commands import client as client_module
from app.commands import waiting
from app.commands.client import ServiceFailed, connected, existing_project, find_model
from app.commands.service_address import url_of
from app.commands.waiting import Waiting
from app.database import Database
from app.main import create_app
from app.settings import SERVICE_HEADER, Settings
from tests.app.conftest import FLOODS, served
from tests.app.seedbed_command import seedbed


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"SEEDBED_PORT": "9000"}, "http://127.0.0.1:9000"),
        ({"SEEDBED_HOST": "0.0.0.0", "SEEDBED_PORT": "9000"}, "http://127.0.0.1:9000"),
        ({"SEEDBED_HOST": "::"}, "http://[::1]:8000"),
        ({"SEEDBED_HOST": "pile.example"}, "http://pile.example:8000"),
        ({"SEEDBED_URL": "https://a.example/", "SEEDBED_PORT": "9000"}, "https://a.example"),
    ],
)
def test_the_environment_tells_where_the_service_is(environ: dict[str, str], url: str) -> None:
    assert url_of(environ) == url


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"SEEDBED_PORT": "abc"}, "SEEDBED_PORT is no whole number up to 65535: 'abc'."),
        ({"SEEDBED_PORT": "65536"}, "SEEDBED_PORT is no whole number up to 65535: "),
        ({"SEEDBED_HOST": "foo:80"}, "SEEDBED_HOST is no name or IP address"),
    ],
)
def test_what_is_wrong_with_an_address_names_its_variable(
    environ: dict[str, str], told: str
) -> None:
    finished = seedbed("projects", **environ)
    assert finished.returncode == 1
    assert finished.stderr.startswith(told)


def test_who_says_where_the_service_is_needs_no_other_variable() -> None:
    environ = {"SEEDBED_PORT": "abc", "SEEDBED_HOST": "foo:80"}
    nowhere = "http://127.0.0.1:1"
    assert "Nothing answers" in seedbed("projects", "--url", nowhere, **environ).stderr
    assert "Nothing answers" in seedbed("projects", SEEDBED_URL=nowhere, **environ).stderr
    assert seedbed("projects", "--help", **environ).returncode == 0


def test_commands_go_there_and_say_so_in_their_help() -> None:
    nowhere = "http://127.0.0.1:1"

    assert f"Nothing answers at {nowhere}." in seedbed("projects", SEEDBED_URL=nowhere).stderr
    assert f"Nothing answers at {nowhere}." in seedbed("projects", SEEDBED_PORT="1").stderr
    assert "SEEDBED_URL" in seedbed("projects", "--help").stdout


def test_name_and_password_are_part_of_the_address_and_shown_to_nobody(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    password = "0123456789abcdef"
    app = create_app(settings.model_copy(update={"users": f"anna:{password}"}))
    with served(app, headers=[SERVICE_HEADER]) as url:
        signed_in = url.replace("http://", f"http://anna:{password}@")
        texts = tmp_path / "seeds.txt"
        texts.write_text("\n".join(FLOODS))
        words = ("upload", str(texts), "--project", "floods", "--label", "positives")
        finished = seedbed(*words, "--url", signed_in)
        assert finished.returncode == 0
        shown = url.replace("http://", "http://NAME:PASSWORD@")
        assert f"--url {shown} " in finished.stdout
        assert password not in finished.stdout + finished.stderr

        words = ("train", "floods", "--algorithm", "knn_density", "--no-follow")
        finished = seedbed(*words, "--url", signed_in)
        assert f"It goes on without you: {url}/jobs/" in finished.stdout
        assert password not in finished.stdout + finished.stderr

        told = seedbed("projects", "--url", url).stderr
        assert "SEEDBED_URL, as in http://NAME:PASSWORD@" in told
    told = seedbed("projects", "--url", f"http://anna:{password}@127.0.0.1:1").stderr
    assert told.startswith("Nothing answers at http://127.0.0.1:1. ")
    slips = (
        "anna:{}@host",
        "http:/anna:{}@h",
        "http://anna:{}/x@h",
        "//anna:{}@h",
        "http://anna:{}",
    )
    for slip in slips:
        finished = seedbed("projects", "--url", slip.format(password))
        assert finished.returncode == 1
        assert "write %40 for @" in finished.stderr
        assert password not in finished.stderr
    asked = seedbed("projects", "--help", SEEDBED_URL=f"http://anna:{password}@127.0.0.1:1")
    assert "SEEDBED_URL" in asked.stdout
    assert password not in asked.stdout


def test_it_is_no_setting_of_the_service_and_stops_no_start() -> None:
    assert Settings.from_environment({"SEEDBED_URL": "http://127.0.0.1:1"}) == Settings()


def test_a_model_answers_to_its_id_and_to_name_and_id_of_its_project(
    client: TestClient, model: dict[str, Any]
) -> None:
    for name in (model["id"], model["project_id"], "floods", " floods "):
        assert find_model(client, name) == model["id"]


def test_of_projects_with_one_name_each_answers_to_its_id(
    client: TestClient, model: dict[str, Any]
) -> None:
    twin = client.post("/projects", json={"name": "floods"}).json()["id"]

    for find in (find_model, existing_project):
        with pytest.raises(ServiceFailed, match=r"2 projects .* an id in its place") as raised:
            find(client, "floods")
        assert model["project_id"] in str(raised.value)
        assert twin in str(raised.value)
    assert find_model(client, model["project_id"]) == model["id"]
    with pytest.raises(ServiceFailed, match=f"has no model yet. Next: .*train.* {twin}"):
        find_model(client, twin)


@pytest.mark.parametrize("find", [find_model, existing_project])
@pytest.mark.parametrize(
    ("name", "told"),
    [("floodz", " Did you mean 'floods'?"), ("fl", " Did you mean 'floods'?"), ("", "")],
)
def test_a_name_that_is_nearly_one_is_told(
    client: TestClient, model: dict[str, Any], find: Any, name: str, told: str
) -> None:
    with pytest.raises(ServiceFailed) as raised:
        find(client, name)

    assert f".{told} `seedbed projects` lists" in str(raised.value)


def test_an_id_that_there_is_not_leads_to_the_list(client: TestClient) -> None:
    with pytest.raises(ServiceFailed, match=r"No model has the id .*`seedbed projects` lists the"):
        find_model(client, "0" * 32)
    with pytest.raises(
        ServiceFailed, match=r"No project has the id .*`seedbed projects` lists all"
    ):
        existing_project(client, "0" * 32)


class OtherService(BaseHTTPRequestHandler):
    """Answers all requests alike."""

    status: ClassVar = 200
    body: ClassVar = b""

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def other_url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), OtherService) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


PROJECTS = b'{"projects": [{"id": "7a", "name": "floods"}], "next_page_token": null}'


BODIES = (b"<html>Log in</html>", b"[]", b"{}", b"null", PROJECTS)


@pytest.mark.parametrize(
    ("words", "status", "body"),
    [
        *((("projects",), status, body) for status in (200, 302, 404) for body in BODIES),
        (("train", "floods"), 200, PROJECTS),
        (("ranking", "0" * 32), 200, PROJECTS),
        (("delete", "floods"), 200, PROJECTS),
    ],
)
def test_another_service_is_told_from_this_one(
    other_url: str,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    status: int,
    body: bytes,
) -> None:
    monkeypatch.setattr(OtherService, "status", status)
    monkeypatch.setattr(OtherService, "body", body)

    finished = seedbed(*words, "--url", other_url)

    assert (finished.returncode, finished.stdout) == (1, "")
    assert re.fullmatch(
        rf"What answers at {other_url}/\S+ with status {status} does not look like Seedbed: say "
        r"with --url or SEEDBED_URL where the service is\.\n",
        finished.stderr,
    )


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxy_whose_service_is_away_is_told_as_that(
    other_url: str, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(OtherService, "status", status)

    told = seedbed("projects", "--url", other_url).stderr

    assert told.startswith(f"Nothing answers at {other_url}. ")
    assert "wait some seconds" in told


def test_a_proxy_that_asks_for_a_password_is_told_as_that(
    other_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OtherService, "status", 401)

    told = seedbed("projects", "--url", other_url).stderr

    assert told.startswith(f"Name and password are missing or wrong at {other_url}/projects")


def test_no_proxy_stands_before_this_machine(other_url: str) -> None:
    nowhere = dict.fromkeys(("http_proxy", "HTTP_PROXY"), "http://127.0.0.1:1")

    told = seedbed("projects", "--url", other_url, no_proxy="", NO_PROXY="", **nowhere).stderr

    assert told.startswith(f"What answers at {other_url}/projects")


def test_a_service_without_tls_is_not_called_away(other_url: str) -> None:
    url = other_url.replace("http:", "https:")

    told = seedbed("projects", "--url", url).stderr

    assert told.startswith(f"No secure connection to {url} can be made: [SSL")
    assert "whether it is http or https" in told


@pytest.mark.parametrize(
    "url",
    ["", "floods", "localhost:8000", "ftp://floods", "http://", "http://a?b=c", "http://a#b"],
)
def test_what_is_no_address_is_told_so(url: str) -> None:
    told = seedbed("projects", "--url", url).stderr

    assert told.startswith("--url or SEEDBED_URL is no address such as http://127.0.0.1:8000 or ")


def test_an_answer_that_does_not_come_is_told_of_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Event()

    class Late(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.wait(60)
            self.send_response(200)
            self.send_header(*SERVICE_HEADER)
            self.send_header("content-length", "0")
            self.end_headers()

    def tell(self: Waiting) -> None:
        say(self)
        told.set()

    say = Waiting._tell
    monkeypatch.setattr(waiting, "QUIET_SECONDS", 0.01)
    monkeypatch.setattr(Waiting, "_tell", tell)
    with HTTPServer(("127.0.0.1", 0), Late) as server:
        Thread(target=server.handle_request).start()
        url = f"http://127.0.0.1:{server.server_port}"
        with connected(url, "") as client:
            assert client.get("/projects").is_success
    assert capsys.readouterr().err.count(f"{url} does not answer yet") == 1


@pytest.mark.parametrize(
    "content", [iter([b"a long file"]), b"a body"], ids=["a stream is sent", "an answer comes"]
)
def test_nothing_is_told_while(content: Iterator[bytes] | bytes) -> None:
    waits = Waiting("")

    waits.begin(httpx2.Request("POST", "http://a.example", content=content))
    waits.end()

    assert waits._timer is None or waits._timer.finished.is_set()


def test_a_request_that_failed_is_not_waited_for() -> None:
    waits = Waiting("")
    request = httpx2.Request("GET", "http://a.example")

    waits.begin(request)
    failed = waits._timer
    waits.begin(request)
    waits.end()

    assert failed is not None
    assert failed.finished.is_set()


@pytest.mark.parametrize("status", [200, None], ids=["it is answered", "it fails"])
def test_a_request_is_waited_for_until(
    status: int | None, other_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = []

    class Noted(Waiting):
        def begin(self, request: httpx2.Request) -> None:
            super().begin(request)
            timers.append(self._timer)

    monkeypatch.setattr(client_module, "Waiting", Noted)
    monkeypatch.setattr(client_module, "_refuse_other_services", lambda _: None)
    if status is None:
        with (
            pytest.raises(ServiceFailed, match="Nothing answers"),
            connected("http://127.0.0.1:1", "") as client,
        ):
            client.get("/projects")
    else:
        with connected(other_url, "") as client:
            client.get("/projects")
            assert [timer.finished.is_set() for timer in timers] == [True]
    assert [timer.finished.is_set() for timer in timers] == [True]
