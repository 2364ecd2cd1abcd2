"""What the fork server of the worker loads once for all jobs, besides the libraries.

The first count of known terms by compiled code takes a quarter of a second.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from app.kernel_cache import compiling
from app.warm_up import warm_up
from core import persistence
from core.kernels.tokens.counts import FEW_BYTES
from core.text import TokenCounter


def _count(folder: Path) -> None:
    """Count as jobs do: by a mapped model, into a file; so many bytes that Python does not."""
    persistence.save(
        TokenCounter(marks=True, long_numbers_as_zeros=True).fit([b"word"]), folder / "counter"
    )
    counter = persistence.load(folder / "counter", mmap_mode="c")
    counter.transform([b"word " * (FEW_BYTES // 4)], folder=folder)


with compiling(), TemporaryDirectory() as folder:
    _count(Path(folder))
warm_up()
