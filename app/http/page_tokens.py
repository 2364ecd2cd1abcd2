"""Pages of lists, and the tokens that lead from one to the next."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar
from urllib.parse import urlencode

from app.document_sizes import PAGE_CHARACTERS
from app.errors import InvalidRequest
from app.repositories.paging import matched

T = TypeVar("T")

#: Parameters of a query that do not change which list it is.
_OF_PAGES = {"page_size", "page_token", "start_rank"}


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


def list_mark(path: str, parameters: Iterable[tuple[str, str]]) -> str:
    """Return a mark of a list as its path and those of its query's parameters that filter it."""
    filters = sorted(each for each in parameters if each[0] not in _OF_PAGES)
    return f"{path} {blake2b(urlencode(filters).encode(), digest_size=8).hexdigest()}"


def place_in(mark: str, token: str) -> str:
    """Return the place that a decoded page token has in the list with this mark.

    Raises
    ------
    InvalidRequest
    """
    its_mark, _, after = token.rpartition(" ")
    if its_mark == mark:
        return after
    detail = "The page token is not one of this list."
    if its_mark.rpartition(" ")[0] == mark.rpartition(" ")[0]:
        detail = (
            "The page token belongs to this list with other parameters. Send those again, or start "
            "from the first page, without page_token."
        )
    raise InvalidRequest(detail, pointer="?page_token")


@dataclass(frozen=True)
class Page:
    """Which part of a list is asked for: ``size`` items from the first one behind ``after``."""

    #: Which list it is, of which documents: tokens of another one say nothing here.
    list_mark: str
    size: int
    after: str | None

    @property
    def start(self) -> int:
        """``after`` as a number, 0 without it."""
        return int(matched(r"[0-9]{1,18}", self.after or "0")[0])

    @property
    def place(self) -> tuple[int, str]:
        """``after`` as a position and the mark of the ranking in which it counts."""
        found = matched(r"([0-9]{1,18})@([0-9a-f]+)", self.after or "")
        return int(found[1]), found[2]

    def token_at(self, position: int | None, mark: str) -> str | None:
        """Return the token of the page with this ``place``; None for None: there is none."""
        return None if position is None else self.next_token(f"{position}@{mark}")

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
        return None if after is None else encode_page_token(f"{self.list_mark} {after}")
