"""What ``benchmarks.million`` asks of the service, in one process on lists of strings.

With scikit-learn, and for lgn with the library alone, step by step the same.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import entr
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB

from benchmarks.speed.child import resident_bytes
from core.classifiers.lgn import LGN
from core.text import TokenCounter
from core.text.stop_words import STOP_WORDS

N_SPLITS = 5
N_FIRST = 1000
SMOOTHING = 0.01

#: From a matrix and labels to the scores of all rows.
Ranker = Callable[[Any, np.ndarray], np.ndarray]


def peer(folder: Path, algorithm: str) -> dict[str, Any]:
    """Read, count, train, hide positives, rank and store; tell seconds, memory and the first."""
    clock = _Clock()
    ids, texts, y = _read(folder)
    clock.lap("read")
    stop_words = sorted(STOP_WORDS["english"])
    if algorithm == "lgn":
        X = CountVectorizer(stop_words=stop_words, dtype=np.float32).fit_transform(texts)
        rankers: list[Ranker] = [lgn]
    else:
        vectorizer = TfidfVectorizer(stop_words=stop_words, sublinear_tf=True, dtype=np.float32)
        X = vectorizer.fit_transform(texts)
        rankers = [balanced_regression, centroid, naive_regression, naive_bayes]
    clock.lap("count")
    return _ranked(clock, folder, ids, X, y, rankers)


def library(folder: Path) -> dict[str, Any]:
    """Do the same with ``core`` in place of scikit-learn, for lgn."""
    clock = _Clock()
    ids, texts, y = _read(folder)
    clock.lap("read")
    X = TokenCounter(stop_words="english").fit_transform(texts)
    clock.lap("count")
    return _ranked(clock, folder, ids, X, y, [core_lgn])


def _ranked(
    clock: "_Clock",
    folder: Path,
    ids: list[str],
    X: Any,
    y: np.ndarray,
    rankers: list[Ranker],
) -> dict[str, Any]:
    for ranker in rankers:
        _hide(ranker, X, y)
        clock.lap(f"hide, {ranker.__name__}")
    scores = rankers[0](X, y)
    clock.lap("train")
    order = np.argsort(-scores, kind="stable")
    np.savez(folder / "ranking.npz", order=order, scores=scores[order])
    clock.lap("rank")
    first = [ids[row] for row in order if not y[row]][:N_FIRST]
    return {
        "seconds": sum(clock.laps.values()),
        "stages": clock.laps,
        "mb": resident_bytes("VmHWM") / 1e6,
        "first": first,
    }


class _Clock:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._start = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(now - self._start, 2)
        self._start = now


def _read(folder: Path) -> tuple[list[str], list[str], np.ndarray]:
    ids, texts, y = [], [], []
    for label in ("positives", "unlabeled"):
        with (folder / f"{label}.ndjson").open() as file:
            for line in file:
                document = json.loads(line)
                ids.append(document["id"])
                texts.append(document["text"])
                y.append(int(label == "positives"))
    return ids, texts, np.array(y)


def _hide(ranker: Ranker, X: Any, y: np.ndarray) -> None:
    dealt = np.random.default_rng(0).permutation(np.flatnonzero(y))
    for split in range(N_SPLITS):
        labels = y.copy()
        labels[dealt[split::N_SPLITS]] = 0
        ranker(X, labels)


def lgn(X: Any, y: np.ndarray) -> np.ndarray:
    """Learn from a generated negative: one artificial document of what positives lack."""
    model = MultinomialNB(alpha=SMOOTHING).fit(X, y)
    unlabeled, positive = np.exp(model.feature_log_prob_)
    total = unlabeled + positive
    entropy = entr(unlabeled / total) + entr(positive / total)
    artificial = (1 - entropy / entropy.max()) * model.feature_count_[0]
    both = sp.vstack([X[np.flatnonzero(y)], sp.csr_matrix(artificial)], format="csr")
    labels = np.append(np.ones(int(y.sum())), 0)
    model = MultinomialNB(alpha=SMOOTHING, fit_prior=False).fit(both, labels)
    return np.diff(model.predict_joint_log_proba(X), axis=1).ravel()


def core_lgn(X: Any, y: np.ndarray) -> np.ndarray:
    return np.asarray(LGN().fit(X, y).score_samples(X))


def balanced_regression(X: Any, y: np.ndarray) -> np.ndarray:
    model = LogisticRegression(class_weight="balanced", max_iter=1000)
    return np.asarray(model.fit(X, y).decision_function(X))


def naive_regression(X: Any, y: np.ndarray) -> np.ndarray:
    return np.asarray(LogisticRegression(max_iter=1000).fit(X, y).decision_function(X))


def naive_bayes(X: Any, y: np.ndarray) -> np.ndarray:
    return np.diff(MultinomialNB().fit(X, y).predict_joint_log_proba(X), axis=1).ravel()


def centroid(X: Any, y: np.ndarray) -> np.ndarray:
    return X @ (np.asarray(X[y == 1].mean(axis=0)) - np.asarray(X.mean(axis=0))).ravel()
