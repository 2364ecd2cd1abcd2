"""The contract on classifiers made for it, with scores that a test can choose."""

from numbers import Real

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from core.base import BasePUClassifier
from core.errors import TooFewPositives
from core.options import Interval
from core.progress import listening

X = np.array([[2.0, 1], [4, 0], [3, 0], [1, 0], [0, 0]])
Y = np.array([1, 1, 0, 0, 0])
IS_EMPTY = ~X.any(axis=1)


class FirstFeature(BasePUClassifier):
    """Scores by the first feature; the cut is a parameter."""

    _parameter_constraints: dict = {
        **BasePUClassifier._parameter_constraints,
        "offset": [Interval(Real, None, None, closed="neither")],
    }

    def __init__(self, offset=2.0, *, pos_label=None):
        self.offset = offset
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        self.masks_ = is_positive, is_negative
        self.coef_ = np.arange(X.shape[1]) == 0
        self.offset_ = self.offset

    def _score_samples(self, X):
        return X @ self.coef_


class Transductive(FirstFeature):
    """The same, with scores of its own for the training rows: one less."""

    is_transductive = True

    def _fit(self, X, is_positive, is_negative):
        super()._fit(X, is_positive, is_negative)
        self.transduction_scores_ = X @ self.coef_ - 1


class Overflowing(FirstFeature):
    """Scores that are too large, but for samples without features."""

    def _score_samples(self, X):
        return np.where(np.diff(X.indptr), np.inf, 0.0)


def test_scores_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="Scale the features"):
        Overflowing().fit(X, Y)


def test_samples_at_the_cut_are_positive():
    assert FirstFeature().fit(X, Y).predict(X).tolist() == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("offset", [-1.0, 0.0])
def test_empty_samples_stay_below_any_cut(offset):
    classifier = FirstFeature(offset).fit(X, Y)
    assert classifier.predict(X).tolist() == [1, 1, 1, 1, 0]
    assert_allclose(classifier.score_samples(X)[-1], offset, atol=1e-12)
    assert classifier.report_["empty_rows"] == 1


def test_empty_samples_keep_a_neutral_score_below_the_cut():
    assert FirstFeature().fit(X, Y).score_samples(X)[-1] == 0


def test_report_counts_what_was_given():
    is_negative = np.array([False, False, False, True, False])
    report = FirstFeature(3.0).fit(X, Y, is_negative=is_negative).report_
    assert report == {
        "n_positive": 2,
        "n_unlabeled": 2,
        "n_negative": 1,
        "empty_rows": 1,
        "flags": ["all_positive"],
        "self_recall": 0.5,
    }


@pytest.mark.parametrize(
    ("rows", "offset", "expected"),
    [
        (slice(0, 4), 0.5, ["all_positive"]),
        (slice(0, 5), 0.5, ["all_positive"]),
        (slice(0, 4), 3.5, ["all_negative"]),
        (slice(0, 4), 9.0, ["all_negative", "unreliable"]),
        (slice(0, 4), 2.0, []),
    ],
)
def test_flags_say_what_to_doubt(rows, offset, expected):
    assert FirstFeature(offset).fit(X[rows], Y[rows]).report_["flags"] == expected


@pytest.mark.parametrize(
    ("n_accepted", "expected"), [(18, []), (19, ["nearly_all_positive"]), (20, ["all_positive"])]
)
def test_a_cut_that_accepts_nearly_all_is_told(n_accepted, expected):
    # A positive and 20 unlabeled samples; recut moves the flag along.
    many = np.column_stack([np.arange(21, 0, -1), np.ones((21, 2))])
    y = np.arange(21) < 1
    classifier = FirstFeature(20.5 - n_accepted).fit(many, y)
    assert classifier.report_["flags"] == expected
    scores = classifier.training_scores(many)
    classifier.recut(10.5, scores, y)
    assert classifier.report_["flags"] == []
    classifier.recut(20.5 - n_accepted, scores, y)
    assert classifier.report_["flags"] == expected


def test_positives_of_other_features_than_all_unlabeled_are_told(monkeypatch):
    monkeypatch.setattr("core.kernels.rows.row_blocks.BLOCK_ENTRIES", 2)
    apart = np.array([[2.0, 0, 0], [1, 0, 3], [0, 1, 0], [0, 2, 0], [0, 3, 0], [0, 0, 0]])
    y = np.array([1, 1, 0, 0, 0, 0])
    assert "nothing_shared" in FirstFeature().fit(apart, y).report_["flags"]
    apart[4, 2] = 1
    assert "nothing_shared" not in FirstFeature().fit(apart, y).report_["flags"]
    is_negative = np.arange(6) == 4
    judged = FirstFeature().fit(apart, y, is_negative=is_negative)
    assert "nothing_shared" in judged.report_["flags"]


def test_judged_negatives_do_not_hide_that_all_others_are_accepted():
    is_negative = np.array([False, False, False, True])
    assert FirstFeature(3.0).fit(X[:4], Y[:4]).report_["flags"] == []
    report = FirstFeature(3.0).fit(X[:4], Y[:4], is_negative=is_negative).report_
    assert report["flags"] == ["all_positive"]
    judged = FirstFeature(0.5).fit(X[:4], Y[:4], is_negative=Y[:4] == 0)
    assert judged.report_["flags"] == []


@pytest.mark.filterwarnings("ignore:the positive label")
def test_algorithm_sees_masks_not_labels():
    is_negative = np.array([False, False, True, False, False])
    words = np.where(Y == 1, "a", "b")
    classifier = FirstFeature(pos_label="a").fit(X, words, is_negative=is_negative)
    assert classifier.masks_[0].tolist() == (Y == 1).tolist()
    assert classifier.masks_[1].tolist() == is_negative.tolist()
    assert classifier.predict(X).tolist() == ["a", "a", "a", "b", "b"]


def test_transduction_keeps_positives_below_the_cut():
    classifier = Transductive().fit(X, Y)
    assert classifier.transduction_scores_[:4].tolist() == [1, 3, 2, 0]
    assert classifier.transduction_.tolist() == [1, 1, 1, 0, 0]
    assert classifier.report_["self_recall"] == 0.5
    # New rows are scored by the rule itself.
    assert classifier.score_samples(X)[0] == 2
    assert classifier.training_scores(X)[0] == 1
    assert FirstFeature().fit(X, Y).training_scores(X)[0] == 2


def test_scores_of_the_training_are_told_block_by_block(monkeypatch):
    expected = FirstFeature().fit(X, Y).score_samples(X).tolist()
    monkeypatch.setattr("core.kernels.rows.row_blocks.BLOCK_ENTRIES", 2)
    told = []
    with listening(lambda *progress, **facts: told.append((*progress, facts))):
        classifier = FirstFeature().fit(X, Y)
        assert not told  # the bar of a fit does not begin again
        assert classifier.training_scores(X).tolist() == expected
    shares = [share for _, share, _ in told]
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert told[-1] == ("rank", 1, {"n_samples": 5})


def test_explanations_of_linear_methods_add_up_to_the_score():
    classifier = FirstFeature().fit(X, Y)
    assert_allclose(classifier.explain(X).sum(axis=1), classifier.score_samples(X))
    assert classifier.feature_weights().tolist() == [1, 0]


@pytest.mark.parametrize(
    "method", ["predict", "score_samples", "training_scores", "explain", "decision_function"]
)
def test_use_before_fit_is_refused(method):
    with pytest.raises(NotFittedError):
        getattr(FirstFeature(), method)(X)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ValueError, match="offset"):
        FirstFeature("high").fit(X, Y)


def test_classifier_works_in_a_pipeline():
    pipeline = make_pipeline(MaxAbsScaler(), FirstFeature(0.5)).fit(X, Y)
    assert pipeline.predict(X).tolist() == [1, 1, 1, 0, 0]


def test_too_few_positives_are_refused_and_other_methods_named():
    class Splitting(FirstFeature):
        min_positives = 2

    assert Splitting().fit(X, Y).report_["n_positive"] == 2
    with pytest.raises(TooFewPositives, match=r"Splitting needs at least 2 .* got 1.*prototype"):
        Splitting().fit(X, [0, 0, 0, 1, 0])
    # An empty one does not count.
    with pytest.raises(TooFewPositives):
        Splitting().fit(X, [1, 0, 0, 0, 1])


@pytest.mark.parametrize("offset", [0.5, 2.0, 3.5, 9.0])
def test_a_moved_cut_is_as_if_it_had_been_there(offset):
    moved, there = FirstFeature(2.5).fit(X, Y), FirstFeature(offset).fit(X, Y)
    scores = moved.recut(offset, moved.training_scores(X), Y == 1, is_empty=IS_EMPTY)
    assert scores.tolist() == there.training_scores(X).tolist()
    assert moved.report_ == there.report_
    assert moved.predict(X).tolist() == there.predict(X).tolist()


def test_the_transduction_follows_a_moved_cut():
    classifier = Transductive(2.5).fit(X, Y)
    for offset in (9.0, 0.5):
        there = Transductive(offset).fit(X, Y)
        scores = classifier.recut(offset, classifier.training_scores(X), Y == 1, is_empty=IS_EMPTY)
        assert classifier.transduction_scores_ is scores
        assert classifier.transduction_.tolist() == there.transduction_.tolist()
        assert_allclose(scores >= offset, there.transduction_scores_ >= offset)


def test_a_cut_that_moves_up_gives_empty_samples_back_their_score():
    classifier = FirstFeature(-2.0).fit(X, Y)
    scores = classifier.training_scores(X)
    assert scores[4] < -2
    scores = classifier.recut(2.0, scores, Y == 1, is_empty=IS_EMPTY)
    assert scores.tolist() == classifier.score_samples(X).tolist() == [2, 4, 3, 1, 0]


def test_to_move_the_cut_scores_no_sample_that_has_features():
    classifier = FirstFeature(2.5).fit(X, Y)
    scores = classifier.training_scores(X)
    classifier.coef_ = np.array([np.nan, np.nan])
    assert classifier.recut(3.5, scores, Y == 1, is_empty=IS_EMPTY).tolist() == scores.tolist()


@pytest.mark.filterwarnings("ignore:the positive label")
def test_score_is_that_of_lee_and_liu():
    # Both positives and one of three unlabeled samples are above the cut: 1 / (3 / 5).
    words = np.array(["unlabeled", "flood"])[Y]
    classifier = FirstFeature().fit(X, words)
    assert_allclose(classifier.score(X, words), 5 / 3)
    # The accepted one counts twice.
    assert_allclose(classifier.score(X, words, sample_weight=[1, 1, 2, 1, 1]), 6 / 4)
    assert_allclose(make_pipeline(MaxAbsScaler(), FirstFeature(0.5)).fit(X, Y).score(X, Y), 5 / 3)


def test_a_search_does_not_choose_a_cut_that_accepts_nothing():
    # 4 of 24 positives are labeled: accepting none has an accuracy of .98, all 24 one of .90.
    X, y = np.repeat([[3.0], [1]], [24, 176], axis=0), np.arange(200) < 4
    search = GridSearchCV(FirstFeature(), {"offset": [2.0, 9.0]}, cv=4).fit(X, y)
    assert search.best_params_ == {"offset": 2.0}
    assert search.cv_results_["mean_test_score"][1] == 0


def test_what_fails_to_learn_anew_does_not_predict_as_before():
    classifier = FirstFeature().fit(X, Y)
    with pytest.raises(ValueError, match="every positive sample is empty"):
        classifier.fit(X, np.where(IS_EMPTY, 9, 7))
    # It named the labels of the fit that failed.
    with pytest.raises(NotFittedError):
        classifier.predict(X)


def test_a_fit_that_fails_leaves_nothing_to_predict_by():
    classifier = FirstFeature()
    with pytest.raises(ValueError, match="every positive sample is empty"):
        classifier.fit(X, IS_EMPTY)
    with pytest.raises(NotFittedError):
        classifier.predict(X)


def test_a_fit_forgets_what_was_set_beside_the_last_one():
    classifier = FirstFeature().fit(X, Y)
    classifier.nearest_ = "documents of another training"
    assert not hasattr(classifier.fit(X, Y), "nearest_")
