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
    except (OSError, UnicodeError) as error:
        why, is_port = "That is no name of a host", False
        if isinstance(error, OSError):
            why = str(error.strerror)
            is_port = not isinstance(error, socket.gaierror) and error.errno != errno.EADDRNOTAVAIL
        one, setting = ("port", "PORT") if is_port else ("address", "HOST")
        raise CommandFailed(
            f"Cannot listen on {host}:{port}: {why}. Choose another {one} with "
            f"--{setting.lower()} or SEEDBED_{setting}."
        ) from error
