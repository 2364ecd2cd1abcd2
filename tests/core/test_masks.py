"""Masks and matrices as users give them, to every public function that takes one."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest
import scipy.sparse as sp

import core
from core.auto.entries import Candidate
from core.auto.likeness import Likeness
from core.auto.race import race
from core.base import BasePUClassifier
from core.calibration.calibrate import calibrate
from core.classifiers.prototype import Prototype
from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.doctor.examine import examine
from core.evaluation.hide_positives import hide_positives
from core.feature_selection.cluster_assumption import cluster_assumption
from core.kernels.rows.masks import as_mask, rows_and_masks
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.registry import CLASS_PRIOR_ESTIMATORS

PACKAGES = ("auto", "calibration", "class_prior", "evaluation")
MASKS = {"is_positive", "is_negative", "is_unlabeled", "is_hideable", "is_accepted", "is_empty"}
MASKS |= {"is_judged"}
N = 6


class Column:
    """What a data frame gives: an array where one is asked for, else not to be relied on."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


def public_functions():
    """Yield the functions of the packages, and what else takes masks."""
    for package in PACKAGES:
        for module in pkgutil.iter_modules([f"{core.__path__[0]}/{package}"]):
            module = importlib.import_module(f"core.{package}.{module.name}")
            for name, function in vars(module).items():
                is_own = getattr(function, "__module__", None) == module.__name__
                if is_own and inspect.isfunction(function) and not name.startswith("_"):
                    yield function
    yield from (Likeness.left_out_ranks, BasePUClassifier.recut, left_out_ranks, examine)
    yield cluster_assumption


def masks_of(function):
    return sorted(MASKS & inspect.signature(function).parameters.keys())


CASES = [
    pytest.param(function, mask, id=f"{function.__module__}.{function.__name__}-{mask}")
    for function in public_functions()
    for mask in masks_of(function)
]


def arguments(function):
    """Return something for each parameter: what is checked first has to do."""
    names = inspect.signature(function).parameters
    X, y = sp.eye_array(N, 2, format="csr"), np.arange(N) < 2
    own = {"X": X, "counts": X, "y": y, "classifier": UPU(class_prior=0.5), "scores": np.arange(N)}
    own["self"] = Prototype().fit(X, y)
    if function is Likeness.left_out_ranks:
        own["self"] = Likeness(X, None, None, None)
    own |= {"labeled": np.ones(N), "probabilities": [np.ones(N)] * 3, "candidates": []}
    own |= {"function": None, "class_prior": 0.5, "neighbors": None, "offset": 0.0, "cut": 0.0}
    own["n_left"] = N
    own |= {mask: np.zeros(N, dtype=bool) for mask in MASKS} | {"is_positive": y}
    return {name: own[name] for name in names if name in own}


def test_functions_with_masks_are_found():
    assert {case.values[0] for case in CASES} >= {race, calibrate, hide_positives}


@pytest.mark.parametrize(("function", "mask"), CASES)
def test_other_numbers_are_no_mask(function, mask):
    given = arguments(function)
    given[mask] = np.where(given[mask], 1, -1)
    expected = rf"^{mask} must be a mask of shape \(6,\), of booleans or of 0 and 1, got .* -1\.$"
    with pytest.raises(ValueError, match=expected):
        function(**given)


@pytest.fixture(scope="module")
def data():
    X, y, _ = make_pu_data(200, 20, random_state=0)
    mask = y == 1
    return sp.csr_array(X), mask


def told(X, is_positive, is_negative):
    """Return what is computed with masks, all in one."""
    prior = CLASS_PRIOR_ESTIMATORS
    names = ("consensus", "dedpul", "elkan_noto_e1", "ted", "tice")
    classifier = Prototype().fit(X, np.asarray(is_positive))
    hidden = hide_positives(classifier, X, is_positive, is_negative, random_state=0)
    entry = race(X, is_positive, is_negative, [Candidate("prototype")])[0]
    scores = classifier.training_scores(X)
    found = calibrate(classifier, scores, is_positive, is_negative, class_prior=0.2)
    return [
        *(prior[name](X, is_positive, random_state=0).value for name in names),
        *left_out_ranks(X, is_positive, random_state=0).positive,
        *hidden.scores[0],
        entry.place,
        found.cuts["prior"].offset,
        *classifier.recut(0.5, scores, is_positive, is_negative),
        classifier.report_["self_recall"],
    ]


@pytest.fixture(scope="module")
def expected(data):
    """Return what is told of rows in canonical form, where no text was judged."""
    return told(*data, None)


FORMS = {
    "column": Column,
    "list": np.ndarray.tolist,
    "numbers": lambda mask: mask.astype(np.uint8),
    "list of numbers": lambda mask: mask.astype(int).tolist(),
}


@pytest.fixture(params=FORMS.values(), ids=FORMS.keys())
def written(request):
    """Return what writes a mask otherwise."""
    return request.param


def test_columns_lists_zeros_and_ones_are_masks(written, data, expected):
    X, mask = data
    assert told(X, written(mask), written(mask & False)) == expected


def test_columns_lists_zeros_and_ones_are_judgements(written, data):
    X, mask = data
    is_negative = ~mask & (np.arange(len(mask)) % 9 == 0)
    scores = [
        UPU(class_prior=0.5).fit(X, mask, is_negative=judged).score_samples(X).tolist()
        for judged in (is_negative, written(is_negative), None)
    ]
    assert scores[0] == scores[1] != scores[2]


def test_texts_are_no_samples():
    texts = ["river flood", "late goal", "goal"]
    for estimate in CLASS_PRIOR_ESTIMATORS.values():
        with pytest.raises(ValueError, match=r"not a list\. TokenCounter\(\)\.fit_trans"):
            estimate(texts, np.array([True, True, False]))


def test_mask_is_not_copied():
    mask = np.array([True, False])
    assert as_mask(mask, "is_positive", 2) is mask
    assert rows_and_masks(sp.eye_array(2), mask)[1] is mask


def test_canonical_rows_are_not_copied():
    X = sp.csr_array([[1.0, 2], [0, 3]])
    assert rows_and_masks(X, [True, False])[0] is X


def dense(X):
    return X.toarray()


@pytest.mark.parametrize(
    "form", [dense, sp.coo_array, sp.csc_array, sp.csr_matrix, "unsorted", "zeros"]
)
def test_other_formats_tell_the_same(form, data, expected):
    X, mask = data
    if form == "unsorted":
        # Each row from its last entry to the first.
        backwards = np.lexsort([-X.indices, np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))])
        other = sp.csr_array((X.data[backwards], X.indices[backwards], X.indptr), shape=X.shape)
    elif form == "zeros":
        row = np.concatenate([np.arange(X.shape[0]), sp.coo_array(X).row])
        column = np.concatenate([np.full(X.shape[0], X.shape[1] - 1), sp.coo_array(X).col])
        entries = np.concatenate([np.zeros(X.shape[0]), X.data])
        other = sp.csr_array((entries, (row, column)), shape=X.shape)
    else:
        other = form(X)
    assert told(other, mask, mask & False) == expected


@pytest.mark.parametrize(
    "function", [race, hide_positives, left_out_ranks, examine, *CLASS_PRIOR_ESTIMATORS.values()]
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_samples_that_are_not_finite_are_refused(function, value):
    given = arguments(function) | {"is_positive": np.arange(N) < 3}
    name = "counts" if "counts" in given else "X"
    given[name] = sp.csr_array(np.full((N, 2), value))
    with pytest.raises(ValueError, match=r"^samples hold NaN or infinite values"):
        function(**given)


def test_dense_samples_are_numbers():
    mask = [True, False]
    for rows in ([[1, 0], [0, 2]], np.array([[1, 0], [0, 2]], dtype=np.float32)):
        X, _ = rows_and_masks(np.array(rows), mask)
        assert (X.nnz, X.toarray().tolist()) == (2, [[1, 0], [0, 2]])
    for other in (np.array([["a"], ["b"]]), np.array([1.0, 2])):
        with pytest.raises(ValueError, match="must be a matrix of numbers, dense or"):
            rows_and_masks(other, mask)


@pytest.mark.parametrize(
    "mask",
    [
        [True],
        [[True, False]],
        "ab",
        None,
        [0.0, 1.0],
        ["a", "b"],
        ["0", "1"],
        [None, True],
        [0, 2],
        [-1, 1],
    ],
)
def test_other_shapes_types_and_values_are_told(mask):
    with pytest.raises(ValueError, match=r"is_positive must be a mask of shape \(2,\), of bool"):
        as_mask(mask, "is_positive", 2)
