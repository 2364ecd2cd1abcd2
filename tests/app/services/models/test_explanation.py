import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.errors import DocumentNotFound
from app.orm import Label, Model
from app.repositories.documents import DocumentRepository
from app.schemas.explanations import ExplanationRead
from app.services.models import explanation
from app.services.prediction.nearest import ids_in
from app.services.prediction.prediction import Prediction, Predictor
from app.services.ranking import ranking
from tests.app.services.corpora import FLOODS, add_documents, add_project
from tests.app.services.training.test_training import train


def explain(database: Database, artifacts: Artifacts, model: Model, name: str) -> ExplanationRead:
    predictor = Predictor(artifacts, 10**9)
    with database.reading() as session:
        found = explanation.of_document(session, artifacts, predictor, model.id, name)
    return ExplanationRead.model_validate(found)


def predict(database: Database, artifacts: Artifacts, model: Model, text: str) -> Prediction:
    predictor = Predictor(artifacts, 10**9)
    (prediction,) = predictor.predict(model, [text], ids_of=ids_in(database))
    return prediction


@pytest.fixture
def graph_model(database: Database, artifacts: Artifacts) -> Model:
    # d0 to d2 are floods and labeled, d3 to d5 are not; then come d6 to d12, and d13 negative.
    return train(database, artifacts, add_project(database), algorithm="lp_pul", calibrate=False)


def test_a_document_has_its_place_in_the_ranking(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    rows = list(ranking.rows(database, artifacts, graph_model))
    for row in (rows[3], rows[-1]):
        told = explain(database, artifacts, graph_model, row.id)
        assert (told.rank, told.score, told.rank_reason) == (row.rank, row.score, None)
        assert (told.predicted, told.label) == (row.predicted, row.label)
        assert told.cut == graph_model.card["offset"]
        assert told.terms


def test_words_and_rest_are_the_score_where_that_is_of_the_text_as_it_is(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    project_id = add_project(database, positive=FLOODS, unlabeled=["the goal", "a river"])
    model = train(database, artifacts, project_id, algorithm="pn_svm", calibrate=False)

    told = explain(database, artifacts, model, "d1")
    assert told.rest is not None
    assert sum(term.weight for term in told.terms or []) + told.rest == pytest.approx(told.score)

    # Its score in the graph is not that of its words.
    assert explain(database, artifacts, graph_model, "d4").rest is None
    assert predict(database, artifacts, graph_model, FLOODS[0]).rest is not None


def test_a_document_is_not_near_to_itself(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    told = explain(database, artifacts, graph_model, "d0")
    assert told.neighbors is not None
    assert told.positives is not None
    assert len(told.neighbors) == 5
    assert "d0" not in {near.id for near in told.neighbors}
    assert {near.id for near in told.positives} == {"d1", "d2"}
    new = predict(database, artifacts, graph_model, FLOODS[0])
    assert new.neighbors is not None
    assert (new.neighbors[0].id, new.neighbors[0].similarity) == ("d0", pytest.approx(1))


def test_neighbors_tell_what_was_known_in_the_training(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    with database.writing.begin() as session:
        numbers = DocumentRepository(session).labeled_numbers(graph_model.project_id)
        documents = DocumentRepository(session)
        document = documents.by_numbers(numbers[Label.POSITIVE][:1].tolist())
        states = [{"number": number, "label": Label.NEGATIVE} for number in document]
        documents.update(states, ["label"])
    scores = {row.id: row.score for row in ranking.rows(database, artifacts, graph_model)}
    labels = {f"d{i}": Label.POSITIVE for i in range(3)} | {"d13": Label.NEGATIVE}
    for name in ("d4", "d12"):
        for near in explain(database, artifacts, graph_model, name).neighbors or []:
            assert near.score == pytest.approx(scores[str(near.id)])
            assert near.label == labels.get(str(near.id), Label.UNLABELED)


def test_deleted_documents_are_no_neighbors(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    with database.writing.begin() as session:
        for name in ("d1", "d3"):
            DocumentRepository(session).delete(graph_model.project_id, name)
    told = explain(database, artifacts, graph_model, "d0")
    # A flood shares words with floods alone.
    assert {near.id for near in told.neighbors or []} == {"d2", "d4", "d5"}
    assert {near.id for near in told.positives or []} == {"d2"}


def test_methods_that_keep_no_rows_tell_so_and_give_the_positives(
    database: Database, artifacts: Artifacts
) -> None:
    model = train(database, artifacts, add_project(database), calibrate=False)
    told = explain(database, artifacts, model, "d4")
    assert (told.neighbors, told.neighbors_reason) == (None, "rows_not_kept")
    assert {near.id for near in told.positives or []} == {"d0", "d1", "d2"}
    assert told.positives_reason is None


def test_documents_added_later_have_no_rank(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    add_documents(database, graph_model.project_id, [(FLOODS[3], Label.UNLABELED)], first=50)
    told = explain(database, artifacts, graph_model, "d50")
    assert (told.rank, told.rank_reason) == (None, "not_in_training")
    assert told.score == predict(database, artifacts, graph_model, FLOODS[3]).score
    assert (told.neighbors or [])[0].id == "d3"


def test_an_unknown_document_is_not_found(
    database: Database, artifacts: Artifacts, graph_model: Model
) -> None:
    other = add_project(database, positive=["another"], unlabeled=[], negative=[])
    add_documents(database, other, [("of another project", Label.UNLABELED)], first=70)
    with pytest.raises(DocumentNotFound, match="d70"):
        explain(database, artifacts, graph_model, "d70")
