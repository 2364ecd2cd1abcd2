"""Peak memory of a piece of work in this process, where the system tells it: Linux with glibc."""

import ctypes
from contextlib import suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")


def reset_peak():
    """Forget the peak; return what the process holds now, in MiB, or None."""
    if not _STATUS.exists():
        return None
    # Memory that is free but kept would hide the same amount of the work's own.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak():
    """Return the largest resident size since the last reset, in MiB, or None."""
    if not _STATUS.exists():
        return None
    for line in _STATUS.read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return None
