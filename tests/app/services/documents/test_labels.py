"""What is learned from: unsure documents are neither positive nor negative."""

import numpy as np
import pytest

from app.database import Database
from app.errors import NoUnlabeled
from app.orm import Label
from app.repositories.documents import DocumentRepository
from app.services.documents.labels import Labels, check_labels, read_labels
from core.class_prior.prior_estimate import PriorEstimate
from tests.app.services.corpora import add_project
from tests.app.services.documents.test_documents import decide


def test_unsure_documents_are_learned_from_as_unlabeled(database: Database) -> None:
    project_id = add_project(database, positive=["a"], unlabeled=["b", "c"], negative=["d"])
    with database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id)
    before = read_labels(database, project_id, numbers)

    decide(database, project_id, ("d1", Label.UNSURE))

    after = read_labels(database, project_id, numbers)
    assert after.is_positive.tolist() == [True, False, False, False]
    assert after.is_negative.tolist() == [False, False, False, True]
    assert after.digest == before.digest


def test_seeds_are_what_was_not_found_by_reading(database: Database) -> None:
    project_id = add_project(database, positive=["a", "b"], unlabeled=["c", "d", "e"], negative=[])
    decide(database, project_id, ("d2", Label.POSITIVE), ("d3", Label.NEGATIVE))
    with database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id)

    labels = read_labels(database, project_id, numbers)
    assert labels.is_positive.tolist() == [True, True, True, False, False]
    assert labels.is_seed.tolist() == [True, True, False, False, False]
    assert labels.n_found == 1
    assert labels.is_of_pile.all()


@pytest.mark.parametrize(
    ("n_uploaded", "n_judged", "n_negative", "expected"),
    [(3, 4, 1, True), (4, 4, 1, False), (1, 2, 1, True), (0, 5, 1, True), (0, 5, 0, False)],
)
def test_most_was_found_by_reading_where_negatives_were_judged_too(
    n_uploaded: int, n_judged: int, n_negative: int, expected: bool
) -> None:
    places = np.arange(20)
    is_positive = places < n_uploaded + n_judged
    is_negative = places >= len(places) - n_negative
    is_judged = is_positive & (places >= n_uploaded) | is_negative
    assert Labels(is_positive, is_negative, is_judged).is_mostly_found == expected


def test_of_a_single_seed_nothing_is_known_of_how_positives_were_found(database: Database) -> None:
    project_id = add_project(database, positive=["a"], unlabeled=["b", "c"], negative=["d"])
    decide(database, project_id, ("d1", Label.POSITIVE))
    with database.reading() as session:
        numbers = DocumentRepository(session).numbers(project_id)

    labels = read_labels(database, project_id, numbers)
    assert labels.is_seed.tolist() == labels.is_positive.tolist() == [True, True, False, False]
    assert labels.n_found == 0
    assert labels.is_of_pile.tolist() == [True, True, True, False]


def test_where_none_was_found_by_reading_the_class_prior_is_that_of_the_unjudged() -> None:
    is_positive, is_negative = np.arange(100) < 10, np.arange(100) >= 50
    labels = Labels(is_positive, is_negative, is_judged=is_negative)
    estimate = PriorEstimate(0.2, 0.1, 0.3)
    assert labels.of_rest(estimate) == estimate


def test_a_pile_of_unsure_documents_can_be_learned_from(database: Database) -> None:
    project_id = add_project(database, positive=["a"], unlabeled=["b"], negative=["c"])
    decide(database, project_id, ("d1", Label.UNSURE))
    with database.reading() as session:
        counts = DocumentRepository(session).counts(project_id)
    check_labels(project_id, counts, needs_unlabeled=True, needs_unjudged=True)

    decide(database, project_id, ("d1", Label.NEGATIVE))
    with database.reading() as session:
        counts = DocumentRepository(session).counts(project_id)
    with pytest.raises(NoUnlabeled):
        check_labels(project_id, counts, needs_unlabeled=True, needs_unjudged=True)


def test_without_a_pile_all_algorithms_that_need_none_are_named() -> None:
    counts = {"positive": 3, "negative": 0, "unsure": 0, "unlabeled": 0}
    with pytest.raises(NoUnlabeled) as refused:
        check_labels("p", counts, needs_unlabeled=True, is_training=True)
    named = str(refused.value).partition("of the algorithms ")[2]
    one_class = "knn_density, nearest_neighbor, one_class_kmeans, one_class_nb, one_class_svm"
    assert named == f"{one_class} and prototype need none."


def test_where_more_was_found_than_is_estimated_there_is_no_class_prior() -> None:
    is_positive = np.arange(20) < 6
    is_judged = (np.arange(20) >= 3) & (np.arange(20) < 6)
    labels = Labels(is_positive, np.zeros(20, dtype=bool), is_judged)
    assert labels.of_rest(PriorEstimate(3 / 17)).reason == "more_found_than_estimated"
    assert labels.of_rest(PriorEstimate(5 / 17)).value == pytest.approx(2 / 14)


def test_where_all_is_judged_no_class_prior_can_be_asked_for() -> None:
    counts = {"positive": 3, "negative": 4, "unsure": 0, "unlabeled": 0}
    with pytest.raises(NoUnlabeled, match="Every document of the project is judged"):
        check_labels("p", counts, needs_unlabeled=True, needs_unjudged=True)


def test_of_what_was_found_without_seeds_there_is_no_class_prior() -> None:
    # One seed, five found, two judged negative.
    place = np.arange(20)
    is_positive, is_negative = place < 6, (place >= 6) & (place < 8)
    labels = Labels(is_positive, is_negative, is_judged=(place >= 1) & (place < 8))
    assert (labels.n_found, labels.n_judged_positive, labels.is_review) == (0, 5, True)
    assert labels.of_rest(PriorEstimate(0.2)).reason == "found_by_reading"
