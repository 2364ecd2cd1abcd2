"""What the labels in a table mean, where they have names of their own."""

from app.commands.client import ServiceFailed
from app.services.intake.label_names import NEGATIVE, POSITIVE, label_in

#: Takes a label back.
UNLABELED = "unlabeled"
UNSURE = "unsure"
LABELS = (POSITIVE, NEGATIVE, UNSURE, UNLABELED)
#: Of labels that are told.
SHOWN_LABELS, SHOWN_CHARACTERS = 10, 40


class OwnLabels:
    """The label that cells tell, and the first others than the one that is positive.

    Parameters
    ----------
    positive : str or None
        The label that is positive, however capitalised; any other is negative then, but for
        "unsure" and "unlabeled". None: they are called as in a review.
    of_project : bool
        Whether others may be labels of a project, which stay as they are.
    """

    def __init__(self, positive: str | None, *, of_project: bool) -> None:
        self._positive = positive
        self._has_positive = self._has_two = False
        self._others = dict[str, None]()
        # Who names one of a review, as where negative sentiments are sought, means that alone.
        self._is_own = positive is not None and _plain(positive) not in LABELS
        self._kept = LABELS if self._is_own and of_project else (UNSURE, UNLABELED)

    def label(self, cell: str) -> str:
        """Return the label of a cell, of which several have | between them; "" if it has none."""
        if self._positive is None:
            return label_in(cell)
        told = _plain(cell)
        if not told or told in self._kept:
            return told
        if _plain(self._positive) in map(_plain, cell.split("|")):
            self._has_positive = True
            return POSITIVE
        if len(self._others) < SHOWN_LABELS:
            self._others[cell.strip()[:SHOWN_CHARACTERS]] = None
        self._has_two |= self._is_own and told == POSITIVE
        return NEGATIVE

    def check(self, name: str) -> None:
        """Refuse a positive label that no row of this file has, or beside which "positive" stands.

        To guess whether that is positive, too, would give wrong labels without a word.

        Raises
        ------
        ServiceFailed
        """
        if self._others and not self._has_positive:
            more = " and maybe others" if len(self._others) == SHOWN_LABELS else ""
            raise ServiceFailed(
                f"No row of {name} has the label {self._positive!r}. Labels are: "
                f"{', '.join(map(repr, self._others))}{more}. Nothing was changed."
            )
        if self._has_two:
            raise ServiceFailed(
                f"{name} has rows called {POSITIVE!r} beside {self._positive!r}. Call them "
                f"{self._positive!r} if they are of that kind, else anything but {POSITIVE!r}. "
                "Nothing was changed."
            )


def _plain(label: str) -> str:
    return label.strip().lower()
