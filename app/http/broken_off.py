"""Answers in pieces that cannot be finished."""

from collections.abc import Generator, Iterator

from app.database_errors import database_errors
from app.errors import AppError


class BrokenOff(Exception):
    """An answer that has begun cannot go on: if it just ended, it would be taken for the whole."""

    def __init__(self, error: AppError) -> None:
        super().__init__(error.detail)
        self.code = error.code()


def or_broken_off(pieces: Iterator[bytes]) -> Generator[bytes, None, None]:
    """Yield the pieces.

    Raises
    ------
    BrokenOff
        If the database goes away, or what they are read from is deleted. The log has the first.
    """
    try:
        with database_errors():
            yield from pieces
    except AppError as error:
        raise BrokenOff(error) from error
