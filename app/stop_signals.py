"""The signals that stop a process of the service in order."""

import signal
from collections.abc import Callable, Iterable

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def on_stop(stop: Callable[..., object], numbers: Iterable[signal.Signals] = STOP_SIGNALS) -> None:
    """Have ``stop`` called, with number and frame, at any of these signals.

    A terminal that is closed is one, unless `nohup` started the process.
    """
    for number in numbers:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
