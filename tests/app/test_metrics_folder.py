import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from app import metrics_folder


def test_metrics_of_killed_processes_are_removed_and_those_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, used = (ended.pid, os.getpid()), (os.getppid(), "a")
    names = [f"{metrics_folder.PREFIX}{pid}-x" for pid in (*left, *used)]
    for name in names:
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    metrics_folder.remove_left_folders()

    assert {path.name for path in tmp_path.iterdir()} == set(names[2:])


def test_what_cleans_up_temporary_files_finds_the_folder_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv(metrics_folder.VARIABLE, "")  # to have it put back

    with metrics_folder.metrics_folder():
        other = os.open(os.environ[metrics_folder.VARIABLE], os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(other)

    assert not list(tmp_path.iterdir())
