"""One version, of the distribution; a folder that was never installed has none but works."""

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import core
from core.plain_file import library_versions

ROOT = Path(__file__).parents[2]

UNKNOWN = """
import importlib.metadata as metadata

known = metadata.version

def version(name):
    if name == "seedbed":
        raise metadata.PackageNotFoundError(name)
    return known(name)

metadata.version = version
import core
from app.main import create_app

core.save(core.TokenCounter().fit(["some words"]), "model")
print(core.__version__, create_app().version, core.load("model").terms_)
"""


def test_the_version_is_that_of_the_distribution():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert core.__version__ == version(project["name"])
    assert library_versions()["seedbed"] == core.__version__


def test_what_is_not_installed_works_and_says_so(tmp_path):
    finished = subprocess.run(
        [sys.executable, "-c", UNKNOWN],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout == "0+unknown 0+unknown ['some', 'words']\n"
