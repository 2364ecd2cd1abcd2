"""What the commands have in common: they load their module late, and fail with one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import typer

from app.errors import CommandFailed


@contextmanager
def loaded(module: str) -> Iterator[Any]:
    """Give the module of a command; what it fails with is one line, not a traceback.

    NumPy and its kin take seconds that ``--help`` should not.
    """
    try:
        yield import_module(module)
    except CommandFailed as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    except KeyboardInterrupt as error:
        raise typer.Exit(130) from error
