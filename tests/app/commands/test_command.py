"""What all commands have in common, as a shell runs them."""

import os
import subprocess
import sys
from typing import IO

import pytest
from typer.main import get_command

from app import __main__ as entry
from app.cli import app
from tests.app.processes import ROOT


def listed_into(output: IO[bytes] | int, *, unbuffered: str = "") -> tuple[int, str]:
    """Return the exit code and the errors of a command whose output goes there."""
    finished = subprocess.run(
        [sys.executable, "-m", "app", "settings"],
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        cwd=ROOT,
    )
    return finished.returncode, finished.stderr


#: These read collections and train models themselves.
WITH_MODELS = {"demo", "labeled_collection", "simulation"}


def test_commands_that_use_a_service_load_no_library_of_numbers() -> None:
    names = {path.stem for path in (ROOT / "app" / "commands").glob("*.py")} - WITH_MODELS
    imports = ", ".join(f"app.commands.{name}" for name in sorted(names - {"__init__"}))
    command = f"import {imports}, sys; print({{'core', 'numpy', 'sklearn'}} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", command], capture_output=True, cwd=ROOT)

    assert printed.stdout == b"set()\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_is_told_in_one_line(unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        told = listed_into(full, unbuffered=unbuffered)

    assert told == (1, "Cannot go on: No space left on device.\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_pipe_that_is_closed_early_ends_it_in_silence(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert listed_into(writer, unbuffered=unbuffered) == (1, "")
    finally:
        os.close(writer)


def test_without_an_output_commands_may_print_nevertheless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", None)

    with pytest.raises(SystemExit, match="0"):
        get_command(app).main(["--version"])

    with sys.stdout as nowhere:
        nowhere.write("positive\n")


def test_ctrl_c_ends_it_without_a_traceback_while_libraries_load(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "import_module", interrupted)

    with pytest.raises(SystemExit, match="130"):
        entry.main()


def test_the_package_is_the_command() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "app", "--version"], capture_output=True, timeout=120, cwd=ROOT
    )
    assert (finished.returncode, finished.stderr) == (0, b"")
