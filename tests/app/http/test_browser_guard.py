"""What pages of others can have a browser send."""

import pytest
from fastapi.testclient import TestClient

from app.database import Database
from app.main import create_app
from app.settings import Settings

OTHERS = "seedbed.example.com"


@pytest.mark.parametrize(
    ("host", "changed", "is_taken"),
    [
        (OTHERS, {}, False),
        (f"{OTHERS}:8000", {}, False),
        ("[", {}, True),
        ("127.0.0.1.example.com", {}, False),
        ("127.0.0.1:8000", {}, True),
        ("[::1]:8000", {}, True),
        ("Localhost.", {}, True),
        ("a.localhost", {}, True),
        ("api:8000", {}, True),
        (OTHERS, {"allowed_hosts": f"other.example.com, {OTHERS}"}, True),
        ("third.example.com", {"allowed_hosts": OTHERS}, False),
        (OTHERS, {"allowed_hosts": "*"}, True),
        (OTHERS, {"host": "0.0.0.0"}, True),
        ("third.example.com", {"host": "0.0.0.0", "allowed_hosts": OTHERS}, False),
    ],
)
def test_a_name_of_somebody_else_is_refused(
    settings: Settings, host: str, changed: dict[str, str], is_taken: bool
) -> None:
    client = TestClient(create_app(settings.model_copy(update=changed)))
    answer = client.get("/livez", headers={"host": host})
    assert answer.status_code == (200 if is_taken else 403)
    if not is_taken:
        assert answer.json()["code"] == "host_not_allowed"
        assert "SEEDBED_ALLOWED_HOSTS" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        ({}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "https://behind.a.proxy"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "http://testserver"}, True),
        ({"origin": "http://evil.example.com"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://["}, False),
    ],
)
def test_a_page_of_another_site_changes_nothing(
    client: TestClient, headers: dict[str, str], is_taken: bool
) -> None:
    answer = client.post("/projects", json={"name": "floods"}, headers=headers)
    assert answer.status_code == (201 if is_taken else 403)
    assert is_taken or answer.json()["code"] == "cross_site_request"
    listed = client.get("/projects", headers=headers)
    assert len(listed.json()["projects"]) == is_taken


def test_a_refusal_has_an_id(settings: Settings, database: Database) -> None:
    answer = TestClient(create_app(settings)).get("/projects", headers={"host": OTHERS})
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-request-id"]
