"""Work on the same samples done once for all fits that need it.

Trainings on one matrix that differ in their labels or in their algorithm need the same graph of
neighbors and the same latent directions. Inside :func:`sharing`, :func:`shared` keeps what it made.
Like progress, this is held in a context variable, so that estimators need no parameter for it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

import joblib


class _Kept:
    def __init__(self) -> None:
        self.made: dict[tuple[str, str], Any] = {}
        self.locks: defaultdict[tuple[str, str], Lock] = defaultdict(Lock)


_kept: ContextVar[_Kept | None] = ContextVar("kept", default=None)


def shared(make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return ``make(*arguments, **options)``, made once inside :func:`sharing` for equal ones.

    Parameters
    ----------
    make : callable
        Depends on its arguments alone; what it returns is not changed by anyone.
    *arguments, **options
        Matrices, numbers, a RandomState that nobody uses afterwards.

    Returns
    -------
    object
        What ``make`` returned.
    """
    kept = _kept.get()
    if kept is None:
        return make(*arguments, **options)
    key = _key(make, arguments, options)
    # A second thread waits for the first instead of doing the same.
    with kept.locks[key]:
        if key not in kept.made:
            kept.made[key] = make(*arguments, **options)
    return kept.made[key]


def made(make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what :func:`shared` made of equal arguments, or None where it has not yet."""
    kept = _kept.get()
    return None if kept is None else kept.made.get(_key(make, arguments, options))


def _key(
    make: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> tuple[str, str]:
    return f"{make.__module__}.{make.__qualname__}", joblib.hash((arguments, options))


@contextmanager
def sharing() -> Iterator[None]:
    """Keep what :func:`shared` makes until the end of the enclosed code.

    Examples
    --------
    >>> from core.shared_work import shared, sharing
    >>> def total(numbers):
    ...     print("added up")
    ...     return sum(numbers)
    >>> with sharing():
    ...     shared(total, [1, 2]), shared(total, [1, 2])
    added up
    (3, 3)
    """
    if _kept.get() is not None:
        yield
        return
    token = _kept.set(_Kept())
    try:
        yield
    finally:
        _kept.reset(token)
