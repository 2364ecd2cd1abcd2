"""That estimates bound what is taken is in test_common, for every classifier."""

import pytest

from core.classifiers.lp_pul import LPPUL
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.nnpu import NNPU
from core.classifiers.one_class_kmeans import OneClassKMeans
from core.classifiers.seed_expansion import SeedExpansion
from core.fit_memory import FitMemory
from tests.core.conftest import CLASSIFIERS

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
        (OneClassKMeans(n_clusters=9), OneClassKMeans()),
    ],
)
def test_parameters_that_take_memory_are_counted(more, less):
    assert more.memory_bytes(*SHAPE) > less.memory_bytes(*SHAPE)


def test_samples_that_are_only_scored_take_little():
    classifier = SeedExpansion(max_unlabeled=1000)
    few, many = (classifier.memory_bytes(n, 1000, 20 * n, 10) for n in (10**6, 10**7))
    assert many - few <= FitMemory.bytes_per_sample * (10**7 - 10**6)
