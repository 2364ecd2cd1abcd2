"""Where the service is that the commands use."""

import os
from collections.abc import Mapping

import httpx2

from app.settings import CLIENT_URL, Settings


def url_of(environ: Mapping[str, str]) -> str:
    """Return where the service is by the environment: SEEDBED_URL, else as `serve` reads it."""
    if url := environ.get(CLIENT_URL):
        return url.rstrip("/")
    default = Settings()
    host = environ.get("SEEDBED_HOST") or default.host
    port = environ.get("SEEDBED_PORT") or default.port
    # What listens on all addresses answers on this one.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def here() -> str:
    """Return where the service is, if nothing else is said."""
    return url_of(os.environ)


def without_password(url: str) -> str:
    """Return an address without the name and the password that it may have.

    Raises
    ------
    httpx2.InvalidURL
        If it is none, or has an @ elsewhere, as with a password that is not written for addresses.
    """
    parsed = httpx2.URL(url)
    is_service = parsed.scheme in {"http", "https"} and bool(parsed.host)
    if not is_service or parsed.query or parsed.fragment or "@" in parsed.path:
        raise httpx2.InvalidURL("not the address of a service")
    return str(parsed.copy_with(userinfo=b"")).rstrip("/")
