from io import BufferedRandom, FileIO

import pytest

from app.errors import StorageFull, StoreUnavailable
from app.services.intake import spool
from app.services.intake.spool import SPOOL_BYTES, spooled


def test_a_body_comes_back_from_its_start(tmp_path):
    pieces = [b"first ", b"x" * SPOOL_BYTES, b" last"]
    with spooled(iter(pieces), tmp_path) as file:
        assert file.read() == b"".join(pieces)


@pytest.mark.parametrize(
    "pieces",
    [
        [b"held back until all has come"],
        [b"held back", b"x" * SPOOL_BYTES],  # the large piece is refused, and then the small one
    ],
)
def test_a_disk_that_is_full_when_held_back_bytes_are_written_is_told(
    tmp_path, monkeypatch, pieces
):
    monkeypatch.setattr(spool, "open_spool", lambda _: BufferedRandom(FileIO("/dev/full", "r+")))
    with pytest.raises(StorageFull, match="Make room"), spooled(iter(pieces), tmp_path):
        pass


def test_a_command_is_told_of_its_own_folder(monkeypatch):
    monkeypatch.setattr(spool, "open_spool", lambda _: BufferedRandom(FileIO("/dev/full", "r+")))
    told = r"temporary files cannot be written to: No space left on device. .* TMPDIR"
    with pytest.raises(StoreUnavailable, match=told), spooled(iter([b"x"]), None):
        pass
