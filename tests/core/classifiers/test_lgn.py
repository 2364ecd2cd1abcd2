"""Specification C1; the numbers are those of its toy example."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import average_precision_score

from core.classifiers.lgn import LGN
from core.datasets import make_pu_data
from core.kernels.bayes.naive_bayes import word_probabilities

X = np.array([[5.0, 1, 0], [3, 0, 0], [2, 0, 1], [1, 1, 3], [0, 0, 2]])
Y = np.array([1, 1, 0, 0, 0])
POSITIVE, UNLABELED = np.array([8.0, 1, 0]), np.array([3.0, 1, 6])


def fitted(**parameters):
    return LGN(smoothing=1, **parameters).fit(X, Y)


def negative_probabilities(classifier):
    """Undo the weights log(+/-) of the toy example, Pr(w|+) = (9, 2, 1) / 12."""
    return np.array([9, 2, 1]) / 12 / np.exp(classifier.coef_)


def artificial_document(classifier):
    """Undo the smoothing of Pr(w|-) = (1 + AN) / (3 + sum AN)."""
    length = classifier.report_["artificial_length"]
    return negative_probabilities(classifier) * (3 + length) - 1


def test_artificial_document_has_the_expected_frequencies():
    assert_allclose(artificial_document(fitted()), [0.387306, 0, 2.585883], atol=1e-6)
    assert_allclose(negative_probabilities(fitted()), [0.232255, 0.167415, 0.600330], atol=1e-6)


def test_terms_are_told_apart_by_the_posterior_of_the_toy_example():
    given = [word_probabilities(counts, 1.0, 3) for counts in (POSITIVE, UNLABELED)]
    assert_allclose(given[0] / sum(given), [0.709091, 0.52, 0.134021], atol=1e-6)


@pytest.mark.parametrize(
    ("entropy", "entropies"),
    [
        ("posterior", [0.602964, 0.692347, 0.393959]),
        ("literal", [0.578425, 0.586596, 0.540404]),
    ],
)
def test_evidence_is_the_entropy_that_lacks_to_the_largest(entropy, entropies):
    is_term = np.ones(3, dtype=bool)
    evidence = LGN(smoothing=1, entropy=entropy)._evidence(POSITIVE, UNLABELED, is_term)
    assert_allclose(evidence, 1 - np.array(entropies) / max(entropies), atol=2e-6)


def test_scores_are_log_odds_of_being_expected():
    classifier = fitted()
    assert_allclose(classifier.coef_, [1.172235, -0.004479, -1.974631], atol=1e-6)
    assert_allclose(classifier.score_samples(X[2:]), [0.369840, -4.756135, -3.949261], atol=1e-6)
    assert classifier.predict(X[2:]).tolist() == [1, 0, 0]
    # The other class of the paper's classifier is the unexpected one.
    unexpected = 1 / (1 + np.exp([0.369840, -4.756135, -3.949261]))
    assert_allclose(classifier.predict_proba(X[2:])[:, 0], unexpected, atol=1e-6)


def test_literal_entropy_is_that_of_the_printed_formula():
    # q = (0.013930, 0, 0.078745) times df * mu = (3, 1, 6): less than one word.
    classifier = fitted(entropy="literal")
    evidence = np.array([0.013930, 0, 0.078745])
    assert_allclose(classifier.report_["artificial_length"], evidence @ UNLABELED, atol=1e-5)
    assert "no_negative_evidence" in classifier.report_["flags"]


def test_literal_entropy_weighs_the_terms_of_a_longer_batch():
    # Each unlabeled text ten times: Pr(w|-) = (31, 11, 61) / 103, weighed as printed.
    batch = np.vstack([X[:2], np.repeat(X[2:], 10, axis=0)])
    classifier = LGN(smoothing=1, entropy="literal").fit(batch, [1, 1] + [0] * 30)
    pairs = [(9 / 12, 31 / 103), (2 / 12, 11 / 103), (1 / 12, 61 / 103)]
    entropies = np.array([-sum(p * math.log(p) for p in pair) for pair in pairs])
    expected = (1 - entropies / entropies.max()) * 10 * UNLABELED
    assert_allclose(artificial_document(classifier), expected, atol=1e-9)


def test_rounding_the_draws_down_loses_rare_terms():
    # df * q = (0.258, 0, 1.293): one draw of the third term, from N(2, 1), at least 0.
    lengths = []
    for seed in range(200):
        classifier = fitted(draws="floor", random_state=seed)
        lengths.append(classifier.report_["artificial_length"])
        if lengths[-1] >= 1:
            assert_allclose(artificial_document(classifier)[:2], 0, atol=1e-9)
    assert min(lengths) == 0
    assert abs(np.mean(lengths) - 2) < 4 / math.sqrt(200)  # four standard errors


def test_draws_rounded_at_random_have_the_expected_frequencies_on_average():
    documents = np.zeros(3)
    classifiers = [fitted(draws="stochastic", random_state=seed) for seed in range(200)]
    usable = [c for c in classifiers if c.report_["artificial_length"] >= 1]
    for classifier in usable:
        documents += artificial_document(classifier)
    # The documents left out have a total below 1 each.
    missing = (len(classifiers) - len(usable)) / len(classifiers)
    average = documents / len(classifiers)
    assert_allclose(average, [0.387306, 0, 2.585883], atol=missing + 4 * 1.5 / math.sqrt(200))


def test_one_sided_evidence_leaves_out_terms_of_the_positives():
    # Pr(w|+) = (0.75, 0.17, 0.08) against (0.31, 0.15, 0.54): the third term alone is left.
    expected = [0, 0, 2.585883]
    assert_allclose(artificial_document(fitted(one_sided=True)), expected, atol=1e-6)


def test_judged_negatives_enter_the_artificial_document_whole():
    is_negative = np.array([False, False, False, True, False])
    classifier = LGN(smoothing=1).fit(X, Y, is_negative=is_negative)
    # The evidence q of the toy example on the two others, (2, 0, 3), and the judged (1, 1, 3).
    evidence = np.array([0.129102, 0, 0.430981])
    expected = evidence * [2, 0, 3] + [1, 1, 3]
    assert_allclose(artificial_document(classifier), expected, atol=1e-5)


def test_batch_like_the_positives_is_expected_as_a_whole():
    classifier = LGN(threshold=2.0).fit([[2.0, 1], [2, 1]], [1, 0])
    assert classifier.predict([[1.0, 0], [0, 1]]).tolist() == [1, 1]
    assert "no_negative_evidence" in classifier.report_["flags"]
    # As printed, the entropy of a single term is 0.
    assert LGN(entropy="literal").fit([[2.0], [1]], [1, 0]).predict([[1.0]]).tolist() == [1]


def test_threshold_is_the_cut_on_the_log_odds():
    assert fitted(threshold=0.5).predict(X[2:]).tolist() == [0, 0, 0]
    assert fitted(threshold=-4.0).predict(X[2:]).tolist() == [1, 0, 1]


def test_length_normalized_scores_do_not_grow_with_the_text():
    classifier = fitted(length_normalize=True)
    texts = np.array([[2.0, 0, 1], [20, 0, 10]])
    assert_allclose(classifier.score_samples(texts), 0.369840 / 3, atol=1e-6)
    assert_allclose(classifier.explain(texts).sum(axis=1), 0.369840 / 3, atol=1e-6)


def slow_weights(X, y, smoothing):
    """The algorithm of the specification, term by term in Python."""
    n_terms = X.shape[1]
    positive, unlabeled = X[y == 1], X[y == 0]

    def probability(counts, term):
        return (smoothing + counts[term]) / (smoothing * n_terms + sum(counts))

    totals = [[sum(column) for column in part.T] for part in (positive, unlabeled)]
    entropies = []
    for term in range(n_terms):
        p, u = (probability(total, term) for total in totals)
        a = p / (p + u)
        entropies.append(-a * math.log(a) - (1 - a) * math.log(1 - a))
    largest = max(entropies)

    artificial = []
    for term in range(n_terms):
        frequencies = [row[term] for row in unlabeled if row[term] > 0]
        mean = sum(frequencies) / len(frequencies) if frequencies else 0
        artificial.append(len(frequencies) * (1 - entropies[term] / largest) * mean)
    return [
        math.log(probability(totals[0], term)) - math.log(probability(artificial, term))
        for term in range(n_terms)
    ]


@pytest.mark.parametrize("smoothing", [0.01, 1.0])
def test_weights_equal_those_of_the_slow_twin(smoothing):
    counts, y, _ = make_pu_data(40, 30, n_words=8, sparse=False, random_state=1)
    classifier = LGN(smoothing=smoothing).fit(sp.csr_array(counts), y)
    is_term = counts.any(axis=0)
    assert not is_term.all()
    assert_allclose(classifier.coef_[is_term], slow_weights(counts[:, is_term], y, smoothing))
    assert (classifier.coef_[~is_term] == 0).all()


def test_few_unexpected_texts_are_found():
    # 24 of the 312 unlabeled texts are not of the kind.
    counts, y, y_true = make_pu_data(600, 200, class_prior=0.96, random_state=0)
    unlabeled = counts[y == 0]
    is_unexpected = y_true[y == 0] == 0
    classifier = LGN().fit(counts, y)
    called_unexpected = classifier.predict(unlabeled) == 0
    assert called_unexpected.any()
    assert is_unexpected[called_unexpected].all()
    assert average_precision_score(is_unexpected, -classifier.score_samples(unlabeled)) > 0.95
