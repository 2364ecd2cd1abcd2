"""The page at /docs needs nothing but this service."""

import re

from fastapi.testclient import TestClient


def test_the_page_and_its_files_come_from_this_service(client: TestClient) -> None:
    page = client.get("/docs")
    links = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    description = re.findall(r'url: "([^"]*)"', client.get("/docs/files/docs.js").text)

    assert {"docs/files/swagger-ui-bundle.js", "docs/files/swagger-ui.css"} <= set(links)
    assert description == ["openapi.json"]
    for link in [*links, *description]:
        # Relative, so that the page works below any prefix of a proxy.
        assert link == "data:," or re.fullmatch(r"[a-z][a-z/.-]*", link), link
        assert link == "data:," or client.get(f"/{link}").is_success, link


def test_the_page_runs_under_its_own_policy(client: TestClient) -> None:
    page = client.get("/docs")
    policy = page.headers["content-security-policy"]

    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.search(r"<script>|<style|\bstyle=|\bon\w+=", page.text)


def test_the_viewer_is_of_the_version_that_knows_the_description(client: TestClient) -> None:
    viewer = client.get("/docs/files/swagger-ui-bundle.js").text

    assert client.get("/openapi.json").json()["openapi"].startswith("3.1")
    assert re.findall(r'PACKAGE_VERSION:"(\d+)\.', viewer) == ["5"]


def test_there_is_no_second_page(client: TestClient) -> None:
    assert client.get("/redoc").status_code == 404
    assert client.get("/docs/files/../../main.py").status_code == 404
