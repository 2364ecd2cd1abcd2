"""What ``algorithm="auto"`` does, step by step: race, fit, class prior, probabilities, cut."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from core.auto import GRAPH_SHARE, auto_candidates, graph_seconds
from core.base import BasePUClassifier
from core.calibrate import Calibrated, calibrate
from core.evaluation import HiddenPositives
from core.kernels.knn_graph import knn_graph
from core.kernels.latent_space import latent_space
from core.kernels.left_out_ranks import HeldOutScores, left_out_ranks
from core.kernels.unit_rows import unit_rows
from core.pipeline import make_text_classifier
from core.race import Candidate, Entry, race, winner
from core.shared_work import shared, sharing

#: Default of the service.
TIME_BUDGET = 600.0
#: Of seed_expansion, which has made them.
N_NEIGHBORS, N_COMPONENTS = 10, 50

Seconds = dict[str, tuple[float, float]]


class AutoTraining(NamedTuple):
    """What came of it; ``scores`` are those of all documents, ``seconds`` wall and processor."""

    entries: list[Entry]
    taken: Entry
    classifier: BasePUClassifier
    scores: NDArray[np.float64]
    found: Calibrated
    seconds: Seconds


def train(counts: sp.csr_array, y: NDArray[np.int64], random_state: int) -> AutoTraining:
    """Train as the service does where no algorithm, no class prior and no cut is named."""
    is_positive, seconds = y == 1, Seconds()
    marks = is_positive, np.zeros_like(is_positive)
    with sharing():
        with timed(seconds, "race"):
            candidates, _ = auto_candidates(counts, is_positive.sum(), 0, seconds=TIME_BUDGET)
            entries = race(
                counts, *marks, candidates, seconds=TIME_BUDGET, random_state=random_state
            )
            taken = entries[winner(entries)]
        with timed(seconds, "fit"):
            X, classifier = fitted(taken.candidate, counts, y, random_state)
            scores = scores_of(classifier, X)
        with timed(seconds, "likeness"):
            graph, left_out = likeness(counts, is_positive, taken.outcome, random_state)
        with timed(seconds, "calibrate"):
            found = calibrate(
                classifier,
                scores,
                *marks,
                outcome=taken.outcome,
                left_out=left_out,
                graph=graph,
                random_state=random_state,
            )
            if found.cuts["prior"].offset is not None:
                classifier.recut(found.cuts["prior"].offset, X, y)
                scores = scores_of(classifier, X)
    return AutoTraining(entries, taken, classifier, scores, found, seconds)


@contextmanager
def timed(seconds: Seconds, step: str) -> Iterator[None]:
    wall, processor = time.monotonic(), time.process_time()
    yield
    seconds[step] = (time.monotonic() - wall, time.process_time() - processor)


def fitted(
    candidate: Candidate, counts: sp.csr_array, y: NDArray[np.int64], random_state: int
) -> tuple[sp.csr_array, Any]:
    pipeline = make_text_classifier(
        candidate.algorithm,
        candidate.params,
        vectorizer=candidate.vectorizer,
        pos_label=1,
        random_state=random_state,
    )
    X = pipeline["weights"].fit_transform(counts)
    return X, pipeline["classifier"].fit(X, y)


def scores_of(classifier: BasePUClassifier, X: sp.csr_array) -> NDArray[np.float64]:
    if classifier.is_transductive:
        return np.asarray(classifier.transduction_scores_, dtype=np.float64)
    return np.asarray(classifier.score_samples(X))


def likeness(
    counts: sp.csr_array,
    is_positive: NDArray[np.bool_],
    outcome: HiddenPositives | None,
    random_state: int,
) -> tuple[sp.csr_array | None, HeldOutScores | None]:
    """Return the graph of neighbors, where it is quickly made, and the ranks of left out."""
    Z = unit_rows(make_text_classifier("seed_expansion")["weights"].fit_transform(counts))
    graph = None
    if graph_seconds(counts) <= GRAPH_SHARE * TIME_BUDGET:
        graph = shared(knn_graph, Z, N_NEIGHBORS)
    if outcome is None:
        return graph, None
    walks = sp.csr_array((Z.shape[0], Z.shape[0])) if graph is None else graph
    latent = shared(latent_space, Z, N_COMPONENTS, check_random_state(random_state)).rows(Z)
    ranks = left_out_ranks(Z, is_positive, graph=walks, latent=latent, random_state=random_state)
    return graph, ranks
