"""Ids of labels that a project has written otherwise: DOIs."""

import re
from collections.abc import Sequence

from app.commands.label_file import Lines
from app.errors import MAX_ERRORS
from app.services.intake.reference_fields import doi_of

DOI_ADDRESS = re.compile(r"https?://(dx\.|www\.)?doi\.org/", re.IGNORECASE)


class WrittenIds:
    """Lines with their ids as they are sent, which change where the service does not know them.

    Other programs write an address before a DOI, and have capitals where an upload of references
    has none. No document gets two labels by that.

    Parameters
    ----------
    lines : dict
        With the ids of the file.
    """

    def __init__(self, lines: Lines) -> None:
        self._own = lines
        self._sent = list(lines)
        self._unknown = set[str]()

    @property
    def lines(self) -> Lines:
        """Return the lines as they are to be sent now."""
        return dict(zip(self._sent, self._own.values(), strict=True))

    def rewrite(self, places: Sequence[int]) -> bool:
        """Write ids in another form, those at these places of ``lines``, which nobody knows.

        Where the places are as many as a refusal tells, and all but next to each other, those
        behind them are written anew, too: a file mostly has one form, and to send all of it again
        for each hundred would take hours. Return False if none of the places has another form.
        """
        ids = list(self.lines)
        told = {ids[place] for place in places}
        self._unknown |= told
        is_alike = len(places) == MAX_ERRORS and places[-1] - places[0] < 2 * MAX_ERRORS
        last = max(i for i, id_ in enumerate(self._sent) if id_ in told)
        lines = self._own.values()
        labels = {id_: line.label for id_, line in self._own.items()}
        labels |= {id_: line.label for id_, line in zip(self._sent, lines, strict=True)}
        is_changed = False
        for i, (own, line) in enumerate(self._own.items()):
            sent = self._sent[i]
            if sent in told or (is_alike and i > last):
                self._sent[i] = next(
                    (
                        id_
                        for id_ in self._others(own, sent)
                        if labels.get(id_) in {None, line.label}
                    ),
                    sent,
                )
                is_changed |= sent in told and self._sent[i] != sent
            labels[self._sent[i]] = line.label
        return is_changed

    def _others(self, own: str, sent: str) -> list[str]:
        """Return the forms of an id behind one of them, in a circle, that may be known."""
        forms = list(dict.fromkeys((own, DOI_ADDRESS.sub("", own), doi_of(own) or own)))
        behind = forms.index(sent) + 1
        return [id_ for id_ in forms[behind:] + forms[: behind - 1] if id_ not in self._unknown]
