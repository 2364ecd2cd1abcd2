"""Labeled collections in files outside the repository."""

import gzip
from pathlib import Path

import msgspec
import numpy as np


class Document(msgspec.Struct):
    id: str
    text: str
    label: str


def load(name: str, data_dir: Path) -> tuple[list[str], list[str], list[str]]:
    """Return ids, texts and labels of ``NAME.ndjson.gz``, one document a line.

    ``NAME:N`` is a random sample of N, always the same, without documents of several labels
    (``a|b``): the others of a class would have to be called positive and negative at once.
    """
    name, _, size = name.partition(":")
    decode = msgspec.json.Decoder(Document).decode
    with gzip.open(data_dir / f"{name}.ndjson.gz") as lines:
        documents = [decode(line) for line in lines]
    if size:
        documents = [document for document in documents if "|" not in document.label]
        chosen = np.random.default_rng(0).permutation(len(documents))[: int(size)]
        documents = [documents[i] for i in np.sort(chosen)]
    return (
        [document.id for document in documents],
        [document.text for document in documents],
        [document.label for document in documents],
    )
