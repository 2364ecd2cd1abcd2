import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifiers.averaged_pnb import AveragedPNB
from core.classifiers.naive_nb import NaiveNB
from core.classifiers.pnb import PNB

X = np.array([[2.0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 1, 3], [0, 0, 1]])
Y = [1, 1, 0, 0, 0]


@pytest.mark.parametrize("classifier", [NaiveNB(), PNB(), AveragedPNB()])
def test_probability_goes_with_the_log_odds(classifier):
    probabilities = classifier.fit(X, Y).predict_proba(X)
    assert_allclose(probabilities.sum(axis=1), 1)
    scores = classifier.score_samples(X)
    assert_allclose(np.log(probabilities[:, 1] / probabilities[:, 0]), scores)
    assert classifier.predict(X).tolist() == (probabilities[:, 1] >= 0.5).astype(int).tolist()


def test_probability_of_an_empty_text_is_at_most_one_half():
    assert NaiveNB().fit(X, [1, 1, 1, 1, 0]).predict_proba(np.zeros((1, 3)))[0, 1] <= 0.5
