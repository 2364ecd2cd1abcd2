"""Specification D2."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression

from core.classifier_bases.held_out import held_out_splits
from core.classifiers.weighted_logistic_regression import WeightedLogisticRegression
from core.datasets import make_pu_data
from core.kernels.rows.row_hash import content_order, drawn_rows
from core.metrics import lee_liu_score

GRID = (0.01, 0.1, 1.0, 10.0, 100.0)
X, Y, _ = make_pu_data(150, 40, class_prior=0.4, random_state=0)
IS_POSITIVE = Y == 1


def weighted(rows, C, is_known=IS_POSITIVE):
    """Fit the weighted regression of scikit-learn; return its scores of all rows."""
    n_positive, n_samples = IS_POSITIVE[rows].sum(), len(rows)
    weights = np.where(is_known[rows], n_samples - n_positive, n_positive) / n_samples
    model = LogisticRegression(C=C, tol=1e-8, max_iter=10_000).fit(
        X[rows], IS_POSITIVE[rows], weights
    )
    return model.decision_function(X)


def test_both_sides_weigh_the_same():
    classifier = WeightedLogisticRegression(C=0.5, cut="balanced").fit(X, Y)
    assert_allclose(classifier.score_samples(X), weighted(np.arange(150), 0.5), atol=1e-3)
    assert classifier.offset_ == 0


def test_judged_negatives_weigh_as_much_as_positives():
    judged = ~IS_POSITIVE & (np.arange(150) % 5 == 0)
    classifier = WeightedLogisticRegression(C=0.5).fit(X, Y, is_negative=judged)
    expected = weighted(np.arange(150), 0.5, IS_POSITIVE | judged)
    assert_allclose(classifier.score_samples(X), expected, atol=1e-3)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_penalty_has_the_best_score_on_held_out_samples(seed):
    order = content_order(X, IS_POSITIVE)
    [(training, held_out)] = held_out_splits(IS_POSITIVE, order=order, random_state=seed)
    values = {
        C: lee_liu_score(
            IS_POSITIVE[held_out],
            weighted(training, C)[held_out] >= 0,
            single_set=True,
            pos_label=True,
        )
        for C in GRID
    }
    report = WeightedLogisticRegression(random_state=seed).fit(X, Y).report_
    assert report["lee_liu"] == pytest.approx(max(values.values()))
    assert report["C"] == min(C for C in GRID if values[C] == max(values.values()))
    assert ("grid_edge" in report["flags"]) == (report["C"] in (GRID[0], GRID[-1]))


def test_the_prior_sets_the_share_that_is_accepted():
    classifier = WeightedLogisticRegression(C=1, cut="prior", class_prior=0.3).fit(X, Y)
    assert np.mean(classifier.predict(X[~IS_POSITIVE])) == pytest.approx(0.3, abs=0.01)


def test_judged_negatives_are_no_part_of_what_the_prior_is_a_share_of():
    judged = ~IS_POSITIVE & (np.arange(150) % 5 == 0)
    classifier = WeightedLogisticRegression(C=1, cut="prior", class_prior=0.3)
    share = np.mean(classifier.fit(X, Y, is_negative=judged).predict(X[~IS_POSITIVE & ~judged]))
    assert share == pytest.approx(0.3, abs=0.01)
    with pytest.raises(ValueError, match="none is left"):
        classifier.fit(X, Y, is_negative=~IS_POSITIVE)


def test_where_no_penalty_accepts_a_held_out_positive_it_is_one():
    # A positive that was left out is to the others like an unlabeled text.
    rows = np.hstack([np.eye(12, 2), np.ones((12, 1))])
    report = WeightedLogisticRegression(random_state=0).fit(rows, np.arange(12) < 2).report_
    assert (report["C"], report["lee_liu"]) == (1, 0)
    assert "selection_failed" in report["flags"]
    assert "grid_edge" not in report["flags"]


def test_the_posterior_cut_is_where_positive_is_as_likely_as_not():
    classifier = WeightedLogisticRegression(C=1, cut="posterior", class_prior=0.2).fit(X, Y)
    # The odds of positives against unlabeled, times the prior, are one half.
    assert np.exp(classifier.offset_) * 0.2 == pytest.approx(0.5)


def test_the_cut_accepts_what_the_best_held_out_cuts_do_on_average():
    order = content_order(X, IS_POSITIVE)
    shares = []
    for training, held_out in held_out_splits(IS_POSITIVE, order=order, n_splits=5, random_state=0):
        scores, is_one = weighted(training, 1)[held_out], IS_POSITIVE[held_out]
        values = {
            cut: lee_liu_score(is_one, scores >= cut, single_set=True, pos_label=True)
            for cut in sorted(scores[is_one])
        }
        shares.append(np.mean(scores[~is_one] >= max(values, key=values.get)))
    classifier = WeightedLogisticRegression(C=1, random_state=0).fit(X, Y)
    accepted = np.sum(classifier.predict(X[~IS_POSITIVE]))
    assert accepted == round(np.mean(shares) * np.sum(~IS_POSITIVE))


def test_the_cut_of_held_out_samples_is_the_default():
    classifier = WeightedLogisticRegression(random_state=0).fit(X, Y)
    share = np.mean(classifier.predict(X[~IS_POSITIVE]))
    assert 0.05 < share < 0.6
    assert classifier.report_["self_recall"] > 0.5


@pytest.mark.parametrize("cut", ["prior", "posterior"])
def test_cuts_by_the_prior_need_it(cut):
    with pytest.raises(ValueError, match=f'cut="{cut}" needs class_prior'):
        WeightedLogisticRegression(cut=cut).fit(X, Y)


def test_unlabeled_samples_without_terms_are_nothing_to_compare_with():
    rows = sp.csr_array([[1.0, 0], [1, 1], [0, 0]])
    with pytest.raises(ValueError, match="every unlabeled sample is empty"):
        WeightedLogisticRegression().fit(rows, [1, 1, 0])


def test_learning_from_a_draw_is_learning_from_its_rows_alone():
    judged = ~IS_POSITIVE & (np.arange(150) % 5 == 0)
    with_empty = sp.vstack([X, sp.csr_array((30, 40))], format="csr")
    labels = [np.append(mask, np.zeros(30, dtype=bool)) for mask in (Y, judged)]
    few = WeightedLogisticRegression(max_unlabeled=25, random_state=0)
    few.fit(with_empty, labels[0], is_negative=labels[1])
    unlabeled = np.flatnonzero(~(IS_POSITIVE | judged))
    drawn = drawn_rows(X, unlabeled, 25, np.random.RandomState(0))
    rows = np.sort(np.concatenate([drawn, np.flatnonzero(IS_POSITIVE | judged)]))
    assert len(rows) < 150
    alone = WeightedLogisticRegression(random_state=0)
    alone.fit(X[rows], Y[rows], is_negative=judged[rows])
    assert_allclose(few.score_samples(X), alone.score_samples(X))
    assert few.offset_ == alone.offset_
    assert few.report_["n_unlabeled"] == len(unlabeled) + 30


@pytest.mark.parametrize("n_empty", [0, 30])
def test_the_prior_is_a_share_of_all_unlabeled_samples_whatever_was_drawn(n_empty):
    rows = sp.vstack([X, sp.csr_array((n_empty, 40))], format="csr")
    labels = np.append(Y, np.zeros(n_empty))
    options = {"C": 1, "max_unlabeled": 40, "class_prior": 0.3, "random_state": 0}
    classifier = WeightedLogisticRegression(cut="prior", **options).fit(rows, labels)
    share = np.mean(classifier.predict(rows[labels == 0]))
    assert share == pytest.approx(0.3, abs=0.01)
    by_odds = WeightedLogisticRegression(cut="posterior", **options).fit(rows, labels)
    of_used = 0.3 * (labels == 0).sum() / (Y == 0).sum()
    assert np.exp(by_odds.offset_) * of_used == pytest.approx(0.5)
