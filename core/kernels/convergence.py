"""What did not converge, told to the fit that it is a part of.

A solver calls :func:`tell_not_converged`; a fit gathers what its solvers tell by
:func:`unconverged`, and tells one thing itself. Like progress, this is held in a context variable:
solvers return no more than their solution, and fits of several threads do not mix, as they would
by catching warnings, which belong to the process.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sklearn.exceptions import ConvergenceWarning

from core.caller_warning import warn_caller

_messages: ContextVar[list[str] | None] = ContextVar("messages", default=None)


def tell_not_converged(message: str) -> None:
    """Tell the enclosing :func:`unconverged` what did not converge; warn where there is none.

    Parameters
    ----------
    message : str
        What, after how many steps, and what to do about it.

    Warns
    -----
    ConvergenceWarning
        If nobody gathers.
    """
    messages = _messages.get()
    if messages is None:
        warn_caller(message, ConvergenceWarning)
    elif message not in messages:
        messages.append(message)


@contextmanager
def unconverged() -> Iterator[list[str]]:
    """Yield the list of what the enclosed code tells did not converge, each message once.

    Threads that the enclosed code starts are not heard unless it hands its context on.

    Examples
    --------
    >>> from core.kernels.convergence import tell_not_converged, unconverged
    >>> with unconverged() as messages:
    ...     for _ in range(100):
    ...         tell_not_converged("a solver did not converge in 20 steps.")
    >>> messages
    ['a solver did not converge in 20 steps.']
    """
    messages: list[str] = []
    token = _messages.set(messages)
    try:
        yield messages
    finally:
        _messages.reset(token)
