"""Labeled collections in files, for the commands that try the algorithms on them."""

import gzip
import json
import random
import zlib
from collections import Counter
from pathlib import Path
from typing import IO, Any, NamedTuple

from app.command_failed import CommandFailed
from app.services.intake.rows import is_vector
from core.docstring_corpus import docstring_corpus
from core.errors import BadParameter
from core.text.vector_coding import vector_codes, whole_numbers, with_words

DEFAULT_POSITIVE = "scipy.stats"
_FORMAT = (
    "A collection is NDJSON in UTF-8, gzipped or not. pandas makes it of a data frame with the "
    'columns id, text and label, as of Parquet or CSV: frame.to_json("collection.ndjson", '
    'orient="records", lines=True).'
)


class UnusableCollection(CommandFailed):
    """The collection does not allow what was asked for; the message says what to do."""


class LabeledDocument(NamedTuple):
    id: str
    text: str
    label: str
    vector: list[float] | None = None


def texts_to_count(documents: list[LabeledDocument]) -> list[str]:
    """Return the texts, with the words of the vectors of documents that have one."""
    vectors = [document.vector for document in documents if document.vector is not None]
    codes = iter(vector_codes(vectors) if vectors else ())
    return [with_words(d.text, None if d.vector is None else next(codes)) for d in documents]


def read_collection(data: Path | None, positive: str | None) -> tuple[list[LabeledDocument], str]:
    """Return the documents and the label to look for; by default those of the docstrings.

    Each line of a file is a document of its own, also where ids repeat.

    Raises
    ------
    UnusableCollection
    """
    if data is None:
        documents = [LabeledDocument(*row) for row in docstring_corpus()]
    else:
        documents = _with_ids_of_their_own(_read(data))
    counts = Counter(label for document in documents for label in document.label.split("|"))
    positive = positive or (DEFAULT_POSITIVE if data is None else None)
    if positive is None or positive not in counts:
        if not documents:
            raise UnusableCollection(f"There are no documents in {data}.")
        known = ", ".join(f"{label} ({n})" for label, n in counts.most_common(30))
        unknown = "" if positive is None else f"; {positive} is not one"
        raise UnusableCollection(f"Name a label with --positive{unknown}. Labels: {known}.")
    return documents, positive


def _read(data: Path) -> list[LabeledDocument]:
    try:
        with _opened(data) as file:
            documents = [
                _document(line, f"{data}, line {number}")
                for number, line in enumerate(file, start=1)
                if not line.isspace()
            ]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UnusableCollection(f"{data} cannot be read: {error}. {_FORMAT}") from error
    lengths = sorted({len(d.vector) for d in documents if d.vector is not None})
    if len(lengths) > 1:
        raise UnusableCollection(
            f"The vectors in {data} have {lengths[0]} and {lengths[1]} numbers: make all by one "
            "model."
        )
    return documents


def _document(line: str, place: str) -> LabeledDocument:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnusableCollection(f"{place} is not JSON: {error}. {_FORMAT}") from error
    if not isinstance(row, dict):
        raise UnusableCollection(f"{place} must be a JSON object with id, text and label.")
    if not isinstance(row.get("text"), str):
        raise UnusableCollection(f"{place} has no usable text: give it one, or delete the line.")
    id_, label = _name(row, "id", place), _name(row, "label", place)
    return LabeledDocument(id_, row["text"], label, _vector(row.get("vector"), place))


def _vector(vector: Any, place: str) -> list[float] | None:
    if vector is None:
        return None
    if not is_vector(vector):
        raise UnusableCollection(f"{place} has no usable vector: it must be a list of numbers.")
    try:
        whole_numbers([vector])
    except BadParameter as error:
        raise UnusableCollection(f"{place} has no usable vector: {error}") from error
    return list(vector)


def _name(row: dict[str, Any], field: str, place: str) -> str:
    """Return an id or label; of a number or boolean its text."""
    value = row.get(field)
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return json.dumps(value)
    raise UnusableCollection(
        f"{place} has no usable {field}: it must be a text, number or boolean; several labels are "
        "one text with | between them. Give it one, or delete the line."
    )


def _with_ids_of_their_own(documents: list[LabeledDocument]) -> list[LabeledDocument]:
    """Return the documents, an id that was there before with a number behind it: ``a``, ``a#2``."""
    taken = {document.id for document in documents}
    times: Counter[str] = Counter()
    found = []
    for document in documents:
        times[document.id] += 1
        if times[document.id] > 1:
            while (name := f"{document.id}#{times[document.id]}") in taken:
                times[document.id] += 1
            document = document._replace(id=name)
            taken.add(name)
        found.append(document)
    return found


def _opened(path: Path) -> IO[str]:
    """Open a text file, gzipped or not."""
    with path.open("rb") as file:
        is_gzipped = file.read(2) == b"\x1f\x8b"
    if is_gzipped:
        return gzip.open(path, "rt", encoding="utf-8-sig")
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
