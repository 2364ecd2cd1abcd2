"""Any number of documents of real words: those of the collections, again and again, shuffled."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import collections

#: Collections that documents are made of, and words of one.
KINDS = {
    "short": (("crisislex-t6", "sentiment140-sample"), 20),
    "long": (("20newsgroups",), 190),
}
#: What is looked for: tweets on this event, and one newsgroup.
WANTED = {"short": "2013_West_Texas_Explosion", "long": "sci.space"}


class MadeDocument(NamedTuple):
    """A text, and whether it is of what is looked for."""

    text: str
    is_wanted: bool


def made_documents(
    data: Path, n: int, kind: str = "short", n_words: int | None = None
) -> Iterator[MadeDocument]:
    """Yield n documents: words of texts of one class, drawn by chance, in an order by chance.

    ``n_words`` of each, by default as many as the kind has.
    """
    names, usual = KINDS[kind]
    n_words = n_words or usual
    sources = [source for name in names for source in _sources(data, name, WANTED[kind])]
    groups: dict[bool, list[list[str]]] = {True: [], False: []}
    for words, is_wanted in sources:
        groups[is_wanted].append(words)
    rng = random.Random(0)
    for _ in range(n):
        words, is_wanted = sources[int(rng.random() * len(sources))]
        words = list(words)
        others = groups[is_wanted]
        while len(words) < n_words:
            words += others[int(rng.random() * len(others))]
        words = words[:n_words]
        rng.shuffle(words)
        yield MadeDocument(" ".join(words), is_wanted)


def _sources(data: Path, name: str, wanted: str) -> Iterator[tuple[list[str], bool]]:
    for document_id, text, label in zip(*collections.load(name, data), strict=True):
        is_of_event = document_id.startswith(wanted) and label == "on-topic"
        if words := text.split():
            yield words, is_of_event or label == wanted
