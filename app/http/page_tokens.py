"""Pages of lists, and the tokens that lead from one to the next."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from app.document_sizes import PAGE_CHARACTERS
from app.errors import InvalidRequest
from app.repositories.paging import matched

T = TypeVar("T")


def encode_page_token(after: str) -> str:
    return urlsafe_b64encode(after.encode()).decode().rstrip("=")


def decode_page_token(token: str) -> str:
    """Return what ``encode_page_token`` was given; ValueError for anything else."""
    try:
        after = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except ValueError:
        after = ""
    if not after.isprintable() or not after or encode_page_token(after) != token:
        raise ValueError("not a page token of this service: send next_page_token as it came")
    return after


@dataclass(frozen=True)
class Page:
    """Which part of a list is asked for: ``size`` items from the first one behind ``after``."""

    #: Path of the list: the tokens of another list say nothing here.
    path: str
    size: int
    after: str | None

    @property
    def start(self) -> int:
        """``after`` as a number, 0 without it."""
        return int(matched(r"[0-9]{1,18}", self.after or "0")[0])

    def place(self, rows: str) -> tuple[int, str]:
        """Return ``after`` as a position and the mark of the ranking in which it counts.

        ``rows`` names which ones are asked for; positions among others say nothing here.

        Raises
        ------
        InvalidRequest
        """
        found = matched(r"([0-9]{1,18})@([0-9a-f]+)@(\S+)", self.after or "")
        if found[3] != rows:
            raise InvalidRequest(
                "The page token belongs to another label, since, min_score or order. Send those "
                "again, or start from the first page, without page_token.",
                pointer="?page_token",
            )
        return int(found[1]), found[2]

    def token_at(self, position: int | None, mark: str, rows: str) -> str | None:
        """Return the token of the page with this ``place``; None for None: there is none."""
        return None if position is None else self.next_token(f"{position}@{mark}@{rows}")

    def cut(
        self,
        rows: Iterable[T],
        key: Callable[[T], object],
        n_characters: Callable[[T], int] = lambda _: 0,
    ) -> tuple[list[T], str | None]:
        """Return the rows of this page and the token of the next, given one row more.

        A page that is large by the ``n_characters`` of its rows ends early.
        """
        shown: list[T] = []
        total = 0
        for row in rows:
            if len(shown) == self.size or total > PAGE_CHARACTERS:
                return shown, self.next_token(key(shown[-1]))
            shown.append(row)
            total += n_characters(row)
        return shown, None

    def next_token(self, after: object) -> str | None:
        """Return the token of the page behind ``after``; None for None: there is none."""
        return None if after is None else encode_page_token(f"{self.path} {after}")
