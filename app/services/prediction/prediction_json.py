"""Predictions, in the shape of their JSON: what ``PredictionRead`` describes, fast for many."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.json import Encoder

from app.orm import Label

encode = Encoder().encode


class TermWeight(Struct, frozen=True, gc=False):
    """A word and by how much it moves a score."""

    term: str
    weight: float


class NearPositive(Struct, frozen=True, gc=False):
    """A document of the training near to a text."""

    id: str
    similarity: float


class Neighbor(NearPositive, frozen=True, gc=False):
    """One with label and score as they were in the training."""

    label: Label
    score: float | None


class Prediction(Struct, gc=False):
    """What a model says of a text, and what is near to it.

    Attributes
    ----------
    id : str or None
        What whoever asked calls the text.
    label : Label
        Positive where ``score >= cut``, else negative.
    score : float
        The higher, the more likely positive.
    probability : float or None
        Of being positive, where the model was calibrated and knows a word of the text.
    probability_reason : {"not_calibrated", "no_known_words"} or None
        Why there is none.
    cut : float
        The score from which texts are positive.
    approximate : bool
        Whether the algorithm only knows the documents of its training and compares others to them.
    terms : list of TermWeight or None
        The words that moved the score most and by how much.
    rest : float or None
        What the score has beside these, where it is a sum over words.
    neighbors, neighbors_reason, positives, positives_reason
        What is near to the text. No neighbors but a reason where these were not asked for or cannot
        be had; no positives where these were not asked for.
    """

    id: str | None
    label: Label
    score: float
    probability: float | None
    probability_reason: str | None
    cut: float
    approximate: bool
    terms: list[TermWeight] | None = None
    rest: float | None = None
    neighbors: list[Neighbor] | None = None
    neighbors_reason: str | None = "not_asked"
    positives: list[NearPositive] | None = None
    positives_reason: str | None = "not_asked"


class Refusal(Struct, frozen=True, gc=False):
    """Why a text was not predicted, in the place of its prediction."""

    error: dict[str, Any]


class _Predictions(Struct, gc=False):
    model_id: str
    predictions: Sequence[Prediction | Refusal]


def encode_all(model_id: str, predictions: Sequence[Prediction | Refusal]) -> bytes:
    """Return the answer for some texts."""
    return encode(_Predictions(model_id, predictions))


def encode_line(prediction: Prediction | Refusal) -> bytes:
    """Return a line of a stream."""
    return encode(prediction) + b"\n"
