"""What every selector refuses, and what it takes and tells of."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from core.datasets import make_pu_data
from core.errors import NoPositives, NoUnlabeled
from core.registry import FEATURE_SELECTORS
from tests.core.conftest import peak_bytes

#: Little work, and a class prior for the method that needs one.
QUICK = {
    "fscpu": {"max_iter": 3},
    "fscpu_mi": {"max_iter": 3},
    "lgbm_opt": {"max_iter": 3, "n_estimators": 3},
    "es_mcrfs": {"max_iter": 3},
    "dt_rfe": {"n_estimators": 3},
    "jsfs": {"max_iter": 3},
    "pu_mutual_information": {"class_prior": 0.5},
}
RNG = np.random.default_rng(0)
X = RNG.random((60, 6))
Y = (np.arange(60) < 20).astype(int)


@pytest.fixture(params=sorted(FEATURE_SELECTORS))
def make(request):
    """Return what makes each selector in turn."""
    selector = FEATURE_SELECTORS[request.param]
    seed = {"random_state": 0} if "random_state" in selector._get_param_names() else {}
    return lambda k=2, **params: selector(k, **{**QUICK.get(request.param, {}), **seed, **params})


@pytest.mark.parametrize(("value", "message"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_values_that_are_no_numbers_are_refused(make, value, message):
    spoiled = X.copy()
    spoiled[3, 4] = value
    with pytest.raises(ValueError, match=message):
        make().fit(spoiled, Y)


@pytest.mark.parametrize(("k", "message"), [(0, "n_features_to_select"), (7, "more than the 6")])
def test_as_many_features_as_there_cannot_be_are_refused(make, k, message):
    with pytest.raises(ValueError, match=message):
        make(k).fit(X, Y)


@pytest.mark.parametrize(
    ("labels", "pos_label", "error"),
    [(Y * 0, 1, NoPositives), (Y, 7, NoPositives), (Y * 0 + 1, 1, NoUnlabeled)],
)
def test_labels_without_both_classes_are_refused(make, labels, pos_label, error):
    with pytest.raises(error):
        make(pos_label=pos_label).fit(X, labels)


def test_ragged_rows_are_refused(make):
    with pytest.raises(ValueError, match="inhomogeneous"):
        make().fit([[1, 2], [3]], [1, 0])


def test_text_is_refused(make):
    with pytest.raises(ValueError, match="could not convert"):
        make().fit(np.array([["a", "b"]] * 60), Y)


def test_constant_and_equal_features_are_counted(make):
    with_both = np.column_stack([X, np.ones(60), X[:, 0]])
    report = make().fit(with_both, Y).report_
    assert (report["n_constant"], report["n_duplicates"]) == (1, 1)


def test_ten_thousand_features_are_taken(make):
    wide = RNG.random((60, 10_000))
    selector = make(10).fit(wide, Y)
    assert selector.support_.sum() in (10, 10_000)
    assert sorted(selector.feature_order_) == list(range(10_000))


def test_a_hundred_thousand_terms_stay_sparse(make):
    texts, y, _ = make_pu_data(300, 100_000, random_state=0)
    make().fit(texts[:, :50], y)  # compiles, loads: not part of the measure
    dense = 8 * 300 * 100_000
    assert peak_bytes(lambda: make().fit(texts, y)) < dense / 8


def test_any_classifier_is_trained_on_the_selected_features(make):
    pipeline = make_pipeline(make(), LogisticRegression()).fit(X, Y)
    selector, classifier = pipeline[0], pipeline[1]
    alone = LogisticRegression().fit(X[:, selector.get_support()], Y)
    assert_array_equal(classifier.coef_, alone.coef_)
    assert_array_equal(pipeline.predict(X), alone.predict(selector.transform(X)))


@pytest.mark.parametrize("method", ["fscpu", "fscpu_mi"])
def test_of_fewer_rows_than_clusters_fewer_clusters_are_taken(method):
    selector = FEATURE_SELECTORS[method](2, n_clusters=100, max_iter=3, random_state=0).fit(X, Y)
    assert "fewer_clusters" in selector.report_["flags"]
    assert selector.report_["n_clusters"] == 60 // 5


def test_nothing_but_errors_is_told(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        make().fit(X[:25], Y[:25])
