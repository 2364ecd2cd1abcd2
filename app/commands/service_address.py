"""Where the service is that the commands use."""

import os
from collections.abc import Mapping

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


#: Where the service is, if nothing else is said.
HERE = url_of(os.environ)


def without_password(url: str) -> str:
    """Return what was given as an address without name and password, also where it is none."""
    before, _, after = url.rpartition("@")
    scheme, mark, _ = before.partition("://")
    return scheme + mark + after if mark else after
