"""The oracle is the schema that the description of the API shows."""

import json
from typing import Any

import pytest

from app.orm import Label
from app.schemas.predictions import PredictionRead, Predictions
from app.services.prediction.prediction_json import (
    NearPositive,
    Neighbor,
    Prediction,
    TermWeight,
    encode_all,
    encode_line,
)

PLAIN: dict[str, Any] = {
    "label": Label.NEGATIVE,
    "score": -1e-9,
    "probability": None,
    "probability_reason": "not_calibrated",
    "cut": 0.1,
    "approximate": False,
    "terms": None,
    "rest": None,
    "neighbors": None,
    "neighbors_reason": "not_asked",
    "positives": None,
    "positives_reason": "not_asked",
}
NEAR = NearPositive("ä", 0.5)
EXPLAINED: dict[str, Any] = {
    **PLAIN,
    "label": Label.POSITIVE,
    "probability": 0.75,
    "probability_reason": None,
    "terms": [TermWeight("fluß", 0.5), TermWeight("goal", -1.0)],
    "rest": -0.25,
    "neighbors": [Neighbor("ä", 0.5, Label.UNLABELED, 0.25)],
    "neighbors_reason": None,
    "positives": [NEAR, NEAR],
    "positives_reason": None,
}
EMPTY = {**EXPLAINED, "terms": [], "neighbors": [], "positives": []}


@pytest.mark.parametrize("fields", [PLAIN, EXPLAINED, EMPTY])
@pytest.mark.parametrize("document_id", [None, "a"])
def test_a_prediction_reads_as_described(fields: dict[str, Any], document_id: str | None) -> None:
    prediction = Prediction(id=document_id, **fields)
    read = PredictionRead.model_validate(prediction)
    line, whole = encode_line(prediction), encode_all("m", [prediction])
    assert line.decode() == read.model_dump_json() + "\n"
    assert whole.decode() == Predictions(model_id="m", predictions=[read]).model_dump_json()
    assert list(json.loads(line)) == list(PredictionRead.model_fields)
