"""Specification part F: evaluation by positives hidden among the unlabeled samples."""

from threading import Event

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from core.auto.text_classifier import AutoTextClassifier
from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.errors import TooFewPositives
from core.evaluation.hidden_trainings import hidden_trainings
from core.evaluation.hide_positives import HiddenPositives, hide_positives
from core.kernels.convergence import tell_not_converged
from core.pipeline import make_text_classifier
from core.progress import listening, report
from core.registry import ALGORITHMS
from tests.core.texts_with_copies import texts_with_copies

X, Y, _ = make_pu_data(600, 40, class_prior=0.3, random_state=0)
POSITIVE, NEGATIVE = Y == 1, np.zeros(len(Y), dtype=bool)


@pytest.mark.parametrize("algorithm", ["prototype", "lp_pul"])
def test_each_positive_is_hidden_once_and_trained_on_else(algorithm):
    outcome = hide_positives(
        ALGORITHMS[algorithm](), X, POSITIVE, NEGATIVE, n_splits=7, random_state=0
    )
    n_unlabeled = (~POSITIVE).sum()

    assert sum(outcome.n_hidden) == POSITIVE.sum()
    assert max(outcome.n_hidden) - min(outcome.n_hidden) <= 1
    assert [len(s) for s in outcome.scores] == [n + n_unlabeled for n in outcome.n_hidden]


def test_scores_are_told_apart_and_shares_are_of_trainings():
    first, second = np.array([3.0, 1, 2, 0]), np.array([1.0, 3, 4])
    outcome = HiddenPositives([first, second], [first > 0, second > 3], [2, 1])
    pairs = [(hidden.tolist(), unlabeled.tolist()) for hidden, unlabeled in outcome.pairs()]

    assert pairs == [([3, 1], [2, 0]), ([1], [3, 4])]
    assert outcome.n_unlabeled == 2
    assert repr(outcome) == "HiddenPositives(n_hidden=[2, 1], ...)"
    assert outcome.recall == pytest.approx(2 / 3)
    assert outcome.accepted == 0.5


def test_hidden_positives_are_scored_by_a_training_that_took_them_for_unlabeled():
    # One positive hidden from each training: what the others give, written out.
    few = np.flatnonzero(POSITIVE)[:4]
    is_positive = np.zeros_like(POSITIVE)
    is_positive[few] = True
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, is_positive, NEGATIVE, n_splits=9, random_state=0
    )

    expected = []
    for hidden in few:
        y = is_positive.astype(int)
        y[hidden] = 0
        expected.append(ALGORITHMS["prototype"]().fit(X, y).score_samples(X[[hidden]])[0])
    assert_allclose(sorted(s[0] for s in outcome.scores), sorted(expected))


def test_only_those_that_may_be_hidden_are():
    is_hideable = np.zeros(len(Y), dtype=bool)
    is_hideable[np.flatnonzero(POSITIVE)[:7]] = True
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, is_hideable=is_hideable, random_state=0
    )
    assert sum(outcome.n_hidden) == 7
    # The other positives are labeled in each training, so nowhere among the unlabeled.
    n_unlabeled = int((~POSITIVE).sum())
    assert [len(s) - n for s, n in zip(outcome.scores, outcome.n_hidden, strict=True)] == (
        [n_unlabeled] * 5
    )


def test_judged_negatives_are_negative_in_each_training_and_count_nowhere():
    is_negative = np.zeros(len(Y), dtype=bool)
    is_negative[np.flatnonzero(~POSITIVE)[:9]] = True
    told = []

    class Recording(ALGORITHMS["prototype"]):
        def fit(self, X, y, *, is_negative=None):
            told.append(is_negative)
            return super().fit(X, y, is_negative=is_negative)

    outcome = hide_positives(Recording(), X, POSITIVE, is_negative, random_state=0)
    assert len(told) == 5
    for mask in told:
        assert_array_equal(mask, is_negative)
    n_unlabeled = len(Y) - POSITIVE.sum() - 9
    assert [len(s) - n for s, n in zip(outcome.scores, outcome.n_hidden, strict=True)] == (
        [n_unlabeled] * 5
    )


@pytest.mark.parametrize("share", [0.0, 1 / 560, 0.1, 1.0])
def test_each_training_accepts_the_share_that_is_given(share):
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, share=share, random_state=0
    )
    own = hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=0)
    for scores, is_accepted, expected, n_hidden in zip(
        outcome.scores, outcome.is_accepted, own.scores, outcome.n_hidden, strict=True
    ):
        assert_array_equal(scores, expected)
        assert is_accepted[n_hidden:].sum() == round(share * len(scores[n_hidden:]))
        assert outcome.has_cut == (share > 0)
        if share:
            assert scores[is_accepted].min() > scores[~is_accepted].max(initial=-np.inf)


@pytest.mark.parametrize("share", [0.0, 0.4 / 560])
def test_a_share_of_no_sample_leaves_no_recall(share):
    outcome = hide_positives(
        ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, share=share, random_state=0
    )
    assert (outcome.recall, outcome.accepted) == (None, 0)


def test_one_positive_cannot_be_hidden():
    alone = np.arange(len(Y)) == 0
    with pytest.raises(TooFewPositives, match="at least two"):
        hide_positives(ALGORITHMS["prototype"](), X, alone, NEGATIVE)


@pytest.mark.parametrize("name", ["seed_expansion", "lp_pul", "prototype"])
def test_trainings_side_by_side_are_those_one_after_the_other(name):
    X, y, _ = make_pu_data(120, 10, random_state=0)
    classifier = ALGORITHMS[name]()
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=0)
    alone = hide_positives(classifier, X, y == 1, y == 2, random_state=0)
    with joblib.parallel_config("threading", n_jobs=2):
        beside = hide_positives(classifier, X, y == 1, y == 2, random_state=0)
    for one, other in zip(alone.scores, beside.scores, strict=True):
        assert one.tolist() == other.tolist()


def test_copies_are_hidden_together_and_count_once():
    once = hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=0)
    # The mean of the positives, all the prototype knows, is the same if each comes twice.
    twice = sp.vstack([X, X[POSITIVE]], format="csr")
    is_copy = np.ones(POSITIVE.sum(), dtype=bool)
    outcome = hide_positives(
        ALGORITHMS["prototype"](),
        twice,
        np.append(POSITIVE, is_copy),
        np.append(NEGATIVE, ~is_copy),
        random_state=0,
    )
    assert outcome.n_hidden == once.n_hidden
    for scores, expected in zip(outcome.scores, once.scores, strict=True):
        assert_allclose(scores, expected)


def test_copies_of_one_positive_cannot_be_hidden():
    same = sp.csr_array(X[np.flatnonzero(POSITIVE)[[0] * 5]])
    rows = sp.vstack([same, X[~POSITIVE]], format="csr")
    mask = np.arange(rows.shape[0]) < 5
    with pytest.raises(TooFewPositives, match="two different"):
        hide_positives(ALGORITHMS["prototype"](), rows, mask, ~mask & False, random_state=0)


def test_near_copies_are_hidden_together_and_count_once():
    rows, is_positive = texts_with_copies(150, 6, 8)
    outcome = hide_positives(ALGORITHMS["prototype"](), rows, is_positive, random_state=0)
    assert sum(outcome.n_hidden) == 6


def test_near_copies_of_one_positive_cannot_be_hidden():
    rows, is_positive = texts_with_copies(150, 1, 8)
    with pytest.raises(TooFewPositives, match="two different"):
        hide_positives(ALGORITHMS["prototype"](), rows, is_positive, random_state=0)


def test_groups_may_be_a_list_of_one_for_each_sample():
    numbers = np.arange(len(Y)) // 3
    array, listed = (
        hide_positives(
            ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, groups=groups, random_state=0
        )
        for groups in (numbers, numbers.tolist())
    )
    assert array.n_hidden == listed.n_hidden
    for one, other in zip(array.scores, listed.scores, strict=True):
        assert_array_equal(one, other)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, groups=numbers[1:])


def test_groups_may_have_any_numbers():
    numbers = np.arange(len(Y)) // 3
    outcomes = [
        hide_positives(
            ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, groups=groups, random_state=0
        )
        for groups in (numbers, 1000 + numbers)
    ]
    n_groups = len(set(numbers[POSITIVE]))
    for outcome in outcomes:
        assert sum(outcome.n_hidden) == n_groups
    for scores, others in zip(*(outcome.scores for outcome in outcomes), strict=True):
        assert_allclose(scores, others)


def test_where_only_empty_positives_would_be_left_nothing_is_hidden():
    rows = sp.vstack([X[[0] * 4], sp.csr_array((1, X.shape[1])), X[~POSITIVE]], format="csr")
    mask = np.arange(rows.shape[0]) < 5
    with pytest.raises(TooFewPositives, match="empty"):
        hide_positives(ALGORITHMS["prototype"](), rows, mask, ~mask & False, random_state=0)


@pytest.mark.parametrize("pos_label", ["flood", 7, False])
def test_the_label_of_the_positives_in_a_users_own_y_is_irrelevant(pos_label):
    named = ALGORITHMS["prototype"](pos_label=pos_label)
    outcome = hide_positives(named, X, POSITIVE, random_state=0)
    expected = hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, NEGATIVE, random_state=0)
    assert named.pos_label == pos_label
    assert [scores.tolist() for scores in outcome.scores] == [
        scores.tolist() for scores in expected.scores
    ]


@pytest.mark.parametrize(
    "options", [{"share": 1.5}, {"share": -0.1}, {"share": np.nan}, {"n_splits": 1}]
)
def test_options_out_of_range_are_refused(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"'{name}' parameter of hide_positives must be"):
        hide_positives(ALGORITHMS["prototype"](), X, POSITIVE, **options)


@pytest.mark.parametrize(
    "other", [LinearSVC(), make_text_classifier("prototype"), AutoTextClassifier()]
)
def test_what_is_no_classifier_of_this_kind_is_refused(other):
    with pytest.raises(TypeError, match=f"{type(other).__name__} is not .* pass the last step"):
        hide_positives(other, X, POSITIVE)


def test_trainings_that_are_compared_do_not_warn_one_by_one():
    outcome = hide_positives(UPU(class_prior=0.2, max_iter=1), X, POSITIVE, random_state=0)
    assert len(outcome.scores) == 5


def test_a_training_tells_how_far_it_is_before_its_end():
    heard = []
    with listening(lambda stage, fraction, **_: heard.append(fraction)):
        learner = ALGORITHMS["bagging_pu"](n_estimators=5)
        hide_positives(learner, X, POSITIVE, n_splits=2, random_state=0)
    assert heard == sorted(heard)
    assert sum(0 < share < 0.5 for share in heard) > 2
    assert sum(0.5 < share < 1 for share in heard) > 2


def test_what_is_done_beside_them_warns_and_is_told_of_with_them():
    def beside():
        tell_not_converged("what is kept did not converge.")
        report("fit", 0.5)
        done.append(True)

    done, heard = [], []
    learner = UPU(class_prior=0.2, max_iter=1)
    with (
        listening(lambda stage, fraction, **_: heard.append((stage, fraction))),
        pytest.warns(ConvergenceWarning, match="what is kept") as told,
    ):
        outcome = hide_positives(learner, X, POSITIVE, random_state=0, beside=beside)
    assert (len(told), len(outcome.scores), done) == (1, 5, [True])
    assert {stage for stage, _ in heard} == {"hide"}
    shares = [share for _, share in heard]
    assert shares == sorted(shares)
    assert all(pytest.approx(n / 6) in shares for n in [1, 2, 3, 4, 5, 5.5, 6])


def test_what_goes_on_beside_a_training_that_failed_is_told_of_no_more():
    heard, begun, failed, told = [], Event(), Event(), Event()

    class Failing(ALGORITHMS["prototype"]):
        def fit(self, *_, **__):
            begun.wait()
            raise ValueError("it broke")

    def beside():
        begun.set()
        failed.wait()
        report("fit", 0.5)
        told.set()

    hidden = np.flatnonzero(Y)[:1]
    with listening(lambda *_: heard.append(True)), joblib.parallel_config("threading", n_jobs=2):
        with pytest.raises(ValueError, match="it broke"):
            hidden_trainings(
                Failing(),
                X,
                [(POSITIVE, NEGATIVE)],
                [hidden],
                np.flatnonzero(Y == 0),
                beside=beside,
            )
        failed.set()
        told.wait()
    assert heard == []
