"""Training samples are transposed for predictions once, not for each."""

import gc

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

import core.classifier_bases.propagation as module
from core.classifiers.lp_pul import LPPUL
from core.classifiers.pu_lp import PULP
from core.kernels.rows.unit_rows import unit_rows
from core.nearest_documents import NearestDocuments
from core.pipeline import make_text_classifier

X = sp.csr_array([[4.0, 1, 0], [4, 0, 0], [3, 1, 0], [1, 4, 0], [0, 5, 1], [0, 3, 3], [0, 1, 3]])
Y = np.array([1, 1, 0, 0, 0, 0, 0])
NEW = sp.csr_array([[3.0, 0, 0], [0, 0, 5], [1, 1, 0]])


@pytest.fixture
def made(monkeypatch):
    made = []
    original = module.transposed
    monkeypatch.setattr(module, "transposed", lambda Z: made.append(1) or original(Z))
    return made


@pytest.mark.parametrize("graph", ["knn", "epsilon"])
def test_predictions_share_what_the_first_one_made(graph, made):
    classifier = LPPUL(graph=graph, n_neighbors=2).fit(X, Y)
    scores = [classifier.score_samples(NEW[[row]])[0] for row in range(3)]
    assert_array_equal(classifier.score_samples(NEW), scores)
    assert made == [1]


def test_another_fit_forgets_it():
    classifier = LPPUL(n_neighbors=2).fit(X, Y)
    classifier.score_samples(NEW)
    again = classifier.fit(X[:, ::-1], Y).score_samples(NEW)
    assert_array_equal(again, LPPUL(n_neighbors=2).fit(X[:, ::-1], Y).score_samples(NEW))


def test_what_is_kept_goes_with_its_classifier_and_is_as_large_as_told():
    classifier = LPPUL(n_neighbors=2).fit(X, Y)
    n_kept = len(module._COLUMNS)
    classifier.score_samples(NEW)
    columns = module._COLUMNS[classifier]
    arrays = columns.data, columns.indices, columns.indptr
    assert classifier.n_prediction_bytes == sum(array.nbytes for array in arrays)
    del classifier
    gc.collect()
    assert len(module._COLUMNS) == n_kept


def test_nearest_documents_share_it_too(made):
    texts = ["red apple", "green apple", "fast car", "apple car"]
    pipeline = make_text_classifier("lp_pul").fit(texts, [1, 1, 0, 0])
    counts = pipeline[:-2].transform(texts)
    finder = NearestDocuments().fit(pipeline, counts, Y[:4], np.arange(4))
    pipeline.score_samples(["green"])
    neighbors, _ = finder.find(pipeline, counts[[1]], 1)
    assert neighbors[0][0].number == 1
    assert made == [1]


def test_its_neighbors_are_those_of_the_training_samples():
    classifier = LPPUL(n_neighbors=2).fit(X, Y)
    cosines = unit_rows(NEW).toarray() @ classifier.X_fit_.toarray().T
    nearest = classifier.nearest(unit_rows(NEW), 1).toarray()
    assert_array_equal(nearest.argmax(axis=1), cosines.argmax(axis=1))


@pytest.mark.parametrize("algorithm", [LPPUL, PULP])
def test_scores_stay_with_their_samples(algorithm):
    X = sp.csr_array(np.random.default_rng(0).random((60, 30)))
    y = (np.arange(60) < 9).astype(int)
    order = np.random.default_rng(1).permutation(60)
    scores = algorithm().fit(X, y).transduction_scores_
    shuffled = algorithm().fit(X[order], y[order]).transduction_scores_
    assert_allclose(shuffled, scores[order], atol=1e-8)
