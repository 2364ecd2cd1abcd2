"""Signs of life while a work lasts, from a thread beside it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from app.database import DATABASE_ERRORS


@contextmanager
def renewing(seconds: float, renew: Callable[[], None]) -> Iterator[None]:
    """Call ``renew`` every so many seconds, in a thread, to the end of the block.

    While the database does not answer, nothing is renewed.
    """
    is_over = Event()

    def go_on() -> None:
        while not is_over.wait(seconds):
            with suppress(*DATABASE_ERRORS):
                renew()

    thread = Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
