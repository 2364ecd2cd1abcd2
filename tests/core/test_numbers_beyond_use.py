"""Parameters far beyond all use: what there is is taken, or they are refused at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.datasets import make_pu_data
from core.errors import BadParameter, Refused
from core.feature_selection import DTRFE, LassoSelector
from core.options import checked
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from tests.core.conftest import seeded

X, Y, _ = make_pu_data(60, 30, class_prior=0.4, random_state=0)


@pytest.mark.parametrize(
    ("name", "beyond", "enough"),
    [
        ("lp_pul", {"n_negatives": 1.7e308}, {"n_negatives": 1000}),
        ("pe_puc", {"expansion": 5e-324, "n_rounds": 2**62}, {"expansion": 1e-9, "n_rounds": 1000}),
        ("pn_svm", {"max_likely": 1.7e308}, {"max_likely": 1000}),
        ("pn_svm", {"max_likely": 2**62}, {"max_likely": 1000}),
        ("pu_lp", {"expansion": 1.7e308}, {"expansion": 1000}),
        ("pu_lp", {"min_one": True, "n_rounds": 2**62}, {"min_one": True, "n_rounds": 1000}),
        ("roc_svm", {"alpha": 1e300}, {"alpha": 1, "beta": 0}),
        ("roc_svm", {"beta": 1e300}, {"alpha": 1e-20, "beta": 1}),
        ("spy_em", {"max_unlabeled_ratio": 1.7e308}, {"max_unlabeled_ratio": 1000}),
        ("spy_em", {"max_unlabeled_ratio": 2**62}, {"max_unlabeled_ratio": 1000}),
    ],
)
def test_more_than_there_is_means_all_there_is(name, beyond, enough):
    first, second = (
        seeded(ALGORITHMS[name](**settings)).fit(X, Y).score_samples(X)
        for settings in (beyond, enough)
    )
    assert_allclose(first, second, atol=1e-9)


def test_leaves_of_a_forest_hold_all_samples_at_most():
    selector = DTRFE(3, min_samples_leaf=2**62, random_state=0).fit(X, Y)
    assert not np.any(selector.scores_ % 1)  # no tree has a branch


def test_a_share_of_next_to_nothing_drops_one_feature_at_a_time():
    settings = {"n_estimators": 2, "random_state": 0}
    expected, selector = (DTRFE(25, step=step, **settings).fit(X, Y) for step in (1, 1e-12))
    assert selector.report_["n_forests"] == X.shape[1] - 25
    assert_allclose(selector.scores_, expected.scores_)


def test_passes_of_the_lasso_end_where_it_has_converged():
    usual, most = (LassoSelector(3, max_iter=n).fit(X, Y) for n in (1000, 10**18))
    assert usual.report_ == most.report_
    assert_allclose(most.scores_, usual.scores_)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("averaged_pnb", "n_priors"),
        ("bagging_pu", "n_estimators"),
        ("dist_pu", "n_epochs"),
        ("dt_rfe", "n_estimators"),
        ("es_mcrfs", "max_iter"),
        ("lgbm_opt", "n_estimators"),
        ("nmfpul", "n_restarts"),
        ("nnpu", "n_epochs"),
        ("one_class_kmeans", "n_init"),
        ("vpu", "n_epochs"),
    ],
)
def test_what_nothing_else_ends_is_done_100_000_times_at_most(name, parameter):
    make = (ALGORITHMS | FEATURE_SELECTORS)[name]
    checked(make(**{parameter: 100_000}))
    with pytest.raises(BadParameter, match=r"range \[1, 100000\]") as refused:
        checked(make(**{parameter: 100_001}))
    assert refused.value.name == parameter


@pytest.mark.filterwarnings("ignore:.* encountered in:RuntimeWarning")
@pytest.mark.parametrize(
    ("name", "settings"), [("elkan_noto", {"C": 5e-324}), ("lgn", {"smoothing": 1.7e308})]
)
def test_a_parameter_that_leaves_no_finite_score_is_not_blamed_on_the_samples_alone(name, settings):
    with pytest.raises(Refused, match="keep parameters near their defaults"):
        seeded(ALGORITHMS[name](**settings)).fit(X, Y)
