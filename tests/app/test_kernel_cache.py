import os
import pickle
import resource
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from app.kernel_cache import VARIABLE, remove_damaged_kernels
from app.settings import Settings
from tests.app.processes import PATIENCE, ROOT


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_service_without_a_folder_for_kernels_ends_with_a_line(
    command: str, settings: Settings, tmp_path: Path
) -> None:
    for package in ("app", "core", "migrations"):
        copytree(ROOT / package, tmp_path / package, ignore=ignore_patterns("__pycache__"))
    # In place of folders, as root could write to any.
    (tmp_path / "core/kernels/rows/__pycache__").touch()
    environment = os.environ | settings.to_environment() | {"PYTHONDONTWRITEBYTECODE": "1"}
    nowhere = dict.fromkeys(("XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), "/dev/null/folder")

    ended = subprocess.run(
        [sys.executable, "-m", "app", command],
        cwd=tmp_path,
        env=environment | nowhere | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith("NUMBA_CACHE_DIR: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "after"), [("api", ""), ("worker", "What jobs need could not be loaded.\n")]
)
def test_service_without_room_for_kernels_ends_with_a_line(
    command: str, after: str, settings: Settings, tmp_path: Path
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "app", command],
        cwd=ROOT,
        env=os.environ | settings.to_environment() | {VARIABLE: str(tmp_path / "kernels")},
        # What is compiled takes more.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    lines = [line for line in ended.stderr.splitlines(True) if not line.startswith("{")]
    assert ended.returncode == 1
    assert lines[0].startswith(f"{VARIABLE}: compiled code")
    assert "File too large" in lines[0]
    assert "".join(lines[1:]) == after


def test_kernels_that_a_loss_of_power_cut_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    whole = pickle.dumps("of a kernel")
    contents = {"whole.nbc": whole, "whole.nbi": pickle.dumps("version") + whole, "other": b""}
    damaged = {"empty.nbi": b"", "cut.nbc": whole[:-1], "zeros.nbc": bytes(len(whole))}
    folder = tmp_path / "of_a_module"
    folder.mkdir()
    for name, content in (contents | damaged).items():
        (folder / name).write_bytes(content)

    remove_damaged_kernels()

    assert {path.name for path in folder.iterdir()} == set(contents)
