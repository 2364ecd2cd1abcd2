import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone

from core.classifiers.bagging_pu import BaggingPU
from core.classifiers.random_ranking import RandomRanking
from core.datasets import make_pu_data
from core.registry import ALGORITHMS, FEATURE_SELECTORS

# A hundred bags, the default, are more than a few short texts need.
CLASSIFIERS = [
    algorithm(n_estimators=40) if algorithm is BaggingPU else algorithm()
    for algorithm in ALGORITHMS.values()
]
SELECTORS = [selector(n_features_to_select=1) for selector in FEATURE_SELECTORS.values()]


@pytest.fixture(autouse=True)
def draws_of_its_own(request):
    """Let a test draw the same numbers from a generator of its module, whatever ran before it."""
    values = vars(request.module).values()
    generators = [value for value in values if isinstance(value, np.random.Generator)]
    states = [generator.bit_generator.state for generator in generators]
    yield
    for generator, state in zip(generators, states, strict=True):
        generator.bit_generator.state = state


@pytest.fixture(scope="session")
def pu_data():
    """Return X, y and the truth of 300 short texts, half of the positives labeled."""
    return make_pu_data(300, 80, class_prior=0.6, random_state=0)


@pytest.fixture(scope="session")
def fitted(pu_data):
    """Return what fits a classifier to pu_data, once for all tests; they must not change it."""
    X, y, _ = pu_data
    kept = {}

    def fit(classifier):
        name = type(classifier).__name__
        if name not in kept:
            kept[name] = clone(classifier).fit(X, y)
        return kept[name]

    return fit


@pytest.fixture(params=CLASSIFIERS, ids=lambda classifier: type(classifier).__name__)
def classifier(request):
    return seeded(request.param)


@pytest.fixture(
    params=[one for one in CLASSIFIERS if not isinstance(one, RandomRanking)],
    ids=lambda classifier: type(classifier).__name__,
)
def learner(request):
    """Return a classifier whose scores mean something."""
    return seeded(request.param)


@pytest.fixture(params=SELECTORS, ids=lambda selector: type(selector).__name__)
def selector(request):
    return seeded(request.param)


def seeded(estimator):
    if "random_state" in estimator.get_params():
        return clone(estimator).set_params(random_state=0)
    return clone(estimator)


def short(selector):
    """Return a selector that searches for a moment, where no good answer is asked for."""
    return reduced(selector, max_iter=10, n_estimators=5)


def reduced(estimator, **sizes):
    known = estimator.get_params()
    return clone(estimator).set_params(**{name: sizes[name] for name in sizes if name in known})


def peak_bytes(function):
    """Return how much memory a call takes at most, as Python and NumPy count it."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
