"""Work on one thing after the other, by as many threads as joblib has workers."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor

from joblib import effective_n_jobs

#: Things that wait for each worker.
N_AHEAD = 2


def thread_map(function, things):
    """Yield the results of a function of each thing, in order.

    Things are made by the caller's own thread, to which a database cursor may be bound, while the
    others are busy with those before; no more than ``N_AHEAD`` for each thread wait meanwhile.

    Parameters
    ----------
    function : callable
        Threads gain what it does without the lock of the interpreter.
    things : iterable

    Examples
    --------
    >>> from joblib import parallel_config
    >>> from core.kernels.hardware.thread_map import thread_map
    >>> with parallel_config("threading", n_jobs=2):
    ...     list(thread_map(abs, range(-3, 1)))
    [3, 2, 1, 0]
    """
    n_workers = effective_n_jobs(None)
    if n_workers == 1:
        yield from map(function, things)
        return
    pending = deque()
    with ThreadPoolExecutor(n_workers) as workers:
        try:
            for thing in things:
                pending.append(workers.submit(function, thing))
                if len(pending) > N_AHEAD * n_workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            workers.shutdown(cancel_futures=True)


def thread_each(function, things):
    """Call a function with each thing, as :func:`thread_map` does, for what it changes.

    Parameters
    ----------
    function : callable
        What it returns is dropped.
    things : iterable

    Examples
    --------
    >>> from joblib import parallel_config
    >>> from core.kernels.hardware.thread_map import thread_each
    >>> sizes = {}
    >>> with parallel_config("threading", n_jobs=2):
    ...     thread_each(lambda word: sizes.update({word: len(word)}), ["a", "few", "words"])
    >>> sorted(sizes.items())
    [('a', 1), ('few', 3), ('words', 5)]
    """
    for _ in thread_map(function, things):
        pass
