"""``seedbed`` as a user types it, away from a terminal."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from app.cli import app
from tests.app.processes import ROOT

Finished = subprocess.CompletedProcess[str]

ENVIRONMENT = {"COLUMNS": "200", "NO_COLOR": "1"}


def seedbed(*words: str, stdin: str = "", **settings: str) -> Finished:
    """Run a command, in this process where that is the same: a new one takes half a second."""
    # A pipe can be waited for, and the environment is read when a process starts.
    if stdin or settings:
        return seedbed_process(*words, stdin=stdin, **settings)
    finished = CliRunner(env=ENVIRONMENT).invoke(app, words, catch_exceptions=False)
    return Finished(words, finished.exit_code, finished.stdout, finished.stderr)


def seedbed_process(*words: str, stdin: str = "", **settings: str) -> Finished:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **ENVIRONMENT, **settings},
        cwd=ROOT,
    )
