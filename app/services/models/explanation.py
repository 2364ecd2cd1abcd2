"""Why a document of a project has its place in a model's ranking."""

from math import isclose
from typing import Any

from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import DocumentNotFound
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.services.documents.data_state import texts_changed
from app.services.models.models import unless_deleted
from app.services.prediction.prediction import Predictor
from app.services.ranking import ranking
from core.text.vector_coding import with_words

#: Scores of one text differ by less, whether it was counted among others or alone.
ROUNDING = 1e-6
#: What is told of the text alone, whatever the ranking says.
_OF_TEXT = ("cut", "terms", "neighbors", "neighbors_reason", "positives", "positives_reason")


def of_document(
    session: Session, artifacts: Artifacts, predictor: Predictor, model_id: str, document_id: str
) -> dict[str, Any]:
    """Explain a document by its text as it is now; it is no neighbor of itself.

    Its score is that of a new text where the model has not learned from it: then it has no rank.

    Raises
    ------
    ModelNotFound, DocumentNotFound, ArtifactUnavailable
    """
    model = ModelRepository(session).get(model_id)
    documents = DocumentRepository(session)
    document = documents.find(model.project_id, document_id)
    if document is None:
        raise DocumentNotFound(
            f"The project of the model has no document {document_id!r}. "
            "GET /projects/ID/documents lists all."
        )

    def ids_of_others(numbers: list[int]) -> dict[int, str]:
        return documents.ids([other for other in numbers if other != document.number])

    with unless_deleted(session, model_id):
        text = with_words(document.text, document.vector_code)
        (prediction,) = predictor.predict(model, [text], ids_of=ids_of_others)
    ranked = ranking.find(session, artifacts, model, document.number)
    placed = prediction if ranked is None else ranked
    # A score by transduction, or of the text before, does not come from the words shown here.
    is_of_text = isclose(placed.score, prediction.score, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return {
        "model_id": model.id,
        "id": document.id,
        "label": document.label,
        "predicted": ranking.is_predicted(placed.score, prediction.cut, document.label),
        "score": placed.score,
        "probability": placed.probability,
        "rank": None if ranked is None else ranked.rank,
        "rank_reason": "not_in_training" if ranked is None else None,
        "is_current": ranked is None or not texts_changed(session, model),
        "rest": prediction.rest if is_of_text else None,
        **{name: getattr(prediction, name) for name in _OF_TEXT},
    }
