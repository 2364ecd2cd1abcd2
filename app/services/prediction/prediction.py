"""Prediction on new texts, by models kept in memory."""

import resource
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat
from math import inf
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable, InvalidRequest
from app.orm import Label, Model
from app.repositories.models import ModelFile
from app.services.intake.rows import composed
from app.services.prediction.nearest import IdsOf, add_nearest
from app.services.prediction.prediction_json import Prediction, TermWeight
from app.services.stored_files import load_model
from core.base import BasePUClassifier
from core.classifier_bases.propagation import PropagationClassifier
from core.explanation import explain_counts, top_terms
from core.kernels.rows.row_blocks import has_entries
from core.pipeline import score_texts
from core.text.vector_coding import length_behind, lengths_in, takes_words, without_words

#: A text is predicted on the spot if it is no longer, and the model took no longer for one before.
SPOT_CHARACTERS = 4096
SPOT_SECONDS = 0.002
#: How long a model is taken to be there after its row was read.
ROW_SECONDS = 1.0
_LABELS = (Label.NEGATIVE, Label.POSITIVE)
#: Memory for each term, not shared with other processes: a str, its number, their places in a dict
#: and in the table for many texts. 400,001 terms took 120 MB once the model had predicted for one
#: text and for many; random words of 4 to 12 letters took 220 to 240 bytes each.
PREDICTOR_TERM_BYTES = 300


@dataclass
class _Loaded:
    """A model in memory.

    ``row_read`` is when its row was last known to be there. ``seconds`` is how long the last single
    text took, in processor time: by the clock it would count what other threads did meanwhile.
    """

    pipeline: Pipeline
    file: dict[str, Any]
    row_read: float = -inf
    seconds: float = inf
    takes_vectors: bool = field(init=False)
    #: How many numbers vectors had that it learned from; none where it had none, or cannot tell.
    vector_sizes: set[int] = field(init=False)

    def __post_init__(self) -> None:
        counter = self.pipeline["counts"]
        self.takes_vectors = takes_words(counter)
        self.vector_sizes = lengths_in(counter.terms_) if self.takes_vectors else set()

    @property
    def n_bytes(self) -> int:
        """The file, which is mapped, and what is not: terms held and what predicting keeps."""
        classifier = self.pipeline["classifier"]
        is_graph = isinstance(classifier, PropagationClassifier)
        of_classifier = classifier.n_prediction_bytes if is_graph else 0
        counter = self.pipeline["counts"]
        of_terms = PREDICTOR_TERM_BYTES * len(counter.terms_) if counter.n_features is None else 0
        return int(self.file["size"]) + of_terms + int(of_classifier)


class Predictor:
    """Predicts with the models used last, up to ``max_bytes`` of them; safe for threads."""

    def __init__(self, artifacts: Artifacts, max_bytes: int) -> None:
        self._artifacts = artifacts
        self._max_bytes = max_bytes
        # Each model keeps its file open; connections and uploads need files, too.
        self._max_models = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4
        self._lock = Lock()
        self._loading: dict[str, Lock] = {}
        self._loaded: OrderedDict[str, _Loaded] = OrderedDict()

    def predict(
        self,
        model: Model | ModelFile,
        texts: list[str],
        *,
        ids: Sequence[str | None] | None = None,
        ids_of: IdsOf | None = None,
    ) -> list[Prediction]:
        """Return a prediction for each text, by a model whose row was just read.

        The words of its vector may stand behind a text (``core.text.vector_coding.with_words``).
        With ``ids_of``, which tells ids of documents, predictions are explained.

        Raises
        ------
        ArtifactUnavailable
        InvalidRequest
            If a vector has another length than those that the model learned from.
        """
        if not texts:
            return []
        row_read = time.monotonic()
        loaded = self._load(model)
        predictions = _predict(loaded, texts, ids, ids_of)
        loaded.row_read = row_read
        return predictions

    def vector_sizes(self, model: Model | ModelFile) -> set[int]:
        """Return how many numbers vectors had that a model learned from; none if it cannot tell.

        Raises
        ------
        ArtifactUnavailable
        """
        return self._load(model).vector_sizes

    def predict_again(
        self,
        model_id: str,
        texts: list[str],
        *,
        ids: Sequence[str | None] | None = None,
        ids_of: IdsOf | None = None,
    ) -> list[Prediction] | None:
        """Return predictions by a model that was there a moment ago.

        None: whether it still is has to be looked up.
        """
        loaded = self._loaded.get(model_id)
        if (
            loaded is None
            or time.monotonic() - loaded.row_read > ROW_SECONDS
            or not self._artifacts.is_verified(loaded.file)
        ):
            return None
        with self._lock:
            if model_id in self._loaded:
                self._loaded.move_to_end(model_id)
        return _predict(loaded, texts, ids, ids_of)

    def is_quick(self, model_id: str, text: str) -> bool:
        """Return whether to predict takes no longer than handing the text to a thread."""
        loaded = self._loaded.get(model_id)
        return (
            loaded is not None and loaded.seconds <= SPOT_SECONDS and len(text) <= SPOT_CHARACTERS
        )

    def terms(self, model: Model, n_terms: int) -> dict[str, list[TermWeight]]:
        """Return the words that speak most for and most against, the strongest first.

        Raises
        ------
        ArtifactUnavailable
        """
        for_, against = top_terms(self._load(model).pipeline, n_terms=n_terms)
        return {"terms_for": _weights(for_), "terms_against": _weights(against)}

    def drop_deleted(self, keys: Sequence[str] = ()) -> None:
        """Drop models whose file is gone, or has one of these keys and will be.

        As long as it is mapped, it takes room on the disk.
        """
        with self._lock:
            for model_id, loaded in list(self._loaded.items()):
                if loaded.file["key"] in keys or not self._artifacts.is_verified(loaded.file):
                    del self._loaded[model_id]

    def _load(self, model: Model | ModelFile) -> _Loaded:
        found = self._find(model)
        if found is not None:
            return found
        with self._lock:
            loading = self._loading.setdefault(model.id, Lock())
        # Requests for the same model wait for one load; those for others do not.
        try:
            with loading:
                found = self._find(model)
                if found is None:
                    found = _Loaded(load_model(self._artifacts, model.file), model.file)
                    self._keep(model.id, found)
        finally:
            with self._lock:
                self._loading.pop(model.id, None)
        return found

    def _find(self, model: Model | ModelFile) -> _Loaded | None:
        """Return the loaded model as long as its file is what was stored."""
        with self._lock:
            if model.id not in self._loaded:
                return None
            self._loaded.move_to_end(model.id)
            loaded = self._loaded[model.id]
        try:
            self._artifacts.path(model.file)
        except ArtifactUnavailable:
            with self._lock:
                self._loaded.pop(model.id, None)
            raise
        return loaded

    def _keep(self, model_id: str, loaded: _Loaded) -> None:
        self.drop_deleted()
        with self._lock:
            self._loaded[model_id] = loaded
            while len(self._loaded) > 1 and self._is_too_much():
                self._loaded.popitem(last=False)

    def _is_too_much(self) -> bool:
        return len(self._loaded) > self._max_models or self._n_bytes() > self._max_bytes

    def _n_bytes(self) -> int:
        return sum(loaded.n_bytes for loaded in self._loaded.values())


def _check_vectors(known: set[int], texts: list[str]) -> None:
    """Refuse vectors of another length: they would count for nothing, and nobody would notice."""
    for text in texts:
        size = length_behind(text)
        if size is not None and size not in known:
            learned = " or ".join(f"{one:,}" for one in sorted(known))
            raise InvalidRequest(
                f"A vector to predict has {size:,} numbers, and those that the model learned from "
                f"have {learned}. Send vectors of the same embedding model, or leave them out."
            )


def _predict(
    loaded: _Loaded, texts: list[str], ids: Sequence[str | None] | None, ids_of: IdsOf | None
) -> list[Prediction]:
    start = time.thread_time()
    pipeline = loaded.pipeline
    classifier = pipeline["classifier"]
    if not loaded.takes_vectors:
        texts = [without_words(text) for text in texts]
    if loaded.vector_sizes:
        _check_vectors(loaded.vector_sizes, texts)
    scores, counts = score_texts(pipeline, [composed(text) for text in texts])
    probabilities, reasons = _probabilities(classifier, scores, has_entries(counts))
    if len(texts) == 1:
        loaded.seconds = time.thread_time() - start
    cut, is_transductive = float(classifier.offset_), classifier.is_transductive
    labels = [_LABELS[is_positive] for is_positive in (scores >= cut).tolist()]
    columns = ids or repeat(None), labels, scores.tolist(), probabilities, reasons
    predictions = [
        Prediction(*of_text, cut, is_transductive) for of_text in zip(*columns, strict=False)
    ]
    if ids_of is not None:
        _explain(predictions, pipeline, counts, ids_of)
    return predictions


def _explain(
    predictions: list[Prediction], pipeline: Pipeline, counts: csr_array, ids_of: IdsOf
) -> None:
    add_nearest(predictions, pipeline, counts, ids_of)
    has_sum = pipeline["classifier"].has_additive_score
    for prediction, moved in zip(predictions, explain_counts(pipeline, counts), strict=True):
        prediction.terms = _weights(moved)
        if has_sum:
            prediction.rest = prediction.score - sum(weight for _, weight in moved)


def _probabilities(
    classifier: BasePUClassifier, scores: NDArray[np.float64], has_words: NDArray[np.bool_]
) -> tuple[Sequence[float | None], Sequence[str | None]]:
    """Return the probability of each text, and why there is none."""
    calibration = getattr(classifier, "calibration_", None)
    if calibration is None:
        return [None] * len(scores), ["not_calibrated"] * len(scores)
    # As a ranking holds them: the same text has the same.
    found: list[float | None] = calibration.predict(scores).astype(np.float32).tolist()
    reasons: list[str | None] = [None] * len(scores)
    for place in np.flatnonzero(~has_words):
        found[place], reasons[place] = None, "no_known_words"
    return found, reasons


def _weights(terms: list[tuple[str, float]]) -> list[TermWeight]:
    return [TermWeight(*term) for term in terms]
