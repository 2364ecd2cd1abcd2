"""Labeled collections in files outside the repository."""

import argparse
import gzip
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np


class Document(msgspec.Struct):
    id: str
    text: str
    label: str


def add_collections(parser: argparse.ArgumentParser, default: Iterable[str]) -> None:
    """Add what names the folder and the collections; any that lies in the folder will do."""
    default = list(default)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument(
        "--collections",
        nargs="+",
        metavar="NAME",
        default=default,
        help="NAME.ndjson.gz of that folder, yours as well, a line for each document with id, text "
        f"and label; NAME:3000 is a sample of 3,000 (default: {' '.join(default)})",
    )


def load(name: str, data_dir: Path) -> tuple[list[str], list[str], list[str]]:
    """Return ids, texts and labels of ``NAME.ndjson.gz``, one document a line.

    ``NAME:N`` is a random sample of N, always the same, without documents of several labels
    (``a|b``): the others of a class would have to be called positive and negative at once.
    """
    name, _, size = name.partition(":")
    path = data_dir / f"{name}.ndjson.gz"
    if not path.exists():
        raise SystemExit(f"There is no {path}.")
    decode = msgspec.json.Decoder(Document).decode
    with gzip.open(path) as lines:
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
