"""The JSON body of a request for many predictions: what it asks for, and its texts."""

from collections.abc import Sequence

from fastapi.exceptions import RequestValidationError

from app.errors import InvalidRequest
from app.http.json_body import parse
from app.media_types import NDJSON
from app.schemas.predictions import MAX_TEXTS, NewDocument, PredictionRequest
from app.services.intake.rows import DocumentBody, Row, RowError, checked_text, document_row
from app.services.intake.vectors import encode, of_one_length
from app.services.prediction.prediction_json import Prediction, Refusal
from app.services.prediction.prediction_stream import in_order
from core.text.vector_coding import with_words


def parse_prediction(body: bytes, encoding: str, max_bytes: int) -> PredictionRequest:
    """Return what a body asks for; raises as ``parse``."""
    try:
        return parse(PredictionRequest, body, encoding, max_bytes)
    except RequestValidationError as error:
        for e in error.errors():
            if e["type"] == "too_long" and len(e["loc"]) == 2:
                e["msg"] = f"A JSON body takes at most {MAX_TEXTS}; send more as {NDJSON}"
        raise


class AskedTexts:
    """The texts of a request; those that no document could have are set apart.

    Attributes
    ----------
    texts : list of str
        As documents would have them.
    ids : list of (str or None) or None
        What whoever asks calls them; None: nothing.
    """

    def __init__(self, asked: PredictionRequest, max_text_bytes: int) -> None:
        self._checked = _checked(asked, max_text_bytes)
        self.texts = [text for text in self._checked if isinstance(text, str)]
        if self._checked and not self.texts:
            raise refused("documents" if asked.texts is None else "texts", self._checked)
        self.ids: list[str | None] | None = None
        if asked.documents is not None:
            both = zip(asked.documents, self._checked, strict=True)
            self.ids = [one.id for one, text in both if isinstance(text, str)]

    def told(self, predictions: list[Prediction]) -> Sequence[Prediction | Refusal]:
        """Return predictions of the texts, and in the places of the others why there is none."""
        if len(predictions) == len(self._checked):
            return predictions
        return [
            Refusal(found.to_dict("index")) if isinstance(found, RowError) else found
            for found in in_order(self._checked, predictions)
        ]


def _checked(asked: PredictionRequest, max_text_bytes: int) -> list[str | RowError]:
    if asked.texts is not None:
        texts = enumerate(asked.texts)
        return [checked_text(index, text or "", max_text_bytes) for index, text in texts]
    given = (
        document_row(index, _document(one), 0, max_text_bytes)
        for index, one in enumerate(asked.documents or [])
    )
    rows = list(of_one_length(given))
    encode(row for row in rows if isinstance(row, Row))
    return [
        row if isinstance(row, RowError) else with_words(row.text or "", row.vector_code)
        for row in rows
    ]


def _document(one: NewDocument) -> DocumentBody:
    return DocumentBody(one.text or "", one.id, one.metadata, one.vector)


def refused(place: str, checked: Sequence[str | RowError]) -> InvalidRequest:
    """Return the refusal of texts that stand in a list of the body, for those that are none."""
    errors = [
        {"pointer": f"/{place}/{error.position}", "detail": error.reason}
        for error in checked
        if isinstance(error, RowError)
    ]
    return InvalidRequest.of(errors)
