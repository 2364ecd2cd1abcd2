"""Warnings at the line of the caller, however many functions lie between."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os.path import dirname, join

import joblib
import sklearn

#: Folders of the code that callers go through.
_INSIDE = tuple(join(dirname(file), "") for file in (__file__, sklearn.__file__, joblib.__file__))
_held: ContextVar[list[tuple[str, type[Warning]]] | None] = ContextVar("held", default=None)


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called this library, be it by way of scikit-learn.

    At a line inside, a warning would not say which of several fits it is about, and Python, which
    tells the same once a line, would keep that of the next fit to itself.

    Parameters
    ----------
    message : str
        What is wrong, and what to do.
    category : type of Warning, default=UserWarning
        Its kind.

    Examples
    --------
    >>> import warnings
    >>> from core.caller_warning import warn_caller
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn_caller("y holds scores.")
    >>> str(caught[0].message), caught[0].filename.endswith("caller_warning.py")
    ('y holds scores.', False)
    """
    held = _held.get()
    if held is not None:
        held.append((message, category))
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def holding_warnings() -> Iterator[list[tuple[str, type[Warning]]]]:
    """Yield the list of what the enclosed code warns of by :func:`warn_caller`, which is not told.

    For a thread, where no line of the caller is found: what is to be told is told afterwards.

    Examples
    --------
    >>> from core.caller_warning import holding_warnings, warn_caller
    >>> with holding_warnings() as held:
    ...     warn_caller("y holds scores.")
    >>> held
    [('y holds scores.', <class 'UserWarning'>)]
    """
    held: list[tuple[str, type[Warning]]] = []
    token = _held.set(held)
    try:
        yield held
    finally:
        _held.reset(token)
