"""Cells of ``benchmarks.described``; a module of its own, so that processes keep what it caches."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from benchmarks import auto_training
from benchmarks.auto_cells import AutoCell, quality_of
from benchmarks.cell_making import fill
from benchmarks.cells import Key
from benchmarks.collections import load
from benchmarks.protocol import Task
from core.plain_file import library_versions
from core.text import TokenCounter
from core.vectorizer import make_vectorizer, with_language

AUTO, ADDED, ALONE = "auto", "auto, words added", "words alone"
SHORTEST_STEM = 4
STEMMED = {"oh0", "oh15", "wap"}
REUTERS = {
    "acq": "mergers acquisitions",
    "coffee": "coffee",
    "crude": "crude oil",
    "earn": "earnings and earnings forecasts",
    "gold": "gold",
    "grain": "grain",
    "interest": "interest rates",
    "money-fx": "money foreign exchange",
    "money-supply": "money supply",
    "ship": "shipping",
    "sugar": "sugar",
    "trade": "trade",
}
REVIEWS = {
    "review-ACEInhibitors": "angiotensin converting enzyme inhibitors",
    "review-BannachBrown_2019": "animal models of depression",
    "review-Nagtegaal_2019": "nudging healthcare professionals towards evidence-based medicine",
}


def words_of(collection: str, label: str, counter: TokenCounter) -> str:
    """Return the words that name a class; "" where nothing does."""
    name = collection.partition(":")[0]
    if name == "reuters21578":
        return REUTERS.get(label, "")
    if name in REVIEWS:
        return REVIEWS[name] if label == "included" else ""
    if name == "20newsgroups":
        label = label.partition(".")[2]
    words = re.findall("[a-z]+", label.lower())
    return " ".join(stem(word, counter) for word in words) if name in STEMMED else " ".join(words)


def stem(word: str, counter: TokenCounter) -> str:
    beginnings = (word[:end] for end in range(len(word), SHORTEST_STEM - 1, -1))
    return next((each for each in beginnings if counter.transform([each]).nnz), "")


@cache
def counted(data_dir: Path, collection: str) -> tuple[TokenCounter, sp.csr_array]:
    counter, _ = make_vectorizer(with_language("english"))
    return counter, counter.fit_transform(load(collection, data_dir)[1])


def make_cell(data_dir: Path, key: Key, task: Task) -> AutoCell:
    cell = AutoCell(key, versions=library_versions())
    fill(cell, measure, data_dir, task, read=counted)
    return cell


def measure(cell: AutoCell, made: tuple[TokenCounter, sp.csr_array], task: Task) -> None:
    counter, counts = made
    if cell.key.algorithm != AUTO:
        words = words_of(cell.key.collection, cell.key.label, counter)
        counts = sp.vstack([counts, counter.transform([words])], format="csr")
        seeds = task.y if cell.key.n_seeds else np.zeros_like(task.y)
        task = task._replace(truth=np.append(task.truth, 1), y=np.append(seeds, 1))
    training = auto_training.train(counts, task.y, task.draw)
    cell.winner = training.taken.candidate.algorithm
    cell.quality = quality_of(task, training)
