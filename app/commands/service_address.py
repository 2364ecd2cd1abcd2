"""Where the service is that the commands use."""

import os
from collections.abc import Mapping

import httpx2

from app.command_failed import CommandFailed
from app.settings import CLIENT_URL, Settings

LAST_PORT = 2**16 - 1


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


def checked_here() -> str:
    """Return what ``here`` does.

    Raises
    ------
    CommandFailed
        If SEEDBED_HOST and SEEDBED_PORT, which it is made of, make no address.
    """
    url = here()
    if os.environ.get(CLIENT_URL):
        return url
    port = os.environ.get("SEEDBED_PORT") or "0"
    if not (port.isascii() and port.isdigit() and int(port) <= LAST_PORT):
        raise CommandFailed(f"SEEDBED_PORT is no whole number up to {LAST_PORT}: {port!r}.")
    try:
        without_password(url)
    except httpx2.InvalidURL as error:
        raise CommandFailed(
            "SEEDBED_HOST is no name or IP address of a machine, such as 127.0.0.1; the port is "
            "SEEDBED_PORT."
        ) from error
    return url


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
