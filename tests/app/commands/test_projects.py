"""The table of projects."""

import io
import sys

import pytest
from fastapi.testclient import TestClient
from rich.console import Console

from app.commands.client import find_project, plain_console
from app.commands.projects import show


def shown(client: TestClient, name: str | None = None) -> list[str]:
    screen = io.StringIO()
    console = Console(
        file=screen, width=80, markup=False, highlight=False, emoji=False, soft_wrap=True
    )
    show(client, console, name)
    return screen.getvalue().splitlines()


def test_projects_stand_by_name_and_those_of_one_name_with_their_ids(
    client: TestClient, filled_project_id: str
) -> None:
    twins = [client.post("/projects", json={"name": "a [b]"}).json()["id"] for _ in range(2)]
    head, *rows = shown(client)
    names = "".join(row.split("  ")[0].strip() for row in rows)

    assert head.split() == [
        "project",
        "positive",
        "unlabeled",
        "negative",
        "unsure",
        "newest",
        "model",
    ]
    assert rows[0].split()[-5:] == ["0", "0", "0", "0", "none"]
    assert rows[-1].split() == ["floods", "3", "6", "0", "0", "none"]
    assert names.startswith("a [b]")
    assert all(f"({twin})" in names for twin in twins)
    assert filled_project_id not in names


def test_a_row_is_one_line_where_no_terminal_has_a_width(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    console, screen = plain_console(), io.StringIO()
    console.file = screen
    name = "n " * 100
    client.post("/projects", json={"name": name.strip()})

    show(client, console)

    assert [name in line for line in screen.getvalue().splitlines()] == [False, True]


def test_the_newest_model_is_told(client: TestClient, model: dict[str, str]) -> None:
    assert shown(client)[-1].split()[-1] == model["id"]


def test_without_projects_the_next_command_makes_one(client: TestClient) -> None:
    (told,) = shown(client)

    assert told.startswith("There are no projects. Next: seedbed upload ")


def test_projects_are_found_by_a_part_of_the_name(client: TestClient) -> None:
    for name in ("Floods 2025", "goals", "river floods"):
        client.post("/projects", json={"name": name})

    assert [row.split("  ")[0] for row in shown(client, "FLOOD")[1:]] == [
        "Floods 2025",
        "river floods",
    ]
    assert shown(client, "fire") == ["No project has 'fire' in its name."]


def test_a_project_is_found_by_its_whole_name(client: TestClient) -> None:
    ids = {
        name: client.post("/projects", json={"name": name}).json()["id"]
        for name in ("floods", "Floods", "floods 2", "5%", "50%")
    }

    assert {name: find_project(client, f" {name} ") for name in ids} == ids
    assert find_project(client, "flood") is None


def test_a_name_tells_a_terminal_nothing(client: TestClient) -> None:
    client.post("/projects", json={"name": "a\x9b2J"})

    assert shown(client)[-1].startswith("a\ufffd2J ")
