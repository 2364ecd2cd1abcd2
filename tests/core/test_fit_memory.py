"""That estimates bound what is taken is in test_common, for every classifier as it comes."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.preprocessing import normalize

from core.classifiers.knn_density import KNNDensity
from core.classifiers.lp_pul import LPPUL
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.nnpu import NNPU
from core.classifiers.onb import ONB
from core.classifiers.one_class_kmeans import OneClassKMeans
from core.classifiers.pn_svm import PNSVM
from core.classifiers.pu_lp import PULP
from core.classifiers.roc_svm import RocSVM
from core.classifiers.seed_expansion import SeedExpansion
from core.classifiers.upnb import UPNB
from core.classifiers.vpu import VPU
from core.classifiers.weighted_logistic_regression import WeightedLogisticRegression
from core.datasets import make_pu_data
from core.errors import BadParameter
from core.feature_selection.fscpu import FSCPU
from core.feature_selection.jsfs import JSFS
from core.feature_selection.pu_mutual_information import PUMutualInformation
from core.feature_selection.sselect import SSelect
from core.fit_memory import FitMemory
from core.kernels.rows import row_blocks
from core.registry import ALGORITHMS
from tests.core.conftest import CLASSIFIERS, peak_bytes, reduced

#: Their fits number the columns anew.
COPY_INDICES = [
    *("biased_svm", "dist_pu", "elkan_noto", "naive_logistic_regression", "nnpu"),
    *("propensity_weighting", "pusb", "sar_em", "upu", "vpu", "weighted_logistic_regression"),
]

SHAPE = 1_000_000, 100_000, 20_000_000, 100


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda one: type(one).__name__)
def test_more_of_anything_takes_no_less(classifier):
    told = classifier.memory_bytes(*SHAPE)
    assert isinstance(told, int)
    for i in range(len(SHAPE)):
        assert classifier.memory_bytes(*(n * (1 + (i == j)) for j, n in enumerate(SHAPE))) >= told


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda one: type(one).__name__)
def test_the_length_of_documents_matters_to_those_that_copy_the_matrix(classifier):
    n_samples, n_features, n_entries, _ = SHAPE
    short = classifier.memory_bytes(n_samples, n_features, n_entries, 0)
    long = classifier.memory_bytes(n_samples, n_features, 4 * n_entries, 0)
    assert (short == long) is classifier.is_blockwise


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (SeedExpansion(), SeedExpansion(n_neighbors=0)),
        (SeedExpansion(), SeedExpansion(n_components=0)),
        (SeedExpansion(), SeedExpansion(max_unlabeled=200_000)),
        (LPPUL(n_neighbors=30), LPPUL()),
        (NMFPUL(n_topics=8), NMFPUL()),
        (NNPU(hidden_layer_sizes=[10]), NNPU()),
        (NNPU(hidden_layer_sizes=[10, 10]), NNPU(hidden_layer_sizes=[10])),
        (OneClassKMeans(n_clusters=9), OneClassKMeans()),
        (PNSVM(n_clusters=100), PNSVM()),
    ],
)
def test_parameters_that_take_memory_are_counted(more, less):
    assert more.memory_bytes(*SHAPE) > less.memory_bytes(*SHAPE)


@pytest.mark.parametrize("of", [SeedExpansion, WeightedLogisticRegression])
def test_samples_that_are_only_scored_take_little(of):
    classifier = of(max_unlabeled=1000)
    few, many = (classifier.memory_bytes(n, 1000, 20 * n, 10) for n in (10**6, 10**7))
    assert many - few <= FitMemory.bytes_per_sample * (10**7 - 10**6)


@pytest.mark.parametrize(
    ("classifier", "n_features"),
    [
        (KNNDensity(n_neighbors=200), 300),
        (LPPUL(n_neighbors=10**9), 300),
        (LPPUL(graph="epsilon", epsilon=0.8), 300),  # the more edges, the more it takes
        (NMFPUL(n_restarts=40, max_iter=1, random_state=0), 20_000),
        (NNPU(hidden_layer_sizes=[300, 300], n_epochs=1, random_state=0), 1000),
        (RocSVM(n_clusters=200, random_state=0), 20_000),
        (UPNB(grid_step=0.002, random_state=0), 300),
        (VPU(hidden_layer_sizes=[300], n_epochs=1, n_batches=1, random_state=0), 300),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_parameters_take_is_bounded(classifier, n_features):
    X, y, _ = make_pu_data(1000, n_features, random_state=0)
    X, y = X.astype(np.float32), np.where(np.cumsum(y) <= 200, y, 0)
    clone(classifier).fit(X[:300], y[:300])  # compiles, loads: not part of the measure
    peak = peak_bytes(lambda: classifier.fit(X, y).predict(X))
    estimate = classifier.memory_bytes(*X.shape, X.nnz, int(y.sum()))
    assert peak <= estimate <= 4 * peak


@pytest.fixture(scope="module")
def short_and_long():
    """Return 2000 documents of about 50 terms each, and as many of 600."""
    return [sp.csr_array(documents(n_each).astype(np.float32)) for n_each in (50, 600)]


def documents(n_terms):
    random = np.random.default_rng(0)
    return normalize(sp.random_array((2000, 3000), density=n_terms / 3000, rng=random))


@pytest.mark.parametrize(
    "name", [*COPY_INDICES, "bagging_pu", "knn_density", "lgn", "one_class_svm", "prototype"]
)
def test_the_entries_of_long_documents_take_no_more_than_is_told(name, short_and_long, monkeypatch):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", 2**15)
    classifier = reduced(
        ALGORITHMS[name](), n_epochs=4, n_warm_up_epochs=2, n_estimators=4, tol=0.01
    )
    y, (few, many) = np.arange(2000) < 20, short_and_long
    clone(classifier).fit(few[:1000], y[:1000])  # compiles, loads: not part of the measure
    short, long = (peak_bytes(lambda X=X: classifier.fit(X, y)) for X in (few, many))
    assert long - short <= classifier.bytes_per_entry * (many.nnz - few.nnz) + 1.5e6


@pytest.mark.parametrize(
    ("make", "parameter", "most"),
    [
        (LPPUL, "n_neighbors", 1000),
        (OneClassKMeans, "n_clusters", 30),
        (PNSVM, "n_clusters", 200),
        (PULP, "n_neighbors", 1000),
        (RocSVM, "n_clusters", 200),
        (SeedExpansion, "n_neighbors", 1000),
    ],
)
def test_more_than_there_is_takes_no_more(make, parameter, most):
    told, most_told = (
        make(**{parameter: n}).memory_bytes(1000, 500, 10_000, 30) for n in (2**62, most)
    )
    assert told == most_told


@pytest.mark.parametrize(
    ("selector", "parameter", "most"),
    [
        (FSCPU(mode="paper"), "n_clusters", 200),
        (JSFS(), "n_neighbors", 1000),
        (PUMutualInformation(), "n_bins", 1000),
        (SSelect(), "n_neighbors", 1000),
    ],
)
def test_more_than_there_is_to_select_by_takes_no_more(selector, parameter, most):
    told, most_told = (
        clone(selector).set_params(**{parameter: n}).memory_bytes(1000, 500, 10_000)
        for n in (2**62, most)
    )
    assert told == most_told


@pytest.mark.parametrize(
    "estimator",
    [
        FSCPU(n_clusters="few"),
        NMFPUL(mode="x"),
        NNPU(hidden_layer_sizes=3),
        NNPU(hidden_layer_sizes=[2**62]),
        ONB(grid_step=0),
        SeedExpansion(max_unlabeled="all"),
        UPNB(grid_step=None),
    ],
    ids=repr,
)
def test_parameters_out_of_range_are_refused_as_by_fit(estimator):
    with pytest.raises(ValueError, match=r"must (be|hold)") as by_fit:
        estimator.fit([[1.0, 0], [0, 1]], [1, 0])
    with pytest.raises(BadParameter, match=re.escape(str(by_fit.value))):
        estimator.memory_bytes(1000, 500, 10_000)


def test_labels_of_each_candidate_are_counted():
    few, many = (ONB(grid_step=step).memory_bytes(*SHAPE) for step in (0.05, 0.001))
    assert many - few == 980 * SHAPE[0]
