"""The pages for browsers need nothing but this service."""

import re

import pytest
from fastapi.testclient import TestClient

from app.http.web_pages import WEB


def test_the_docs_and_their_files_come_from_this_service(client: TestClient) -> None:
    page = client.get("/docs")
    links = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    description = re.findall(r'url: new URL\("([^"]*)"', client.get("/docs/files/docs.js").text)

    assert {"docs/files/swagger-ui-bundle.js", "docs/files/swagger-ui.css"} <= set(links)
    assert description == ["openapi.json"]
    for link in [*links, *description]:
        # Relative, so that the page works below any prefix of a proxy.
        assert link == "data:," or re.fullmatch(r"[a-z][a-z/.-]*", link), link
        assert link == "data:," or client.get(f"/{link}").is_success, link


def test_the_page_and_its_files_come_from_this_service(client: TestClient) -> None:
    links = re.findall(r'(?:src|href)="([^"]*)"', client.get("/").text)
    scripts = sorted((WEB / "page").glob("*.js"))
    imports = {
        f"page/{name}"
        for script in scripts
        for name in re.findall(r'^import .* from "\./(.*)";$', script.read_text(), re.MULTILINE)
    }

    assert {"page/main.js", "page/style.css", "docs"} <= set(links)
    assert imports | {"page/main.js"} == {f"page/{script.name}" for script in scripts}
    for link in {*links, *imports} - {"data:,", "#/"}:
        assert re.fullmatch(r"[a-z][a-z/._]*", link), link
        assert client.get(f"/{link}").is_success, link


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_page_runs_under_its_own_policy(client: TestClient, path: str) -> None:
    page = client.get(path)
    policy = page.headers["content-security-policy"]

    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.search(r"<script>|<style|\bstyle=|\bon\w+=", page.text)


@pytest.mark.parametrize("path", ["/", "/page/main.js", "/docs", "/docs/files/docs.js"])
def test_no_file_is_older_than_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})

    assert answer.headers["cache-control"] == "no-cache"
    assert again.status_code == (304 if "." in path else 200)


def test_the_viewer_is_of_the_version_that_knows_the_description(client: TestClient) -> None:
    viewer = client.get("/docs/files/swagger-ui-bundle.js").text

    assert client.get("/openapi.json").json()["openapi"].startswith("3.1")
    assert re.findall(r'PACKAGE_VERSION:"(\d+)\.', viewer) == ["5"]


def test_nothing_else_can_be_read(client: TestClient) -> None:
    assert client.get("/redoc").status_code == 404
    for path in ("/docs/files/../../main.py", "/page/../../main.py", "/page/%2e%2e/docs/docs.js"):
        assert client.get(path).status_code == 404
