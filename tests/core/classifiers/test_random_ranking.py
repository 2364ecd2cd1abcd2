import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from scipy.stats import kstest, spearmanr

from core.classifiers.random_ranking import RandomRanking


@pytest.fixture
def texts():
    """Return 2000 texts of which no two are alike: the first column numbers them."""
    random = np.random.default_rng(0)
    rows = sp.random_array((2000, 50), density=0.1, rng=random, format="csr")
    return sp.hstack([np.arange(1.0, 2001)[:, None], rows], format="csr")


def scores_of(texts, seed, **parameters):
    y = np.arange(texts.shape[0]) < 10
    return RandomRanking(random_state=seed, **parameters).fit(texts, y).score_samples(texts)


def test_scores_are_spread_evenly(texts):
    assert kstest(scores_of(texts, 0), "uniform").pvalue > 0.01


def test_similar_texts_and_other_seeds_have_unrelated_scores(texts):
    scores = scores_of(texts, 0)
    # Consecutive texts share a neighboring number; four standard errors of a rank correlation.
    assert abs(spearmanr(scores[1:], scores[:-1])[0]) < 4 / np.sqrt(2000)
    assert abs(spearmanr(scores, scores_of(texts, 1))[0]) < 4 / np.sqrt(2000)


def test_score_is_that_of_the_text_alone(texts):
    classifier = RandomRanking(random_state=3).fit(texts, np.arange(2000) < 10)
    some = texts[[5, 5, 1200]]
    assert_array_equal(
        classifier.score_samples(some), classifier.score_samples(texts)[[5, 5, 1200]]
    )


def test_share_of_the_class_prior_is_accepted(texts):
    y = np.arange(2000) < 10
    classifier = RandomRanking(class_prior=0.2, random_state=0).fit(texts, y)
    # Four standard errors of a share of 2000.
    assert abs(classifier.predict(texts).mean() - 0.2) < 4 * np.sqrt(0.2 * 0.8 / 2000)


def test_no_term_explains_anything(texts):
    classifier = RandomRanking(random_state=0).fit(texts, np.arange(2000) < 10)
    assert classifier.explain(texts).nnz == 0
    assert not classifier.feature_weights().any()
