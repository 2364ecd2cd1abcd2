"""What did not converge is flagged by every classifier, and told once."""

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pkgutil import resolve_name
from threading import Event, local

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from sklearn.exceptions import ConvergenceWarning

from core.classifiers.bagging_pu import BaggingPU
from core.classifiers.biased_svm import BiasedSVM
from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.classifiers.prototype import Prototype
from core.classifiers.sar_em import SAREM
from core.evaluation.hide_positives import hide_positives
from core.feature_selection.lasso import LassoSelector


def unsuccessful(result):
    result.success = False
    return result


#: Of each solver, by the name it is called by: what it found -> what it returns if it gives up.
GIVES_UP = {
    "core.classifiers.lp_pul.llgc": lambda found: (*found[:2], False),
    "core.kernels.graphs.complete_graph.cg": lambda found: (found[0], 1),
    "core.kernels.linear.expansion.llgc": lambda found: (*found[:2], False),
    "core.kernels.linear.hinge_svm._descend": lambda found: False,
    "core.kernels.graphs.katz._series": lambda found: (found[0], False),
    "core.kernels.graphs.katz._solution": lambda found: (found[0], False),
    "core.kernels.graphs.label_propagation.cg": lambda found: (found[0], 1),
    "core.kernels.linear.linear_risks.cg": lambda found: (found[0], 1),
    "core.kernels.linear.linear_risks.minimize": unsuccessful,
    "core.kernels.linear.newton._descend": lambda found: (found[0], False),
}


def let_give_up(monkeypatch, numbers=range(1, sys.maxsize)):
    """Let calls of all solvers give up, by their number; return the list of those that did."""
    calls, given_up = [], []

    def giving_up(name, solve):
        def solve_and_give_up(*arguments, **options):
            found = solve(*arguments, **options)
            calls.append(name)
            if len(calls) not in numbers:
                return found
            given_up.append(name)
            return GIVES_UP[name](found)

        return solve_and_give_up

    for name in GIVES_UP:
        monkeypatch.setattr(name, giving_up(name, resolve_name(name)))
    return given_up


def fitted_and_told(classifier, X, y):
    """Return the flags of a fit, and what it warns did not converge."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        flags = classifier.fit(X, y).report_["flags"]
    return flags, [str(w.message) for w in caught if w.category is ConvergenceWarning]


def test_a_solver_that_gives_up_is_flagged_and_told_once(classifier, fitted, pu_data, monkeypatch):
    X, y, _ = pu_data
    was_flagged = "not_converged" in fitted(classifier).report_["flags"]
    given_up = let_give_up(monkeypatch)
    flags, told = fitted_and_told(classifier, X, y)
    is_flagged = bool(given_up) or was_flagged
    assert ("not_converged" in flags) == is_flagged
    assert len(told) == is_flagged


def test_a_tolerance_that_cannot_be_met_is_flagged(pu_data):
    X, y, _ = pu_data
    flags, told = fitted_and_told(NaiveLogisticRegression(tol=1e-300), X, y)
    assert "not_converged" in flags
    assert told == ["logistic regression did not converge in 100 steps."]


def test_what_another_thread_fits_is_told_too(pu_data):
    X, y, _ = pu_data
    of_very_different_units = X @ sp.diags_array(np.logspace(-4, 4, X.shape[1]))
    classifier = BaggingPU(n_estimators=8, learner="svm", random_state=0)
    with parallel_config("threading", n_jobs=2):
        flags, told = fitted_and_told(classifier, of_very_different_units, y)
    assert "not_converged" in flags
    assert len(told) == 1


def test_only_the_last_iteration_of_an_expectation_maximization_counts(pu_data, monkeypatch):
    X, y, _ = pu_data
    rows = list(np.flatnonzero(y == 1)) + list(np.flatnonzero(y == 0)[:100])
    classifier = SAREM(max_iter=2000).fit(X[rows], y[rows])
    assert "not_converged" not in classifier.report_["flags"]
    # Two regressions come before the first iteration, two are in each.
    last = 2 * classifier.n_iter_
    for given_up, is_flagged in ((range(1, last - 1), False), ((last,), True)):
        with monkeypatch.context() as patch:
            let_give_up(patch, given_up)
            flags, told = fitted_and_told(SAREM(max_iter=2000), X[rows], y[rows])
        assert ("not_converged" in flags, len(told)) == (is_flagged, is_flagged)


@pytest.mark.parametrize(
    ("fit", "step"),
    [
        (BiasedSVM(C=1, cost_ratio=1).fit, "core.classifiers.biased_svm.fit_hinge_svm"),
        (LassoSelector().fit, "core.feature_selection.lasso.Lasso.fit"),
        (partial(hide_positives, Prototype()), "core.evaluation.hidden_trainings._trained"),
    ],
    ids=["BiasedSVM", "LassoSelector", "hide_positives"],
)
def test_fits_that_overlap_leave_the_warnings_of_the_process_alone(fit, step, pu_data, monkeypatch):
    X, y, _ = pu_data
    first_is_inside, second_is_inside, first_has_left = Event(), Event(), Event()
    take_step, fits = resolve_name(step), local()

    def overlapping(*arguments, **options):
        (first_is_inside if fits.is_first else second_is_inside).set()
        assert (second_is_inside if fits.is_first else first_has_left).wait(60)
        return take_step(*arguments, **options)

    def run(is_first):
        fits.is_first = is_first
        fit(X, y == 1)

    monkeypatch.setattr(step, overlapping)
    before = list(warnings.filters)
    with ThreadPoolExecutor(2) as workers:
        first = workers.submit(run, True)
        assert first_is_inside.wait(60)
        second = workers.submit(run, False)
        first.result()
        first_has_left.set()
        second.result()
    assert warnings.filters == before


def test_trainings_that_are_compared_tell_nothing(pu_data, monkeypatch):
    X, y, _ = pu_data
    given_up = let_give_up(monkeypatch)
    hide_positives(NaiveLogisticRegression(), X, y == 1, random_state=0)
    assert given_up
