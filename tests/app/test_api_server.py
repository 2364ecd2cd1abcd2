import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from app import api_server


def test_metrics_of_killed_processes_are_removed_and_those_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, used = (ended.pid, os.getpid()), (os.getppid(), "a")
    names = [f"{api_server.METRICS_PREFIX}{pid}-x" for pid in (*left, *used)]
    for name in names:
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    api_server.remove_left_metrics()

    assert {path.name for path in tmp_path.iterdir()} == set(names[2:])
