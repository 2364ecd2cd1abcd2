"""Choices by information against slow ones, specification of feature selection, 2.5, 5 and 8."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from core.feature_selection.mrmr import MRMR
from core.feature_selection.pu_mutual_information import PUMutualInformation
from core.feature_selection.semi_iamb import SemiIAMB
from core.feature_selection.semi_jmi import SemiJMI


def table(seed):
    """Return features, some with few values, some that tell, and labels."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(120, 7))
    X[:, 0] = random.integers(0, 3, 120)
    X[:, 1] = X[:, 0] if seed % 2 else random.integers(0, 7, 120)
    s = (X[:, 0] + X[:, 2] + random.normal(size=120) > 2).astype(int)
    s[:10] = 1
    return X, s


def coded(column, n_bins=5):
    values = np.unique(column)
    if len(values) <= n_bins:
        return np.searchsorted(values, column)
    share = (column - column.min()) / (column.max() - column.min())
    return np.minimum(np.floor(share * n_bins), n_bins - 1).astype(int)


def entropy(*columns):
    cells = zip(*(column.tolist() for column in columns), strict=True)
    shares = np.array(list(Counter(cells).values())) / len(columns[0])
    return -(shares * np.log(shares)).sum()


def information(first, second, given=()):
    """Return I(first; second | given); each is a list of columns."""
    return (
        entropy(*first, *given)
        + entropy(*second, *given)
        - entropy(*first, *second, *given)
        - (entropy(*given) if given else 0)
    )


def chosen(n_features, score):
    """Return features one by one, each the first of those that score best after the others."""
    order = []
    while len(order) < n_features:
        scores = {j: score(j, order) for j in range(n_features) if j not in order}
        order.append(next(j for j in scores if scores[j] >= max(scores.values()) - 1e-9))
    return order


@pytest.mark.parametrize("seed", range(6))
def test_pairs_with_those_chosen_decide_in_semi_jmi(seed):
    X, s = table(seed)
    columns = [coded(column) for column in X.T]

    def score(j, order):
        pairs = [[columns[j], columns[i]] for i in order] or [[columns[j]]]
        return sum(information(pair, [s]) for pair in pairs)

    assert SemiJMI(7).fit(X, s).feature_order_.tolist() == chosen(7, score)


@pytest.mark.parametrize("criterion", ["quotient", "difference"])
@pytest.mark.parametrize("seed", range(6))
def test_relevance_and_mean_redundancy_decide_in_mrmr(seed, criterion):
    X, s = table(seed)
    columns = [coded(column) for column in X.T]

    def score(j, order):
        relevance = information([columns[j]], [s]) / np.log(2)
        if not order:
            return relevance
        shared = [information([columns[j]], [columns[i]]) / np.log(2) for i in order]
        if criterion == "difference":
            return relevance - np.mean(shared)
        return relevance / (np.mean(shared) + 1e-4)

    assert MRMR(7, criterion=criterion).fit(X, s).feature_order_.tolist() == chosen(7, score)


def slow_blanket(columns, s, alpha):
    def test(j, others):
        given = [columns[i] for i in others]
        g = max(0.0, 2 * len(s) * information([columns[j]], [s], given))
        n_given = len(set(zip(*(column.tolist() for column in given), strict=True))) or 1
        p_value = chi2.sf(g, max(1, (len(np.unique(columns[j])) - 1) * n_given))
        return p_value, -g

    blanket = []
    while left := [j for j in range(len(columns)) if j not in blanket]:
        best = min(left, key=lambda j: test(j, blanket))
        if test(best, blanket)[0] > alpha:
            break
        blanket.append(best)
    while blanket:
        tests = {j: test(j, [i for i in blanket if i != j]) for j in blanket}
        worst = max(tests, key=tests.get)
        if tests[worst][0] < alpha:
            break
        blanket.remove(worst)
    return blanket


@pytest.mark.parametrize("seed", [5, 11, 15, 18, 19])
def test_blanket_is_that_of_conditional_tests(seed):
    # The majority of three joins first; with the last three seeds it leaves when these have joined.
    random = np.random.default_rng(seed)
    X = (random.random((300, 6)) < 0.5) * 1
    n_of_three = X[:, :3].sum(axis=1)
    X[:, 3] = n_of_three > 1
    s = (random.random(300) < np.array([0.05, 0.2, 0.5, 0.9])[n_of_three]) * 1
    expected = slow_blanket([coded(column) for column in X.T], s, 0.05)
    selector = SemiIAMB(6, alpha=0.05).fit(X, s)
    assert selector.report_["blanket_size"] == len(expected)
    assert selector.feature_order_[: len(expected)].tolist() == expected


@pytest.mark.parametrize("seed", range(3))
def test_information_about_the_class_is_what_positives_and_prior_leave(seed):
    X, s = table(seed)
    prior = s.mean() + 0.1 * (1 - s.mean())  # of all samples, from a tenth of the unlabeled
    expected = []
    for column in map(coded, X.T):
        total = 0.0
        for value in np.unique(column):
            p, q = (column == value).mean(), (column[s == 1] == value).mean()
            rest = max(p - prior * q, 1e-50)
            total += prior * q * np.log(q / p) if q else 0
            total += rest * np.log(rest / (p * (1 - prior)))
        expected.append(total)
    assert_allclose(PUMutualInformation(1, class_prior=0.1).fit(X, s).scores_, expected)
