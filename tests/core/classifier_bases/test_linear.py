import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.classifier_bases.linear import LinearClassifier, UnitLinearClassifier
from core.registry import ALGORITHMS

X = np.array([[2.0, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0], [0, 1, 3], [0, 0, 1]], dtype=np.float32)
Y = [1, 1, 1, 1, 0, 0]

LINEAR = [name for name, found in ALGORITHMS.items() if issubclass(found, LinearClassifier)]


# The average over priors is linear on average only.
@pytest.mark.parametrize("name", sorted(set(LINEAR) - {"averaged_pnb"}))
def test_contributions_and_intercept_add_up_to_the_score(name):
    classifier = ALGORITHMS[name]().fit(X, Y)
    total = classifier.explain(X).sum(axis=1) + classifier.intercept_
    assert_allclose(total, classifier.score_samples(X), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    "name", [name for name in LINEAR if issubclass(ALGORITHMS[name], UnitLinearClassifier)]
)
def test_length_of_a_sample_is_irrelevant_to_unit_linear_ones(name):
    classifier = ALGORITHMS[name]().fit(X, Y)
    assert_allclose(classifier.score_samples(8 * X), classifier.score_samples(X), rtol=1e-12)
