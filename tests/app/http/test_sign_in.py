"""Who may use the service."""

import base64

import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs

from app.database import Database
from app.main import create_app
from app.settings import Settings

ANNA = ("anna", "5e3f0f6a9c1b4d27")
BEN = ("ben", "another-password")

USERS = f"{ANNA[0]}:{ANNA[1]}, {BEN[0]}:{BEN[1]}"
#: Of a service that is not started: nothing of it is needed to refuse anybody.
CLOSED = TestClient(create_app(Settings(users=USERS)))


@pytest.fixture
def closed(settings: Settings, database: Database) -> Settings:
    return settings.model_copy(update={"users": USERS})


@pytest.mark.parametrize("user", [ANNA, BEN])
def test_who_is_listed_comes_in_and_is_named_in_the_log(
    closed: Settings, user: tuple[str, str]
) -> None:
    with TestClient(create_app(closed)) as client, capture_logs() as logs:
        assert client.post("/projects", json={"name": "floods"}, auth=user).status_code == 201
        assert len(client.get("/projects", auth=user).json()["projects"]) == 1
    assert [line["user"] for line in logs if line["event"] == "request"] == [user[0]] * 2
    assert user[1] not in str(logs)


def basic(pair: str) -> str:
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Basic",
        "Basic %",
        f"Bearer {ANNA[1]}",
        basic("no colon"),
        basic("ännä:"),
        basic(f"anna:{BEN[1]}"),
        basic("anna:"),
        basic(f"anna:{ANNA[1]} "),
        basic(f"ANNA:{ANNA[1]}"),
        basic(f":{ANNA[1]}"),
        basic("nobody:"),
        basic("nobody:nothing"),
    ],
)
def test_what_is_no_name_with_its_password_is_refused(authorization: str) -> None:
    answer = CLOSED.get("/projects", headers={"authorization": authorization})
    assert answer.status_code == 401
    assert answer.json()["code"] == "not_signed_in"


@pytest.mark.parametrize(
    "path", ["/", "/page/main.js", "/docs", "/openapi.json", "/projects", "/metrics", "/no/such"]
)
def test_nobody_else_sees_anything(path: str) -> None:
    answer = CLOSED.get(path)
    assert answer.status_code == 401
    # Without it browsers do not ask.
    assert answer.headers["www-authenticate"] == 'Basic realm="Seedbed"'


def test_nobody_else_changes_anything(closed: Settings) -> None:
    app = create_app(closed)
    with TestClient(app) as client:
        assert client.post("/projects", json={"name": "floods"}).status_code == 401
        assert client.get("/projects", auth=ANNA).json()["projects"] == []


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/livez", "/readyz", "/v2/health/live", "/v2/health/ready"])
def test_probes_need_no_password(closed: Settings, path: str, method: str) -> None:
    with TestClient(create_app(closed)) as client:
        assert client.request(method, path).status_code == 200


def test_openapi_says_how_to_sign_in(closed: Settings) -> None:
    schema = create_app(closed).openapi()
    assert schema["components"]["securitySchemes"] == {
        "SignIn": {"type": "http", "scheme": "basic"}
    }
    assert schema["security"] == [{"SignIn": []}]
    assert schema["paths"]["/livez"]["get"]["security"] == []
    refusal = schema["paths"]["/projects"]["post"]["responses"]["401"]
    assert list(refusal["content"]["application/problem+json"]["examples"]) == ["not_signed_in"]
    assert set(refusal["headers"]) == {"WWW-Authenticate", "X-Request-Id"}
    assert "401" not in schema["paths"]["/readyz"]["get"]["responses"]


def test_openapi_says_nothing_of_it_where_all_may_come() -> None:
    schema = create_app(Settings()).openapi()
    assert "security" not in schema
    assert "securitySchemes" not in schema["components"]
