"""ADR 19: where judged samples rank by trainings that do not know the judgement."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.datasets import make_pu_data
from core.errors import NoUnlabeled, TooFewPositives
from core.evaluation.hide_judgements import HiddenJudgements, hide_judgements
from core.registry import ALGORITHMS
from tests.core.texts_with_copies import texts_with_copies

X, Y, TRUTH = make_pu_data(300, 10, class_prior=0.3, random_state=0)
JUDGED = np.zeros(len(Y), dtype=bool)
JUDGED[np.flatnonzero(Y == 0)[:40]] = True
POSITIVE = (Y == 1) | (JUDGED & (TRUTH == 1))
NEGATIVE = JUDGED & (TRUTH == 0)
SVM = partial(ALGORITHMS["judged_svm"], n_components=0, random_state=0)


def hidden(X=X, positive=POSITIVE, negative=NEGATIVE, judged=JUDGED, **options):
    options = {"random_state": 0} | options
    return hide_judgements(SVM(), X, positive, negative, judged, **options)


def test_each_judgement_is_hidden_once_and_positives_are_spread():
    outcome = hidden(n_splits=4)
    assert sum(map(len, outcome.judged)) == len(outcome.is_positive) == JUDGED.sum()
    assert outcome.is_positive.sum() == (POSITIVE & JUDGED).sum()
    assert {len(scores) for scores in outcome.unlabeled} == {int((~POSITIVE & ~NEGATIVE).sum())}
    ends = np.cumsum([len(scores) for scores in outcome.judged])
    n_positive = [part.sum() for part in np.split(outcome.is_positive, ends[:-1])]
    assert max(n_positive) - min(n_positive) <= 1


@pytest.mark.parametrize("n_judged", [2, 6])
def test_a_judged_sample_is_scored_by_a_training_that_took_it_for_unlabeled(n_judged):
    # One judgement hidden from each training: what the others give, written out.
    few = np.flatnonzero(JUDGED)[:n_judged]
    judged = np.isin(np.arange(len(Y)), few)
    positive, negative = (Y == 1) | (judged & POSITIVE), judged & NEGATIVE
    outcome = hidden(positive=positive, negative=negative, judged=judged, n_splits=9)

    expected = []
    for i in few:
        known = np.arange(len(Y)) != i
        classifier = SVM()
        classifier.fit(X, (positive & known).astype(int), is_negative=negative & known)
        expected.append((classifier.score_samples(X[[i]])[0], bool(positive[i])))
    pairs = zip(np.concatenate(outcome.judged), outcome.is_positive.tolist(), strict=True)
    for (score, label), (found, found_label) in zip(sorted(expected), sorted(pairs), strict=True):
        assert found == pytest.approx(score)
        assert found_label == label


def test_the_order_of_the_samples_does_not_matter():
    order = np.random.default_rng(1).permutation(len(Y))
    moved = hidden(X[order], POSITIVE[order], NEGATIVE[order], JUDGED[order])
    for one, other in zip(hidden().judged, moved.judged, strict=True):
        assert_allclose(np.sort(one), np.sort(other), atol=1e-6)


def test_copies_are_hidden_together():
    rows = np.concatenate([np.flatnonzero(Y == 1), np.repeat(np.flatnonzero(JUDGED)[:8], 3)])
    rows = np.concatenate([rows, np.flatnonzero((Y == 0) & ~JUDGED)])
    outcome = hidden(X[rows], POSITIVE[rows], NEGATIVE[rows], JUDGED[rows], n_splits=8)
    # Equal rows have equal scores.
    assert all(len(scores) == 3 and np.ptp(scores) < 1e-9 for scores in outcome.judged)


def test_near_copies_are_hidden_together():
    rows, is_judged = texts_with_copies(100, 8, 5)
    positive = is_judged & (np.arange(105) % 2 == 0)
    outcome = hidden(rows, positive, is_judged & ~positive, is_judged, n_splits=8)
    assert sorted(map(len, outcome.judged)) == [*7 * [1], 6]


def test_scores_of_each_training_are_brought_to_one_scale():
    outcome = HiddenJudgements(
        [np.array([3.0]), np.array([-1.0])],
        [np.array([0.0, 4]), np.array([5.0, 5])],
        np.array([True, False]),
    )
    judged = outcome.beside(np.array([10.0, 30]))
    # 20 + 10 / 2 (3 - 2); where all are equal nothing is stretched: 20 + (-1 - 5).
    assert judged.scores.tolist() == [25, 14]
    assert judged.is_positive.tolist() == [True, False]


def test_what_cannot_be_hidden_is_told():
    first = np.flatnonzero(JUDGED)[:1]
    one = np.isin(np.arange(len(Y)), first)
    with pytest.raises(TooFewPositives, match="two different ones"):
        hidden(positive=Y == 1, negative=one, judged=one)
    found = np.flatnonzero(POSITIVE & JUDGED)[:1]
    only = np.isin(np.arange(len(Y)), found)
    with pytest.raises(TooFewPositives, match="a positive that stays labeled"):
        hidden(positive=only, negative=NEGATIVE, judged=only | NEGATIVE)
    with pytest.raises(ValueError, match="'n_splits' parameter of hide_judgements must be"):
        hidden(n_splits=1)
    with pytest.raises(NoUnlabeled):
        hidden(positive=POSITIVE, negative=~POSITIVE, judged=~(Y == 1))
