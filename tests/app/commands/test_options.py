"""What options make of what is typed."""

import gzip
from pathlib import Path

import pytest

from tests.app.seedbed_command import seedbed


@pytest.mark.parametrize("name", ["utf-8", "UTF-8", "utf8", "Utf_8"])
def test_utf8_by_any_of_its_names_goes_with_compressed_files(tmp_path: Path, name: str) -> None:
    file = tmp_path / "pile.txt.gz"
    file.write_bytes(gzip.compress(b"the river\n"))
    words = ("upload", str(file), "--project", "floods", "--label", "unlabeled")

    finished = seedbed(*words, "--encoding", name, "--url", "http://127.0.0.1:1")

    assert "Nothing answers at http://127.0.0.1:1." in finished.stderr
