"""Why a document of a project has its place in a model's ranking."""

from dataclasses import dataclass
from math import isclose

from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import DocumentNotFound
from app.orm import Label
from app.repositories.documents import DocumentRepository
from app.repositories.models import ModelRepository
from app.services.documents.data_state import texts_changed
from app.services.models.models import unless_deleted
from app.services.prediction.prediction import Predictor
from app.services.prediction.prediction_json import NearPositive, Neighbor, TermWeight
from app.services.ranking import ranking
from core.text.vector_coding import with_words

#: Scores of one text differ by less, whether it was counted among others or alone.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Explanation:
    """Score and place of a document, with what they hang on.

    ``rank`` is None, and ``rank_reason`` says why, where the model has not learned from the
    document; its score is then that of a new text. Without ``is_current`` score and place may be
    those of the text before.
    """

    model_id: str
    id: str
    label: Label
    predicted: bool
    score: float
    probability: float | None
    cut: float
    rank: int | None
    rank_reason: str | None
    is_current: bool
    terms: list[TermWeight] | None
    rest: float | None
    neighbors: list[Neighbor] | None
    neighbors_reason: str | None
    positives: list[NearPositive] | None
    positives_reason: str | None


def of_document(
    session: Session, artifacts: Artifacts, predictor: Predictor, model_id: str, document_id: str
) -> Explanation:
    """Explain a document by its text as it is now; it is no neighbor of itself.

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
    return Explanation(
        model_id=model.id,
        id=document.id,
        label=document.label,
        predicted=ranking.is_predicted(placed.score, prediction.cut, document.label),
        score=placed.score,
        probability=placed.probability,
        cut=prediction.cut,
        rank=None if ranked is None else ranked.rank,
        rank_reason="not_in_training" if ranked is None else None,
        is_current=ranked is None or not texts_changed(session, model),
        terms=prediction.terms,
        rest=prediction.rest if is_of_text else None,
        neighbors=prediction.neighbors,
        neighbors_reason=prediction.neighbors_reason,
        positives=prediction.positives,
        positives_reason=prediction.positives_reason,
    )
