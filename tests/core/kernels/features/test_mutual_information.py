import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.kernels.features.discrete_features import discretize
from core.kernels.features.mutual_information import Information
from core.validation import canonical_csr

# The worked example: S itself, a feature that includes it, and one that is independent.
S = np.array([1, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
A, B, C = S, np.arange(8) < 4, np.arange(8) % 2 == 0

RNG = np.random.default_rng(0)
DENSE = np.column_stack(
    [
        RNG.normal(size=80),
        RNG.poisson(0.7, size=80),
        RNG.integers(0, 2, size=80),
        RNG.integers(0, 4, size=80) + 1,
        np.ones(80),
    ]
)
IS_POSITIVE = (DENSE[:, 0] + RNG.normal(size=80)) > 0.8


def slow_information(a, b):
    """Return I(A; B) in nats, from the definition."""
    total = 0.0
    for value in np.unique(a):
        for other in np.unique(b):
            joint = ((a == value) & (b == other)).mean()
            if joint:
                total += joint * np.log(joint / (a == value).mean() / (b == other).mean())
    return total


def codes(features):
    """Return the number of the value of each feature in each row, (n_samples, n_features)."""
    indicators = features.indicators.toarray()
    columns = []
    for j in range(features.n_features):
        own = indicators[:, features.feature == j]
        columns.append(own @ np.arange(1, own.shape[1] + 1))
    return np.column_stack(columns)


@pytest.fixture(name="features")
def _features():
    return discretize(canonical_csr(DENSE), 4)


def example():
    columns = np.column_stack([A, B, C]).astype(float)
    return Information(discretize(canonical_csr(columns)), S)


def test_information_of_the_worked_example():
    assert_allclose(example().of_features(), [0.562335, 0.215762, 0], atol=1e-6)


def test_information_with_the_class_of_the_worked_example():
    information, excess = example().of_class(0.5)
    assert_allclose(information[1:], [0.693147, 0], atol=1e-6)
    # A is in a quarter of the rows, but in all of the class, which is half of them.
    assert excess[0] > 0
    assert (excess[1:] <= 1e-9).all()


def test_information_equals_the_definition(features):
    information = Information(features, IS_POSITIVE)
    expected = [slow_information(column, IS_POSITIVE) for column in codes(features).T]
    assert_allclose(information.of_features(), expected, atol=1e-12)


def test_information_of_pairs_and_between_them_equals_the_definition(features):
    information, table = Information(features, IS_POSITIVE), codes(features)
    for k in range(table.shape[1]):
        pairs = [slow_information(100 * column + table[:, k], IS_POSITIVE) for column in table.T]
        assert_allclose(information.of_pairs(k), pairs, atol=1e-12)
        between = [slow_information(column, table[:, k]) for column in table.T]
        assert_allclose(information.between(k), between, atol=1e-12)


def test_conditional_information_follows_from_the_chain_rule(features):
    information, table = Information(features, IS_POSITIVE), codes(features)
    joint = 10 * table[:, 1] + table[:, 3]
    expected = [
        slow_information(100 * joint + column, IS_POSITIVE) - slow_information(joint, IS_POSITIVE)
        for column in table.T
    ]
    assert_allclose(information.given(joint.astype(int)), expected, atol=1e-12)


def test_joint_values_are_numbered(features):
    information, table = Information(features, IS_POSITIVE), codes(features)
    assert information.n_values().tolist() == [len(np.unique(column)) for column in table.T]
    for chosen in ([], [0], [1, 3], [0, 2, 4]):
        configuration = information.configuration(chosen)
        same = (table[:, None, chosen] == table[:, chosen]).all(axis=2)
        assert ((configuration[:, None] == configuration) == same).all()
        assert configuration.max() + 1 == len(np.unique(configuration))


def test_correction_recovers_the_information_of_full_labels():
    # In the population, not in a sample: 1,000 rows with exact shares.
    feature = np.repeat([1, 1, 0, 0], [300, 100, 100, 500])
    y = np.repeat([1, 0, 1, 0], [300, 100, 100, 500])
    is_labeled = np.zeros(1000, dtype=bool)
    is_labeled[:30] = is_labeled[400:410] = True
    features = discretize(canonical_csr(feature[:, None].astype(float)))
    corrected, _ = Information(features, is_labeled).of_class(0.4)
    assert_allclose(corrected, [slow_information(feature, y)], rtol=1e-9)


def test_a_term_of_no_text_has_one_value():
    presence = canonical_csr(np.array([[1.0, 0, 1], [0, 0, 1]]))
    information = Information(discretize(presence), np.array([True, False]))
    assert information.n_values().tolist() == [2, 1, 1]
