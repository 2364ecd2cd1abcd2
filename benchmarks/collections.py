"""Labeled collections in files outside the repository."""

import gzip
from pathlib import Path

import msgspec


class Document(msgspec.Struct):
    id: str
    text: str
    label: str


def load(name: str, data_dir: Path) -> tuple[list[str], list[str], list[str]]:
    """Return ids, texts and labels of ``NAME.ndjson.gz``, one document a line."""
    decode = msgspec.json.Decoder(Document).decode
    with gzip.open(data_dir / f"{name}.ndjson.gz") as lines:
        documents = [decode(line) for line in lines]
    return (
        [document.id for document in documents],
        [document.text for document in documents],
        [document.label for document in documents],
    )
