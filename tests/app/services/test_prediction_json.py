"""The oracle is the schema that the description of the API shows."""

import json
from typing import Any

import pytest

from app.schemas.predictions import PredictionRead, Predictions
from app.services.nearest import NearDocument
from app.services.prediction import Prediction
from app.services.prediction_json import encode_all, encode_line
from app.tables import Label

PLAIN: dict[str, Any] = {
    "label": Label.NEGATIVE,
    "score": -1e-9,
    "probability": None,
    "cut": 0.1,
    "approximate": False,
    "terms": None,
    "neighbors_reason": "not_asked",
    "positives_reason": "not_asked",
}
NEAR = NearDocument(7, 0.5, Label.UNLABELED, 0.25, "ä")
EXPLAINED: dict[str, Any] = {
    **PLAIN,
    "label": Label.POSITIVE,
    "probability": 0.75,
    "terms": [("fluß", 0.5), ("goal", -1.0)],
    "neighbors": [NEAR],
    "neighbors_reason": None,
    "positives": [NEAR, NEAR],
    "positives_reason": None,
}
EMPTY = {**EXPLAINED, "terms": [], "neighbors": [], "positives": []}


@pytest.mark.parametrize("fields", [PLAIN, EXPLAINED, EMPTY])
@pytest.mark.parametrize("document_id", [None, "a"])
def test_a_prediction_reads_as_described(fields: dict[str, Any], document_id: str | None) -> None:
    prediction = Prediction(**fields)
    read = PredictionRead.model_validate(prediction).model_copy(update={"id": document_id})
    line, whole = encode_line(document_id, prediction), encode_all("m", [(document_id, prediction)])
    assert line.decode() == read.model_dump_json() + "\n"
    assert whole.decode() == Predictions(model_id="m", predictions=[read]).model_dump_json()
    assert list(json.loads(line)) == list(PredictionRead.model_fields)
