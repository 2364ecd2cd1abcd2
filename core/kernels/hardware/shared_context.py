"""One context for all threads that are inside at once: for what belongs to the process."""

from threading import Lock


class SharedContext:
    """Enter a context when the first thread comes in, and leave it when the last one goes.

    Contexts that note what was before, as limits of threads and filters of warnings do, would undo
    each other in several threads: the second notes what the first has set.

    Parameters
    ----------
    make : callable
        Without parameters; it returns the context.

    Examples
    --------
    >>> from contextlib import nullcontext
    >>> from core.kernels.hardware.shared_context import SharedContext
    >>> made = []
    >>> shared = SharedContext(lambda: made.append("once") or nullcontext())
    >>> with shared, shared:
    ...     made
    ['once']
    """

    def __init__(self, make):
        self._make = make
        self._lock = Lock()
        self._n_inside = 0
        self._context = None

    def __enter__(self):
        with self._lock:
            if not self._n_inside:
                self._context = self._make()
                self._context.__enter__()
            self._n_inside += 1

    def __exit__(self, *error):
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                self._context.__exit__(*error)
