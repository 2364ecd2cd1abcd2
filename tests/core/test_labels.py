"""Which of two labels is the positive one."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone

from core.classifiers import Prototype
from core.errors import Refused
from core.feature_selection import KBest
from core.labels import check_labels, checked_labels, typed_labels
from core.metrics import lee_liu_score
from core.registry import ALGORITHMS


@pytest.mark.parametrize("pos_label", ["flood", None])
def test_words_that_scikit_learn_would_swap_warn(pos_label):
    X, y = [[1.0], [2.0], [3.0]], ["flood", "unlabeled", "unlabeled"]
    with pytest.warns(UserWarning, match="'flood' sorts before 'unlabeled'.* give y as 0 and 1"):
        ALGORITHMS["prototype"](pos_label=pos_label).fit(X, y)


def test_missing_labels_of_a_column_that_can_hold_them():
    class Column(list):
        """As a column of pandas: its type is not one of NumPy, but of a kind of numbers."""

        dtype = type("Int64Dtype", (), {"kind": "i"})()

    with pytest.raises(ValueError, match="y contains NaN or None, in row 1"):
        check_labels(Column([1, None]))
    check_labels(Column([1, 0]))


@pytest.mark.parametrize(
    "look",
    [
        checked_labels,
        lambda y: Prototype().fit([[1.0], [2.0]], y),
        lambda y: lee_liu_score(y, [1, 0]),
    ],
)
@pytest.mark.parametrize("y", [[1, "U"], np.array([1, "U"], dtype=object)])
def test_words_among_numbers_are_refused(look, y):
    with pytest.raises(Refused, match=r"y mixes words with other labels \(int and str\): make all"):
        look(y)


def test_the_missing_value_of_pandas_is_known_where_it_is_loaded(monkeypatch):
    na = object()
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(NA=na))
    with pytest.raises(ValueError, match="y contains NaN or None, in row 1"):
        check_labels(["flood", na])


def test_nothing_is_searched_for_at_each_label(monkeypatch):
    """Where pandas is not installed, a try to import it goes through all folders of modules."""
    searched = []
    finder = SimpleNamespace(find_spec=lambda name, *_: searched.append(name))
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    check_labels(["flood", "unlabeled"])
    assert not searched


@pytest.mark.parametrize("labels", [[True, False, False], [1, 0, 0], [1.0, 0.0, 0.0], [True, 0, 0]])
@pytest.mark.parametrize("estimator", [Prototype(), KBest(1)])
def test_labels_of_a_column_that_was_filled_are_those_of_its_values(estimator, labels):
    X = [[1.0, 0.0], [1.0, 2.0], [0.0, 1.0]]
    fitted = clone(estimator).fit(X, np.array(labels, dtype=object))
    assert fitted.classes_.tolist() == [labels[1], labels[0]]


@pytest.mark.parametrize("labels", [[[1], [0], [0]], [[1, 0], [0], [0]]])
@pytest.mark.parametrize("estimator", [Prototype(), KBest(1)])
def test_a_column_of_lists_is_none_of_labels(estimator, labels):
    y = np.empty(3, dtype=object)
    y[:] = labels
    with pytest.raises(Refused, match="multi-label"):
        clone(estimator).fit([[1.0, 0.0], [1.0, 2.0], [0.0, 1.0]], y)


def test_words_that_are_objects_take_no_room_of_the_longest():
    y = np.array(["x" * 1000, "y"], dtype=object)
    assert typed_labels(y) is y
