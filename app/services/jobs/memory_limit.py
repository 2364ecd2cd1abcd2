"""The memory that a job may take, and the one sentence that refuses what needs more."""

from collections.abc import Iterable

import psutil

from app.errors import MemoryLimit

#: What a job's process holds before it reads a document, as measured: counted in at the request.
START_BYTES = 176 * 2**20


def exceeds(memory_mb: int | None, n_bytes: int) -> bool:
    """Tell whether a job needs more than it may take; without a limit everything fits."""
    return memory_mb is not None and n_bytes > memory_mb * 2**20


def held_bytes(process: psutil.Process | None = None) -> int:
    """Return what a process has taken, by default this one, mapped files aside."""
    held = (process or psutil.Process()).memory_info()
    # Their pages are resident, but the system drops them when it needs room.
    taken: int = held.rss - getattr(held, "shared", 0)
    return taken


def size_in_words(n_documents: int, n_terms: int = 0, n_entries: int = 0) -> str:
    """Return what is said of documents, which are not counted yet where they have no terms."""
    if not n_terms:
        return f"{n_documents:,} documents alone"
    return f"{n_documents:,} documents of {n_terms:,} terms and {n_entries:,} entries"


def advise(
    memory_mb: int | None, frugal: Iterable[tuple[str, int]], otherwise: str, *, is_counted: bool
) -> str:
    """Name the first that fits of algorithms, each with what it needs in bytes.

    Before documents are counted, what their terms take comes on top.
    """
    for name, n_bytes in frugal:
        if not exceeds(memory_mb, n_bytes):
            needed = f"{n_bytes / 2**20:,.0f}"
            most = f"{needed} at most" if is_counted else f"{needed} and what the terms take"
            return f"Take {name}, which needs {most}, or raise the limit."
    return otherwise


def check(
    memory_mb: int | None,
    what: str,
    n_bytes: int,
    size: str,
    advice: str,
    pointer: str | None = None,
) -> None:
    """Refuse what needs more than a job may take; say how much, and what to do.

    Raises
    ------
    MemoryLimit
    """
    if not exceeds(memory_mb, n_bytes):
        return
    detail = (
        f"{what} may need {n_bytes / 2**20:,.0f} MiB for {size}; a job may take {memory_mb:,} "
        f"(SEEDBED_JOB_MEMORY_MB). {advice}"
    )
    raise MemoryLimit(detail, pointer=pointer)
