"""The address the API listens on."""

import socket

from app.errors import CommandFailed
from app.settings import Settings


def refuse_taken_address(settings: Settings) -> None:
    """Look before what takes seconds to start whether the API will be able to listen.

    Raises
    ------
    CommandFailed
        If it will not, say because another process listens on the port.
    """
    host, port = settings.host, settings.port
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise CommandFailed(
            f"Cannot listen on {host}:{port}: {error.strerror}. Choose another port with --port "
            "or SEEDBED_PORT."
        ) from error
