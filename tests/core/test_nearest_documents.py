import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from core.nearest_documents import NearestDocuments
from core.persistence import load, save
from core.pipeline import make_text_classifier

TEXTS = [
    *("red apple", "green apple pie", "apple pie", "green apple juice"),
    *("fast car", "apple juice", "old car", "car engine", "red car"),
]
LABELS = np.array([1, 1, 1, 1, 0, 0, -1, 0, 0])
NUMBERS = np.arange(10, 19)
NEW = ["an apple in a red car", "green green juice", "unheard"]


def trained(algorithm, **parameters):
    pipeline = make_text_classifier(algorithm, random_state=0)
    pipeline.fit(TEXTS, LABELS == 1, classifier__is_negative=LABELS == -1)
    counts = pipeline[:-2].transform(TEXTS)
    nearest = NearestDocuments(**parameters).fit(pipeline, counts, LABELS, NUMBERS)
    return pipeline, nearest


def expected(text, among, n_nearest, *, is_sublinear=True):
    """Return numbers and cosines by scikit-learn, of all pairs."""
    vectorizer = TfidfVectorizer(sublinear_tf=is_sublinear).fit(TEXTS)
    cosines = (vectorizer.transform(TEXTS) @ vectorizer.transform([text]).T).toarray().ravel()
    order = [i for i in np.argsort(-cosines, kind="stable") if i in among and cosines[i] > 0]
    return [(int(NUMBERS[i]), pytest.approx(cosines[i])) for i in order[:n_nearest]]


def found(neighbors):
    return [(near.number, near.similarity) for near in neighbors]


# A graph of all documents, a method on tf-idf weights, and one on counts.
@pytest.mark.parametrize("algorithm", ["lp_pul", "prototype", "lgn"])
def test_nearest_documents_are_those_of_all_cosines(algorithm):
    pipeline, nearest = trained(algorithm)
    neighbors, positives = nearest.find(pipeline, pipeline[:-2].transform(NEW), 3)
    weights = {"is_sublinear": algorithm != "lgn"}
    for i, text in enumerate(NEW):
        assert found(positives[i]) == expected(text, range(4), 3, **weights)
        if algorithm == "lp_pul":
            assert found(neighbors[i]) == expected(text, range(9), 3, **weights)
    assert (neighbors is None) == (algorithm != "lp_pul")


def test_neighbors_have_the_labels_and_scores_of_the_training():
    pipeline, nearest = trained("pu_lp")
    (neighbors,), _ = nearest.find(pipeline, pipeline[:-2].transform(["old red car juice"]), 9)
    scores = pipeline["classifier"].transduction_scores_
    assert {near.label for near in neighbors} == {1, 0, -1}
    for near in neighbors:
        row = near.number - NUMBERS[0]
        assert (near.label, near.score) == (LABELS[row], scores[row])


def test_of_many_positives_some_are_drawn():
    pipeline, nearest = trained("prototype", max_positives=2, random_state=0)
    _, again = trained("prototype", max_positives=2, random_state=0)
    assert len(nearest.positive_numbers_) == nearest.positives_.shape[0] == 2
    assert set(nearest.positive_numbers_) < set(NUMBERS[LABELS == 1])
    assert nearest.positive_numbers_.tolist() == again.positive_numbers_.tolist()
    _, (positives,) = nearest.find(pipeline, pipeline[:-2].transform(["apple"]), 5)
    kept = nearest.positive_numbers_ - NUMBERS[0]
    assert found(positives) == expected("apple", kept, 2)


@pytest.mark.parametrize("algorithm", ["lp_pul", "lgn"])
def test_a_stored_model_finds_the_same(algorithm, tmp_path):
    pipeline, nearest = trained(algorithm)
    pipeline["classifier"].nearest_ = nearest
    save(pipeline, tmp_path / "model")
    loaded = load(tmp_path / "model")
    counts = pipeline[:-2].transform(NEW)
    assert loaded["classifier"].nearest_.find(loaded, counts, 3) == nearest.find(
        pipeline, counts, 3
    )
