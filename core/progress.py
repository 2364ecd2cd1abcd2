"""Progress of long fits, told to whoever listens, without knowing who that is.

A fit calls :func:`report`; a caller wraps the fit in :func:`listening`. The listener is held in a
context variable, so it belongs to the running call and not to the process, and estimators need
no parameter for it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, float], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def report(stage: str, fraction: float) -> None:
    """Tell the listener, if there is one, how far the stage is.

    Parameters
    ----------
    stage : str
        What is being done, in a few words, for example ``"factorise"``.
    fraction : float in [0, 1]
        Share of the stage that is done.
    """
    listener = _listener.get()
    if listener is not None:
        listener(stage, min(1.0, max(0.0, fraction)))


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send the reports of the enclosed code to ``listener(stage, fraction)``.

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
