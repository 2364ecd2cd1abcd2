"""What the commands have in common: they load their module late, and fail with one line."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from app.command_failed import CommandFailed


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


class Commands(TyperGroup):
    """All commands. What the system refuses ends them with one line, a pipe closed early with none.

    Output is refused late, too: it is kept until there is much of it, or the command ends.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            # Python's name for a refused value, which Typer puts first, tells nobody anything.
            error.message = error.message.removeprefix("Value error, ")
            raise

    def main(self, *args: Any, **options: Any) -> Any:
        if sys.stdout is None:  # closed before the start
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - open until the process ends
        try:
            try:
                return super().main(*args, **options)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            _give_up()
        except OSError as error:
            place = "" if error.filename is None else f"{error.filename}: "
            _give_up(f"Cannot go on: {place}{error.strerror or error}.")


def _give_up(why: str | None = None) -> NoReturn:
    with suppress(OSError):
        # Else Python would write what is left as it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    with suppress(OSError):
        if why is not None:
            typer.echo(why, err=True)
    sys.exit(1)
