"""URLs that are not UTF-8."""

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize(
    ("url", "pointer"),
    [
        ("/predict?model_id=a&text=caf%E9", "?text"),
        ("/predict?model_id=a&caf%E9=1", "?caf\ufffd"),
        ("/projects/p/documents?q=%C3", "?q"),
        ("/projects/p/documents/caf%E9", "path"),
        ("/caf%E9", "path"),
    ],
)
def test_escapes_that_are_not_utf_8_are_refused(client: TestClient, url: str, pointer: str) -> None:
    response = client.get(url)

    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    (error,) = response.json()["errors"]
    assert error["pointer"] == pointer
    assert "is not UTF-8 with each byte escaped" in error["detail"]
    assert response.headers["x-request-id"]


@pytest.mark.parametrize("url", ["/projects?x=caf%C3%A9", "/projects?x=%EF%BF%BD&&=&a"])
def test_other_urls_go_on(client: TestClient, url: str) -> None:
    assert "query parameter here" in client.get(url).json()["detail"]
