"""The matrices that the aims are measured on, and seeds in them."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.collections import load
from core.text import TermWeighting, TokenCounter

#: Rows that code is compiled on before it is timed.
N_WARM_UP = 300


class Corpus(NamedTuple):
    """Counts of terms, and which documents are of the kind that is sought."""

    counts: sp.csr_array
    is_relevant: NDArray[np.bool_]

    def weighted(self, representation: str = "tfidf") -> sp.csr_array:
        return TermWeighting(representation=representation).fit_transform(self.counts)

    def seeds(self, n_seeds: int) -> NDArray[np.int64]:
        """Return 1 for the first relevant documents, 0 for all others."""
        y = np.zeros(len(self.is_relevant), dtype=np.int64)
        y[np.flatnonzero(self.is_relevant)[:n_seeds]] = 1
        return y

    def sample(self, n_documents: int) -> "Corpus":
        """Return random documents in random order."""
        rows = np.random.default_rng(0).permutation(len(self.is_relevant))[:n_documents]
        return Corpus(self.counts[rows], self.is_relevant[rows])

    def save(self, folder: Path) -> Path:
        sp.save_npz(folder / "counts.npz", self.counts, compressed=False)
        np.save(folder / "relevant.npy", self.is_relevant)
        return folder


def open_corpus(folder: Path) -> Corpus:
    counts = sp.csr_array(sp.load_npz(folder / "counts.npz"))
    return Corpus(counts, np.load(folder / "relevant.npy"))


def newsgroups(data_dir: Path) -> Corpus:
    """Return 20 newsgroups in random order; sci.space is relevant."""
    _, texts, labels = load("20newsgroups", data_dir)
    counts = TokenCounter().fit_transform(texts)
    return Corpus(counts, np.array(labels) == "sci.space").sample(len(texts))


def tweets(data_dir: Path) -> Corpus:
    """Return sentiment140-sample and crisislex-t6 mixed; tweets on a disaster are relevant."""
    texts: list[str] = []
    labels: list[str] = []
    for name in ("sentiment140-sample", "crisislex-t6"):
        _, more_texts, more_labels = load(name, data_dir)
        texts += more_texts
        labels += more_labels
    counts = TokenCounter().fit_transform(texts)
    return Corpus(counts, np.array(labels) == "on-topic").sample(len(texts))


def crossed(corpus: Corpus, n_documents: int) -> Corpus:
    """Make documents of half the terms of one document and half of those of another of its kind.

    Both are drawn with replacement, and each term is kept with probability 1/2: lengths, terms,
    their frequencies in either kind and much of what occurs together stay real, and hardly any
    two documents are alike.
    """
    random = np.random.default_rng(0)
    first = random.integers(len(corpus.is_relevant), size=n_documents)
    second = np.empty_like(first)
    is_relevant = corpus.is_relevant[first]
    for kind in (False, True):
        members = np.flatnonzero(corpus.is_relevant == kind)
        second[is_relevant == kind] = random.choice(members, (is_relevant == kind).sum())
    counts = _half(corpus.counts[first], random) + _half(corpus.counts[second], random)
    return Corpus(sp.csr_array(counts), is_relevant)


def _half(counts: sp.csr_array, random: np.random.Generator) -> sp.csr_array:
    counts.data *= random.random(counts.nnz) < 0.5
    counts.eliminate_zeros()
    return counts


def warm_up(estimator, X: sp.csr_array, y: NDArray[np.int64]) -> None:
    """Fit on a few rows, ten positives among them, so that compiled code is there."""
    positives = np.flatnonzero(y)[:10]
    unlabeled = np.flatnonzero(y == 0)[:N_WARM_UP]
    rows = np.concatenate([positives, unlabeled])
    estimator.fit(X[rows], y[rows])
