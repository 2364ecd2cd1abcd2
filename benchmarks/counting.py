"""Seconds and memory to count the terms of texts: ours beside scikit-learn's, and on two workers.

    python -m benchmarks.counting --data DIR [--documents N]

Documents are made of the words of the collections (`benchmarks.made_documents`); they are UTF-8
bytes in memory before the clock starts. Each row is one task: short documents (20 words) and their
words; long ones (190 words), their words and pairs of neighbors, weighted by tf-idf. Ours and the
peer run in a process each, one after the other, once before the clock starts on a few documents,
which loads compiled code, and then twice; the lesser time of each counts. "CPU" is the time of
all threads of the process, which other programs on the machine do not lengthen as much as the
clock. Memory is by how much the resident memory of the process grew at most. "same terms": both
find the same terms in the same documents. All figures are ours.
"""

import argparse
import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import parallel_config
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from benchmarks.made_documents import made_documents
from benchmarks.speed import child, tables
from core.text import TermWeighting, TokenCounter

N_RUNS = 2
#: Long documents for one short one.
SHARE_LONG = 0.05


class Run(NamedTuple):
    """Seconds by the clock and of the processor, the growth of memory in bytes, and the result."""

    seconds: float
    cpu: float
    memory: int
    digest: str


def ours_words() -> Any:
    return TokenCounter()


def peer_words() -> Any:
    return CountVectorizer()


def ours_pairs() -> Any:
    return make_pipeline(
        TokenCounter(ngram_range=(1, 2)), TermWeighting(representation="tfidf", sublinear_tf=False)
    )


def peer_pairs() -> Any:
    return TfidfVectorizer(ngram_range=(1, 2))


#: Name of the task -> kind of documents, ours, peer, aim.
TASKS: dict[str, tuple[str, Callable[[], Any], Callable[[], Any], float]] = {
    "short, words: CountVectorizer": ("short", ours_words, peer_words, 5),
    "long, 1-2-grams: TfidfVectorizer": ("long", ours_pairs, peer_pairs, 8),
}
AIM_TWO_WORKERS = 1.7


def measure(
    make: Callable[[], Any], data: Path, kind: str, n_documents: int, n_workers: int
) -> Run:
    documents = made_documents(data, n_documents, kind=kind)
    texts = [document.text.encode() for document in documents]
    with threadpool_limits(1), parallel_config("threading", n_jobs=n_workers):
        make().fit_transform(texts[: n_documents // 20])
        runs = [_timed(make(), texts) for _ in range(N_RUNS)]
    # The first run tells the memory: later ones find what it freed.
    least = Run(*map(min, zip(*runs, strict=True)))
    return least._replace(memory=runs[0].memory)


def _timed(vectorizer: Any, texts: list[bytes]) -> Run:
    before = child.resident_bytes("VmRSS")
    child.forget_peak()
    start, cpu_start = time.perf_counter(), time.process_time()
    X = vectorizer.fit_transform(texts)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    return Run(seconds, cpu, child.resident_bytes("VmHWM") - before, _digest(X, vectorizer))


def _digest(X: Any, vectorizer: Any) -> str:
    """Return a digest of the terms and of which documents have them."""
    X.sort_indices()
    digest = hashlib.sha256("\n".join(vectorizer.get_feature_names_out()).encode())
    for part in (X.indptr, X.indices):
        digest.update(part.astype(np.int64).tobytes())
    return digest.hexdigest()


def rows(data: Path, n_short: int) -> Iterator[tuple[object, ...]]:
    for name, (kind, ours, peer, aim) in TASKS.items():
        n = n_short if kind == "short" else int(SHARE_LONG * n_short)
        one = child.run(measure, ours, data, kind, n, 1)
        other = child.run(measure, peer, data, kind, n, 1)
        two = child.run(measure, ours, data, kind, n, 2)
        yield _row(name, n, one, other, aim)
        yield _row(f"{kind}: two workers beside one", n, two, one, AIM_TWO_WORKERS)


def _row(name: str, n: int, ours: Any, peer: Any, aim: float) -> tuple[object, ...]:
    failure = next((run for run in (ours, peer) if isinstance(run, child.Failure)), None)
    if failure is not None:
        return (name, n, failure, *[""] * 7)
    ratio = peer.seconds / ours.seconds
    memory = (ours.memory / 1e6, peer.memory / 1e6)
    cells = (ours.seconds, peer.seconds, ratio, peer.cpu / ours.cpu, aim, ratio >= aim)
    return (name, n, *cells, *memory, ours.digest == peer.digest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--documents", type=int, default=200_000, help="short ones; long: a twentieth"
    )
    arguments = parser.parse_args()
    tables.header(
        *("task", "documents", "s", "s of peer", "ratio", "ratio of CPU", "aim", "met"),
        *("MB", "MB of peer", "same terms"),
    )
    for row in rows(arguments.data, arguments.documents):
        tables.row(*row)


if __name__ == "__main__":
    main()
