"""Labeled collections in files, for the commands that try the algorithms on them."""

import gzip
import json
import random
from collections import Counter
from pathlib import Path
from typing import IO, NamedTuple

from app.errors import CommandFailed
from core.docstring_corpus import docstring_corpus

DEFAULT_POSITIVE = "scipy.stats"


class UnusableCollection(CommandFailed):
    """The collection does not allow what was asked for; the message says what to do."""


class LabeledDocument(NamedTuple):
    id: str
    text: str
    label: str


def read_collection(data: Path | None, positive: str | None) -> tuple[list[LabeledDocument], str]:
    """Return the documents and the label to look for; by default those of the docstrings.

    Raises
    ------
    UnusableCollection
    """
    if data is None:
        documents = [LabeledDocument(*row) for row in docstring_corpus()]
    else:
        try:
            with _opened(data) as file:
                documents = [
                    LabeledDocument(row["id"], row["text"], row["label"])
                    for row in map(json.loads, file)
                ]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UnusableCollection(
                f"{data} must be NDJSON with id, text and label in each line: {error!r}."
            ) from error
    counts = Counter(label for document in documents for label in document.label.split("|"))
    positive = positive or (DEFAULT_POSITIVE if data is None else None)
    if positive is None or positive not in counts:
        known = ", ".join(f"{label} ({n})" for label, n in counts.most_common(30))
        raise UnusableCollection(
            f"Name a label with --positive; {positive} is none. There are: {known}."
        )
    return documents, positive


def _opened(path: Path) -> IO[str]:
    """Open a text file, gzipped or not."""
    with path.open("rb") as file:
        is_gzipped = file.read(2) == b"\x1f\x8b"
    if is_gzipped:
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8-sig")


def draw_seeds(
    documents: list[LabeledDocument], positive: str, n_seeds: int, random_state: int
) -> tuple[dict[str, bool], set[str]]:
    """Return which documents have the label, by id, and the ids of those that are seeds.

    Raises
    ------
    UnusableCollection
    """
    truth = {document.id: positive in document.label.split("|") for document in documents}
    members = [name for name, is_member in truth.items() if is_member]
    if n_seeds >= len(members):
        raise UnusableCollection(
            f"{positive!r} has {len(members)} documents: with {n_seeds} seeds nothing is left to "
            "find. Take fewer seeds."
        )
    return truth, set(random.Random(random_state).sample(members, n_seeds))
