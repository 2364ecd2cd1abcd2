"""Labeled collections in files, for the commands that try the algorithms on them."""

import gzip
import json
import random
import zlib
from collections import Counter
from pathlib import Path
from typing import IO, Any

from app.commands.collection_file import CollectionFile, LabeledDocument, UnusableCollection
from app.commands.document_file import UTF8, row_params, told_by_name
from app.commands.labeled_table import read_table
from app.media_types import NDJSON
from app.services.intake.json_fields import joined
from app.services.intake.rows import is_vector
from app.services.intake.table_rows import TABLES
from core.docstring_corpus import docstring_corpus
from core.errors import BadParameter
from core.text.vector_coding import vector_codes, whole_numbers, with_words

DEFAULT_POSITIVE = "scipy.stats"
_FORMAT = (
    "A collection is a .csv, .tsv, .xlsx or .parquet with the columns id, text and label, or "
    "NDJSON in UTF-8 with these fields, gzipped or not."
)


def texts_to_count(documents: list[LabeledDocument]) -> list[str]:
    """Return the texts, with the words of the vectors of documents that have one."""
    vectors = [document.vector for document in documents if document.vector is not None]
    codes = iter(vector_codes(vectors) if vectors else ())
    return [with_words(d.text, None if d.vector is None else next(codes)) for d in documents]


def read_collection(
    data: CollectionFile | None, positive: str | None
) -> tuple[list[LabeledDocument], str]:
    """Return the documents and the label to look for; by default those of the docstrings.

    Each row of a file is a document of its own, also where ids repeat.

    Raises
    ------
    UnusableCollection
    """
    if data is None:
        documents = [LabeledDocument(*row) for row in docstring_corpus()]
    else:
        is_table = told_by_name(data.path)[0] in TABLES
        documents = _with_ids_of_their_own(list(read_table(data)) if is_table else _read(data))
        if not documents:
            raise UnusableCollection(f"There are no documents with labels in {data.path}.")
        _check_vectors(documents, data.path)
    counts = Counter(label for document in documents for label in document.label.split("|"))
    positive = positive or (DEFAULT_POSITIVE if data is None else None)
    if positive is None or positive not in counts:
        known = ", ".join(f"{label} ({n})" for label, n in counts.most_common(30))
        unknown = "" if positive is None else f"; {positive} is not one"
        raise UnusableCollection(f"Name a label with --positive{unknown}. Labels: {known}.")
    return documents, positive


def _check_vectors(documents: list[LabeledDocument], path: Path) -> None:
    lengths = sorted({len(d.vector) for d in documents if d.vector is not None})
    if len(lengths) > 1:
        raise UnusableCollection(
            f"The vectors in {path} have {lengths[0]} and {lengths[1]} numbers: make all by one "
            "model."
        )


def _read(file: CollectionFile) -> list[LabeledDocument]:
    row_params(file.path, {"content-type": NDJSON}, file.columns())
    try:
        with _opened(file) as lines:
            return [
                _document(line, f"{file.path}, line {number}", file)
                for number, line in enumerate(lines, start=1)
                if not line.isspace()
            ]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UnusableCollection(f"{file.path} cannot be read: {error}. {_FORMAT}") from error


def _document(line: str, place: str, file: CollectionFile) -> LabeledDocument:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnusableCollection(f"{place} is not JSON: {error}. {_FORMAT}") from error
    if not isinstance(row, dict):
        raise UnusableCollection(f"{place} must be a JSON object with id, text and label.")
    texts = [row[name] for name in file.text_columns or ["text"] if row.get(name) is not None]
    text = joined(texts) if texts else None
    if not isinstance(text, str):
        raise UnusableCollection(f"{place} has no usable text: give it one, or delete the line.")
    id_ = _name(row, file.id_column or "id", place)
    label = _name(row, file.label_column, place)
    return LabeledDocument(id_, text, label, _vector(row.get("vector"), place))


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


def _opened(file: CollectionFile) -> IO[str]:
    """Open a text file, gzipped or not."""
    with file.path.open("rb") as stream:
        is_gzipped = stream.read(2) == b"\x1f\x8b"
    charset = "utf-8-sig" if file.charset == UTF8 else file.charset
    if is_gzipped:
        return gzip.open(file.path, "rt", encoding=charset)
    return file.path.open(encoding=charset)


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
