"""The address the API listens on."""

import errno
import socket

from app.command_failed import CommandFailed
from app.settings import Settings


def refuse_taken_address(settings: Settings) -> None:
    """Check that the API will be able to listen, before anything slow is started.

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
        is_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        other = "address with --host or SEEDBED_HOST"
        if not is_host:
            other = "port with --port or SEEDBED_PORT"
        raise CommandFailed(
            f"Cannot listen on {host}:{port}: {error.strerror}. Choose another {other}."
        ) from error
