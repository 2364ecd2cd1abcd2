"""Cells of ``benchmarks.vectors``; a module of its own, so that processes keep what it caches."""

from functools import cache, partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from benchmarks.auto_cells import AutoCell, measure
from benchmarks.cell_making import fill
from benchmarks.cells import Key
from benchmarks.collections import load
from benchmarks.protocol import Task
from core.plain_file import library_versions
from core.text import vector_words
from core.vectorizer import make_vectorizer, with_language

WORDS, BOTH, VECTORS = "words", "words and vectors", "vectors"


def make_cell(data_dir: Path, vectors_dir: Path, key: Key, task: Task) -> AutoCell:
    cell = AutoCell(key, versions=library_versions())
    read = partial(_counts, vectors_dir=vectors_dir, way=key.algorithm)
    fill(cell, measure, data_dir, task, read=read)
    return cell


@cache
def _counts(data_dir: Path, collection: str, vectors_dir: Path, way: str) -> sp.csr_array:
    texts = load(collection, data_dir)[1]
    if way != WORDS:
        of_vectors = vector_words(np.load(vectors_file(vectors_dir, collection)))
        beside = texts if way == BOTH else [""] * len(texts)
        pairs = zip(beside, of_vectors, strict=True)
        texts = [f"{text}\n{words}" for text, words in pairs]
    counter, _ = make_vectorizer(with_language("english"))
    return counter.fit_transform(texts)


def vectors_file(vectors_dir: Path, collection: str) -> Path:
    return vectors_dir / f"{collection.replace(':', '-')}.npy"
