"""Rows that were refused: each reason once, with the places of its first rows."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from app.commands.shell_words import in_shell

SHOWN_REASONS = SHOWN_PLACES = 5


class _Places:
    """The places of the first rows of a kind, and how many rows there are."""

    def __init__(self) -> None:
        self.n = 0
        self.first: list[str] = []

    def add(self, place: str) -> None:
        self.n += 1
        if self.n <= SHOWN_PLACES:
            self.first.append(place)

    @property
    def shown(self) -> str:
        more = f" and {self.n - SHOWN_PLACES:,} more" if self.n > SHOWN_PLACES else ""
        return ", ".join(self.first) + more


class RefusedRows:
    """Reasons why rows were refused, in any number.

    Reasons may hold what stands in a row: of those behind the first few, the kinds alone are told.

    Parameters
    ----------
    unit : str, default="line"
        What is numbered where the service, which was sent lines, names a line.
    names : sequence of str, default=()
        What to call each line, where a number would tell nobody anything.
    """

    def __init__(self, unit: str = "line", names: Sequence[str] = ()) -> None:
        self._unit, self._names = unit, names
        self._of_reason = defaultdict[str, _Places](_Places)
        self._of_code = defaultdict[str, _Places](_Places)

    def add(self, error: dict[str, Any]) -> None:
        """Count a row, by what the service says of it."""
        place = self._place(error)
        reason = error["reason"]
        if reason in self._of_reason or len(self._of_reason) < SHOWN_REASONS:
            self._of_reason[reason].add(place)
        else:
            self._of_code[error["code"].replace("_", " ")].add(place)

    def _place(self, error: dict[str, Any]) -> str:
        if "line" not in error:
            return f"index {error['index']}"
        line: int = error["line"]
        return self._names[line - 1] if self._names else f"{self._unit} {line}"

    def lines(self, n_unlisted: int = 0) -> Iterator[str]:
        """Yield each reason with its first places, and what else there is in one line.

        ``n_unlisted`` rows were refused besides of which nothing is known.
        """
        for reason, places in self._of_reason.items():
            yield f"{places.shown}: {in_shell(reason)}"
        told = [f"{kind}: {places.shown}" for kind, places in self._of_code.items()]
        if n_unlisted:
            told.append(f"not listed: {n_unlisted:,}")
        if told:
            n_left = sum(places.n for places in self._of_code.values()) + n_unlisted
            yield f"Also rejected: {n_left:,} ({'; '.join(told)})."


def rejections(report: dict[str, Any], names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines that tell the rows that a report counts as rejected, and lists in part.

    ``names`` are those of the rows, where they have some.
    """
    refused = RefusedRows(names=names)
    for error in report["errors"]:
        refused.add(error)
    return refused.lines(report["rejected"] - len(report["errors"]))
