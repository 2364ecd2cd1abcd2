"""Small, empty and broken input: one protocol for all classifiers (specification 1.5)."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics import average_precision_score

from core.classifiers.bagging_pu import BaggingPU
from core.classifiers.dist_pu import DistPU
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.nnpu import NNPU
from core.classifiers.pn_svm import PNSVM
from core.classifiers.pusb import PUSB
from core.classifiers.random_ranking import RandomRanking
from core.classifiers.seed_expansion import SeedExpansion
from core.classifiers.upu import UPU
from core.classifiers.weighted_logistic_regression import WeightedLogisticRegression
from core.errors import NoPositives, NoUnlabeled, TooFewPositives
from core.registry import ALGORITHMS
from tests.core.conftest import CLASSIFIERS, reduced, seeded


def test_no_positive_is_refused(classifier):
    with pytest.raises(NoPositives, match="no sample of the positive class"):
        classifier.set_params(pos_label=1).fit([[1.0, 0], [0, 1]], [0, 0])


def test_one_positive_is_enough_or_another_method_is_named(learner, pu_data):
    X, y, y_true = pu_data
    seed = np.flatnonzero(y)[0]
    only = np.arange(len(y)) == seed
    if learner.min_positives > 1:
        with pytest.raises(TooFewPositives, match="take seed_expansion"):
            learner.fit(X, only)
        return
    learner.fit(X, only)
    scores = learner.score_samples(X)
    assert np.isfinite(scores).all()
    if isinstance(learner, PNSVM):
        pytest.skip("takes rare words of a single text for typical; here the topic is frequent")
    # One text says little about its kind, but more than chance, 0.6.
    assert average_precision_score(y_true[~only], scores[~only]) > 0.7


def test_only_one_class_methods_do_without_unlabeled_samples(classifier):
    X, y = [[1.0, 0], [2, 1]], [1, 1]
    classifier.set_params(pos_label=1)
    if classifier.requires_unlabeled:
        with pytest.raises(NoUnlabeled, match="one class"):
            classifier.fit(X, y)
    else:
        assert np.isfinite(classifier.fit(X, y).score_samples(X)).all()


def test_empty_texts_are_negative_and_counted(classifier, pu_data):
    X, y, _ = pu_data
    empty = sp.csr_array((3, X.shape[1]))
    classifier.fit(sp.vstack([empty, X], format="csr"), np.concatenate([[1, 0, 0], y]))
    assert classifier.report_["empty_rows"] == 3
    assert classifier.predict(empty).tolist() == [0, 0, 0]
    assert np.isfinite(classifier.score_samples(empty)).all()
    if classifier.is_transductive:
        assert classifier.transduction_[:3].tolist() == [1, 0, 0]


def test_positives_without_a_word_are_refused(classifier):
    with pytest.raises(NoPositives, match=r"every positive sample is empty.* and max_features;"):
        classifier.fit([[0.0, 0], [1, 0], [0, 1]], [1, 0, 0])


def test_a_pile_without_a_word_is_no_pile(classifier):
    X, y = [[1.0, 2], [2, 1], [1, 1], [2, 2], [0, 0]], [1, 1, 1, 1, 0]
    if classifier.requires_unlabeled:
        with pytest.raises(NoUnlabeled, match="every unlabeled sample is empty"):
            classifier.fit(X, y)
    else:
        assert classifier.fit(X, y).predict(X)[-1] == 0


def test_a_pile_that_is_all_judged_is_enough_or_refused(classifier):
    X, y = [[1.0, 2], [2, 1], [1, 1], [2, 2], [0, 1]], [1, 1, 1, 1, 0]
    is_negative = np.array(y) == 0
    if classifier.requires_unjudged:
        with pytest.raises(NoUnlabeled, match="none is left"):
            classifier.fit(X, y, is_negative=is_negative)
    else:
        scores = classifier.fit(X, y, is_negative=is_negative).score_samples(X)
        assert np.isfinite(scores).all()


@pytest.mark.parametrize("n_unlabeled", [1, 2, 3])
@pytest.mark.parametrize("n_positive", [1, 2, 3])
def test_a_handful_of_samples_is_enough_or_refused(classifier, n_positive, n_unlabeled):
    check_handful(classifier, n_positive, n_unlabeled)


#: More than a handful of samples has, where a parameter says how many to take.
TOO_MANY = {
    "max_criterion_samples": 50,
    "max_paths": 50,
    "max_samples": 50,
    "max_unlabeled_ratio": 50.0,
    "n_batches": 50,
    "n_clusters": 50,
    "n_components": 50,
    "n_folds": 50,
    "n_negatives": 50,
    "n_neighbors": 50,
    "n_rounds": 50,
    "n_topics": 50,
}


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name, algorithm in ALGORITHMS.items()
        for parameter in TOO_MANY
        if parameter in algorithm._get_param_names()
    ],
)
@pytest.mark.parametrize(("n_positive", "n_unlabeled"), [(1, 1), (3, 2), (4, 3)])
def test_more_than_there_is_may_be_asked_for(name, parameter, n_positive, n_unlabeled):
    settings = {parameter: TOO_MANY[parameter]}
    if parameter == "n_components" and "hidden_layer_sizes" in ALGORITHMS[name]._get_param_names():
        settings["hidden_layer_sizes"] = (3,)
    check_handful(seeded(ALGORITHMS[name](**settings)), n_positive, n_unlabeled)


def check_handful(classifier, n_positive, n_unlabeled):
    """Check that a few short texts are refused by their number, or learned from and scored."""
    n_samples = n_positive + n_unlabeled
    y = (np.arange(n_samples) < n_positive).astype(int)
    classifier = reduced(classifier, n_epochs=10, n_warm_up_epochs=10, n_estimators=10)
    for seed in range(2):
        # The texts of a kind share terms with each other and with the other kind.
        X = np.random.RandomState(seed).poisson(0.8, size=(n_samples, 6)).astype(float)
        X[np.arange(n_samples), y] += 1
        if n_positive < classifier.min_positives:
            with pytest.raises(TooFewPositives, match="take seed_expansion"):
                classifier.fit(X, y)
            continue
        scores = clone(classifier).fit(X, y).decision_function(np.vstack([X, np.eye(6)]))
        assert np.isfinite(scores).all()


def test_identical_texts_have_one_score(classifier):
    X = np.tile([[1.0, 2, 0]], (12, 1))
    scores = classifier.fit(X, [1] * 4 + [0] * 8).score_samples(X)
    assert np.isfinite(scores).all()
    assert_allclose(scores, scores[0])


def test_a_pile_of_copies_of_another_text_is_not_what_is_looked_for():
    """Copies that share the last places of an expansion once outweighed all that it had found."""
    random = np.random.default_rng(0)
    positives = np.zeros((50, 14))
    positives[:, :7] = random.multinomial(6, np.full(7, 1 / 7), 50)
    positives[:, 13] = 1
    for n_copies in (300, 2000, 8000):
        copies = np.tile(np.repeat([0.0, 1], 7), (n_copies, 1))
        X = sp.csr_array(np.vstack([positives, copies]))
        y = (np.arange(50 + n_copies) < 20).astype(int)
        classifier = SeedExpansion(random_state=0).fit(X, y)
        scores = classifier.training_scores(X)
        assert scores[20:50].min() > scores[50:].max()
        is_accepted = scores >= classifier.offset_
        assert is_accepted[20:50].sum() > 15
        assert not is_accepted[50:].any()


def test_unlabeled_copies_of_positives_are_allowed(classifier, pu_data):
    X, y, _ = pu_data
    copies = X[y == 1]
    stacked = sp.vstack([X, copies], format="csr")
    classifier.fit(stacked, np.concatenate([y, np.zeros(copies.shape[0], dtype=int)]))
    assert_allclose(classifier.score_samples(copies), classifier.score_samples(X)[y == 1])


def test_terms_without_training_texts_are_ignored(classifier, fitted, pu_data):
    X, y, _ = pu_data
    expected, n_unseen = fitted(classifier), 20 * X.shape[1]
    wider = sp.hstack([X, sp.csr_array((X.shape[0], n_unseen))], format="csr")
    model = clone(classifier).fit(wider, y)
    new = sp.hstack([X, sp.csr_array(np.ones((X.shape[0], n_unseen)))], format="csr")
    for rows in (wider, new):
        # Solvers stop at a tolerance.
        assert_allclose(model.score_samples(rows), expected.score_samples(X), rtol=1e-6, atol=1e-6)
        assert_array_equal(model.predict(rows), expected.predict(X))
    assert_array_equal(model.feature_weights()[X.shape[1] :], 0)

    unseen, empty = np.zeros((2, 1, wider.shape[1]))
    unseen[:, X.shape[1] :] = 1
    assert_array_equal(model.score_samples(unseen), model.score_samples(empty))
    assert model.predict(unseen) == [0]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_no_numbers_are_refused(classifier, fitted, pu_data, value):
    X, y, _ = pu_data
    broken = X.copy()
    broken.data[0] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        clone(classifier).fit(broken, y)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        fitted(classifier).score_samples(broken)


def test_negative_values_are_refused_where_they_count_something(classifier, fitted, pu_data):
    X, y, _ = pu_data
    signed = X.copy()
    signed.data[::2] *= -1
    if classifier.requires_non_negative:
        with pytest.raises(ValueError, match="Negative values in data"):
            clone(classifier).fit(signed, y)
        with pytest.raises(ValueError, match="Negative values in data"):
            fitted(classifier).score_samples(signed)
    else:
        assert np.isfinite(classifier.fit(signed, y).score_samples(signed)).all()


@pytest.fixture(
    params=[one for one in CLASSIFIERS if "class_prior" in one.get_params()],
    ids=lambda classifier: type(classifier).__name__,
)
def taker(request):
    """Return a classifier that takes a class prior."""
    return seeded(request.param)


@pytest.mark.parametrize("class_prior", [-0.1, 1.1, np.nan, np.inf, "0.5"])
def test_a_class_prior_that_is_no_share_is_refused(taker, class_prior):
    with pytest.raises(ValueError, match="'class_prior' parameter"):
        taker.set_params(class_prior=class_prior).fit([[1.0, 0], [0, 1]], [1, 0])


@pytest.mark.parametrize(("given", "taken"), [(0, 0.1), (1, 0.9)])
def test_a_class_prior_leaves_a_positive_and_a_negative(taker, pu_data, given, taken):
    X, y, _ = pu_data
    # Two in three samples are labeled: the class prior is that of the unlabeled, not of all.
    rows = np.r_[np.flatnonzero(y)[:20], np.flatnonzero(y == 0)[:10]]
    decisions = [
        clone(taker).set_params(class_prior=class_prior).fit(X[rows], y[rows]).decision_function(X)
        for class_prior in (given, taken)
    ]
    assert np.isfinite(decisions[0]).all()
    if not isinstance(taker, RandomRanking):
        assert_allclose(decisions[0], decisions[1])


@pytest.mark.parametrize("class_prior", [0, 0.5, 1])
def test_a_class_prior_that_was_changed_is_flagged(taker, pu_data, class_prior):
    if isinstance(taker, RandomRanking | NMFPUL | WeightedLogisticRegression):
        pytest.skip("takes it as it is, does not look at it here, or does not tell")
    X, y, _ = pu_data
    flags = taker.set_params(class_prior=class_prior).fit(X, y).report_["flags"]
    assert ("prior_clamped" in flags) == (class_prior != 0.5)


@pytest.mark.parametrize(
    "taker",
    [
        BaggingPU(n_estimators=20, class_prior=0.2, random_state=0),
        DistPU(n_epochs=10, n_warm_up_epochs=10, class_prior=0.2, random_state=0),
        NNPU(n_epochs=10, class_prior=0.2, random_state=0),
        PUSB(alpha=1.0, class_prior=0.2),
        SeedExpansion(class_prior=0.2, random_state=0),
        UPU(class_prior=0.2),
        WeightedLogisticRegression(cut="prior", class_prior=0.2, C=1.0),
    ],
    ids=lambda taker: type(taker).__name__,
)
def test_the_class_prior_is_a_share_of_all_unlabeled_texts(taker, pu_data):
    X, y, _ = pu_data
    X = sp.vstack([X, sp.csr_array((150, X.shape[1]))], format="csr")
    y = np.append(y, np.zeros(150, dtype=int))
    model = clone(taker).fit(X, y)
    labels = model.transduction_ if model.is_transductive else model.predict(X)
    assert abs(labels[y == 0].sum() - 0.2 * (y == 0).sum()) <= 1
