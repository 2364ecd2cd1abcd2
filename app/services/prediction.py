"""Prediction on new texts, by models kept in memory."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from sklearn.pipeline import Pipeline

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from app.services.nearest import NOT_ASKED, Nearest, nearest_documents
from app.tables import Label, Model
from core.pipeline import explain_texts, top_terms

Terms = list[tuple[str, float]]


@dataclass(frozen=True)
class ModelTerms:
    """The words that a model goes by and their weights, the strongest first."""

    terms_for: Terms
    terms_against: Terms


@dataclass(frozen=True, kw_only=True)
class Prediction(Nearest):
    """What a model says of a text, and what is near to it.

    Attributes
    ----------
    label : Label
        Positive where ``score >= cut``, else negative.
    score : float
        The higher, the more likely positive.
    probability : float or None
        Of being positive, where the model was calibrated.
    cut : float
        The score from which texts are positive.
    approximate : bool
        Whether the algorithm only knows the documents of its training and compares others to them.
    terms : list of (str, float) or None
        The words that moved the score most and by how much.
    """

    label: Label
    score: float
    probability: float | None
    cut: float
    approximate: bool
    terms: Terms | None


class Predictor:
    """Predicts with the models used last, up to ``max_bytes`` of files; safe for threads."""

    def __init__(self, artifacts: Artifacts, max_bytes: int) -> None:
        self._artifacts = artifacts
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._loading: dict[str, Lock] = {}
        self._loaded: OrderedDict[str, tuple[Pipeline, int]] = OrderedDict()

    def predict(self, model: Model, texts: list[str], *, explain: bool = False) -> list[Prediction]:
        """Return a prediction for each text.

        Raises
        ------
        ArtifactUnavailable
        """
        if not texts:
            return []
        pipeline = self._pipeline(model)
        classifier = pipeline["classifier"]
        counts = pipeline[:-2].transform(texts)
        X = pipeline["weights"].transform(counts)
        scores = classifier.score_samples(X).tolist()
        calibration = getattr(classifier, "calibration_", None)
        probabilities: list[float | None] = [None] * len(texts)
        if calibration is not None:
            probabilities = calibration.predict(scores).tolist()
        terms = explain_texts(pipeline, texts) if explain else [None] * len(texts)
        nearest = nearest_documents(pipeline, counts) if explain else [NOT_ASKED] * len(texts)
        cut = float(classifier.offset_)
        return [
            Prediction(
                label=Label.POSITIVE if score >= cut else Label.NEGATIVE,
                score=score,
                probability=probability,
                cut=cut,
                approximate=classifier.is_transductive,
                terms=words,
                **vars(near),
            )
            for score, probability, words, near in zip(
                scores, probabilities, terms, nearest, strict=True
            )
        ]

    def terms(self, model: Model, n_terms: int) -> ModelTerms:
        """Return the words that speak most for and most against.

        Raises
        ------
        ArtifactUnavailable
        """
        return ModelTerms(*top_terms(self._pipeline(model), n_terms=n_terms))

    def _pipeline(self, model: Model) -> Pipeline:
        found = self._find(model)
        if found is not None:
            return found
        with self._lock:
            loading = self._loading.setdefault(model.id, Lock())
        # Requests for the same model wait for one load; those for others do not.
        try:
            with loading:
                pipeline = self._find(model)
                if pipeline is None:
                    pipeline = self._artifacts.load_model(model.file)
                    self._keep(model, pipeline)
        finally:
            with self._lock:
                self._loading.pop(model.id, None)
        return pipeline

    def _find(self, model: Model) -> Pipeline | None:
        """Return the loaded pipeline as long as its file is what was stored."""
        with self._lock:
            if model.id not in self._loaded:
                return None
            self._loaded.move_to_end(model.id)
            pipeline, _ = self._loaded[model.id]
        try:
            self._artifacts.path(model.file)
        except ArtifactUnavailable:
            with self._lock:
                self._loaded.pop(model.id, None)
            raise
        return pipeline

    def _keep(self, model: Model, pipeline: Pipeline) -> None:
        with self._lock:
            self._loaded[model.id] = (pipeline, model.file["size"])
            while len(self._loaded) > 1 and self._n_bytes() > self._max_bytes:
                self._loaded.popitem(last=False)

    def _n_bytes(self) -> int:
        return sum(size for _, size in self._loaded.values())
