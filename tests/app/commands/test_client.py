"""Where the service is, and which model or project is meant."""

from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from app.commands.client import ServiceFailed, answer, existing_project, find_model, url_of
from app.settings import Settings
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


def test_commands_go_there_and_say_so_in_their_help() -> None:
    nowhere = "http://127.0.0.1:1"

    assert f"Nothing answers at {nowhere}." in seedbed("projects", SEEDBED_URL=nowhere).stderr
    assert f"Nothing answers at {nowhere}." in seedbed("projects", SEEDBED_PORT="1").stderr
    assert "SEEDBED_URL" in seedbed("projects", "--help").stdout


def test_it_is_no_setting_of_the_service_and_stops_no_start() -> None:
    assert Settings.from_environment({"SEEDBED_URL": "http://127.0.0.1:1"}) == Settings()


def test_a_model_answers_to_its_id_and_to_name_and_id_of_its_project(
    client: TestClient, model: dict[str, Any]
) -> None:
    for name in (model["id"], model["project_id"], "floods"):
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


def test_an_id_that_there_is_not_leads_to_the_list(client: TestClient) -> None:
    with pytest.raises(ServiceFailed, match=r"No model has the id .*`seedbed projects` lists the"):
        find_model(client, "0" * 32)
    with pytest.raises(
        ServiceFailed, match=r"No project has the id .*`seedbed projects` lists all"
    ):
        existing_project(client, "0" * 32)


@pytest.mark.parametrize("status", [200, 302, 404])
def test_what_is_not_the_service_is_told_so(status: int) -> None:
    request = httpx2.Request("GET", "http://127.0.0.1:9/projects")
    page = httpx2.Response(status, text="<html>Log in</html>", request=request)

    with pytest.raises(ServiceFailed, match=f"answered {status}, but not as Seedbed does"):
        answer(page)
