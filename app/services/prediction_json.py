"""Predictions as JSON: what ``PredictionRead`` describes, without its checks for each of many."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.json import Encoder

from app.services.nearest import NearDocument
from app.services.prediction import Prediction
from app.tables import Label

encode = Encoder().encode


class _Term(Struct, gc=False):
    term: str
    weight: float


class _NearPositive(Struct, gc=False):
    id: str | None
    similarity: float


class _Neighbor(_NearPositive, gc=False):
    label: Label
    score: float | None


class _Line(Struct, gc=False):
    id: str | None
    label: Label
    score: float
    probability: float | None
    cut: float
    approximate: bool
    terms: list[_Term] | None
    neighbors: list[_Neighbor] | None
    neighbors_reason: str | None
    positives: list[_NearPositive] | None
    positives_reason: str | None


class _Lines(Struct, gc=False):
    model_id: str
    predictions: list[_Line]


def encode_all(model_id: str, predictions: Iterable[tuple[str | None, Prediction]]) -> bytes:
    """Return the answer for some texts: a prediction for each, under its id."""
    return encode(_Lines(model_id, [_line(*predicted) for predicted in predictions]))


def encode_line(document_id: str | None, prediction: Prediction) -> bytes:
    """Return a line of a stream."""
    return encode(_line(document_id, prediction)) + b"\n"


def _line(document_id: str | None, found: Prediction) -> _Line:
    terms, neighbors, positives = found.terms, found.neighbors, found.positives
    return _Line(
        document_id,
        found.label,
        found.score,
        found.probability,
        found.cut,
        found.approximate,
        None if terms is None else [_Term(*term) for term in terms],
        None if neighbors is None else [_neighbor(near) for near in neighbors],
        found.neighbors_reason,
        None if positives is None else [_NearPositive(p.id, p.similarity) for p in positives],
        found.positives_reason,
    )


def _neighbor(near: NearDocument) -> _Neighbor:
    return _Neighbor(near.id, near.similarity, near.label, near.score)
