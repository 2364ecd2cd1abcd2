"""Progress of long fits, told to whoever listens, without knowing who that is.

A fit calls :func:`report`; a caller wraps the fit in :func:`listening`. The listener is held in a
context variable, so it belongs to the running call and not to the process, and estimators need
no parameter for it. In the same way a fit that can end early asks :func:`stop_requested`.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Self, TypeVar

T = TypeVar("T")
Made = TypeVar("Made")

#: Takes a stage, the share of it that is done, and maybe facts by name.
Listener = Callable[..., None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_is_stopping: ContextVar[Callable[[], bool] | None] = ContextVar("is_stopping", default=None)


def report(stage: str, fraction: float, **facts: float) -> None:
    """Tell the listener, if there is one, how far the stage is.

    Parameters
    ----------
    stage : str
        What is being done, in a few words, for example ``"factorise"``.
    fraction : float in [0, 1]
        Share of the stage that is done.
    **facts : float
        What a person may want to watch, for example the objective. A stage that goes over the
        samples names their number ``n_samples``, so that its rate can be told.
    """
    listener = _listener.get()
    if listener is not None:
        listener(stage, min(1.0, max(0.0, fraction)), **facts)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send the reports of the enclosed code to ``listener(stage, fraction, **facts)``.

    Where threads train side by side it is called from these, by one at a time.

    Examples
    --------
    >>> from core.progress import listening, report
    >>> with listening(print):
    ...     report("factorise", 0.5)
    factorise 0.5
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def part(stage: str, start: float, end: float) -> Iterator[None]:
    """Count what the enclosed code reports as the part of ``stage`` from ``start`` to ``end``.

    Its facts are not passed on: those of several fits would mix.

    Examples
    --------
    >>> from core.progress import listening, part, report
    >>> with listening(print), part("all folds", 0.5, 0.75):
    ...     report("factorise", 0.5, objective=3.0)
    all folds 0.625
    all folds 0.75
    """
    listener = _listener.get()
    if listener is None:
        yield
        return
    with listening(lambda _, share, **facts: listener(stage, start + share * (end - start))):
        yield
    report(stage, end)


def by_parts(stage: str, make: Callable[[T], Made], items: Collection[T]) -> list[Made]:
    """Return ``make(item)`` for each item, each as an equal part of ``stage``.

    Examples
    --------
    >>> from core.progress import by_parts, listening
    >>> with listening(print):
    ...     squares = by_parts("square", lambda number: number**2, [2, 3])
    square 0.5
    square 1.0
    """
    made = []
    for i, item in enumerate(items):
        with part(stage, i / len(items), (i + 1) / len(items)):
            made.append(make(item))
    return made


class SideBySide:
    """Tell how far tasks are that threads do side by side, all together, as one stage.

    A task is as far as the furthest that it has told: a second pass over its work tells nothing
    new. Its facts are not passed on. Nothing is told once the enclosed code has ended, as threads
    go on where the task of another failed.

    Parameters
    ----------
    stage : str
    n_tasks : int

    Examples
    --------
    >>> from core.progress import SideBySide, listening, report
    >>> with listening(print), SideBySide("all folds", 2) as tasks:
    ...     with tasks.task(0):
    ...         report("factorise", 0.5)
    ...     with tasks.task(1):
    ...         pass
    all folds 0.25
    all folds 0.5
    all folds 1.0
    """

    def __init__(self, stage: str, n_tasks: int) -> None:
        self._stage = stage
        self._shares = [0.0] * n_tasks
        self._listener = _listener.get()
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._listener = None

    @contextmanager
    def task(self, number: int) -> Iterator[None]:
        """Count what the enclosed code reports as that of one task, which is done at its end."""
        with listening(lambda _, share, **facts: self._tell(number, share)):
            yield
        self._tell(number, 1.0)

    def _tell(self, number: int, share: float) -> None:
        with self._lock:
            if self._listener is not None and share > self._shares[number]:
                self._shares[number] = share
                self._listener(self._stage, sum(self._shares) / len(self._shares))


def stop_requested() -> bool:
    """Tell whether the fit should end now with the best it has; only fits that can do ask."""
    is_stopping = _is_stopping.get()
    return is_stopping is not None and is_stopping()


@contextmanager
def stopping(is_stopping: Callable[[], bool]) -> Iterator[None]:
    """Let ``is_stopping()`` end fits of the enclosed code that can end early.

    Examples
    --------
    >>> from core.progress import stop_requested, stopping
    >>> with stopping(lambda: True):
    ...     stop_requested()
    True
    >>> stop_requested()
    False
    """
    token = _is_stopping.set(is_stopping)
    try:
        yield
    finally:
        _is_stopping.reset(token)
