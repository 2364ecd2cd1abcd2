import numpy as np
import pytest

from core.review.choice import (
    ENOUGH_NEGATIVES,
    MAX_LATENT,
    MAX_PAIRED,
    MIN_NEGATIVES,
    next_documents,
    review_learner,
)

SCORES = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
NONE_JUDGED = np.zeros(5, dtype=bool)


@pytest.mark.parametrize("strategy", ["mixed", "relevance", "uncertainty"])
@pytest.mark.parametrize("n", [1, 2, 5, 20, 100])
def test_nothing_is_chosen_twice_or_asked_again(strategy, n):
    random = np.random.default_rng(n)
    scores, is_judged = np.sort(random.random(60))[::-1], random.random(60) < 0.5
    positions, is_uncertain = next_documents(scores, is_judged, 0.4, n, strategy=strategy)
    assert len(positions) == len(is_uncertain) == len(set(positions.tolist()))
    assert len(positions) == min(n, int((~is_judged).sum()))
    assert not is_judged[positions].any()


def test_uncertain_documents_are_the_nearest_to_the_cut_of_all():
    random = np.random.default_rng(0)
    scores = np.sort(random.random(50))[::-1]
    for cut in (-1.0, 0.3, 0.7, 2.0):
        is_judged = random.random(50) < 0.3
        positions, _ = next_documents(scores, is_judged, cut, 6, strategy="uncertainty")
        distances = np.where(is_judged, np.inf, np.abs(scores - cut))
        np.testing.assert_allclose(distances[positions], np.sort(distances)[:6])


def test_one_of_ten_is_uncertain_and_stands_last():
    scores = np.arange(30.0, 0, -1)
    positions, is_uncertain = next_documents(scores, np.zeros(30, bool), 5.2, 20)
    assert positions.tolist() == [*range(18), 25, 24]
    assert is_uncertain.tolist() == [False] * 18 + [True] * 2


def test_equal_scores_are_taken_in_the_order_of_the_ranking():
    positions, _ = next_documents(np.zeros(5), NONE_JUDGED, 0.0, 2, strategy="uncertainty")
    assert positions.tolist() == [0, 1]


def test_a_ranking_may_be_a_list():
    positions, is_uncertain = next_documents([5.0, 4, 3], [True, False, False], 0, 2)
    assert positions.tolist() == [1, 2]
    assert not is_uncertain.any()


def test_an_unknown_strategy_is_named():
    with pytest.raises(ValueError, match="luck"):
        next_documents(SCORES, NONE_JUDGED, 2.0, 1, strategy="luck")


def test_the_learner_changes_with_the_judgements_and_the_pile():
    assert review_learner(MIN_NEGATIVES - 1, 100) is None
    assert review_learner(MIN_NEGATIVES, 100) is not None
    assert review_learner(ENOUGH_NEGATIVES - 1, MAX_LATENT) is None
    few = review_learner(ENOUGH_NEGATIVES, MAX_PAIRED)
    many = review_learner(ENOUGH_NEGATIVES, MAX_PAIRED + 1)
    assert few.vectorizer["ngram_range"] == (1, 2)
    assert many.vectorizer["ngram_range"] == (1, 1)
    assert review_learner(ENOUGH_NEGATIVES, MAX_LATENT).params == {}
    assert few.params == many.params == {"n_components": 0}


def test_what_is_no_ranking_is_refused():
    with pytest.raises(ValueError, match="the highest first"):
        next_documents(SCORES[::-1], NONE_JUDGED, 2.0, 1)
    with pytest.raises(ValueError, match="the highest first"):
        next_documents(np.where(SCORES[1] == SCORES, np.nan, SCORES), NONE_JUDGED, 2.0, 1)
    with pytest.raises(ValueError, match="is_judged must be a mask"):
        next_documents(SCORES, NONE_JUDGED.astype(float), 2.0, 1)
    with pytest.raises(ValueError, match="'n' parameter"):
        next_documents(SCORES, NONE_JUDGED, 2.0, 0)
